//! A language's grammar with its compiled queries, made once per process and shared by all threads.

use std::sync::OnceLock;

use tree_sitter::{Query, QueryError};

use crate::language::{LANGUAGE_COUNT, Language, SyntaxDescription};
use crate::symbol::SymbolKind;

/// A grammar that is ready to use.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) language: tree_sitter::Language,
    /// `tags.scm` and `chunks.scm` in one query.
    pub(super) items: Query,
    /// The meaning of every capture of `items`, by its index.
    pub(super) roles: Vec<Role>,
    pub(super) imports: Query,
    /// What may start at a node of each kind, by kind id.
    starts: Vec<Start>,
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
pub(super) enum Role {
    Definition(SymbolKind),
    Scope,
    Item,
    Leading,
    Doc,
    Import,
    Name,
    Members,
    Body,
    Trait,
    /// A part that the parser could not read; it may hold items all the same.
    Recover,
    /// Used by a predicate only.
    Helper,
}

impl Role {
    fn of(capture: &str) -> Self {
        if let Some(kind) = capture.strip_prefix("definition.") {
            return SymbolKind::from_name(kind).map_or(Self::Helper, Self::Definition);
        }
        match capture {
            "scope" => Self::Scope,
            "item" => Self::Item,
            "leading" => Self::Leading,
            "doc" => Self::Doc,
            "import" => Self::Import,
            "name" => Self::Name,
            "members" => Self::Members,
            "body" => Self::Body,
            "trait" => Self::Trait,
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
    let roles = items.capture_names().iter().map(|name| Role::of(name)).collect();
    let imports = Query::new(&language, description.imports)?;
    let starts = starts(&language, &items, &source);
    Ok(Grammar { language, items, roles, imports, starts })
}

/// Reads from the text of the patterns which kinds of nodes they start at.
///
/// Most nodes between definitions are then passed over, or known, without running a query.
fn starts(language: &tree_sitter::Language, items: &Query, source: &str) -> Vec<Start> {
    let mut starts = vec![Start::Nothing; language.node_kind_count()];
    for pattern in 0..items.pattern_count() {
        let range = items.start_byte_for_pattern(pattern)..items.end_byte_for_pattern(pattern);
        let text = source.get(range).unwrap_or_default();
        let code: Vec<&str> = text.lines().filter_map(|line| line.split(';').next()).collect();
        let code = code.concat();
        let code = code.trim();
        let kind_end = code[1.min(code.len())..]
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(code.len(), |end| end + 1);
        let kind = code.get(1..kind_end).unwrap_or_default();
        let rest = code.get(kind_end..).unwrap_or_default().trim_start();
        let start = match rest.strip_prefix(')').map(|capture| capture.trim_start()) {
            Some(capture) => match capture.strip_prefix('@') {
                Some(name) if !name.contains(|c: char| c.is_whitespace() || c == '(') => {
                    Start::Role(Role::of(name))
                },
                _ => Start::Patterns,
            },
            None => Start::Patterns,
        };
        for (kind_id, slot) in starts.iter_mut().enumerate() {
            let id = u16::try_from(kind_id).unwrap_or_default();
            // A pattern that does not begin with a kind (an alternation, a wildcard) may start anywhere.
            let is_meant = kind.is_empty() || kind == "_" || language.node_kind_for_id(id) == Some(kind);
            if is_meant && language.node_kind_is_named(id) {
                *slot = if *slot == Start::Nothing && !kind.is_empty() { start } else { Start::Patterns };
            }
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Structure, languages};

    #[test]
    fn the_queries_of_every_language_compile_and_every_capture_means_something() {
        for language in languages() {
            let Structure::Syntax(description) = language.structure() else { continue };
            let grammar = compile(description).map_err(|error| format!("{}: {error}", language.id)).unwrap();
            for (name, role) in grammar.items.capture_names().iter().zip(&grammar.roles) {
                assert!(
                    *role != Role::Helper || name.starts_with('_'),
                    "{}: @{name} has no meaning",
                    language.id
                );
            }
        }
    }
}
