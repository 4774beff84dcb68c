; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @anywhere           counts inside functions as well
;   @doc                documentation inside the item; a pattern may say where it is and nothing else
; Variables inside a class count as its fields.

(function_definition name: (identifier) @name body: (block) @body
  (#eq? @name "__init__")) @definition.constructor @anywhere
(function_definition name: (identifier) @name body: (block) @body) @definition.function @anywhere
(class_definition name: (identifier) @name body: (block) @members) @definition.class @anywhere
(type_alias_statement left: (type (identifier) @name)) @definition.typealias @anywhere
(type_alias_statement left: (type (generic_type (identifier) @name))) @definition.typealias @anywhere

(expression_statement (assignment left: (identifier) @name)
  (#match? @name "^_*[A-Z][A-Z0-9_]*$")) @definition.const
(expression_statement (assignment left: (identifier) @name)) @definition.var
(expression_statement (assignment left: (pattern_list (identifier) @name))) @definition.var
(expression_statement (assignment left: (tuple_pattern (identifier) @name))) @definition.var

(function_definition body: (block . (expression_statement (string (string_content) @doc)))) @anywhere
(class_definition body: (block . (expression_statement (string (string_content) @doc)))) @anywhere
(expression_statement (string (string_content) @doc))
