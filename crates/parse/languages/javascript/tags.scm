; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.

(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(class_declaration name: (identifier) @name body: (class_body) @members) @definition.class
(field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(field_definition property: (_) @name) @definition.field

; A function that a variable holds is a function; an object holds methods.
(lexical_declaration (variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body))) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: (function_expression body: (_) @body))) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: (generator_function body: (_) @body))) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (class_body) @members))) @definition.class
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (object) @members)) @definition.const
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name
  value: (call_expression arguments: (arguments . [(arrow_function) (function_expression)] @body)))) @definition.const
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name)) @definition.const
(lexical_declaration (variable_declarator name: (identifier) @name)) @definition.var
(lexical_declaration kind: "const" (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name))) @definition.const
(lexical_declaration kind: "const" (variable_declarator name: (array_pattern (identifier) @name))) @definition.const
(variable_declaration (variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body))) @definition.function
(variable_declaration (variable_declarator name: (identifier) @name value: (function_expression body: (_) @body))) @definition.function
(variable_declaration (variable_declarator name: (identifier) @name value: (class body: (class_body) @members))) @definition.class
(variable_declaration (variable_declarator name: (identifier) @name value: (object) @members)) @definition.var
(variable_declaration (variable_declarator name: (identifier) @name)) @definition.var

; What is added to an object: `Store.prototype.open = function () {}`, `app.use = function () {}`, `exports.open = …`.
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_object property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]
  (#eq? @_object "exports"))) @definition.function
(expression_statement (assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
    property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]
  (#eq? @_module "module") (#eq? @_exports "exports"))) @definition.function
(expression_statement (assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @container property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: (function_expression body: (_) @body)
  (#eq? @_prototype "prototype"))) @definition.method
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_object property: (property_identifier) @_exports)
  right: (function_expression name: (identifier) @name body: (_) @body)
  (#eq? @_object "module") (#eq? @_exports "exports"))) @definition.function
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_object property: (property_identifier) @_exports)
  right: (class name: (_) @name body: (class_body) @members)
  (#eq? @_object "module") (#eq? @_exports "exports"))) @definition.class
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_object property: (property_identifier) @name)
  right: (object) @members
  (#eq? @_object "module") (#eq? @name "exports"))) @definition.const
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_object property: (property_identifier) @name)
  right: [(function_expression !name body: (_) @body) (arrow_function body: (_) @body)]
  (#eq? @_object "module") (#eq? @name "exports"))) @definition.function
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @container property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]
  (#not-any-of? @container "module" "exports" "window" "self" "globalThis"))) @definition.method
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @container property: (property_identifier) @name)
  right: (assignment_expression right: (function_expression body: (_) @body))
  (#not-any-of? @container "module" "exports" "window" "self" "globalThis"))) @definition.method
(expression_statement (assignment_expression right: (assignment_expression
  left: (member_expression object: (identifier) @container property: (property_identifier) @name)
  right: (function_expression body: (_) @body))
  (#not-any-of? @container "module" "exports" "window" "self" "globalThis"))) @definition.method
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_object property: (property_identifier) @name)
  (#eq? @_object "exports")
  (#not-eq? @name "__esModule"))) @definition.const

; Without a name of its own, a default export is called so.
(export_statement "default" @name value: (function_expression !name body: (_) @body)) @definition.function
(export_statement "default" @name value: (arrow_function body: (_) @body)) @definition.function
(export_statement "default" @name value: (class !name body: (class_body) @members)) @definition.class
(export_statement "default" @name value: (object) @members) @definition.const
(export_statement "default" @name value: (call_expression arguments: (arguments . (object) @members))) @definition.const

(method_definition name: (property_identifier) @name body: (_) @body
  (#eq? @name "constructor")) @definition.constructor
(method_definition name: (property_identifier) @name body: (_) @body) @definition.method
(method_definition name: (private_property_identifier) @name body: (_) @body) @definition.method
(method_definition name: (computed_property_name) @name body: (_) @body) @definition.method
(method_definition name: (string) @name body: (_) @body) @definition.method
(pair key: (property_identifier) @name value: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.method
