; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
; Commands have any case. A name that is put together from variables is not known.

(function_def (function_command (argument_list . (argument) @name)) (body) @body) @definition.function
(macro_def (macro_command (argument_list . (argument) @name)) (body) @body) @definition.macro
(function_def (function_command (argument_list . (argument) @name))) @definition.function
(macro_def (macro_command (argument_list . (argument) @name))) @definition.macro

(normal_command (identifier) @_command (argument_list . (argument) @name)
  (#match? @_command "(?i)^project$")
  (#match? @name "^[A-Za-z0-9_.+-]+$")) @definition.module
(normal_command (identifier) @_command (argument_list . (argument) @name)
  (#match? @_command "(?i)^add_(library|executable|custom_target)$")
  (#match? @name "^[A-Za-z0-9_.+-]+$")) @definition.module
(normal_command (identifier) @_command (argument_list . (argument) @name)
  (#match? @_command "(?i)^(set|option)$")
  (#match? @name "^[A-Za-z_][A-Za-z0-9_.+-]*$")) @definition.var
