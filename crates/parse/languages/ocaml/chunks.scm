; What else stands between definitions. Comments need no pattern.
;   @through    holds items of the scope around it and is nothing itself
;   @wrapper    is part of the definition inside it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(open_module) @import
(open_module_signature) @import

; `let … and …` is several definitions.
(value_definition "and") @through
(value_definition) @wrapper
(type_definition "and") @through
(type_definition (type_binding name: (type_constructor_path))) @through
(type_definition) @wrapper
(module_definition "and") @through
(module_definition) @wrapper
(class_definition "and") @through
(class_definition) @wrapper
(class_type_definition "and") @through
(class_type_definition) @wrapper

; What a module or a class consists of, however it is wrapped.
(structure) @through
(signature) @through
(functor) @through
(module_application) @through
(functor_type) @through
(typed_module_expression) @through
(parenthesized_module_expression) @through
(parenthesized_module_type) @through
(module_type_constraint) @through
(object_expression) @through
(class_body_type) @through
(class_function) @through
(class_function_type) @through
(typed_class_expression) @through
(parenthesized_class_expression) @through
(let_class_expression) @through

(include_module module: (module_application)) @scope @members
(include_module module: (structure)) @scope @members
(include_module) @item
(include_module_type) @item
(expression_item) @item
(floating_attribute) @item
(toplevel_directive) @item
(item_extension) @item
(class_initializer) @item
(inheritance_definition) @item
