; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name       its name, or several parts of it
;   @members            holds more items    @body       where the signature ends
;   @scope              encloses items without being a definition itself
;   @container          what it belongs to
; Variables inside a class count as its fields.

(class_declaration "interface" name: (identifier) @name (class_body) @members) @definition.interface
(class_declaration "interface" name: (identifier) @name (enum_class_body) @members) @definition.interface
(class_declaration "interface" name: (identifier) @name) @definition.interface
(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name (enum_class_body) @members) @definition.enum
(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name) @definition.enum
(class_declaration name: (identifier) @name (class_body) @members) @definition.class
; The grammar takes some short class bodies for those of an enum.
(class_declaration name: (identifier) @name (enum_class_body) @members) @definition.class
(class_declaration name: (identifier) @name) @definition.class
; An annotation without a body reads like a call of an infix function.
(infix_expression . (identifier) @_annotation . (identifier) @_class . (identifier) @name .
  (#eq? @_annotation "annotation") (#eq? @_class "class")) @definition.class
(object_declaration name: (identifier) @name (class_body) @members) @definition.class
(object_declaration name: (identifier) @name) @definition.class
(companion_object name: (identifier) @name (class_body) @members) @definition.class
(companion_object name: (identifier) @name) @definition.class
(companion_object !name (class_body) @members) @scope
(enum_entry (identifier) @name) @definition.variant
(type_alias type: (identifier) @name) @definition.typealias

; A parameter with `val` or `var` is a property as well.
(class_declaration name: (identifier) @container
  (primary_constructor (class_parameters
    (class_parameter ["val" "var"] . (identifier) @name) @definition.property)))
(secondary_constructor "constructor" @name (constructor_delegation_call) @body) @definition.constructor
(secondary_constructor "constructor" @name (block) @body) @definition.constructor
(secondary_constructor "constructor" @name) @definition.constructor

(function_declaration name: (identifier) @name (function_body) @body) @definition.function
(function_declaration name: (identifier) @name) @definition.function
(property_declaration (modifiers (property_modifier "const"))
  (variable_declaration (identifier) @name)) @definition.const
(property_declaration (variable_declaration (identifier) @name) (getter) @body) @definition.var
(property_declaration (variable_declaration (identifier) @name) (setter) @body) @definition.var
(property_declaration (variable_declaration (identifier) @name)) @definition.var
(property_declaration (multi_variable_declaration (variable_declaration (identifier) @name))) @definition.var
