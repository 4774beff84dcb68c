; What else stands between definitions.
;   @leading    belongs to the item that follows
;   @through    holds items of the scope around it and is nothing itself
;   @inside     stays together and holds definitions of the scope around it
;   @item       stays together but defines nothing

(line_comment) @leading
(bracket_comment) @leading
(body) @through
(if_condition) @inside
(foreach_loop) @inside
(while_loop) @inside
(block_def) @inside
(normal_command) @item
