; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @container          the type that the item belongs to
; The name of a function is what stands before its arguments.

(module_definition name: (identifier) @name . (_) @body) @definition.module @members
(module_definition name: (identifier) @name "end" @body) @definition.module

(function_definition (signature) @name . (_) @body
  (#not-match? @name "^[($]")) @definition.function
(function_definition (signature) @name "end" @body
  (#not-match? @name "^[($]")) @definition.function
(macro_definition (signature) @name . (_) @body) @definition.macro
(macro_definition (signature) @name "end" @body) @definition.macro
(assignment . (_) @name (operator) . (_) @body
  (#match? @name "^[^\\s($,=]+\\(")) @definition.function

(struct_definition (type_head) @name . (_) @body) @definition.struct @members
(struct_definition (type_head) @name "end" @body) @definition.struct
; A field without a default is a bare name or a name with a type.
(struct_definition (type_head) @container (identifier) @name @definition.field)
(struct_definition (type_head) @container (typed_expression . (identifier) @name) @definition.field)
(abstract_definition (type_head) @name "end" @body) @definition.class
(primitive_definition (type_head) @name "end" @body) @definition.struct

(const_statement (assignment . (parametrized_type_expression . (identifier) @name))) @definition.typealias
(const_statement (assignment . [
    (identifier) @name
    (typed_expression . (identifier) @name)
    (open_tuple (identifier) @name)
  ])) @definition.const
(global_statement (assignment . (identifier) @name)) @definition.var
(assignment . (identifier) @name (operator) . [(arrow_function_expression) (function_definition)]) @definition.function
(assignment . [
    (identifier) @name
    (typed_expression . (identifier) @name)
    (open_tuple (identifier) @name)
  ]) @definition.var

(macrocall_expression (macro_identifier) @_macro (macro_argument_list . [(identifier) @name (typed_expression . (identifier) @name)])
  (#eq? @_macro "@enum")) @definition.enum
(macrocall_expression (macro_identifier) @_macro
  (macro_argument_list . (_) [(identifier) @name (assignment . (identifier) @name) (compound_statement (identifier) @name)])
  (#eq? @_macro "@enum")) @definition.const
