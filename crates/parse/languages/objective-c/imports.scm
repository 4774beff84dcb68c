; The names that an import binds. Which ones a header brings in cannot be told from the include.

(module_import path: (_) @import)
