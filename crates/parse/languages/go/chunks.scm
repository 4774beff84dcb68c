; What else stands between definitions. Comments need no pattern.
;   @wrapper    is part of the definition inside it
;   @inside     stays together and holds definitions of the scope around it
;   @import     brings names in (see imports.scm)

(import_declaration) @import
(type_declaration "(") @inside
(type_declaration) @wrapper
(const_declaration "(") @inside
(const_declaration) @wrapper
(var_declaration (var_spec_list)) @inside
(var_declaration) @wrapper
(var_spec_list) @inside
