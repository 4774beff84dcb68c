; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name       its name
;   @members            holds more items    @body       where the signature ends
;   @scope              encloses items without being a definition itself
;   @container          the object that the item belongs to
; Every function of Ruby is a method. Patterns about calls are few because each costs time when the grammar is loaded.

(module name: (_) @name body: (body_statement) @members) @definition.module
(module name: (_) @name "end" @body) @definition.module
(class name: (_) @name body: (body_statement) @members) @definition.class
(class name: (_) @name "end" @body) @definition.class
(singleton_class value: (self) body: (body_statement) @members) @scope
(singleton_class value: (_) @name body: (body_statement) @members) @scope

(method name: (_) @name body: (_) @body
  (#eq? @name "initialize")) @definition.constructor
(method name: (_) @name body: (_) @body) @definition.method
(method name: (_) @name "end" @body) @definition.method
(singleton_method object: (_) @container name: (_) @name body: (_) @body) @definition.method
(singleton_method object: (_) @container name: (_) @name "end" @body) @definition.method

; A constant that holds a new class is one.
(assignment left: [(constant) (scope_resolution)] @name
  right: (call method: (identifier) block: (_ body: (_) @members) @body) @_value
  (#match? @_value "^(Class|Struct|Data)\\.(new|define)\\b")) @definition.class
(assignment left: [(constant) (scope_resolution)] @name right: (_) @_value
  (#match? @_value "^(Class|Struct|Data)\\.(new|define)\\b")) @definition.class
(assignment left: [
    (constant) @name
    (scope_resolution) @name
    (left_assignment_list (constant) @name)
  ]) @definition.const
(operator_assignment left: [(constant) (scope_resolution)] @name operator: "||=") @definition.const
(assignment left: (global_variable) @name) @definition.var
(assignment left: [(class_variable) (instance_variable)] @name) @definition.field

(alias name: (global_variable) @name) @definition.var
(alias name: (_) @name) @definition.method

; Accessors, and methods that are defined by a call with their name.
(call !receiver method: (identifier) @_attr
  arguments: (argument_list [(simple_symbol) @name (string (string_content) @name)])
  (#any-of? @_attr "attr" "attr_reader" "attr_writer" "attr_accessor" "mattr_reader" "mattr_writer" "mattr_accessor"
    "cattr_reader" "cattr_writer" "cattr_accessor" "thread_mattr_accessor" "class_attribute")) @definition.property
(call !receiver method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) @name (_ . (string_content) @name .)])
  block: (_)? @body
  (#any-of? @_define "alias_method" "alias_attribute" "define_method" "define_singleton_method")) @definition.method
