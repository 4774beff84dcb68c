; What is said about names: @import and the like say what a match means.
;   @name   the name it is said of      @from    the module, type or value it is tied to
;   @alias  another name for it

; A tree of uses is taken apart later.
(use_declaration (visibility_modifier) argument: (_) @from) @reexport
(use_declaration argument: (_) @from) @import
(mod_item name: (identifier) @name !body) @module

(impl_item trait: (_) @name type: (_) @from) @implements
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @name)) @extends
(function_item return_type: (_) @from) @returns
(function_signature_item return_type: (_) @from) @returns

(parameter pattern: (identifier) @name type: (_) @from) @typed
(field_declaration name: (field_identifier) @name type: (_) @from) @typed
(const_item name: (identifier) @name type: (_) @from) @typed
(static_item name: (identifier) @name type: (_) @from) @typed
(let_declaration pattern: (identifier) @name type: (_) @from) @typed
(let_declaration pattern: (identifier) @name value: (struct_expression name: (_) @from)) @typed
(let_declaration pattern: (identifier) @name
  value: [(call_expression function: [(identifier) (scoped_identifier) (field_expression)] @from)
          (try_expression (call_expression function: [(identifier) (scoped_identifier) (field_expression)] @from))
          (await_expression (call_expression function: [(identifier) (scoped_identifier) (field_expression)] @from))
          (try_expression (await_expression (call_expression function: [(identifier) (scoped_identifier) (field_expression)] @from)))]) @called
(let_declaration pattern: (identifier) @name value: [(identifier) (field_expression)] @from) @valued
(let_declaration pattern: (identifier) @name value: (reference_expression value: [(identifier) (field_expression)] @from)) @valued
(for_expression pattern: (identifier) @name value: [(identifier) (field_expression)] @from) @element
(for_expression pattern: (identifier) @name value: (reference_expression value: [(identifier) (field_expression)] @from)) @element
