; The names that an import binds: which ones a module brings in cannot be told from `include`.
