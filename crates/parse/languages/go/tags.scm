; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @anywhere           counts inside functions as well
;   @container          the type that the item belongs to
; A method belongs to the type of its receiver.

(function_declaration name: (identifier) @name body: (block) @body) @definition.function
(function_declaration name: (identifier) @name !body) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @container
    (generic_type type: (type_identifier) @container)
    (pointer_type (type_identifier) @container)
    (pointer_type (generic_type type: (type_identifier) @container))
    (parenthesized_type (pointer_type (type_identifier) @container))
  ]))
  name: (field_identifier) @name
  body: (block) @body) @definition.method
(method_declaration name: (field_identifier) @name) @definition.method

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @members)) @definition.struct @anywhere
(type_spec name: (type_identifier) @name type: (interface_type "{" @body) @members) @definition.interface @anywhere
(type_spec name: (type_identifier) @name) @definition.typealias @anywhere
(type_alias name: (type_identifier) @name) @definition.typealias @anywhere
(field_declaration name: (field_identifier) @name) @definition.field
(method_elem name: (field_identifier) @name) @definition.method
(const_spec (identifier) @name) @definition.const
(var_spec name: (identifier) @name) @definition.var
