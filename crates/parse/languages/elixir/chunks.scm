; What else stands between definitions. Comments need no pattern.
;   @leading    belongs to the item that follows
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(unary_operator operator: "@" operand: (call target: (identifier) @_attribute)
  (#any-of? @_attribute "doc" "typedoc" "spec" "impl" "deprecated" "since" "tag")) @leading
(unary_operator) @item
(call target: (identifier) @_import (arguments)
  (#any-of? @_import "use" "import" "alias" "require")) @import
(call (do_block) @members) @inside
(else_block) @inside
(rescue_block) @inside
(catch_block) @inside
(after_block) @inside
(call) @item
(binary_operator) @item
