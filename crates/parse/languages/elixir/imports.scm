; The names that an import binds; `@last` binds the last part of a path.

(arguments . (alias) @last .)
(arguments . (alias) @last . (keywords (pair key: (keyword) @_key)) (#not-match? @_key "^as:"))
(keywords (pair key: (keyword) @_key value: (alias) @last) (#match? @_key "^as:"))
(dot right: (tuple (alias) @last))
