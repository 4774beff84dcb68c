; The names that an import binds. A namespace brings in whatever it holds: its own last name stands for it.

(using_directive (identifier) @import)
(using_directive (qualified_name name: (identifier) @import))
(extern_alias_directive name: (identifier) @import)
