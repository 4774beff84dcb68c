; The names that an import binds: an image brings in no names.
