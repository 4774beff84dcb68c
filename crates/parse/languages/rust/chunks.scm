; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(attribute_item) @leading
(use_declaration) @import
(extern_crate_declaration) @import
(macro_invocation) @item
(expression_statement) @item
