; What else stands between definitions. Comments need no pattern.
;   @through    holds items of the scope around it and is nothing itself
;   @item       stays together but defines nothing

(function_expression) @through
(let_expression) @through
(with_expression) @through
(assert_expression) @through
(parenthesized_expression) @through
(attrset_expression) @through
(rec_attrset_expression) @through
(let_attrset_expression) @through
(apply_expression argument: [(attrset_expression) (rec_attrset_expression)]) @through
(binding_set) @through
(binding) @item
(inherit) @item
(inherit_from) @item
