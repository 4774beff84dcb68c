; What else stands between definitions. Comments need no pattern.
;   @wrapper    is part of the definition inside it
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(preproc_include) @import
(preproc_if) @inside
(preproc_ifdef) @inside
(preproc_else) @inside
(preproc_elif) @inside
(preproc_elifdef) @inside
(expression_statement) @item
(linkage_specification) @wrapper
