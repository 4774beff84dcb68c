; The names that an import binds; a file is known by its name.

(using_statement (identifier) @import)
(using_statement (scoped_identifier (identifier) @import .))
(import_statement (identifier) @import)
(import_statement (scoped_identifier (identifier) @import .))
(selected_import . (_) (identifier) @import)
(import_alias (identifier) @import .)
(call_expression (argument_list (string_literal (content) @import)))
