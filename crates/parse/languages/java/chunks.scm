; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(import_declaration) @import
(annotation) @leading
(marker_annotation) @leading
(enum_body_declarations) @inside
(static_initializer) @item
(block) @item
