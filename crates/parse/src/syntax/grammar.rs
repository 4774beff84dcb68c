//! A language's grammar with its compiled queries, made once per process and shared by all threads.

use std::sync::OnceLock;

use tree_sitter::{Query, QueryError};

use super::facts::Facts;
use crate::language::{LANGUAGE_COUNT, Language, SyntaxDescription};
use crate::symbol::SymbolKind;

/// A grammar that is ready to use.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) language: tree_sitter::Language,
    /// `tags.scm` and `chunks.scm` in one query.
    pub(super) items: Query,
    /// The meaning of every capture of `items`, by its index.
    pub(super) captures: Vec<Capture>,
    pub(super) imports: Query,
    /// What may start at a node of each kind, by kind id.
    starts: Vec<Start>,
    pub(super) facts: Facts,
}

/// What the queries say about nodes of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// No pattern is about it.
    Nothing,
    /// Every node of the kind has this role, so that no query has to run.
    Role(Role),
    /// Patterns decide.
    Patterns,
}

impl Grammar {
    /// What may start at a node of that kind.
    pub(super) fn start(&self, kind_id: u16) -> Start {
        self.starts.get(usize::from(kind_id)).copied().unwrap_or(Start::Nothing)
    }
}

/// What a capture in a query means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Capture {
    /// The node that the whole match is about.
    Main(Role),
    Name,
    /// Has the name inside.
    Declarator,
    Members,
    Body,
    Trait,
    /// Documentation inside the item.
    Doc,
    /// The type that a definition outside of it belongs to.
    Container,
    /// One with the definitions of the same name around it.
    Joined,
    /// Used by a predicate only.
    Helper,
}

/// What a node is to its container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Definition(SymbolKind),
    Scope,
    Item,
    /// Stays together and holds items of the scope around it: a condition, a group.
    Inside,
    /// Encloses one definition and is part of it: an export, a decorator, a template head.
    Wrapper,
    /// Holds items of the scope around it and is nothing itself: the list of all declarations.
    Through,
    Leading,
    Doc,
    Import,
    /// A part that the parser could not read; it may hold items all the same.
    Recover,
}

impl Role {
    /// The kind of a definition.
    pub(super) fn kind(self) -> Option<SymbolKind> {
        if let Self::Definition(kind) = self { Some(kind) } else { None }
    }
}

impl Capture {
    fn of(name: &str) -> Self {
        if let Some(kind) = name.strip_prefix("definition.") {
            let kind = SymbolKind::from_name(kind);
            return kind.map_or(Self::Helper, |kind| Self::Main(Role::Definition(kind)));
        }
        match name {
            "scope" => Self::Main(Role::Scope),
            "item" => Self::Main(Role::Item),
            "inside" => Self::Main(Role::Inside),
            "through" => Self::Main(Role::Through),
            "wrapper" => Self::Main(Role::Wrapper),
            "leading" => Self::Main(Role::Leading),
            "import" => Self::Main(Role::Import),
            "name" => Self::Name,
            "declarator" => Self::Declarator,
            "members" => Self::Members,
            "body" => Self::Body,
            "trait" => Self::Trait,
            "doc" => Self::Doc,
            "container" => Self::Container,
            "joined" => Self::Joined,
            _ => Self::Helper,
        }
    }
}

/// The grammar of a language; `None` where it does not load, which a test rules out for all that ship.
pub(super) fn compiled(
    language: &'static Language,
    description: &'static SyntaxDescription,
) -> Option<&'static Grammar> {
    static COMPILED: [OnceLock<Option<Grammar>>; LANGUAGE_COUNT] =
        [const { OnceLock::new() }; LANGUAGE_COUNT];
    COMPILED[language.index()].get_or_init(|| compile(description).ok()).as_ref()
}

