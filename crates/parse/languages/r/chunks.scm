; What else stands between definitions. Comments need no pattern.
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(call function: (identifier) @_import
  (#any-of? @_import "library" "require" "requireNamespace" "loadNamespace" "source")) @import
(argument name: (identifier) @_part value: (call arguments: (arguments) @members)
  (#any-of? @_part "public" "private" "active" "methods" "fields" "slots" "properties")) @inside
(call arguments: (arguments (argument value: (braced_expression) @members))) @inside
(if_statement) @inside
(for_statement) @inside
(while_statement) @inside
(repeat_statement) @inside
(braced_expression) @inside
(call) @item
(binary_operator) @item
