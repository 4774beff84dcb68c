; What else stands between definitions. Comments need no pattern.
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(variable_declaration (assignment_statement (expression_list) @_value)
  (#match? @_value "^require\\b")) @import
(function_call name: (identifier) @_require
  (#any-of? @_require "require" "dofile" "loadfile")) @import
(if_statement) @inside
(elseif_statement) @inside
(else_statement) @inside
(do_statement) @inside
(for_statement) @inside
(while_statement) @inside
(repeat_statement) @inside
(block) @inside
(function_call) @item
(assignment_statement) @item
(return_statement) @item
