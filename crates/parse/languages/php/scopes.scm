; What is said about names: @import and the like say what a match means.
;   @name   the name it is said of      @from    the module, type or value it is tied to
;   @alias  another name for it

(namespace_definition name: (namespace_name) @name) @package
(namespace_use_declaration (namespace_use_clause [(name) (qualified_name)] @from alias: (name) @alias)) @import
(namespace_use_declaration (namespace_use_clause [(name) (qualified_name)] @from !alias)) @import

(base_clause (_) @name) @extends
(class_interface_clause (_) @name) @implements
(use_declaration [(name) (qualified_name)] @name) @extends
(function_definition return_type: (_) @from) @returns
(method_declaration return_type: (_) @from) @returns

(property_promotion_parameter visibility: (_) @alias type: (_) @from name: (variable_name (name) @name)) @typed
(simple_parameter type: (_) @from name: (variable_name) @name) @typed
(property_declaration type: (_) @from (property_element name: (variable_name (name) @name))) @typed
(assignment_expression left: (variable_name) @name
  right: (object_creation_expression [(name) (qualified_name)] @from)) @typed
(assignment_expression left: (member_access_expression object: (variable_name) @_this) @name
  right: (object_creation_expression [(name) (qualified_name)] @from)
  (#eq? @_this "$this")) @typed
(assignment_expression left: (member_access_expression object: (variable_name) @_this) @name
  right: (variable_name) @from
  (#eq? @_this "$this")) @valued
