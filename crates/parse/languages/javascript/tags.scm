; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @parts              holds definitions that make no chunks
;   @anywhere           counts inside functions as well

(function_declaration name: (identifier) @name body: (_) @body) @definition.function @anywhere
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function @anywhere
(class_declaration name: (identifier) @name body: (class_body) @members) @definition.class @anywhere
(field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(field_definition property: (_) @name) @definition.field
