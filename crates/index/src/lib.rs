//! Lexical analysis, query grammar, segments and scoring; pure.
