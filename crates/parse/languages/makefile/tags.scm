; Definitions, looked for directly inside a file or a `@members` node. A pattern starts at one node, never between two.
;   @definition.<kind>  the whole item      @name     its name
;   @body               where the signature ends
;   @through            holds items of the scope around it and is nothing itself
; What is put together from variables is known by its text. `.PHONY` and the like are no targets, `+=` defines nothing.

; A condition right below a rule without commands is not part of it, though it is read so.
(rule (recipe (conditional consequence: [
    (variable_assignment)
    (shell_assignment)
    (define_directive)
    (include_directive)
    (export_directive)
    (rule)
  ]))) @through

; The first target stands for the whole rule, so that further ones have their own place.
(rule (targets . [(word) (variable_reference) (concatenation) (substitution_reference) (archive)] @name) (recipe) @body
  (#not-match? @name "^\\.[A-Z_]+$|\\s")) @definition.function
(rule (targets . [(word) (variable_reference) (concatenation) (substitution_reference) (archive)] @name)
  (#not-match? @name "^\\.[A-Z_]+$|\\s")) @definition.function
(rule (targets (_) . [(word) (variable_reference) (concatenation) (substitution_reference) (archive)] @name @definition.function)
  (#not-match? @name "^\\.[A-Z_]+$|\\s"))
(targets . [(word) (variable_reference) (concatenation) (substitution_reference) (archive)] @name
  (#not-match? @name "^\\.[A-Z_]+$|\\s")) @definition.function
(targets (_) . [(word) (variable_reference) (concatenation) (substitution_reference) (archive)] @name @definition.function
  (#not-match? @name "^\\.[A-Z_]+$|\\s"))

; A variable of a target alone: the line says something about both.
(variable_assignment target_or_pattern: (list (_) @name)
  (#not-match? @name "^\\.[A-Z_]+$|\\s")) @definition.function
(variable_assignment name: (_) @name operator: ["=" ":=" "::=" "?="]) @definition.var
(shell_assignment name: (_) @name) @definition.var
(define_directive name: (_) @name value: (_) @body) @definition.macro
(define_directive name: (_) @name) @definition.macro
(VPATH_assignment name: "VPATH" @name) @definition.var
