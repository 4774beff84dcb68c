; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @container          the type that the item belongs to
; What stands around a definition or lists several (`let`, `and`) is in chunks.scm.

(let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) body: (_) @body) @definition.function
(let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)]
  body: [(fun_expression) (function_expression)] @body) @definition.function
(let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] type: (function_type) body: (_) @body) @definition.function
(let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] body: (_) @body) @definition.var
(let_binding pattern: (typed_pattern pattern: [(value_name) (value_pattern)] @name) body: (_) @body) @definition.var
(let_binding pattern: (parenthesized_pattern (typed_pattern pattern: [(value_name) (value_pattern)] @name)) body: (_) @body) @definition.var
(let_binding pattern: (tuple_pattern [(value_name) (value_pattern)] @name) body: (_) @body) @definition.var
(let_binding pattern: (parenthesized_pattern (tuple_pattern [(value_name) (value_pattern)] @name)) body: (_) @body) @definition.var
(let_binding pattern: (record_pattern (field_pattern (field_path (field_name) @name) .)) body: (_) @body) @definition.var

(external [(value_name) @name (parenthesized_operator (_) @name)]) @definition.function
(value_specification [(value_name) @name (parenthesized_operator (_) @name)] type: (function_type)) @definition.function
(value_specification [(value_name) @name (parenthesized_operator (_) @name)]
  type: (polymorphic_type type: (function_type))) @definition.function
(value_specification [(value_name) @name (parenthesized_operator (_) @name)]) @definition.var

(type_binding name: (type_constructor) @name body: (record_declaration) @members) @definition.struct
(type_binding name: (type_constructor) @name body: (variant_declaration) @members) @definition.enum
(type_binding name: (type_constructor) @name body: (polymorphic_variant_type) @members) @definition.enum
(type_binding name: (type_constructor) @name) @definition.typealias
(type_binding name: (type_constructor_path) @container
  body: (variant_declaration (constructor_declaration (constructor_name) @name) @definition.constructor))
(field_declaration (field_name) @name) @definition.field
(constructor_declaration (constructor_name) @name) @definition.variant
(constructor_declaration (record_declaration (field_declaration (field_name) @name) @definition.field))
(tag_specification (tag) @name) @definition.variant
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.struct

(module_binding (module_name) @name [module_type: (_) body: (_)] @body) @definition.module @members
(module_binding (module_name) @name) @definition.module
(module_type_definition (module_type_name) @name body: (_) @body) @definition.interface @members
(module_type_definition (module_type_name) @name) @definition.interface

(class_binding (class_name) @name [class_type: (_) body: (_)] @body) @definition.class @members
(class_type_binding (class_type_name) @name body: (_) @body) @definition.interface @members
(method_definition (method_name) @name body: (_) @body) @definition.method
(method_definition (method_name) @name) @definition.method
(method_specification (method_name) @name) @definition.method
(instance_variable_definition (instance_variable_name) @name) @definition.field
(instance_variable_specification (instance_variable_name) @name) @definition.field
