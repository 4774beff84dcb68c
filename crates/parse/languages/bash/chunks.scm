; What else stands between definitions. Comments need no pattern.
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(command name: (command_name) @_source
  (#any-of? @_source "source" ".")) @import
(if_statement) @inside
(elif_clause) @inside
(else_clause) @inside
(case_statement) @inside
(case_item) @inside
(for_statement) @inside
(c_style_for_statement) @inside
(while_statement) @inside
(do_group) @inside
(compound_statement) @inside
(subshell) @inside
(list) @inside
(redirected_statement) @inside
(command) @item
(declaration_command) @item
(unset_command) @item
(pipeline) @item
(test_command) @item
(negated_command) @item
(variable_assignment) @item
