; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends

(function_definition name: (word) @name body: (_) @body) @definition.function
(variable_assignment name: (variable_name) @name "=") @definition.var
(variable_assignments (variable_assignment name: (variable_name) @name)) @definition.var
(declaration_command "readonly" (variable_assignment name: (variable_name) @name)) @definition.const
(declaration_command (word) @_flag (variable_assignment name: (variable_name) @name)
  (#match? @_flag "^-[a-zA-Z]*r")) @definition.const
(declaration_command (variable_assignment name: (variable_name) @name)) @definition.var
(command name: (command_name) @_alias argument: [(word) @name (concatenation) @name]
  (#eq? @_alias "alias") (#match? @name "^[^-=][^=]*=")) @definition.function
