; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @anywhere           counts inside functions as well
;   @container          the class that the item belongs to

(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]
  rhs: (function_definition body: (_) @body)) @definition.function @anywhere
(binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"]
  rhs: (call function: (_) @_maker arguments: (arguments) @members)
  (#any-of? @_maker "R6Class" "R6::R6Class" "setRefClass" "setClass" "methods::setRefClass" "methods::setClass" "ggproto" "ggplot2::ggproto" "new_class" "S7::new_class")) @definition.class
(binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"]
  (#match? @name "^[.]?[A-Z][A-Z0-9_.]+$")) @definition.const
(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]) @definition.var
(binary_operator operator: ["->" "->>"] rhs: [(identifier) (string)] @name) @definition.var

; What a class holds.
(argument name: (identifier) @name value: (function_definition body: (_) @body)
  (#eq? @name "initialize")) @definition.constructor
(argument name: (identifier) @name value: (function_definition body: (_) @body)
  (#not-any-of? @name "validity" "validator" "constructor" "prototype")) @definition.method
(argument name: (identifier) @name
  (#not-any-of? @name "public" "private" "active" "methods" "fields" "slots" "properties" "representation" "inherit" "contains" "classname"
    "portable" "cloneable" "lock_objects" "lock_class" "class" "parent" "parent_env" "package" "prototype" "validity" "validator"
    "constructor" "where" "sealed" "abstract")) @definition.field

; Classes, generics and methods that are made by a call with their name.
(call function: (identifier) @_set
  arguments: (arguments . (argument value: (string content: (_) @name)) (argument name: (identifier) @_part value: (call arguments: (arguments) @members)))
  (#any-of? @_set "setClass" "setRefClass") (#any-of? @_part "slots" "fields" "representation")) @definition.class
(call function: (identifier) @_set
  arguments: (arguments . (argument value: (string content: (_) @name)))
  (#any-of? @_set "setClass" "setRefClass" "setClassUnion")) @definition.class
(call function: (identifier) @_set
  arguments: (arguments . (argument value: (string content: (_) @name)) . (comma) . (argument value: (string content: (_) @container)))
  (#any-of? @_set "setMethod" "setReplaceMethod")) @definition.method
(call function: (identifier) @_set
  arguments: (arguments . (argument value: (string content: (_) @name)))
  (#any-of? @_set "setGeneric" "setMethod" "setReplaceMethod")) @definition.function
