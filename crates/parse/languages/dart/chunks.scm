; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @inside     stays together and holds definitions of the scope around it
;   @wrapper    is part of the definition inside it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(import_or_export) @import
(part_directive) @import
(part_of_directive) @import
(annotation) @leading
(member_declaration) @wrapper
