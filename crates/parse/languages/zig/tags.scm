; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @container          the type that the item belongs to
; Functions inside a type are its methods, variables its fields.

; A function that returns the type it writes out is that type.
(function_declaration name: (identifier) @name
  body: (block (expression_statement (return_expression (struct_declaration) @members))) @body) @definition.struct
(function_declaration name: (identifier) @name
  body: (block (expression_statement (return_expression (union_declaration) @members))) @body) @definition.union
(function_declaration name: (identifier) @name
  body: (block (expression_statement (return_expression (enum_declaration) @members))) @body) @definition.enum
(function_declaration name: (identifier) @name body: (block) @body) @definition.function
(function_declaration name: (identifier) @name) @definition.function

(variable_declaration "const" . (identifier) @name (struct_declaration) @members) @definition.struct
(variable_declaration "const" . (identifier) @name (enum_declaration) @members) @definition.enum
(variable_declaration "const" . (identifier) @name (union_declaration) @members) @definition.union
(variable_declaration "const" . (identifier) @name (opaque_declaration) @members) @definition.struct
(variable_declaration "const" . (identifier) @name (error_set_declaration) @body) @definition.enum @members
(variable_declaration "const" . (identifier) @name) @definition.const
(variable_declaration "var" . (identifier) @name) @definition.var

(error_set_declaration (identifier) @name @definition.variant)
(variable_declaration "const" . (identifier) @container
  (union_declaration (container_field name: (identifier) @name !type) @definition.field))

; What has no type is a value of an enum.
(container_field name: (identifier) @name !type
  (#not-eq? @name "_")) @definition.variant
(container_field name: (identifier) @name type: (_)) @definition.var

(test_declaration (string) @name (block) @body) @definition.function
