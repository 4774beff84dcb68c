; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(attribute_list) @leading
(namespace_use_declaration) @import
(expression_statement [
  (require_expression)
  (require_once_expression)
  (include_expression)
  (include_once_expression)
]) @import
(use_declaration) @item
(if_statement) @inside
(else_clause) @inside
(else_if_clause) @inside
(compound_statement) @inside
(colon_block) @inside
(try_statement) @inside
(catch_clause) @inside
(finally_clause) @inside
(switch_statement) @inside
(switch_block) @inside
(case_statement) @inside
(default_statement) @inside
(foreach_statement) @inside
(for_statement) @inside
(while_statement) @inside
(do_statement) @inside
(declare_statement) @inside
(expression_statement) @item
(echo_statement) @item
(return_statement) @item
(text_interpolation) @item
(global_declaration) @item
(function_static_declaration) @item
(unset_statement) @item
(exit_statement) @item
