; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @scope              encloses items without being a definition itself
;   @container          the type that the item belongs to
;   @doc                documentation inside the item; a pattern may say where it is and nothing else

(object_type_definition (name) @name (fields_definition) @members) @definition.class
(object_type_definition (name) @name) @definition.class
(interface_type_definition (name) @name (fields_definition) @members) @definition.interface
(interface_type_definition (name) @name) @definition.interface
(input_object_type_definition (name) @name (input_fields_definition) @members) @definition.struct
(input_object_type_definition (name) @name) @definition.struct
(enum_type_definition (name) @name (enum_values_definition) @members) @definition.enum
(enum_type_definition (name) @name) @definition.enum
(union_type_definition (name) @name) @definition.union
(scalar_type_definition (name) @name) @definition.typealias
(directive_definition (name) @name) @definition.macro
(field_definition (name) @name) @definition.field
(input_value_definition (name) @name) @definition.field
(enum_value_definition (enum_value) @name) @definition.variant

(object_type_extension (name) @name (fields_definition) @members) @scope
(interface_type_extension (name) @name (fields_definition) @members) @scope
(input_object_type_extension (name) @name (input_fields_definition) @members) @scope
(enum_type_extension (name) @container
  (enum_values_definition (enum_value_definition (enum_value) @name) @definition.const))

(operation_definition (name) @name (selection_set) @body) @definition.function
(fragment_definition (fragment_name) @name (selection_set) @body) @definition.function

(object_type_definition (description (string_value) @doc))
(interface_type_definition (description (string_value) @doc))
(input_object_type_definition (description (string_value) @doc))
(enum_type_definition (description (string_value) @doc))
(union_type_definition (description (string_value) @doc))
(scalar_type_definition (description (string_value) @doc))
(directive_definition (description (string_value) @doc))
