; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @anywhere           counts inside functions as well
;   @scope              encloses items without being a definition itself
;   @declarator         has the name inside; a variable or field that it makes a function is one

(function_definition declarator: (_) @declarator body: (_) @body) @definition.function

(struct_specifier name: (type_identifier) @name body: (_) @members) @definition.struct @anywhere
