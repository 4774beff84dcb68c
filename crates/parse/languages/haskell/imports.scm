; The names that an import binds: what it lists, and what its module is called.

(import alias: (module) @import)
(import !alias module: (module) @import)
(import_name variable: (variable) @import)
(import_name operator: (prefix_id (_) @import))
(import_name type: (name) @import)
(children element: [(variable) @import (constructor) @import (prefix_id (_) @import)])
