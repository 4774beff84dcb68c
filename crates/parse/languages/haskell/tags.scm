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
(signature name: (_) @name) @definition.function @joined
(signature names: (binding_list name: (_) @name)) @definition.function @joined
(function name: (_) @name match: (match) @body) @definition.function @joined
(function (infix operator: (_) @name) match: (match) @body) @definition.function @joined
(function parens: (function_head_parens name: (_) @name) match: (match) @body) @definition.function @joined
(function parens: (function_head_parens (infix operator: (_) @name)) match: (match) @body) @definition.function @joined
(bind name: (_) @name match: (match) @body) @definition.function @joined
(bind pattern: (strict pattern: (variable) @name) match: (match) @body) @definition.function @joined
(bind pattern: (tuple element: (variable) @name) match: (match) @body) @definition.var
(bind pattern: (list element: (variable) @name) match: (match) @body) @definition.var
(bind pattern: (apply argument: (variable) @name) match: (match) @body) @definition.var

(pattern_synonym (signature synonym: (constructor) @name)) @definition.function @joined
(pattern_synonym (signature synonym: (binding_list name: (_) @name))) @definition.function @joined
(pattern_synonym (equation synonym: [
    (constructor) @name
    (apply function: (constructor) @name)
    (apply function: (apply function: (constructor) @name))
    (infix operator: (_) @name)
    (record constructor: (constructor) @name)
  ] pattern: (_) @body)) @definition.function @joined

; A type with one constructor is a struct, one with several is an enum.
(data_type [name: (_) @name (infix operator: (_) @name)] constructors: (data_constructors . (data_constructor) @members .)) @definition.struct
(data_type [name: (_) @name (infix operator: (_) @name)] constructors: (_) @members) @definition.enum
(data_type [name: (_) @name (infix operator: (_) @name)] !constructors) @definition.struct
(newtype [name: (_) @name (infix operator: (_) @name)] constructor: (newtype_constructor) @body) @definition.struct @members
(newtype (parens (infix operator: (_) @name)) constructor: (newtype_constructor) @body) @definition.struct @members
(newtype [name: (_) @name (infix operator: (_) @name)] constructors: (gadt_constructors) @members) @definition.enum

(prefix name: (_) @name) @definition.constructor
(infix operator: (_) @name) @definition.constructor
(record name: (constructor) @name fields: (fields) @body) @definition.constructor
(newtype_constructor name: (_) @name) @definition.constructor
(data_constructor constructor: (prefix name: (_) @name)) @definition.variant
(data_constructor constructor: (infix operator: (_) @name)) @definition.variant
(data_constructor constructor: (record name: (_) @name fields: (fields) @body)) @definition.variant
(gadt_constructor name: (_) @name) @definition.variant
(gadt_constructor names: (binding_list name: (_) @name)) @definition.variant

; The first name of a field stands for the whole of it, so that further ones have their own place.
(record fields: (fields field: (field . name: (field_name (variable) @name)) @definition.field))
(record fields: (fields field: (field (field_name) . (field_name (variable) @name) @definition.field)))
(newtype_constructor field: (record field: (field name: (field_name (variable) @name)) @definition.field))
(data_constructor constructor: (record fields: (fields field: (field . name: (field_name (variable) @name)) @definition.field)))
(data_constructor constructor: (record fields: (fields field: (field (field_name) . (field_name (variable) @name) @definition.field))))
(gadt_constructor type: (record fields: (fields field: (field name: (field_name (variable) @name)) @definition.field)))

(type_synonym [name: (_) @name (infix operator: (_) @name)]) @definition.typealias
(type_synonym (parens (infix operator: (_) @name))) @definition.typealias
(type_family [name: (_) @name (infix operator: (_) @name)] closed_family: (_) @body) @definition.typealias
(type_family [name: (_) @name (infix operator: (_) @name)]) @definition.typealias
(data_family [name: (_) @name (infix operator: (_) @name)]) @definition.struct

(class [name: (_) @name (infix operator: (_) @name)] declarations: (class_declarations) @members) @definition.trait
(class [name: (_) @name (infix operator: (_) @name)] !declarations) @definition.trait

; An instance is known by the last type it is for, without what that type is applied to.
(instance name: (_) @trait patterns: (type_patterns [
    (name) @name
    (parens type: (apply constructor: (name) @name))
    (parens type: (apply constructor: (apply constructor: (name) @name)))
    (parens type: (apply constructor: (apply constructor: (apply constructor: (name) @name))))
  ] .) declarations: (instance_declarations) @members) @scope
(instance name: (_) @trait patterns: (type_patterns (_) @name .) declarations: (instance_declarations) @members) @scope
(instance declarations: (instance_declarations) @members) @scope
