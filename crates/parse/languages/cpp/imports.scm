; The names that an import binds. Which ones a header brings in cannot be told from the include.

(using_declaration (qualified_identifier name: (identifier) @import))
