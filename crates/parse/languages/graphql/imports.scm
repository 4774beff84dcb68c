; The names that an import binds: a document has no imports.
