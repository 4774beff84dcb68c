; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @wrapper    is part of the definition inside it
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(string_literal) @leading
(using_statement) @import
(import_statement) @import
(call_expression . (identifier) @_include
  (#eq? @_include "include")) @import
(macrocall_expression (macro_argument_list (compound_statement) @members)) @inside
(macrocall_expression) @wrapper
(macro_argument_list) @wrapper
(if_statement) @inside
(elseif_clause) @inside
(else_clause) @inside
(try_statement) @inside
(catch_clause) @inside
(finally_clause) @inside
(let_statement) @item
(for_statement) @inside
(while_statement) @inside
(compound_statement) @inside
(call_expression) @item
(export_statement) @item
(assignment) @item
(const_statement) @item
