; The names that an import binds.

(import_clause (identifier) @import)
(namespace_import (identifier) @import)
(import_specifier name: (identifier) @import !alias)
(import_specifier alias: (identifier) @import)
(variable_declarator name: (identifier) @import)
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @import))
(variable_declarator name: (object_pattern (pair_pattern value: (identifier) @import)))
