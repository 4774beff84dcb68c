; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @anywhere           counts inside functions as well

(class_declaration name: (identifier) @name body: (class_body) @members) @definition.class @anywhere
(record_declaration name: (identifier) @name body: (class_body) @members) @definition.class @anywhere
(interface_declaration name: (identifier) @name body: (interface_body) @members) @definition.interface @anywhere
(annotation_type_declaration name: (identifier) @name body: (annotation_type_body) @members) @definition.interface
(enum_declaration name: (identifier) @name body: (enum_body) @members) @definition.enum @anywhere
(enum_constant name: (identifier) @name) @definition.variant
(method_declaration name: (identifier) @name body: (block) @body) @definition.method
(method_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name body: (constructor_body) @body) @definition.constructor
(compact_constructor_declaration name: (identifier) @name body: (block) @body) @definition.constructor
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.const
(field_declaration (modifiers) @_modifiers declarator: (variable_declarator name: (identifier) @name)
  (#match? @_modifiers "static(\\s+\\w+)*\\s+final|final(\\s+\\w+)*\\s+static")) @definition.const
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(module_declaration name: (_) @name body: (module_body) @body) @definition.module
