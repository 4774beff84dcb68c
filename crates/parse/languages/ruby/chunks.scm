; What else stands between definitions. Comments need no pattern.
;   @wrapper    is part of the definition inside it
;   @inside     stays together and holds definitions of the scope around it
;   @trailing   belongs to the item before it
;   @import     brings names in (see imports.scm)
;   @item       stays together but defines nothing

(call !receiver method: (identifier) @_require
  (#any-of? @_require "require" "require_relative" "load" "autoload")) @import

; `private def open`, `private attr_reader :path`, `X = 1 unless defined?(X)`
(call arguments: (argument_list . [(method) (singleton_method) (call) (assignment)]) !block) @wrapper
(argument_list) @wrapper
(if_modifier) @wrapper
(unless_modifier) @wrapper
(rescue_modifier) @wrapper

(call block: (_ body: (_) @members)) @inside
(call receiver: (parenthesized_statements) @members) @inside
(call) @item
(if) @inside
(unless) @inside
(then) @inside
(elsif) @inside
(else) @inside
(begin) @inside
(rescue) @inside
(ensure) @inside
(case) @inside
(when) @inside
(case_match) @inside
(in_clause) @inside
(begin_block) @inside
(end_block) @inside
(parenthesized_statements) @inside
(heredoc_body) @trailing
(assignment) @item
(operator_assignment) @item
(while) @item
(until) @item
(for) @item
(while_modifier) @item
(until_modifier) @item
(yield) @item
(undef) @item
