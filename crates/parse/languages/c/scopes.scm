; What is said about names: @import and the like say what a match means.
;   @name   the name it is said of      @from    the module, type or value it is tied to
;   @alias  another name for it

(preproc_include path: (string_literal (string_content) @from)) @import.all
(preproc_include path: (system_lib_string) @from) @import.all
(parameter_declaration type: (_) @from declarator: (identifier) @name) @typed
(parameter_declaration type: (_) @from declarator: (pointer_declarator declarator: (identifier) @name)) @typed
(declaration type: (_) @from declarator: (identifier) @name) @typed
(declaration type: (_) @from declarator: (init_declarator declarator: (identifier) @name)) @typed
(declaration type: (_) @from declarator: (pointer_declarator declarator: (identifier) @name)) @typed
(declaration type: (_) @from declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @typed
(field_declaration type: (_) @from declarator: (field_identifier) @name) @typed
(field_declaration type: (_) @from declarator: (pointer_declarator declarator: (field_identifier) @name)) @typed
