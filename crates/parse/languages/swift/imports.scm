; The names that an import binds: a module, or the one name that is taken from it.

(import_declaration (identifier (simple_identifier) @import .))
