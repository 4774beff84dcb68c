; Nothing in SQL binds names of another file.
