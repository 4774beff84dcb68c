; The names that an import binds: all files of a folder are one, and there are no imports.
