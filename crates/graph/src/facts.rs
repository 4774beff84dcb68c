//! What is known of one file before anything is resolved: what it defines, what it names, what it says about names.

use std::ops::Range;

/// All of it for one file. Places are bytes of the text.
#[derive(Debug, Clone, Default)]
pub struct FileFacts {
    /// Workspace-relative, with `/`.
    pub path: String,
    /// Language id, or empty.
    pub language: String,
    /// The decoded text.
    pub text: String,
    /// By start, outer ones first: their places are those of [`crate::Node::symbol`].
    pub symbols: Vec<SymbolFact>,
    /// By start.
    pub references: Vec<ReferenceFact>,
    /// What the file says about names.
    pub scopes: Vec<ScopeFact>,
}

/// A definition.
#[derive(Debug, Clone)]
pub struct SymbolFact {
    /// The simple name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The qualified name of what it is defined in.
    pub container: Option<String>,
    /// All of it.
    pub bytes: Range<u32>,
    /// Where its name starts.
    pub name_start: u32,
    /// Whether other files may name it, as far as the text says.
    pub is_public: bool,
}

/// What a definition is, as far as resolution asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// Something that can be called and belongs to no type.
    Function,
    /// Something that can be called and belongs to a type.
    Method,
    /// Makes a value of its type.
    Constructor,
    /// A class, struct, enum, union.
    Type,
    /// An interface, trait or protocol.
    Interface,
    /// Another name for a type.
    Alias,
    /// A constant, variable, field, property, variant.
    Value,
    /// A module or namespace.
    Module,
    /// A macro.
    Macro,
}

impl SymbolKind {
    /// The kind that a word of the index stands for.
    pub fn from_word(word: &str) -> Self {
        match word {
            "function" => Self::Function,
            "method" => Self::Method,
            "constructor" => Self::Constructor,
            "class" | "struct" | "enum" | "union" => Self::Type,
            "trait" | "interface" | "protocol" => Self::Interface,
            "typealias" => Self::Alias,
            "module" => Self::Module,
            "macro" => Self::Macro,
            _ => Self::Value,
        }
    }

    /// Whether it has members and values.
    pub fn is_type(self) -> bool {
        matches!(self, Self::Type | Self::Interface | Self::Alias)
    }

    /// Whether it can be called by its name.
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor | Self::Macro)
    }
}

/// A name that stands for something defined elsewhere.
#[derive(Debug, Clone)]
pub struct ReferenceFact {
    /// Where the name stands.
    pub name: Range<u32>,
    /// What it is used for.
    pub role: Role,
    /// What it belongs to: `store` of `store.open()`.
    pub receiver: Option<Range<u32>>,
}

/// What a name is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is called.
    Call,
    /// It is read or handed on.
    Usage,
    /// It is brought in.
    Import,
    /// It is named as a type.
    Type,
    /// It is assigned.
    Write,
}

/// Something that a file says about names.
#[derive(Debug, Clone)]
pub struct ScopeFact {
    /// What is said.
    pub kind: ScopeKind,
    /// The name it is said of, or the base of a type.
    pub name: Option<Range<u32>>,
    /// The module, type, function or value that the name is tied to.
    pub from: Option<Range<u32>>,
    /// Another name for it.
    pub alias: Option<Range<u32>>,
}

/// The kinds of [`ScopeFact`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "`ScopeFactKind` of the parser says what each means")]
pub enum ScopeKind {
    Import,
    ImportAll,
    ImportDefault,
    Reexport,
    ReexportAll,
    Export,
    ExportDefault,
    Extends,
    Implements,
    Typed,
    Called,
    Valued,
    Element,
    Returns,
    Package,
    Property,
    Module,
    Local,
}

impl ScopeKind {
    const ALL: [Self; 18] = [
        Self::Import,
        Self::ImportAll,
        Self::ImportDefault,
        Self::Reexport,
        Self::ReexportAll,
        Self::Export,
        Self::ExportDefault,
        Self::Extends,
        Self::Implements,
        Self::Typed,
        Self::Called,
        Self::Valued,
        Self::Element,
        Self::Returns,
        Self::Package,
        Self::Property,
        Self::Module,
        Self::Local,
    ];

    /// The kind with the number that the parser gives it.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

impl FileFacts {
    /// The text at a place; empty where there is none.
    pub fn str(&self, place: &Range<u32>) -> &str {
        self.text.get(place.start as usize..place.end as usize).unwrap_or_default()
    }
}
