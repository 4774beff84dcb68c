; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
; A name with a path (`Store::open`) belongs to what the path says. Functions inside a class are its methods.

; Without a type of its own, a function is a constructor, a destructor or a conversion.
(function_definition !type declarator: (function_declarator declarator: (destructor_name) @name)) @definition.method
(function_definition !type declarator: (function_declarator declarator: (qualified_identifier) @name) body: (_) @body
  (#match? @name "~")) @definition.method
(function_definition !type declarator: (function_declarator declarator: [(identifier) (qualified_identifier)] @name)
  (field_initializer_list) @body) @definition.constructor
(function_definition !type declarator: (function_declarator declarator: [(identifier) (qualified_identifier)] @name)
  body: (_) @body) @definition.constructor
(function_definition !type declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor
(function_definition declarator: (operator_cast) @name body: (_) @body) @definition.method
(function_definition declarator: (qualified_identifier name: (operator_cast)) @name body: (_) @body) @definition.method
(declaration !type declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor
(declaration !type declarator: (function_declarator declarator: (destructor_name) @name)) @definition.method
(declaration declarator: (operator_cast) @name) @definition.method

(function_definition declarator: [
  (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name)))
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))
] body: (_) @body) @definition.function
(function_definition declarator: [
  (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name)))
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))
]) @definition.function
; A type that is declared together with its first variable.
(declaration type: (struct_specifier name: (_) @name body: (_) @members)) @definition.struct
(declaration type: (union_specifier name: (_) @name body: (_) @members)) @definition.union
(declaration type: (enum_specifier name: (_) @name body: (_) @members)) @definition.enum
(declaration declarator: [
  (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name)))
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))
]) @definition.function
(field_declaration declarator: [
  (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name)))
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name) (template_function)] @name))
]) @definition.method
(declaration declarator: [
  [(identifier) (qualified_identifier)] @name
  (array_declarator declarator: [(identifier) (qualified_identifier)] @name)
  (array_declarator declarator: (array_declarator declarator: [(identifier) (qualified_identifier)] @name))
  (pointer_declarator declarator: [(identifier) (qualified_identifier)] @name)
  (pointer_declarator declarator: (pointer_declarator declarator: [(identifier) (qualified_identifier)] @name))
  (pointer_declarator declarator: (array_declarator declarator: [(identifier) (qualified_identifier)] @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [(identifier) (qualified_identifier)] @name)))
  (reference_declarator [(identifier) (qualified_identifier)] @name)
]) @definition.var
(declaration declarator: (init_declarator declarator: [
  [(identifier) (qualified_identifier)] @name
  (array_declarator declarator: [(identifier) (qualified_identifier)] @name)
  (array_declarator declarator: (array_declarator declarator: [(identifier) (qualified_identifier)] @name))
  (pointer_declarator declarator: [(identifier) (qualified_identifier)] @name)
  (pointer_declarator declarator: (array_declarator declarator: [(identifier) (qualified_identifier)] @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [(identifier) (qualified_identifier)] @name)))
])) @definition.var
(field_declaration declarator: [
  (field_identifier) @name
  (array_declarator declarator: (field_identifier) @name)
  (array_declarator declarator: (array_declarator declarator: (field_identifier) @name))
  (pointer_declarator declarator: (field_identifier) @name)
  (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))
  (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
  (reference_declarator (field_identifier) @name)
]) @definition.field

(class_specifier name: [(type_identifier) (qualified_identifier) (template_type)] @name body: (_) @members) @definition.class
(struct_specifier name: [(type_identifier) (qualified_identifier) (template_type)] @name body: (_) @members) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @members) @definition.union
(enum_specifier name: (type_identifier) @name body: (_) @members) @definition.enum
(enum_specifier !name body: (_) @members) @definition.enum
(enumerator name: (identifier) @name) @definition.variant
(field_declaration type: (struct_specifier name: (_) @name body: (_) @members) !declarator) @definition.struct
(field_declaration type: (class_specifier name: (_) @name body: (_) @members) !declarator) @definition.class
(field_declaration type: (union_specifier name: (_) @name body: (_) @members) !declarator) @definition.union
(field_declaration type: (enum_specifier name: (_) @name body: (_) @members) !declarator) @definition.enum
(alias_declaration name: (type_identifier) @name) @definition.typealias
(concept_definition name: (identifier) @name) @definition.typealias
(namespace_definition name: (_) @name body: (_) @members) @definition.module
(namespace_definition !name body: (_) @members) @scope

; A type and the name it is given at once are one definition, under the given name.
(type_definition type: (struct_specifier body: (_) @members) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier body: (_) @members) declarator: (type_identifier) @name) @definition.union
(type_definition type: (enum_specifier body: (_) @members) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: [
  (type_identifier) @name
  (array_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (array_declarator declarator: (type_identifier) @name))
  (pointer_declarator declarator: (type_identifier) @name)
  (pointer_declarator declarator: (pointer_declarator declarator: (type_identifier) @name))
  (pointer_declarator declarator: (array_declarator declarator: (type_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
]) @definition.typealias

; An include guard is not worth finding.
(preproc_def name: (identifier) @name value: (preproc_arg)) @definition.macro
(preproc_def name: (identifier) @name !value
  (#not-match? @name "_(H|HH|HPP|HXX|H_INCLUDED)_*$")) @definition.macro
(preproc_function_def name: (identifier) @name value: (preproc_arg) @body) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(linkage_specification body: (declaration_list) @members) @scope
