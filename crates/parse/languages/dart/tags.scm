; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name       its name, or several parts of it
;   @members            holds more items    @body       where the signature ends
;   @scope              encloses items without being a definition itself
;   @container          what it belongs to
; Functions inside a class are its methods, variables its fields.

(class_declaration name: (identifier) @name body: (_) @members) @definition.class
(class_declaration (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration name: (identifier) @name body: (_) @members) @definition.class
(extension_declaration name: (identifier) @name body: (_) @members) @definition.class
(extension_declaration !name class: (_) @name body: (_) @members) @scope
(extension_type_declaration name: (extension_type_name . (identifier) @name) body: (_) @members) @definition.class
(extension_type_declaration name: (extension_type_name . (identifier) @container)
  representation: (extension_type_representation name: (identifier) @name) @definition.field)
(enum_declaration name: (identifier) @name body: (_) @members) @definition.enum
(enum_entry name: (identifier) @name) @definition.variant
(type_alias (type_identifier) @name) @definition.typealias

(function_declaration signature: (function_signature name: (identifier) @name) body: (_) @body) @definition.function
(getter_declaration signature: (getter_signature name: (identifier) @name) body: (_) @body) @definition.function
(setter_declaration signature: (setter_signature name: (identifier) @name) body: (_) @body) @definition.function
(external_function_declaration signature: (function_signature name: (identifier) @name)) @definition.function
(external_getter_declaration signature: (getter_signature name: (identifier) @name)) @definition.function
(external_setter_declaration signature: (setter_signature name: (identifier) @name)) @definition.function
(top_level_variable_declaration "const"
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @definition.const
(top_level_variable_declaration
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @definition.var
(top_level_variable_declaration
  (initialized_identifier_list (initialized_identifier name: (identifier) @name))) @definition.var

(method_declaration signature: (method_signature (function_signature name: (identifier) @name))
  body: (_) @body) @definition.method
(method_declaration signature: (method_signature (getter_signature name: (identifier) @name))
  body: (_) @body) @definition.property
(method_declaration signature: (method_signature (setter_signature name: (identifier) @name))
  body: (_) @body) @definition.property
(method_declaration signature: (method_signature (operator_signature "operator" @name operator: _ @name))
  body: (_) @body) @definition.method
(declaration (function_signature name: (identifier) @name)) @definition.method
(declaration (getter_signature name: (identifier) @name)) @definition.property
(declaration (setter_signature name: (identifier) @name)) @definition.property
(declaration (operator_signature "operator" @name operator: _ @name)) @definition.method

; A constructor is called like its class, or by the name after the dot.
(method_declaration signature: (method_signature
  (constructor_signature "." . name: (identifier) @name)) body: (_) @body) @definition.constructor
(method_declaration signature: (method_signature
  (constructor_signature . name: (identifier) @name . parameters: (_))) body: (_) @body) @definition.constructor
(method_declaration signature: (method_signature
  (factory_constructor_signature "." . name: (identifier) @name)) body: (_) @body) @definition.constructor
(method_declaration signature: (method_signature
  (factory_constructor_signature name: (identifier) @name . parameters: (_) ) @_signature) body: (_) @body
  (#not-match? @_signature "^(const\\s+)?factory\\s+\\w+\\.")) @definition.constructor
(declaration (constructor_signature "." . name: (identifier) @name)) @definition.constructor
(declaration (constructor_signature . name: (identifier) @name . parameters: (_))) @definition.constructor
(declaration (constant_constructor_signature "." . name: (identifier) @name)) @definition.constructor
(declaration (constant_constructor_signature name: (identifier) @name . parameters: (_)) @_signature
  (#not-match? @_signature "^const\\s+\\w+\\.")) @definition.constructor
(declaration (redirecting_factory_constructor_signature "." . name: (identifier) @name)) @definition.constructor
(declaration (redirecting_factory_constructor_signature name: (identifier) @name . parameters: (_)) @_signature
  (#not-match? @_signature "^(const\\s+)?factory\\s+\\w+\\.")) @definition.constructor

(declaration "const" (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @definition.const
(declaration (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @definition.var
(declaration (initialized_identifier_list (initialized_identifier name: (identifier) @name))) @definition.var
