//! What connects two nodes, how do we know, and where does it stand?

use crate::Node;

/// A connection, from what names to what is named.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Who calls, imports, extends.
    pub from: Node,
    /// Who is called, imported, extended.
    pub to: Node,
    /// What connects them.
    pub kind: EdgeKind,
    /// How it is known.
    pub provenance: Provenance,
    /// How sure it is, in percent.
    pub confidence: u8,
    /// How many nodes the name may stand for: 1 when there is one meaning, more when this edge is one of so many
    /// candidates. Only edges with one candidate are told as facts.
    pub candidates: u32,
    /// Where it stands; none for edges that no single place in a text says.
    pub evidence: Option<Evidence>,
}

/// A place in a text that says so.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evidence {
    /// As in [`Node::file`].
    pub file: u32,
    /// First byte, of the decoded text.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}

/// What connects two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// A function or method calls another one, or constructs a type.
    Calls,
    /// A symbol is named without being called.
    Uses,
    /// A file imports a file, or a symbol of it.
    Imports,
    /// A file hands on what another one defines.
    Exports,
    /// A type inherits from another one.
    Extends,
    /// A type fulfils an interface, trait or protocol.
    Implements,
    /// A file or symbol holds a symbol.
    Contains,
    /// A value flows from one symbol into another, by argument or return.
    Dataflow,
    /// A test looks at its subject.
    Tests,
    /// A document names a symbol or file.
    Mentions,
    /// Commits change both files. The history says it and no text does, so it is none of [`Self::ALL`].
    Together,
}

impl EdgeKind {
    /// Every kind that texts say.
    pub const ALL: [Self; 10] = [
        Self::Calls,
        Self::Uses,
        Self::Imports,
        Self::Exports,
        Self::Extends,
        Self::Implements,
        Self::Contains,
        Self::Dataflow,
        Self::Tests,
        Self::Mentions,
    ];

    /// The name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Uses => "uses",
            Self::Imports => "imports",
            Self::Exports => "exports",
            Self::Extends => "extends",
            Self::Implements => "implements",
            Self::Contains => "contains",
            Self::Dataflow => "dataflow",
            Self::Tests => "tests",
            Self::Mentions => "mentions",
            Self::Together => "together",
        }
    }
}

/// How an edge is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provenance {
    /// The text of one file says it: containment, a definition in the same scope.
    Syntax,
    /// An import says it.
    Import,
    /// A type that the text names says it.
    Type,
    /// An imported SCIP index says it.
    Scip,
    /// A language server says it.
    Lsp,
    /// Names and places suggest it.
    Heuristic,
}

impl Provenance {
    /// Every provenance.
    pub const ALL: [Self; 6] =
        [Self::Syntax, Self::Import, Self::Type, Self::Scip, Self::Lsp, Self::Heuristic];

    /// The name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Import => "import",
            Self::Type => "type",
            Self::Scip => "scip",
            Self::Lsp => "lsp",
            Self::Heuristic => "heuristic",
        }
    }
}
