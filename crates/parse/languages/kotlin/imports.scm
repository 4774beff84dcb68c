; The names that an import binds; one with a star is known by its package.

(import (qualified_identifier (identifier) @import .) .)
(import (qualified_identifier) (identifier) @import)
