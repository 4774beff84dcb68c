; The names that an import binds; one that is bound to nothing is known by its file.

(variable_list name: (identifier) @import)
(function_call name: (identifier) arguments: (arguments . (string content: (string_content) @import)))
