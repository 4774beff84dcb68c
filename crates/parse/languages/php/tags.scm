; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @scope              encloses items without being a definition itself
;   @rest               what follows in the file belongs to it

(namespace_definition name: (_) @name body: (compound_statement) @members) @definition.module
(namespace_definition name: (_) @name !body) @definition.module @rest
(namespace_definition !name body: (compound_statement) @members) @scope

(class_declaration name: (name) @name body: (declaration_list) @members) @definition.class
(interface_declaration name: (name) @name body: (declaration_list) @members) @definition.interface
(trait_declaration name: (name) @name body: (declaration_list) @members) @definition.trait
(enum_declaration name: (name) @name body: (enum_declaration_list) @members) @definition.enum
(enum_case name: (name) @name) @definition.variant

(function_definition name: (name) @name body: (compound_statement) @body) @definition.function
(method_declaration name: (name) @name body: (compound_statement) @body
  (#any-of? @name "__construct" "__CONSTRUCT")) @definition.constructor
(method_declaration name: (name) @name body: (compound_statement) @body) @definition.method
(method_declaration name: (name) @name !body) @definition.method
; A parameter of a constructor that says who may see it is a property.
(method_declaration parameters: (formal_parameters
  (property_promotion_parameter name: (variable_name (name) @name)) @definition.property))

(const_declaration (const_element . (name) @name)) @definition.const
(property_declaration (property_element name: (variable_name (name) @name)) (property_hook_list) @body) @definition.property
(property_declaration (property_element name: (variable_name (name) @name))) @definition.property

(expression_statement (function_call_expression
  function: (_) @_define
  arguments: (arguments . (argument (_ . (string_content) @name .))))
  (#any-of? @_define "define" "\\define" "DEFINE")) @definition.const
(expression_statement (binary_expression right: (function_call_expression
  function: (_) @_define
  arguments: (arguments . (argument (_ . (string_content) @name .)))))
  (#any-of? @_define "define" "\\define")) @definition.const

; Variables of the file. One that holds a function is a function.
(expression_statement (assignment_expression
  left: (variable_name (name) @name)
  right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)])) @definition.function
(expression_statement (assignment_expression
  left: (variable_name (name) @name)
  right: (object_creation_expression (anonymous_class body: (declaration_list) @members)))) @definition.var
(expression_statement (assignment_expression left: (variable_name (name) @name))) @definition.var
(return_statement (object_creation_expression (anonymous_class body: (declaration_list) @members))) @scope
