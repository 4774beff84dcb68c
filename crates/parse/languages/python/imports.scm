; The names that an import binds.

(import_statement name: (dotted_name . (identifier) @import))
(import_statement name: (aliased_import alias: (identifier) @import))
(import_from_statement name: (dotted_name (identifier) @import))
(import_from_statement name: (aliased_import alias: (identifier) @import))
