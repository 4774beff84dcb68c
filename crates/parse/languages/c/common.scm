; Definitions that C and C++ write alike.

; A type that is declared together with its first variable.
(declaration type: (struct_specifier name: (_) @name body: (_) @members)) @definition.struct
(declaration type: (union_specifier name: (_) @name body: (_) @members)) @definition.union
(declaration type: (enum_specifier name: (_) @name body: (_) @members)) @definition.enum
(declaration declarator: (_) @declarator) @definition.var
(field_declaration declarator: (_) @declarator) @definition.field

(union_specifier name: (type_identifier) @name body: (_) @members) @definition.union
(enum_specifier name: (type_identifier) @name body: (_) @members) @definition.enum
(enum_specifier !name body: (_) @members) @definition.enum
(enumerator name: (identifier) @name) @definition.variant

; A type and the name it is given at once are one definition, under the given name.
(type_definition type: (struct_specifier body: (_) @members) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier body: (_) @members) declarator: (type_identifier) @name) @definition.union
(type_definition type: (enum_specifier body: (_) @members) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: (_) @declarator) @definition.typealias

; An include guard is not worth finding.
(preproc_def name: (identifier) @name value: (preproc_arg)) @definition.macro
(preproc_def name: (identifier) @name !value
  (#not-match? @name "_(H|HH|HPP|HXX|H_INCLUDED)_*$")) @definition.macro
(preproc_function_def name: (identifier) @name value: (preproc_arg) @body) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(linkage_specification body: (declaration_list) @members) @scope
