; The names that an import binds.

(use_declaration argument: (identifier) @import)
(use_declaration argument: (scoped_identifier name: (identifier) @import))
(use_list (identifier) @import)
(use_list (scoped_identifier name: (identifier) @import))
(use_as_clause alias: (identifier) @import)
(scoped_use_list path: (identifier) @import list: (use_list (self)))
(scoped_use_list path: (scoped_identifier name: (identifier) @import) list: (use_list (self)))
(extern_crate_declaration alias: (identifier) @import)
(extern_crate_declaration name: (identifier) @import !alias)
