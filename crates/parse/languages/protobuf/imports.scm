; The names that an import binds. Which ones a file brings in cannot be told from the import.
