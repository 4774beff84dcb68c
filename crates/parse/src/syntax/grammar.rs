//! A language's grammar with its patterns, made once per process and shared by all threads.

use std::sync::OnceLock;

use super::ast::Tree;
use super::facts::Facts;
use super::pattern::{PatternError, Patterns};
use super::scopes::Scopes;
use super::{lr, tree};
use crate::language::{LANGUAGE_COUNT, Language, SyntaxDescription};
use crate::symbol::SymbolKind;

/// A grammar that is ready to use.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) language: tree_sitter::Language,
    /// Where they are of a version that is known.
    tables: Option<lr::Tables>,
    /// `tags.scm` and `chunks.scm`.
    pub(super) items: Patterns,
    /// The meaning of every capture of `items`, by its index.
    pub(super) captures: Vec<Capture>,
    pub(super) imports: Patterns,
    pub(super) scopes: Scopes,
    /// What may start at a node of each kind, by kind id.
    starts: Vec<Start>,
    /// The patterns of `items` that count inside functions as well, by kind id.
    anywhere: Vec<Vec<usize>>,
    pub(super) facts: Facts,
    /// Whether the language has `#if` and the like.
    pub(super) has_preprocessor: bool,
    /// Whether the language has `#define` with a name and a value.
    pub(super) has_macros: bool,
}

/// What the patterns say about nodes of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// No pattern is about it.
    Nothing,
    /// Every node of the kind has this role, so that nothing has to be matched.
    Role(Role),
    /// Patterns decide.
    Patterns,
}

impl Grammar {
    /// The tree of a text that the grammar can read from end to end, and soon; `None` otherwise.
    pub(super) fn whole(&self, text: &str) -> Option<Tree> {
        self.tables.as_ref().and_then(|tables| lr::parse(tables, &self.language, text).ok())
    }

    /// The tree of any text, with its errors; `None` where it would take too long.
    pub(super) fn mended(&self, text: &str) -> Option<Tree> {
        let tables = self.tables.as_ref();
        match tables.map(|tables| lr::mended(tables, &self.language, text)) {
            Some(Ok(tree)) => Some(tree),
            Some(Err(lr::Stop::Overfull)) => None,
            Some(Err(lr::Stop::Unread)) | None => tree::parse(&self.language, text),
        }
    }

    /// What may start at a node of that kind.
    pub(super) fn start(&self, kind_id: u16) -> Start {
        self.starts.get(usize::from(kind_id)).copied().unwrap_or(Start::Nothing)
    }

    /// The patterns about nodes of that kind that count inside functions as well.
    pub(super) fn anywhere(&self, kind_id: u16) -> &[usize] {
        self.anywhere.get(usize::from(kind_id)).map_or(&[], Vec::as_slice)
    }
}

/// What a capture in a pattern means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Capture {
    /// The node that the whole match is about.
    Main(Role),
    /// A name, or one of the parts that make it up.
    Name,
    /// Has the name inside.
    Declarator,
    Members,
    /// Holds definitions that make no chunks.
    Parts,
    Body,
    Trait,
    /// Documentation inside the item.
    Doc,
    /// The type that a definition outside of it belongs to.
    Container,
    /// Marks a definition that holds what follows it: `namespace Notes;`.
    Rest,
    /// One with the definitions of the same name around it.
    Joined,
    /// Counts inside functions as well, where other definitions are local.
    Anywhere,
    /// Counts only where its scope does not have it already.
    Once,
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
    /// Belongs to the item before it.
    Trailing,
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
            "trailing" => Self::Main(Role::Trailing),
            "import" => Self::Main(Role::Import),
            "name" => Self::Name,
            "declarator" => Self::Declarator,
            "members" => Self::Members,
            "parts" => Self::Parts,
            "body" => Self::Body,
            "trait" => Self::Trait,
            "doc" => Self::Doc,
            "container" => Self::Container,
            "rest" => Self::Rest,
            "joined" => Self::Joined,
            "anywhere" => Self::Anywhere,
            "once" => Self::Once,
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

fn compile(description: &SyntaxDescription) -> Result<Grammar, PatternError> {
    let language = (description.grammar)();
    let files = [("tags.scm", description.tags), ("chunks.scm", description.chunks)];
    let items = Patterns::read(&language, &files)?;
    let captures: Vec<Capture> =
        items.capture_names().iter().map(|name| Capture::of(name)).collect();
    let imports = Patterns::read(&language, &[("imports.scm", description.imports)])?;
    let scopes = Scopes::compile(&language, description.scopes)?;
    let starts = starts(&language, &items, &captures);
    let mark = captures.iter().position(|capture| *capture == Capture::Anywhere);
    let mark = mark.and_then(|index| u32::try_from(index).ok());
    let anywhere = mark.map(|mark| items.capturing(mark)).unwrap_or_default();
    let mut facts = Facts::compile(&language, &description.facts);
    for (kind, _) in (0_u16..).zip(&anywhere).filter(|(_, patterns)| !patterns.is_empty()) {
        facts.may_define(kind);
    }
    facts.note_scopes(|kind| scopes.are_about(kind));
    let has_preprocessor = language.id_for_node_kind("preproc_if", true) != 0;
    let has_macros = language.id_for_node_kind("preproc_def", true) != 0;
    Ok(Grammar {
        tables: lr::Tables::of(&language),
        language,
        items,
        captures,
        imports,
        scopes,
        starts,
        anywhere,
        facts,
        has_preprocessor,
        has_macros,
    })
}

/// What may start at the nodes of each kind.
///
/// Most nodes between definitions are then passed over, or known, without matching anything.
fn starts(language: &tree_sitter::Language, items: &Patterns, captures: &[Capture]) -> Vec<Start> {
    let start = |kind: u16| match items.about(kind) {
        [] => Start::Nothing,
        [only] => {
            let capture = items.sole_capture(*only);
            match capture.and_then(|index| captures.get(index as usize)) {
                Some(Capture::Main(role)) => Start::Role(*role),
                _ => Start::Patterns,
            }
        },
        _ => Start::Patterns,
    };
    (0..u16::MAX).take(language.node_kind_count()).map(start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Structure, language_by_id, languages};

    #[test]
    fn the_patterns_of_every_language_compile_and_every_capture_means_something() {
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
            assert_eq!(grammar.scopes.unknown(), [""; 0], "{}", language.id);
            for wording in grammar.items.wordings.iter().chain(&grammar.imports.wordings) {
                assert!(wording.regex().is_some(), "{}: {}", language.id, wording.expression);
            }
        }
    }

    #[test]
    fn a_pattern_of_a_kind_alone_needs_no_matching() {
        let language = language_by_id("rust").unwrap();
        let Structure::Syntax(description) = language.structure() else { panic!("no grammar") };
        let grammar = compile(description).unwrap();
        let start = |kind| grammar.start(grammar.language.id_for_node_kind(kind, true));
        assert_eq!(start("use_declaration"), Start::Role(Role::Import));
        assert_eq!(start("struct_item"), Start::Patterns);
        assert_eq!(start("block"), Start::Nothing);
    }
}
