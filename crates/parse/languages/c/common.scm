; Definitions that C and C++ write alike.

; A type that is declared together with its first variable or field.
(declaration type: (struct_specifier name: (_) @name body: (_) @members)) @definition.struct
(declaration type: (union_specifier name: (_) @name body: (_) @members)) @definition.union
(declaration type: (enum_specifier name: (_) @name body: (_) @members)) @definition.enum
(declaration type: (struct_specifier !name body: (_) @members) declarator: (_) @declarator) @definition.var
(declaration type: (union_specifier !name body: (_) @members) declarator: (_) @declarator) @definition.var
(declaration declarator: (_) @declarator) @definition.var
(declaration type: (enum_specifier !name body: (_) @members) @definition.enum)
(field_declaration type: (struct_specifier name: (_) @name body: (_) @members)) @definition.struct
(field_declaration type: (union_specifier name: (_) @name body: (_) @members)) @definition.union
(field_declaration type: (enum_specifier name: (_) @name body: (_) @members)) @definition.enum

; What a type without a name holds belongs to the field of that type, or to the type around where there is none.
(field_declaration type: (struct_specifier !name body: (_) @members) declarator: (_) @declarator) @definition.field
(field_declaration type: (union_specifier !name body: (_) @members) declarator: (_) @declarator) @definition.field
(field_declaration declarator: (_) @declarator) @definition.field
(field_declaration type: (enum_specifier !name body: (_) @members) @definition.enum)
(field_declaration type: (struct_specifier !name body: (_)) !declarator) @through
(field_declaration type: (union_specifier !name body: (_)) !declarator) @through
(struct_specifier !name body: (_)) @through
(union_specifier !name body: (_)) @through
(field_declaration_list) @through

(union_specifier name: (type_identifier) @name body: (_) @members) @definition.union @anywhere
(enum_specifier name: (type_identifier) @name body: (_) @members) @definition.enum @anywhere
(enum_specifier !name body: (_) @members) @definition.enum @anywhere
(enumerator name: (identifier) @name) @definition.variant

; A type and the name it is given at once are one definition, under the given name; its own name is another one.
(type_definition type: (struct_specifier body: (_) @members) declarator: (type_identifier) @name) @definition.struct @anywhere
(type_definition type: (union_specifier body: (_) @members) declarator: (type_identifier) @name) @definition.union @anywhere
(type_definition type: (enum_specifier body: (_) @members) declarator: (type_identifier) @name) @definition.enum @anywhere
(type_definition declarator: (_) @declarator) @definition.typealias @anywhere
(type_definition type: (struct_specifier name: (_) @name body: (_) @body) @definition.struct) @anywhere
(type_definition type: (union_specifier name: (_) @name body: (_) @body) @definition.union) @anywhere
(type_definition type: (enum_specifier name: (_) @name body: (_) @body) @definition.enum) @anywhere

; An include guard is not worth finding.
(preproc_def name: (identifier) @name value: (preproc_arg)) @definition.macro
(preproc_def name: (identifier) @name !value
  (#not-match? @name "_(H|HH|HPP|HXX|H_INCLUDED)_*$")) @definition.macro
(preproc_function_def name: (identifier) @name value: (preproc_arg) @body) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(linkage_specification body: (declaration_list) @members) @scope
