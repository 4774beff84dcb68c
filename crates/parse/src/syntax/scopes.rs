//! What the patterns of `scopes.scm` find: where names come from, what types they have, what types derive from.

use std::ops::Range;

use super::ast::Node;
use super::matching::{self, Search};
use super::pattern::{PatternError, Patterns};
use crate::scope_fact::{ScopeFact, ScopeFactKind};

/// Longer names, modules and types say nothing that could be looked up.
const LENGTH_MAX: u32 = 200;
/// A tree of imports may go over many lines.
const TREE_MAX: u32 = 8000;

/// The patterns of one language.
#[derive(Debug)]
pub(super) struct Scopes {
    patterns: Patterns,
    /// The meaning of every capture, by its index.
    captures: Vec<Capture>,
}

/// What a capture of `scopes.scm` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Capture {
    /// What the match says.
    Kind(ScopeFactKind),
    Name,
    From,
    Alias,
    /// Used by a predicate only.
    Helper,
}

impl Capture {
    fn of(name: &str) -> Self {
        match name {
            "name" => Self::Name,
            "from" => Self::From,
            "alias" => Self::Alias,
            _ => ScopeFactKind::from_name(name).map_or(Self::Helper, Self::Kind),
        }
    }
}

impl Scopes {
    pub(super) fn compile(
        language: &tree_sitter::Language,
        text: &'static str,
    ) -> Result<Self, PatternError> {
        let patterns = Patterns::read(language, &[("scopes.scm", text)])?;
        let captures = patterns.capture_names().iter().map(|name| Capture::of(name)).collect();
        Ok(Self { patterns, captures })
    }

    /// Whether patterns are about nodes of that kind.
    pub(super) fn are_about(&self, kind_id: u16) -> bool {
        !self.patterns.about(kind_id).is_empty()
    }

    /// Adds what the patterns say about a node.
    pub(super) fn read<'tree>(
        &self,
        node: Node<'tree>,
        text: &str,
        search: &mut Search<'tree>,
        facts: &mut Vec<ScopeFact>,
    ) {
        let some = self.patterns.about(node.kind_id());
        for found in matching::at(node, &self.patterns, some, text, search).iter() {
            let (mut kind, mut name, mut from, mut alias) = (None, None, None, None);
            for captured in found.captures {
                let place = || short(captured.node);
                match self.captures.get(captured.index as usize) {
                    Some(Capture::Kind(said)) => kind = Some(*said),
                    Some(Capture::Name) => name = Some(place()),
                    Some(Capture::From) => from = Some(place()),
                    Some(Capture::Alias) => alias = Some(place()),
                    Some(Capture::Helper) | None => {},
                }
            }
            let Some(kind) = kind else { continue };
            let is_import = matches!(kind, ScopeFactKind::Import | ScopeFactKind::Reexport);
            let length_max = if is_import { TREE_MAX } else { LENGTH_MAX };
            let places = [&name, &from, &alias];
            let is_short = places.into_iter().flatten().all(|place| {
                place.end - place.start <= length_max
                    && text.get(place.start as usize..place.end as usize).is_some()
            });
            let fact = ScopeFact { kind, name, from, alias };
            // Of several patterns about one name, the first that fits counts.
            let is_told = facts.last().is_some_and(|last| {
                fact.name.is_some() && (last.name == fact.name || last.alias == fact.name)
            });
            if is_short && !is_told {
                facts.push(fact);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn unknown(&self) -> Vec<&'static str> {
        let names = self.patterns.capture_names().iter().zip(&self.captures);
        let unknown =
            names.filter(|(name, capture)| **capture == Capture::Helper && !name.starts_with('_'));
        unknown.map(|(name, _)| *name).collect()
    }
}

/// Sources are far smaller than 4 GiB. A string is meant without its quotes.
fn short(node: Node<'_>) -> Range<u32> {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    number(node.start_byte())..number(node.end_byte()).max(number(node.start_byte()))
}
