//! Our definitions as they are looked up: is one of them what ctags means, and how close did we come?

use gik_parse::{Symbol, SymbolKind};

use super::kinds::Kinds;
use super::oracle::Tag;

/// How close the parser came, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    /// The name is at that line as another kind.
    Kind(SymbolKind),
    /// The name is defined, at other lines only.
    Line,
    /// The file has no definition of that name.
    Absent,
}

/// A definition of ours, as far as it is compared.
#[derive(Debug)]
pub(super) struct Ours {
    pub(super) name: String,
    pub(super) kind: SymbolKind,
    pub(super) name_line: u32,
    qualified: String,
    start_line: u32,
}

impl Ours {
    pub(super) fn new(symbol: &Symbol, text: &str, kinds: &Kinds) -> Self {
        let start_line = symbol.start.line;
        let before_name = text.get(symbol.bytes.start..symbol.name_bytes.start).unwrap_or_default();
        let breaks = before_name.bytes().filter(|byte| *byte == b'\n').count();
        let name_line = start_line + u32::try_from(breaks).unwrap_or_default();
        Self {
            name: kinds.plain(&symbol.name),
            qualified: symbol.qualified.clone(),
            kind: symbol.kind,
            start_line,
            name_line,
        }
    }

    /// Whether its name or its start is at that line.
    pub(super) fn is_at(&self, line: u32) -> bool {
        line == self.start_line || line == self.name_line
    }
}

/// Nothing where one of the definitions is what ctags means.
pub(super) fn why_missed(same_name: &[&Ours], wanted: &[SymbolKind], line: u32) -> Option<Why> {
    let mut at_line = same_name.iter().filter(|one| one.is_at(line));
    if at_line.clone().any(|one| wanted.contains(&one.kind)) {
        return None;
    }
    Some(match at_line.next() {
        Some(other) => Why::Kind(other.kind),
        None if same_name.is_empty() => Why::Absent,
        None => Why::Line,
    })
}

/// Whether the name is an outer part of a module at that line: `namespace a::b` is one definition here and two there.
pub(super) fn is_part_of_module(
    ours: &[Ours],
    wanted: &[SymbolKind],
    tag: &Tag,
    kinds: &Kinds,
) -> bool {
    let name = kinds.plain(&tag.name);
    wanted.contains(&SymbolKind::Module)
        && ours
            .iter()
            .filter(|one| one.kind == SymbolKind::Module && one.is_at(tag.line))
            .any(|one| one.qualified.split([':', '.', '\\', '/']).any(|part| part == name))
}
