; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @parts              holds definitions that make no chunks
;   @anywhere           counts inside functions as well

(function_declaration name: (identifier) @name body: (_) @body) @definition.function @anywhere
(function_signature name: (identifier) @name) @definition.function @anywhere
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function @anywhere
(class_declaration name: (type_identifier) @name body: (class_body) @members) @definition.class @anywhere
(abstract_class_declaration name: (type_identifier) @name body: (class_body) @members) @definition.class @anywhere
(interface_declaration name: (type_identifier) @name body: (_) @members) @definition.interface @anywhere
(type_alias_declaration name: (type_identifier) @name value: [(object_type) (intersection_type)] @members) @definition.typealias @anywhere
(type_alias_declaration name: (type_identifier) @name) @definition.typealias @anywhere
(enum_declaration name: (identifier) @name body: (enum_body) @members) @definition.enum @anywhere
(enum_assignment name: (_) @name) @definition.variant
(property_identifier) @definition.variant @name
(ambient_declaration "global" (statement_block) @members) @scope
(module name: (_) @name body: (statement_block) @members) @definition.module
(internal_module name: (_) @name body: (statement_block) @members) @definition.module
(public_field_definition name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(public_field_definition name: (_) @name) @definition.field
(method_signature name: (property_identifier) @name
  (#eq? @name "constructor")) @definition.constructor
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(construct_signature "new" @name) @definition.constructor
(property_signature name: (_) @name type: (type_annotation (object_type) @parts)) @definition.property
(property_signature name: (_) @name) @definition.property
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (as_expression (object) @members))) @definition.const
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (satisfies_expression (object) @members))) @definition.const
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name type: (type_annotation (object_type) @parts))) @definition.const
(lexical_declaration (variable_declarator name: (identifier) @name type: (type_annotation (object_type) @parts))) @definition.var
(variable_declaration (variable_declarator name: (identifier) @name type: (type_annotation (object_type) @parts))) @definition.var
