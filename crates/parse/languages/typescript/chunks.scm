; What else stands between definitions. Comments need no pattern.
;   @wrapper    is part of the definition inside it
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(decorator) @leading
(import_statement) @import
(lexical_declaration (variable_declarator name: (_) @name value: (_) @_value
  (#match? @_value "^require\\("))) @import
(variable_declaration (variable_declarator name: (_) @name value: (_) @_value
  (#match? @_value "^require\\("))) @import
(export_statement) @wrapper
(if_statement) @inside
(else_clause) @inside
(statement_block) @inside
(expression_statement (internal_module)) @wrapper
(expression_statement [
  (call_expression)
  (assignment_expression)
  (augmented_assignment_expression)
  (await_expression)
  (new_expression)
  (unary_expression)
  (parenthesized_expression)
  (sequence_expression)
]) @item
(class_static_block) @item
(for_statement) @item
(for_in_statement) @item
(try_statement) @item
(ambient_declaration) @wrapper
(import_alias) @import
(intersection_type) @through
(object_type) @through
