; What else stands between definitions. Comments need no pattern.
;   @through    holds items of the scope around it and is nothing itself
;   @inside     stays together and holds definitions of the scope around it
;   @wrapper    is part of the definition inside it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(rule) @item
(recipe) @through
(conditional) @inside
(else_directive) @inside
(elsif_directive) @inside
(export_directive (variable_assignment)) @wrapper
(override_directive) @wrapper
(private_directive) @wrapper
(export_directive) @item
(unexport_directive) @item
(undefine_directive) @item
(vpath_directive) @item
(variable_assignment) @item
(include_directive) @import
