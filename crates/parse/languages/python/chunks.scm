; What else stands between definitions. Comments need no pattern.
;   @wrapper    is part of the definition inside it
;   @inside     stays together and holds definitions of the scope around it
;   @item       stays together but defines nothing

(decorated_definition) @wrapper
(decorator) @leading
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(if_statement) @inside
(elif_clause) @inside
(else_clause) @inside
(try_statement) @inside
(except_clause) @inside
(finally_clause) @inside
(with_statement) @inside
(block) @inside
(expression_statement (call)) @item
(expression_statement (await)) @item
(expression_statement (augmented_assignment)) @item
(for_statement) @item
(while_statement) @item
(match_statement) @item
