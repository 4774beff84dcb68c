; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @scope              encloses items without being a definition itself
;   @trait              what a scope is for
;   @joined             is one with the definitions of the same name around it
; Functions inside a class or an instance are its methods.

(header module: (module) @name) @definition.module

; A signature and the equations below it are one function. What has no parameters is a function all the same: whether it
; is one, its type decides, which may be another module's alias.
(signature name: [(variable) @name (prefix_id (_) @name)]) @definition.function @joined
(signature names: (binding_list name: [(variable) @name (prefix_id (_) @name)])) @definition.function @joined
(function name: [(variable) @name (prefix_id (_) @name)] match: (match) @body) @definition.function @joined
(function (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (match) @body) @definition.function @joined
(function parens: (function_head_parens [
    name: [(variable) @name (prefix_id (_) @name)]
    (infix operator: [(operator) @name (infix_id (variable) @name)])
    parens: (function_head_parens (infix operator: [(operator) @name (infix_id (variable) @name)]))
  ]) match: (match) @body) @definition.function @joined
(bind name: [(variable) @name (prefix_id (_) @name)] match: (match) @body) @definition.function @joined
(bind implicit: (implicit_variable) @name match: (match) @body) @definition.function
(bind pattern: (strict pattern: (variable) @name) match: (match) @body) @definition.function @joined
(bind pattern: (tuple element: (variable) @name) match: (match) @body) @definition.var
(bind pattern: (list element: (variable) @name) match: (match) @body) @definition.var
(bind pattern: (apply argument: (variable) @name) match: (match) @body) @definition.var

(pattern_synonym (signature synonym: [(constructor) @name (prefix_id (_) @name)])) @definition.function @joined
(pattern_synonym (signature synonym: (binding_list name: (constructor) @name))) @definition.function @joined
(pattern_synonym (equation synonym: [
    (constructor) @name
    (apply function: (constructor) @name)
    (apply function: (apply function: (constructor) @name))
    (apply function: (apply function: (apply function: (constructor) @name)))
    (infix operator: [(constructor_operator) @name (infix_id (constructor) @name)])
    (record constructor: (constructor) @name)
  ] pattern: (_) @body)) @definition.function @joined

; A type with one constructor is a struct, one with several is an enum.
(data_type [name: [(name) @name (qualified id: (_) @name) (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]
  constructors: (data_constructors . (data_constructor) @members .)) @definition.struct
(data_type [name: [(name) @name (qualified id: (_) @name) (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]
  constructors: (data_constructors) @members) @definition.enum
(data_type [name: [(name) @name (qualified id: (_) @name) (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]
  constructors: (gadt_constructors) @members) @definition.enum
(data_type [name: [(name) @name (qualified id: (_) @name) (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]
  !constructors) @definition.struct
(newtype [name: [(name) @name (qualified id: (_) @name) (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]
  constructor: (newtype_constructor) @body) @definition.struct @members
(newtype [name: [(name) @name (qualified id: (_) @name) (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]
  constructors: (gadt_constructors) @members) @definition.enum

(prefix name: [(constructor) @name (prefix_id (_) @name)]) @definition.constructor
(infix operator: [(constructor_operator) @name (infix_id (constructor) @name)]) @definition.constructor
(record name: (constructor) @name fields: (fields) @body) @definition.constructor
(newtype_constructor name: [(constructor) @name (prefix_id (_) @name)]) @definition.constructor
(data_constructor constructor: (prefix name: [(constructor) @name (prefix_id (_) @name)])) @definition.variant
(data_constructor constructor: (infix operator: [(constructor_operator) @name (infix_id (constructor) @name)])) @definition.variant
(data_constructor constructor: (record name: (constructor) @name fields: (fields) @body)) @definition.variant
(gadt_constructor name: [(constructor) @name (prefix_id (_) @name)]) @definition.variant
(gadt_constructor names: (binding_list name: [(constructor) @name (prefix_id (_) @name)])) @definition.variant

; The first name of a field stands for the whole of it, so that further ones have their own place.
(record fields: (fields field: (field . name: (field_name (variable) @name)) @definition.field))
(record fields: (fields field: (field (field_name) (field_name (variable) @name) @definition.field)))
(newtype_constructor field: (record field: (field name: (field_name (variable) @name)) @definition.field))
(data_constructor constructor: (record fields: (fields field: (field . name: (field_name (variable) @name)) @definition.field)))
(data_constructor constructor: (record fields: (fields field: (field (field_name) (field_name (variable) @name) @definition.field))))
(gadt_constructor type: (record fields: (fields field: (field name: (field_name (variable) @name)) @definition.field)))

(type_synonym [name: [(name) @name (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]) @definition.typealias
(type_family [name: [(name) @name (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]
  closed_family: (_) @body) @definition.typealias
(type_family [name: [(name) @name (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]) @definition.typealias
(data_family [name: [(name) @name (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]) @definition.struct

(class [name: [(name) @name (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]
  declarations: (class_declarations) @members) @definition.trait
(class [name: [(name) @name (prefix_id (_) @name)] (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]) (parens (infix operator: [(operator) @name (constructor_operator) @name (infix_id (name) @name)]))]
  !declarations) @definition.trait

; An instance is known by the last type it is for, without what that type is applied to.
(instance name: (_) @trait patterns: (type_patterns [
    (name) @name
    (parens type: (apply constructor: (name) @name))
    (parens type: (apply constructor: (apply constructor: (name) @name)))
    (parens type: (apply constructor: (apply constructor: (apply constructor: (name) @name))))
  ] .) declarations: (instance_declarations) @members) @scope
(instance name: (_) @trait patterns: (type_patterns (_) @name .) declarations: (instance_declarations) @members) @scope
(instance declarations: (instance_declarations) @members) @scope
