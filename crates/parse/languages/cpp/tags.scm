; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @anywhere           counts inside functions as well
;   @scope              encloses items without being a definition itself
;   @declarator         has the name inside; a variable or field that it makes a function is one
; A name with a path (`Store::open`) belongs to what the path says. Functions inside a class are its methods.

; The grammar takes `A::operator` in `inline A::operator bool()` for a type.
(function_definition
  type: (qualified_identifier scope: (_) @container name: (type_identifier) @name @_operator)
  declarator: (function_declarator declarator: (_) @name)
  body: (_) @body
  (#eq? @_operator "operator")) @definition.method

; Without a type of its own, a function is a constructor, a destructor or a conversion.
(function_definition !type declarator: (_) @declarator (field_initializer_list) @body) @definition.constructor
(function_definition !type declarator: (_) @declarator body: (_) @body) @definition.constructor
(function_definition !type declarator: (_) @declarator) @definition.constructor
(declaration !type declarator: (_) @declarator) @definition.constructor

(function_definition declarator: (_) @declarator body: (_) @body) @definition.function
(function_definition declarator: (_) @declarator) @definition.function

; A friend that is defined where it is named.
(friend_declaration (function_definition declarator: (_) @declarator body: (_) @body)) @definition.function

(class_specifier name: (_) @name body: (_) @members) @definition.class @anywhere
(declaration type: (class_specifier name: (_) @name body: (_) @members)) @definition.class
(struct_specifier name: (_) @name body: (_) @members) @definition.struct @anywhere
(field_declaration type: (class_specifier name: (_) @name body: (_) @members)) @definition.class
(alias_declaration name: (type_identifier) @name) @definition.typealias @anywhere
(concept_definition name: (identifier) @name) @definition.typealias
(namespace_definition name: (_) @name body: (_) @members) @definition.module
(namespace_definition !name body: (_) @members) @scope
