; The names that an import binds: its own, or the last part of its path.

(import_spec name: (package_identifier) @import)
(import_spec !name path: (interpreted_string_literal (interpreted_string_literal_content) @import))
