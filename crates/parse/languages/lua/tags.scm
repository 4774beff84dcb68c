; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @anywhere           counts inside functions as well
;   @scope              encloses items without being a definition itself
;   @container          the table that the item belongs to

(function_declaration name: (method_index_expression table: (_) @container method: (identifier) @name) body: (_) @body) @definition.method
(function_declaration name: (method_index_expression table: (_) @container method: (identifier) @name) "end" @body) @definition.method
(function_declaration name: (identifier) @name body: (_) @body) @definition.function @anywhere
(function_declaration name: (identifier) @name "end" @body) @definition.function @anywhere
(function_declaration name: [(identifier) (dot_index_expression)] @name body: (_) @body) @definition.function
(function_declaration name: [(identifier) (dot_index_expression)] @name "end" @body) @definition.function

; A function that a variable holds is a function; a table holds methods.
(variable_declaration (assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body)))) @definition.function
(variable_declaration (assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list . value: (table_constructor) @members))) @definition.var
(variable_declaration (assignment_statement (variable_list name: (identifier) @name))
  (#match? @name "^_*[A-Z][A-Z0-9_]+$")) @definition.const
(variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.var
(variable_declaration (variable_list name: (identifier) @name)) @definition.var
(assignment_statement
  (variable_list name: [(identifier) (dot_index_expression)] @name)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list name: [(identifier) (dot_index_expression)] @name)
  (expression_list . value: (table_constructor) @members)) @definition.var
(assignment_statement (variable_list name: (identifier) @name)
  (#match? @name "^_*[A-Z][A-Z0-9_]+$")) @definition.const
(assignment_statement (variable_list name: [(identifier) (dot_index_expression)] @name)
  (#match? @name "^[a-zA-Z_][a-zA-Z0-9_.]*$")) @definition.var
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.method
(field name: (string content: (_) @name) value: (function_definition body: (_)? @body)) @definition.method
(field name: (identifier) @name value: (table_constructor) @members) @definition.var
(return_statement (expression_list . (table_constructor) @members)) @scope
(function_call arguments: (arguments (table_constructor) @members)) @scope
