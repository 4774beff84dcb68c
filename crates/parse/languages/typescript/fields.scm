; Parameters of a constructor that are fields of the class.

(method_definition
  parameters: (formal_parameters
    (required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field)) @anywhere
(method_definition
  parameters: (formal_parameters
    (optional_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field)) @anywhere
(method_definition
  parameters: (formal_parameters
    (required_parameter "readonly" pattern: (identifier) @name) @definition.field)) @anywhere
(method_definition
  parameters: (formal_parameters
    (optional_parameter "readonly" pattern: (identifier) @name) @definition.field)) @anywhere
