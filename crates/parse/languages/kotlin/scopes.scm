; What is said about names: @import and the like say what a match means.
;   @name   the name it is said of      @from    the module, type or value it is tied to
;   @alias  another name for it

(package_header (qualified_identifier) @name) @package
(import (qualified_identifier) @from "*") @import.all
(import (qualified_identifier) @from (identifier) @alias) @import
(import (qualified_identifier) @from .) @import

(delegation_specifier (constructor_invocation (user_type) @name)) @extends
(delegation_specifier (user_type) @name) @implements
(function_declaration (function_value_parameters) (user_type) @from) @returns

(parameter (identifier) @name (user_type) @from) @typed
(class_parameter ["val" "var"] @alias (identifier) @name (user_type) @from) @typed
(class_parameter (identifier) @name (user_type) @from) @typed
(variable_declaration (identifier) @name (user_type) @from) @typed
(property_declaration (variable_declaration (identifier) @name) (call_expression . [(identifier) (navigation_expression)] @from)) @called
