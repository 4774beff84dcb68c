; The names that an import binds: a file is known by its name.

(command argument: (word) @import)
(command argument: (string (string_content) @import))
(command argument: (concatenation (word) @import))
