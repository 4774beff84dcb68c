; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @inside     stays together and holds definitions of the scope around it
;   @wrapper    is part of the definition inside it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(import_declaration) @import
(attribute) @leading
(operator_declaration) @item
(precedence_group_declaration) @item
(call_expression) @item
(assignment) @item
(if_statement) @item
(guard_statement) @item
(for_statement) @item
(while_statement) @item
(repeat_while_statement) @item
(switch_statement) @item
(do_statement) @item
