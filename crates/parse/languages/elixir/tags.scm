; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @members            holds more items    @body     where the signature ends
;   @scope              encloses items without being a definition itself
;   @trait              what a scope is for
;   @doc                documentation inside the item; a pattern may say where it is and nothing else
; Definitions are calls like any other: their first word tells them.

(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @members
  (#eq? @_def "defmodule")) @definition.module
(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @members
  (#eq? @_def "defprotocol")) @definition.protocol
(call target: (identifier) @_def
  (arguments . (_) @trait (keywords . (pair key: (keyword) value: (alias) @name)))
  (do_block) @members
  (#eq? @_def "defimpl")) @scope
(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @members
  (#eq? @_def "defimpl")) @scope

; The name stands alone, before its arguments, or both before a guard.
(call target: (identifier) @_def (arguments . (_) @name) (do_block)? @body
  (#any-of? @_def "def" "defp" "defdelegate" "defn" "defnp")
  (#match? @name "^[a-z_]\\w*[?!]?(\\(|$|\\s+when\\b)")
  (#not-match? @name "^unquote\\b")) @definition.function
(call target: (identifier) @_def (arguments . (_) @name) (do_block)? @body
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")
  (#match? @name "^[a-z_]\\w*[?!]?(\\(|$|\\s+when\\b)")
  (#not-match? @name "^unquote\\b")) @definition.macro
(call target: (identifier) @_def (arguments . (binary_operator left: (identifier) operator: _ @name))
  (#any-of? @_def "def" "defp" "defmacro" "defmacrop")
  (#not-eq? @name "when")) @definition.function

; Fields of the struct that the module is.
(call target: (identifier) @_def (arguments [
    (list [(atom) @name (keywords (pair key: (keyword) @name))])
    (keywords (pair key: (keyword) @name))
  ])
  (#any-of? @_def "defstruct" "defexception")) @definition.field

(unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments . (_) @name))
  (#any-of? @_attribute "type" "typep" "opaque")) @definition.typealias
(unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments . (_) @name))
  (#any-of? @_attribute "callback" "macrocallback")) @definition.function
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments . (_)))
  (#not-any-of? @name "doc" "moduledoc" "typedoc" "shortdoc" "spec" "impl" "type" "typep" "opaque" "callback"
    "macrocallback" "optional_callbacks" "behaviour" "deprecated" "since" "tag" "moduletag" "describetag" "derive"
    "enforce_keys" "dialyzer" "compile" "external_resource" "on_load" "on_definition" "before_compile"
    "after_compile" "after_verify" "vsn" "fallback_to_any" "nifs")) @definition.const

(call (do_block (unary_operator operand: (call target: (identifier) @_attribute (arguments (string (quoted_content) @doc)))))
  (#eq? @_attribute "moduledoc"))
