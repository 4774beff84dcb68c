; What is said about names: @import and the like say what a match means.
;   @name   the name it is said of      @from    the module, type or value it is tied to
;   @alias  another name for it

(file_scoped_namespace_declaration name: (_) @name) @package
(namespace_declaration name: (_) @name) @package
(using_directive name: (identifier) @alias (_) @from .) @import
(using_directive !name [(identifier) (qualified_name)] @from .) @import.all

(base_list [(identifier) (qualified_name) (generic_name)] @name) @extends
(method_declaration returns: (_) @from) @returns

(parameter type: (_) @from name: (identifier) @name) @typed
(variable_declaration (variable_declarator name: (identifier) @name (object_creation_expression type: (_) @from))) @typed
(variable_declaration type: [(identifier) (qualified_name) (generic_name) (nullable_type)] @from (variable_declarator name: (identifier) @name)) @typed
(property_declaration type: (_) @from name: (identifier) @name) @typed
