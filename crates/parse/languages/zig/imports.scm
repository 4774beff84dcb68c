; The names that an import binds.

(variable_declaration "const" . (identifier) @import)
