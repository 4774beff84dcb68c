; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @inside     stays together and holds definitions of the scope around it
;   @wrapper    is part of the definition inside it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(import) @import
(annotation) @leading
(file_annotation) @item
(annotated_expression) @wrapper
(anonymous_initializer) @item
(companion_object !name) @item
(assignment) @item
(call_expression) @item
(navigation_expression) @item
(infix_expression) @item
(if_expression) @item
(when_expression) @item
(try_expression) @item
(for_statement) @item
(while_statement) @item
(do_while_statement) @item
