; The names that an import binds: `import` is a function, and what it returns is given a name as any value is.
