; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @inside     stays together and holds definitions of the scope around it
;   @wrapper    is part of the definition inside it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(preproc_include) @import
(module_import) @import
(instance_variables) @inside
(qualified_protocol_interface_declaration) @inside
(implementation_definition (preproc_if)) @inside
(implementation_definition (preproc_ifdef)) @inside
(preproc_if) @inside
(preproc_ifdef) @inside
(preproc_else) @inside
(preproc_elif) @inside
(preproc_elifdef) @inside
(expression_statement) @item
(linkage_specification) @wrapper
