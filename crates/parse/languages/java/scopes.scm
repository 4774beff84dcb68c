; What is said about names: @import and the like say what a match means.
;   @name   the name it is said of      @from    the module, type or value it is tied to
;   @alias  another name for it

(package_declaration [(identifier) (scoped_identifier)] @name) @package
(import_declaration [(identifier) (scoped_identifier)] @from (asterisk)) @import.all
(import_declaration [(identifier) (scoped_identifier)] @from .) @import

(superclass (_) @name) @extends
(super_interfaces (type_list (_) @name)) @implements
(extends_interfaces (type_list (_) @name)) @extends
(method_declaration type: (_) @from) @returns

(formal_parameter type: (_) @from name: (identifier) @name) @typed
(local_variable_declaration declarator: (variable_declarator name: (identifier) @name
  value: (object_creation_expression type: (_) @from))) @typed
(local_variable_declaration type: (_) @from declarator: (variable_declarator name: (identifier) @name)) @typed
(field_declaration type: (_) @from declarator: (variable_declarator name: (identifier) @name)) @typed
(enhanced_for_statement type: (_) @from name: (identifier) @name) @typed
