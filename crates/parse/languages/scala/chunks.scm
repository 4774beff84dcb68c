; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @inside     stays together and holds definitions of the scope around it
;   @wrapper    is part of the definition inside it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(import_declaration) @import
(annotation) @leading
(extension_definition) @inside
(export_declaration) @item
(given_definition !name) @item
(call_expression) @item
(infix_expression) @item
(assignment_expression) @item
(if_expression) @item
(match_expression) @item
(for_expression) @item
(while_expression) @item
(try_expression) @item
(block) @item
