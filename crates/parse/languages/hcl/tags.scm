; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @container          what the item belongs to, from the outermost in
;   @doc                documentation inside the item; a pattern may say where it is and nothing else
; What a block is, its first word says. A resource is known as other blocks refer to it: `aws_instance.web`.

(block . (identifier) @_word
  . (string_lit (template_literal) @container) . (string_lit (template_literal) @name) . (block_start) @body
  (#any-of? @_word "resource" "source" "ephemeral")) @definition.struct
(block . (identifier) @_word @container
  . (string_lit (template_literal) @container) . (string_lit (template_literal) @name) . (block_start) @body
  (#eq? @_word "data")) @definition.struct
(block . (identifier) @_word . (string_lit (template_literal) @name) . (block_start) @body
  (#eq? @_word "variable")) @definition.var
(block . (identifier) @_word . (string_lit (template_literal) @name) . (block_start) @body
  (#eq? @_word "output")) @definition.const
(block . (identifier) @_word . (string_lit (template_literal) @name) . (block_start) @body
  (#eq? @_word "module")) @definition.module
(block . (identifier) @_word . (string_lit (template_literal) @name) . (block_start) @body
  (#eq? @_word "function")) @definition.function
(block . (identifier) @_word . (string_lit (template_literal) @name) . (block_start) @body (body) @members
  (#any-of? @_word "job" "group" "task" "target")) @definition.module
(block . (identifier) @_word (body (attribute . (identifier) @name) @definition.const)
  (#eq? @_word "locals"))

(block (body (attribute . (identifier) @_key (expression (literal_value (string_lit (template_literal) @doc))))
  (#eq? @_key "description")))
