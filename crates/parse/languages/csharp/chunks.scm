; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(using_directive !name) @import
(extern_alias_directive) @import
(attribute_list) @leading
(preproc_if_in_attribute_list) @leading
(preproc_if) @inside
(preproc_elif) @inside
(preproc_else) @inside
(preproc_pragma) @leading
(preproc_nullable) @leading
(preproc_region) @item
(preproc_endregion) @item
(global_attribute) @item
(global_statement) @item
