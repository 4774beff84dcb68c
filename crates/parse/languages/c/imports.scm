; Which names a header brings in cannot be told from the include: none are noted.

(preproc_include path: (identifier) @import)
