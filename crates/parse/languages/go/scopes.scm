; What is said about names: @import and the like say what a match means.
;   @name   the name it is said of      @from    the module, type or value it is tied to
;   @alias  another name for it

(package_clause (package_identifier) @name) @package
(import_spec name: (package_identifier) @alias path: (interpreted_string_literal (interpreted_string_literal_content) @from)) @import
(import_spec name: (dot) path: (interpreted_string_literal (interpreted_string_literal_content) @from)) @import.all
(import_spec !name path: (interpreted_string_literal (interpreted_string_literal_content) @from)) @import

(field_declaration !name type: (_) @name) @extends
(function_declaration result: (_) @from) @returns
(method_declaration result: (_) @from) @returns

(parameter_declaration name: (identifier) @name type: (_) @from) @typed
(field_declaration name: (field_identifier) @name type: (_) @from) @typed
(var_spec name: (identifier) @name type: (_) @from) @typed
(var_spec name: (identifier) @name value: (expression_list . (composite_literal type: (_) @from))) @typed
(var_spec name: (identifier) @name value: (expression_list . (unary_expression operand: (composite_literal type: (_) @from)))) @typed
(var_spec name: (identifier) @name value: (expression_list . (call_expression function: [(identifier) (selector_expression)] @from))) @called
(short_var_declaration left: (expression_list . (identifier) @name)
  right: (expression_list . [(composite_literal type: (_) @from) (unary_expression operand: (composite_literal type: (_) @from))])) @typed
(short_var_declaration left: (expression_list . (identifier) @name)
  right: (expression_list . (call_expression function: [(identifier) (selector_expression)] @from))) @called
(short_var_declaration left: (expression_list . (identifier) @name)
  right: (expression_list . [(identifier) (selector_expression)] @from)) @valued
