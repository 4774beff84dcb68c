; The names that an import binds; one with a star binds none that can be known.

(import_declaration (identifier) @import .)
(import_declaration (scoped_identifier name: (identifier) @import) .)
