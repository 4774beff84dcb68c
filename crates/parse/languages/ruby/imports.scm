; The names that an import binds: a file is known by its name, a constant that is loaded when needed by itself.

(argument_list . [(string (string_content) @import) (simple_symbol) @import])
