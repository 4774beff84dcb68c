; The names that an import binds; a wildcard binds none that can be known.

(import_declaration (identifier) @import .)
(namespace_selectors (identifier) @import)
(arrow_renamed_identifier alias: (identifier) @import)
(as_renamed_identifier alias: (identifier) @import)
