; What else stands between definitions. Comments need no pattern.
;   @through    holds items of the scope around it and is nothing itself
;   @wrapper    is part of the definition inside it
;   @leading    belongs to the item that follows
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(imports) @through
(declarations) @through
(import) @import
(data_instance) @wrapper
(foreign_import) @wrapper
(pragma) @leading
(cpp) @leading
(fixity) @item
(foreign_export) @item
(top_splice) @item
(deriving_instance) @item
(type_instance) @item
(role_annotation) @item
(kind_signature) @leading
(default_types) @item
