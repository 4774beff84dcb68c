; What else stands between definitions. Comments need no pattern.
;   @through    holds items of the scope around it and is nothing itself
;   @leading    belongs to the item that it stands in
;   @item       stays together but defines nothing

(document) @through
(definition) @through
(executable_definition) @through
(type_system_definition) @through
(type_definition) @through
(type_system_extension) @through
(type_extension) @through
(description) @leading
(schema_definition) @item
(schema_extension) @item
(operation_definition) @item
(union_type_extension) @item
(scalar_type_extension) @item
