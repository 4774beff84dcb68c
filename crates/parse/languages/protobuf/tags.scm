; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @scope              encloses items without being a definition itself

(package (full_ident) @name) @definition.module
(message (message_name) @name (message_body) @members) @definition.struct
(group (message_name) @name (message_body) @members) @definition.struct
(field (type) . (identifier) @name) @definition.field
(map_field (type) . (identifier) @name) @definition.field
(oneof (identifier) @name "{" @body) @definition.union @members
(oneof_field (type) . (identifier) @name) @definition.field
(enum (enum_name) @name (enum_body) @members) @definition.enum
(enum_field . (identifier) @name) @definition.variant
(service (service_name) @name "{" @body) @definition.interface @members
(rpc (rpc_name) @name "{" @body) @definition.method
(rpc (rpc_name) @name) @definition.method
(extend (full_ident) @name (message_body) @members) @scope
