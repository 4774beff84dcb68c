; Definitions by assignment, and what objects hold: the same for JavaScript and TypeScript.

; A function that a variable holds is a function; an object holds methods.
(lexical_declaration (variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @definition.function @anywhere
(lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (class_body) @members))) @definition.class @anywhere
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (object) @members)) @definition.const
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name
  value: (call_expression arguments: (arguments . [(arrow_function) (function_expression)] @body)))) @definition.const
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name)) @definition.const
(lexical_declaration (variable_declarator name: (identifier) @name)) @definition.var
(lexical_declaration kind: "const" (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name))) @definition.const
(lexical_declaration kind: "const" (variable_declarator name: (array_pattern (identifier) @name))) @definition.const
(variable_declaration (variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @definition.function @anywhere
(variable_declaration (variable_declarator name: (identifier) @name value: (class body: (class_body) @members))) @definition.class @anywhere
(variable_declaration (variable_declarator name: (identifier) @name value: (object) @members)) @definition.var
(variable_declaration (variable_declarator name: (identifier) @name)) @definition.var

; What is added to an object: `Store.prototype.open = function () {}`, `app.use = function () {}`, `exports.open = …`.
(expression_statement (assignment_expression
  left: (_) @_exports
  right: (_ name: (_) @name body: (statement_block) @body)
  (#eq? @_exports "module.exports"))) @definition.function @anywhere
(expression_statement (assignment_expression
  left: (_) @_exports
  right: (_ name: (_) @name body: (class_body) @members)
  (#eq? @_exports "module.exports"))) @definition.class @anywhere
(expression_statement (assignment_expression
  left: (member_expression) @name
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]
  (#match? @name "(?-u)^[\\w$.\\x80-\\xff]+$"))) @definition.function @anywhere
(expression_statement (assignment_expression
  left: (member_expression) @name
  right: (assignment_expression right: (function_expression body: (_) @body))
  (#match? @name "(?-u)^[\\w$.\\x80-\\xff]+$"))) @definition.function @anywhere
(expression_statement (assignment_expression right: (assignment_expression
  left: (member_expression) @name
  right: (function_expression body: (_) @body))
  (#match? @name "(?-u)^[\\w$.\\x80-\\xff]+$"))) @definition.function @anywhere
(expression_statement (assignment_expression
  left: (identifier) @name
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)])) @definition.function @anywhere
(expression_statement (assignment_expression
  left: (member_expression) @name
  right: (class !name body: (class_body) @members)
  (#match? @name "(?-u)^[\\w$.\\x80-\\xff]+$"))) @definition.class @anywhere
(expression_statement (assignment_expression
  left: (member_expression) @name
  right: (class name: (_) body: (_) @body)
  (#not-eq? @name "module.exports")
  (#match? @name "(?-u)^[\\w$.\\x80-\\xff]+$"))) @definition.class @anywhere
(expression_statement (assignment_expression
  left: (member_expression object: (member_expression property: (_) @_prototype)) @name
  right: (object) @members
  (#eq? @_prototype "prototype")
  (#match? @name "(?-u)^[\\w$.\\x80-\\xff]+$"))) @definition.property @anywhere
(expression_statement (assignment_expression
  left: (member_expression object: (member_expression property: (_) @_prototype)) @name
  (#eq? @_prototype "prototype")
  (#match? @name "(?-u)^[\\w$.\\x80-\\xff]+$"))) @definition.property @anywhere
(expression_statement
  (member_expression object: (member_expression property: (_) @_prototype)) @name
  (#eq? @_prototype "prototype")
  (#match? @name "(?-u)^[\\w$.\\x80-\\xff]+$")) @definition.property
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @name property: (_) @_prototype)
  right: (object) @members
  (#eq? @_prototype "prototype"))) @scope @anywhere
(expression_statement (assignment_expression
  left: (member_expression) @name
  right: (object) @members
  (#not-match? @name "\\.prototype$")
  (#match? @name "(?-u)^[\\w$.\\x80-\\xff]+$"))) @definition.const
(expression_statement (assignment_expression
  left: (member_expression) @name
  (#match? @name "^(module\\.)?exports\\.[a-zA-Z$][a-zA-Z0-9_$]*$"))) @definition.const

; A function or class that is a value may have a name.
(function_expression name: (_) @name body: (_) @body) @definition.function @anywhere
(generator_function name: (_) @name body: (_) @body) @definition.function @anywhere
(class name: (_) @name body: (class_body) @members) @definition.class @anywhere

; Without a name of its own, a default export is called so.
(export_statement "default" @name value: (function_expression !name body: (_) @body)) @definition.function
(export_statement "default" @name value: (arrow_function body: (_) @body)) @definition.function
(export_statement "default" @name value: (class !name body: (class_body) @members)) @definition.class
(export_statement "default" @name value: (object) @members) @definition.const
(export_statement "default" @name value: (call_expression arguments: (arguments . (object) @members))) @definition.const

(method_definition name: (property_identifier) @name body: (_) @body
  (#eq? @name "constructor")) @definition.constructor @anywhere
(method_definition
  name: [(property_identifier) (private_property_identifier) (computed_property_name) (string)] @name
  body: (_) @body) @definition.method @anywhere
(pair key: (property_identifier) @name value: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.method @anywhere
(pair key: (string (string_fragment) @name) value: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]
  (#match? @name "(?-u)^\\S+$")) @definition.method @anywhere

; What else an object holds that has a name.
(pair key: (property_identifier) @name value: (object) @parts) @definition.property
(pair key: (property_identifier) @name) @definition.property
(pair key: (string (string_fragment) @name) value: (object) @parts
  (#match? @name "(?-u)^[a-zA-Z_$][\\w$]*$")) @definition.property
(pair key: (string (string_fragment) @name)
  (#match? @name "(?-u)^[a-zA-Z_$][\\w$]*$")) @definition.property
