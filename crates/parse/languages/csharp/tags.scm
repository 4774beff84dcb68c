; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name       its name, or several parts of it
;   @members            holds more items    @body       where the signature ends
;   @anywhere           counts inside functions as well
;   @rest               what follows belongs to it      @container  what it belongs to

(namespace_declaration name: (_) @name body: (declaration_list) @members) @definition.module
(file_scoped_namespace_declaration name: (_) @name) @definition.module @rest
(using_directive name: (identifier) @name) @definition.typealias

(class_declaration name: (identifier) @name body: (declaration_list) @members) @definition.class
(class_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name body: (declaration_list) @members) @definition.struct
(struct_declaration name: (identifier) @name) @definition.struct
(record_declaration "struct" name: (identifier) @name body: (declaration_list) @members) @definition.struct
(record_declaration "struct" name: (identifier) @name) @definition.struct
(record_declaration name: (identifier) @name body: (declaration_list) @members) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name body: (declaration_list) @members) @definition.interface
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name body: (enum_member_declaration_list) @members) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.variant
(delegate_declaration name: (identifier) @name) @definition.typealias

; What a record is made of are its properties.
(record_declaration name: (identifier) @container
  (parameter_list (parameter name: (identifier) @name) @definition.property))

(method_declaration name: (identifier) @name body: (_) @body) @definition.method
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name (constructor_initializer) @body) @definition.constructor
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(constructor_declaration name: (identifier) @name) @definition.constructor
(destructor_declaration "~" @name name: (identifier) @name body: (_) @body) @definition.method
(destructor_declaration "~" @name name: (identifier) @name) @definition.method
(operator_declaration "operator" @name operator: _ @name body: (_) @body) @definition.method
(operator_declaration "operator" @name operator: _ @name) @definition.method
(conversion_operator_declaration "operator" @name type: (_) @name body: (_) @body) @definition.method
(conversion_operator_declaration "operator" @name type: (_) @name) @definition.method

(property_declaration name: (identifier) @name accessors: (_) @body) @definition.property
(property_declaration name: (identifier) @name value: (_) @body) @definition.property
(indexer_declaration "this" @name accessors: (_) @body) @definition.property
(indexer_declaration "this" @name value: (_) @body) @definition.property
(event_declaration name: (identifier) @name accessors: (_) @body) @definition.property
(event_declaration name: (identifier) @name) @definition.property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.property
(field_declaration (modifier) @_modifier (variable_declaration (variable_declarator name: (identifier) @name))
  (#eq? @_modifier "const")) @definition.const
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field

; Where a condition of the preprocessor cuts a statement, the grammar takes `else if (…) {…}` for a function.
(block (local_function_statement name: (identifier) @name body: (_) @body) @definition.function
  (#not-any-of? @name "if" "for" "foreach" "while" "switch" "using" "lock" "fixed")) @anywhere

; Programs without a class, and scripts.
(global_statement (local_function_statement name: (identifier) @name body: (_) @body)) @definition.function
(global_statement (local_declaration_statement (modifier) @_modifier
  (variable_declaration (variable_declarator name: (identifier) @name)))
  (#eq? @_modifier "const")) @definition.const
(global_statement (local_declaration_statement
  (variable_declaration (variable_declarator name: (identifier) @name)))) @definition.var

(preproc_define (preproc_arg) @name) @definition.macro
