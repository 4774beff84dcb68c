; What else stands between definitions. Comments need no pattern.
;   @through    holds items of the scope around it and is nothing itself
;   @item       stays together but defines nothing

(body) @through
(block) @item
(attribute) @item
