; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name       its name, or several parts of it
;   @members            holds more items    @body       where the signature ends
;   @scope              encloses items without being a definition itself
;   @container          what it belongs to
; Variables inside a class count as its fields.

(package_clause name: (_) @name body: (_) @members) @definition.module
(package_object name: (_) @name body: (_) @members) @definition.module
(class_definition name: (_) @name body: (_) @members) @definition.class
(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name body: (_) @members) @definition.class
(object_definition name: (_) @name) @definition.class
(trait_definition name: (_) @name body: (_) @members) @definition.trait
(trait_definition name: (_) @name) @definition.trait
(enum_definition name: (_) @name body: (_) @members) @definition.enum
(enum_case_definitions (simple_enum_case name: (_) @name)) @definition.variant
(enum_case_definitions (full_enum_case name: (_) @name)) @definition.variant
(type_definition name: (_) @name) @definition.typealias

; What a case class is made of are its fields, and so is what says `val` or `var`.
(class_definition "case" name: (identifier) @container .
  class_parameters: (class_parameters (class_parameter name: (_) @name) @definition.property))
(class_definition "case" name: (identifier) @container . type_parameters: (_) .
  class_parameters: (class_parameters (class_parameter name: (_) @name) @definition.property))
(class_definition name: (identifier) @container
  class_parameters: (class_parameters (class_parameter ["val" "var"] name: (_) @name) @definition.property))
(enum_definition name: (identifier) @container
  class_parameters: (class_parameters (class_parameter ["val" "var"] name: (_) @name) @definition.property))

(function_definition name: (identifier) @name body: (_) @body
  (#eq? @name "this")) @definition.constructor
(function_definition name: (_) @name body: (_) @body) @definition.function
(function_declaration name: (_) @name) @definition.function
(val_definition pattern: (identifier) @name) @definition.var
(val_definition pattern: (identifiers (identifier) @name)) @definition.var
(val_definition pattern: (tuple_pattern (identifier) @name)) @definition.var
(var_definition pattern: (identifier) @name) @definition.var
(var_definition pattern: (identifiers (identifier) @name)) @definition.var
(var_definition pattern: (tuple_pattern (identifier) @name)) @definition.var
(val_declaration name: (_) @name) @definition.var
(var_declaration name: (_) @name) @definition.var
(given_definition name: (_) @name body: (with_template_body) @members) @definition.class
(given_definition name: (_) @name) @definition.var
(given_definition !name return_type: (generic_type type: (_) @name) body: (with_template_body) @members) @scope
(given_definition !name return_type: (_) @name body: (with_template_body) @members) @scope
