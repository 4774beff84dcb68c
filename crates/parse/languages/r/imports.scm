; The names that an import binds: a package by its name, a file by its own.

(arguments . (argument value: (identifier) @import))
(arguments . (argument value: (string content: (string_content) @import)))
