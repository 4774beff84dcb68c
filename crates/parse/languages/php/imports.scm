; The names that an import binds; a file is known by its name.

(namespace_use_clause (name) @import !alias)
(namespace_use_clause (qualified_name (name) @import .) !alias)
(namespace_use_clause alias: (name) @import)
(string (string_content) @import)
(encapsed_string (string_content) @import)
