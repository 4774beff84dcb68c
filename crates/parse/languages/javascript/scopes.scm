; What is said about names: @import and the like say what a match means.
;   @name   the name it is said of      @from    the module, type or value it is tied to
;   @alias  another name for it; of a parameter that is a field as well, the word that says so

(import_statement . source: (string (string_fragment) @from)) @import
(import_statement (import_clause (identifier) @alias) source: (string (string_fragment) @from)) @import.default
(import_statement (import_clause (namespace_import (identifier) @alias)) source: (string (string_fragment) @from)) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @name alias: (identifier) @alias)))
  source: (string (string_fragment) @from)) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @name !alias)))
  source: (string (string_fragment) @from)) @import

(export_statement (export_clause (export_specifier name: (_) @name alias: (_) @alias))
  source: (string (string_fragment) @from)) @reexport
(export_statement (export_clause (export_specifier name: (_) @name !alias))
  source: (string (string_fragment) @from)) @reexport
(export_statement (namespace_export (_) @alias) source: (string (string_fragment) @from)) @reexport
(export_statement "*" source: (string (string_fragment) @from)) @reexport.all
(export_statement !source (export_clause (export_specifier name: (_) @name alias: (_) @alias))) @export
(export_statement !source (export_clause (export_specifier name: (_) @name !alias))) @export
(export_statement value: (identifier) @name) @export.default
(export_statement "default" declaration: (_ name: (_) @name)) @export.default

; What modules of the older kind do.
(variable_declarator name: (identifier) @alias
  value: (call_expression function: (identifier) @_word arguments: (arguments . (string (string_fragment) @from)))
  (#eq? @_word "require")) @import.default
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name)
  value: (call_expression function: (identifier) @_word arguments: (arguments . (string (string_fragment) @from)))
  (#eq? @_word "require")) @import
(variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @name value: (identifier) @alias))
  value: (call_expression function: (identifier) @_word arguments: (arguments . (string (string_fragment) @from)))
  (#eq? @_word "require")) @import
(variable_declarator name: (identifier) @alias
  value: (member_expression property: (property_identifier) @name
    object: (call_expression function: (identifier) @_word arguments: (arguments . (string (string_fragment) @from))))
  (#eq? @_word "require")) @import
(assignment_expression left: (member_expression) @_left right: (identifier) @name
  (#eq? @_left "module.exports")) @export.default
(assignment_expression left: (member_expression) @_left right: (_ name: (_) @name)
  (#eq? @_left "module.exports")) @export.default
(assignment_expression left: (member_expression) @_left right: (object (shorthand_property_identifier) @name)
  (#eq? @_left "module.exports")) @export
(assignment_expression left: (member_expression) @_left
  right: (object (pair key: (property_identifier) @alias value: (identifier) @name))
  (#eq? @_left "module.exports")) @export
(assignment_expression left: (member_expression object: (_) @_left property: (property_identifier) @alias)
  right: (identifier) @name
  (#match? @_left "^(module\\.)?exports$")) @export
(assignment_expression left: (member_expression object: (this)) @name
  right: [(new_expression constructor: (_) @from)
          (call_expression function: [(identifier) (member_expression)] @from)]) @called
(assignment_expression left: (member_expression object: (this)) @name
  right: [(identifier) (member_expression)] @from) @valued

(method_definition "get" name: (property_identifier) @name) @property

(class_heritage [(identifier) (member_expression)] @name) @extends
(field_definition property: [(property_identifier) (private_property_identifier)] @name
  value: (new_expression constructor: (_) @from)) @called
(variable_declarator name: (identifier) @name
  value: [(new_expression constructor: (_) @from)
          (call_expression function: [(identifier) (member_expression)] @from)
          (await_expression (call_expression function: [(identifier) (member_expression)] @from))]) @called
(variable_declarator name: (identifier) @name value: [(identifier) (member_expression)] @from) @valued
(for_in_statement left: (identifier) @name right: [(identifier) (member_expression)] @from) @element

; What a function gives has no name; what is given deeper inside may be given by another function.
(function_declaration body: (statement_block (return_statement
  [(new_expression constructor: (_) @from) (call_expression function: [(identifier) (member_expression)] @from)]))) @called
(function_declaration body: (statement_block (return_statement [(this) (identifier)] @from))) @valued
(method_definition body: (statement_block (return_statement
  [(new_expression constructor: (_) @from) (call_expression function: [(identifier) (member_expression)] @from)]))) @called
(method_definition body: (statement_block (return_statement [(this) (identifier)] @from))) @valued
(variable_declarator value: (arrow_function
  body: [(new_expression constructor: (_) @from) (call_expression function: [(identifier) (member_expression)] @from)])) @called
(variable_declarator value: (arrow_function body: (statement_block (return_statement
  [(new_expression constructor: (_) @from) (call_expression function: [(identifier) (member_expression)] @from)])))) @called
