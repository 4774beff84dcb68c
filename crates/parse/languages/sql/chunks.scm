; What else stands between definitions. Comments need no pattern.
;   @wrapper    is part of the definition inside it
;   @inside     stays together and holds definitions of the scope around it

(statement) @wrapper
(transaction) @inside
(block) @inside
