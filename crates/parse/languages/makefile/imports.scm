; The names that an import binds: which ones a file brings in cannot be told from `include`.
