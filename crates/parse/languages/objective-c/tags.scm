; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name       its name, or several parts of it
;   @members            holds more items    @body       where the signature ends
;   @anywhere           counts inside functions as well
;   @scope              encloses items without being a definition itself
;   @container          what it belongs to
;   @trait              what a category is called
;   @declarator         has the name inside; a variable or field that it makes a function is one
; The name of a method is its selector: every word with its colon.

(class_interface . (identifier) @name category: (_) @trait) @scope @members
(class_interface . (identifier) @name "(") @scope @members
(class_interface . (identifier) @name) @definition.class @members
(class_implementation . (identifier) @name category: (_) @trait) @scope @members
(class_implementation . (identifier) @name) @definition.class @members
(protocol_declaration . (identifier) @name) @definition.protocol @members

(method_declaration (method_type) . [(identifier) @name (method_parameter ":" @name)]+) @definition.method
(implementation_definition (method_definition (method_type) . [(identifier) @name (method_parameter ":" @name)]+
  (compound_statement) @body)) @definition.method
(property_declaration (struct_declaration (struct_declarator (_) @declarator))) @definition.property
(instance_variable (struct_declaration (struct_declarator (_) @declarator))) @definition.field

(implementation_definition (function_definition declarator: (_) @declarator body: (_) @body)) @definition.function
(implementation_definition (declaration declarator: (_) @declarator)) @definition.var
(function_definition declarator: (_) @declarator body: (_) @body) @definition.function
(struct_specifier name: (type_identifier) @name body: (_) @members) @definition.struct @anywhere
