; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @container          the table that the item belongs to

(create_table (object_reference name: (_) @name) (column_definitions) @members) @definition.struct
(create_table (object_reference name: (_) @name) (create_query) @body) @definition.struct
(create_table (object_reference name: (_) @name)) @definition.struct
(column_definition name: (_) @name) @definition.field
(alter_table (object_reference name: (_) @container) (add_column (column_definition name: (_) @name))) @definition.field
(create_view (object_reference name: (_) @name) (create_query) @body) @definition.struct
(create_view (object_reference name: (_) @name)) @definition.struct
(create_materialized_view (object_reference name: (_) @name) (create_query) @body) @definition.struct
(create_materialized_view (object_reference name: (_) @name)) @definition.struct
(create_function (object_reference name: (_) @name) (function_body) @body) @definition.function
(create_function (object_reference name: (_) @name)) @definition.function
(create_trigger (keyword_trigger) . (object_reference name: (_) @name)) @definition.function
(create_index column: (identifier) @name) @definition.var
(create_type (object_reference name: (_) @name) (enum_elements) @members) @definition.enum
(create_type (object_reference name: (_) @name) (column_definitions) @members) @definition.struct
(create_type (object_reference name: (_) @name)) @definition.typealias
(literal) @definition.variant @name
(create_sequence (object_reference name: (_) @name)) @definition.var
(create_schema (identifier) @name) @definition.module
(create_database (identifier) @name) @definition.module
