; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
; The first name of an instruction stands for the whole of it, so that further ones have their own place.

(from_instruction as: (image_alias) @name) @definition.module
(arg_instruction . (arg_pair name: (_) @name)) @definition.var
(arg_instruction (arg_pair) . (arg_pair name: (_) @name) @definition.var)
(env_instruction . (env_pair name: (_) @name)) @definition.var
(env_instruction (env_pair) . (env_pair name: (_) @name) @definition.var)
