; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @anywhere           counts inside functions as well
;   @scope              encloses items without being a definition itself
;   @trait              what a scope is for

(function_item name: (identifier) @name body: (block) @body) @definition.function @anywhere
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name body: (field_declaration_list) @members) @definition.struct @anywhere
(struct_item name: (type_identifier) @name) @definition.struct @anywhere
(union_item name: (type_identifier) @name body: (field_declaration_list) @members) @definition.union @anywhere
(enum_item name: (type_identifier) @name body: (enum_variant_list) @members) @definition.enum @anywhere
(trait_item name: (type_identifier) @name body: (declaration_list) @members) @definition.trait @anywhere
(type_item name: (type_identifier) @name) @definition.typealias @anywhere
(associated_type name: (type_identifier) @name) @definition.typealias
(const_item name: (identifier) @name) @definition.const @anywhere
(static_item name: (identifier) @name) @definition.var @anywhere
(mod_item name: (identifier) @name body: (declaration_list) @members) @definition.module @anywhere
(mod_item name: (identifier) @name !body) @definition.module
(macro_definition name: (identifier) @name . (macro_rule) @body) @definition.macro @anywhere
(macro_definition name: (identifier) @name) @definition.macro @anywhere
(field_declaration name: (field_identifier) @name) @definition.field
(enum_variant name: (identifier) @name) @definition.variant

(impl_item trait: (_) @trait type: (_) @name body: (declaration_list) @members) @scope @anywhere
(impl_item !trait type: (_) @name body: (declaration_list) @members) @scope @anywhere
(foreign_mod_item body: (declaration_list) @members) @scope @anywhere
