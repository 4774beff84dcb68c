; What a constructor sets, in a language that need not declare it. What is declared is known already.

(method_definition name: (property_identifier) @_constructor
  body: (statement_block (expression_statement (assignment_expression
    left: (member_expression object: (this) property: (property_identifier) @name)
    right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)])) @definition.method @once)
  (#eq? @_constructor "constructor")) @anywhere
(method_definition name: (property_identifier) @_constructor
  body: (statement_block (expression_statement (assignment_expression
    left: (member_expression object: (this) property: (property_identifier) @name))) @definition.field @once)
  (#eq? @_constructor "constructor")) @anywhere
(function_declaration name: (identifier) @container @_type
  body: (statement_block (expression_statement (assignment_expression
    left: (member_expression object: (this) property: (property_identifier) @name)
    right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)])) @definition.method @once)
  (#match? @_type "^[A-Z]")) @anywhere
(function_declaration name: (identifier) @container @_type
  body: (statement_block (expression_statement (assignment_expression
    left: (member_expression object: (this) property: (property_identifier) @name))) @definition.field @once)
  (#match? @_type "^[A-Z]")) @anywhere
