; The names that an import binds. Which ones a module brings in cannot be told from `open`; the module's own is said.

(open_module module: (module_path (module_name) @import .))
(open_module_signature module: (extended_module_path (module_name) @import .))