fn compile(description: &SyntaxDescription) -> Result<Grammar, QueryError> {
    let language = (description.grammar)();
    let source = [description.tags, "\n", description.chunks].concat();
    let items = Query::new(&language, &source)?;
    let captures = items.capture_names().iter().map(|name| Capture::of(name)).collect();
    let imports = Query::new(&language, description.imports)?;
    let starts = starts(&language, &items, &source);
    let facts = Facts::compile(&language, &description.facts);
    Ok(Grammar { language, items, captures, imports, starts, facts })
}

/// Reads from the text of the patterns which kinds of nodes they start at.
///
/// Most nodes between definitions are then passed over, or known, without running a query.
fn starts(language: &tree_sitter::Language, items: &Query, source: &str) -> Vec<Start> {
    let mut starts = vec![Start::Nothing; language.node_kind_count()];
    for pattern in 0..items.pattern_count() {
        let range = items.start_byte_for_pattern(pattern)..items.end_byte_for_pattern(pattern);
        let (kind, start) = start_of(source.get(range).unwrap_or_default());
        for (id, slot) in (0_u16..).zip(starts.iter_mut()) {
            let is_meant = kind.is_none_or(|kind| language.node_kind_for_id(id) == Some(kind));
            if is_meant && language.node_kind_is_named(id) {
                *slot = if *slot == Start::Nothing { start } else { Start::Patterns };
            }
        }
    }
    starts
}

/// The kind of node a pattern starts at, and whether the kind alone decides (`(use_declaration) @import`).
///
/// An alternation or a wildcard may start anywhere: no kind. A group is one pattern with conditions on all of it.
fn start_of(pattern: &str) -> (Option<&str>, Start) {
    let code = pattern.trim_start();
    let inside = code.trim_start_matches('(');
    let n_open = code.len() - inside.len();
    if n_open == 0 {
        return (None, Start::Patterns);
    }
    let end = inside.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inside.len());
    let (kind, rest) = inside.split_at(end);
    if matches!(kind, "" | "_" | "MISSING" | "ERROR") {
        return (None, Start::Patterns);
    }
    let capture =
        rest.trim_start().strip_prefix(')').and_then(|rest| rest.trim().strip_prefix('@'));
    let start = match capture.map(|name| name.split(';').next().unwrap_or(name).trim()) {
        Some(name) if n_open == 1 && !name.contains(char::is_whitespace) => match Capture::of(name)
        {
            Capture::Main(role) => Start::Role(role),
            Capture::Name
            | Capture::Declarator
            | Capture::Members
            | Capture::Body
            | Capture::Trait
            | Capture::Doc
            | Capture::Container
            | Capture::Joined
            | Capture::Helper => Start::Patterns,
        },
        _ => Start::Patterns,
    };
    (Some(kind), start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Structure, languages};

    #[test]
    fn the_queries_of_every_language_compile_and_every_capture_means_something() {
        for language in languages() {
            let Structure::Syntax(description) = language.structure() else { continue };
            let grammar =
                compile(description).map_err(|error| format!("{}: {error}", language.id)).unwrap();
            for (name, capture) in grammar.items.capture_names().iter().zip(&grammar.captures) {
                assert!(
                    *capture != Capture::Helper || name.starts_with('_'),
                    "{}: @{name} has no meaning",
                    language.id
                );
            }
        }
    }

    #[test]
    fn a_pattern_of_a_kind_alone_needs_no_query() {
        let import = Start::Role(Role::Import);
        assert_eq!(
            start_of("(use_declaration) @import\n; next\n"),
            (Some("use_declaration"), import)
        );
        assert_eq!(start_of("(a name: (b) @name) @item"), (Some("a"), Start::Patterns));
        assert_eq!(start_of("((a) @item (#eq? @item \"x\"))"), (Some("a"), Start::Patterns));
        assert_eq!(start_of("([(a) (b)] @item)"), (None, Start::Patterns));
        assert_eq!(start_of("(a) @item (#eq? @item \"x\")"), (Some("a"), Start::Patterns));
        assert_eq!(start_of("[(a) (b)] @item"), (None, Start::Patterns));
        assert_eq!(start_of("(_ name: (b)) @item"), (None, Start::Patterns));
    }
}
