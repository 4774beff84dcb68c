; What else stands between definitions. Comments need no pattern.
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(import) @import
(syntax) @item
(edition) @item
(option) @item
(reserved) @item
(extensions) @item
