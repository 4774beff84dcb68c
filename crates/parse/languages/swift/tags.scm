; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name       its name, or several parts of it
;   @members            holds more items    @body       where the signature ends
;   @anywhere           counts inside functions as well
;   @scope              encloses items without being a definition itself
;   @container          what it belongs to
;   @trait              what an extension adds
; Variables inside a type count as its fields.

(class_declaration declaration_kind: "class" name: (_) @name body: (_) @members) @definition.class @anywhere
(class_declaration declaration_kind: "actor" name: (_) @name body: (_) @members) @definition.class @anywhere
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @members) @definition.struct @anywhere
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @members) @definition.enum @anywhere
(class_declaration declaration_kind: "extension" name: (_) @name
  (inheritance_specifier inherits_from: (_) @trait) body: (_) @members) @scope
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @members) @scope
(protocol_declaration name: (type_identifier) @name body: (protocol_body) @members) @definition.protocol
(enum_entry name: (simple_identifier) @name) @definition.variant
(typealias_declaration name: (type_identifier) @name) @definition.typealias @anywhere
(associatedtype_declaration name: (type_identifier) @name) @definition.typealias
(macro_declaration (simple_identifier) @name definition: (_) @body) @definition.macro
(macro_declaration (simple_identifier) @name) @definition.macro

(function_declaration name: (simple_identifier) @name body: (_) @body) @definition.function @anywhere
(function_declaration name: _ @name body: (_) @body
  (#match? @name "^[-+*/%<>=!&|^~]+$")) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(protocol_function_declaration name: _ @name
  (#match? @name "^[-+*/%<>=!&|^~]+$")) @definition.method
(init_declaration name: "init" @name body: (_) @body) @definition.constructor
(init_declaration name: "init" @name) @definition.constructor
(deinit_declaration "deinit" @name body: (_) @body) @definition.method
(subscript_declaration "subscript" @name (computed_property) @body) @definition.property

(property_declaration (modifiers (property_modifier) @_modifier) (value_binding_pattern mutability: "let")
  name: (pattern bound_identifier: (simple_identifier) @name)
  (#eq? @_modifier "static")) @definition.const
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_) @body) @definition.var
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)
  (willset_didset_block) @body) @definition.var
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.var
(property_declaration name: (pattern (pattern (simple_identifier) @name))) @definition.var
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)
  (protocol_property_requirements) @body) @definition.property
