; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @scope              encloses items without being a definition itself
;   @trait              what a scope is for

(function_item name: (identifier) @name body: (block) @body) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name body: (field_declaration_list) @members) @definition.struct
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name body: (field_declaration_list) @members) @definition.union
(enum_item name: (type_identifier) @name body: (enum_variant_list) @members) @definition.enum
(trait_item name: (type_identifier) @name body: (declaration_list) @members) @definition.trait
(type_item name: (type_identifier) @name) @definition.typealias
(associated_type name: (type_identifier) @name) @definition.typealias
(const_item name: (identifier) @name) @definition.const
(static_item name: (identifier) @name) @definition.var
(mod_item name: (identifier) @name body: (declaration_list) @members) @definition.module
(mod_item name: (identifier) @name !body) @definition.module
(macro_definition name: (identifier) @name . (macro_rule) @body) @definition.macro
(macro_definition name: (identifier) @name) @definition.macro
(field_declaration name: (field_identifier) @name) @definition.field
(enum_variant name: (identifier) @name) @definition.variant

(impl_item trait: (_) @trait type: (_) @name body: (declaration_list) @members) @scope
(impl_item !trait type: (_) @name body: (declaration_list) @members) @scope
(foreign_mod_item body: (declaration_list) @members) @scope
