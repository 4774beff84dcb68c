; What else stands between definitions. Comments need no pattern.
;   @import     brings names in (see imports.scm); what is public is a definition all the same
;   @item       stays together but defines nothing

((variable_declaration [
    (builtin_function (builtin_identifier) @_called)
    (field_expression object: (builtin_function (builtin_identifier) @_called))
  ]) @import
  (#eq? @_called "@import")
  (#not-match? @import "^pub "))
(using_namespace_declaration) @item
(comptime_declaration) @item
(test_declaration) @item
