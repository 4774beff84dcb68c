; The names that an import binds, where it says them; which ones a whole library brings in cannot be told.

(import_specification alias: (identifier) @import)
(combinator "show" (identifier) @import)
