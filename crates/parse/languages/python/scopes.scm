; What is said about names: @import and the like say what a match means.
;   @name   the name it is said of      @from    the module, type or value it is tied to
;   @alias  another name for it

(import_statement name: (dotted_name) @from) @import
(import_statement name: (aliased_import name: (dotted_name) @from alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @from name: (dotted_name) @name) @import
(import_from_statement module_name: (_) @from
  name: (aliased_import name: (dotted_name) @name alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @from (wildcard_import)) @import.all

(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @name)) @extends
(function_definition return_type: (type) @from) @returns
(decorated_definition (decorator [(identifier) @_word (attribute attribute: (identifier) @_word)])
  definition: (function_definition name: (identifier) @name)
  (#match? @_word "property$")) @property

(typed_parameter (identifier) @name type: (type) @from) @typed
(typed_default_parameter name: (identifier) @name type: (type) @from) @typed
(as_pattern [(identifier) (attribute)] @from alias: (as_pattern_target (identifier) @name)) @typed
(as_pattern (call function: [(identifier) (attribute)] @from) alias: (as_pattern_target (identifier) @name)) @called
(assignment left: [(identifier) (attribute)] @name type: (type) @from) @typed
(assignment left: (identifier) @name right: (call function: [(identifier) (attribute)] @from)) @called
(assignment left: (attribute object: (identifier) @_self) @name
  right: (call function: [(identifier) (attribute)] @from)
  (#eq? @_self "self")) @called
(assignment left: (identifier) @name right: [(identifier) (attribute)] @from) @valued
(assignment left: (attribute object: (identifier) @_self) @name right: [(identifier) (attribute)] @from
  (#eq? @_self "self")) @valued
(assignment left: (identifier) @name right: (await (call function: [(identifier) (attribute)] @from))) @called
(for_statement left: (identifier) @name right: [(identifier) (attribute)] @from) @element

; What a function gives has no name.
(return_statement (call function: [(identifier) (attribute)] @from)) @called
(return_statement (identifier) @from) @valued
