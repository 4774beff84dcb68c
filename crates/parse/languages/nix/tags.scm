; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
; A path (`services.web.enable`) belongs to what it says. A name that is put together from values is not known.

; What a flake gives out is inside a function.
(binding attrpath: (attrpath) @name expression: (function_expression body: (_) @body) @members
  (#eq? @name "outputs")) @definition.function
(binding attrpath: (attrpath) @name expression: (function_expression body: (_) @body)
  (#not-match? @name "[$]\\{")) @definition.function
(binding attrpath: (attrpath) @name expression: [(attrset_expression) (rec_attrset_expression)] @members
  (#not-match? @name "[$]\\{")) @definition.const
(binding attrpath: (attrpath) @name
  (#not-match? @name "[$]\\{")) @definition.const
