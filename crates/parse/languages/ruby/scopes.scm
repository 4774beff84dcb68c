; What is said about names: @import and the like say what a match means.
;   @name   the name it is said of      @from    the module, type or value it is tied to
;   @alias  another name for it

(superclass [(constant) (scope_resolution)] @name) @extends
(call !receiver method: (identifier) @_word arguments: (argument_list . (string (string_content) @from))
  (#match? @_word "^require(_relative)?$")) @import.all
(call !receiver method: (identifier) @_word arguments: (argument_list [(constant) (scope_resolution)] @name)
  (#match? @_word "^(include|prepend|extend)$")) @implements
(assignment left: [(identifier) (instance_variable)] @name
  right: (call receiver: [(constant) (scope_resolution)] @from method: (identifier) @_word)
  (#eq? @_word "new")) @typed
