//! From a name that somebody typed to the symbols it may mean; shared by every tool that takes one.
//!
//! [`Pattern`] reads what was typed, [`Matcher`] says how well a name fits it, [`find`] and [`definitions`] look up
//! rows, and [`Described`] is what leaves the process. Names are scanned once; rows are read of the best names only.

mod described;
mod files;
mod fuzzy;
mod humps;
mod lookup;
mod matcher;
mod pattern;
mod references;

pub(crate) use described::{Described, id_of, qualified};
pub(crate) use gik_retrieve::FileFilter;
pub(crate) use lookup::{FoundSymbol, Wanted, definitions, find, near_names};
pub(crate) use matcher::MatchClass;
pub(crate) use pattern::Pattern;
pub(crate) use references::{Asked, candidates, references};

use files::Files;
use matcher::{Matcher, Rank};

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::ask::FreshnessState;
use gik_parse::SymbolKind;
use gik_store::Store;

use crate::answer::{Missing, ensure_index, is_stale};
use crate::ingest::{Refreshed, refresh};
use crate::view::Style;
use crate::{View, Workspace};

/// The index, brought up to date as far as that is possible.
pub(crate) fn current_store(
    ws: &Workspace<'_>,
    missing: Missing,
) -> Result<(Store, FreshnessState)> {
    let mut refreshed = current(ws, missing)?;
    Ok((refreshed.store(ws)?, refreshed.state))
}

/// The same, with the files that were read on the way.
pub(crate) fn current(ws: &Workspace<'_>, missing: Missing) -> Result<Refreshed> {
    ensure_index(ws, missing)?;
    refresh(ws)
}

/// Tells a person that what is shown may be behind the files.
pub(crate) fn warn_if_stale(view: &mut View, freshness: FreshnessState) {
    if is_stale(freshness) {
        let note = view.paint(Style::Faint, "the index may be behind the files");
        view.line(note);
    }
}

/// A word for the shell: quoted where it has to be.
pub(crate) fn typed(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,@~+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The kinds that were named, by themselves or in lists with commas; empty means all.
pub(crate) fn kinds(names: &[String]) -> Result<Vec<SymbolKind>> {
    let mut kinds = Vec::new();
    for name in words(names) {
        if name == "any" {
            return Ok(Vec::new());
        }
        let kind = SymbolKind::from_name(&name.to_lowercase()).ok_or_else(|| {
            let known: Vec<&str> = SymbolKind::ALL.iter().map(|kind| kind.as_str()).collect();
            Failure::new(ErrorCode::ArgumentInvalid, format!("there is no kind `{name}`"))
                .hint(format!("use some of: any, {}", known.join(", ")))
        })?;
        kinds.push(kind);
    }
    Ok(kinds)
}

/// The words of arguments that may be lists with commas.
pub(crate) fn words(arguments: &[String]) -> impl Iterator<Item = &str> {
    arguments
        .iter()
        .flat_map(|argument| argument.split(','))
        .map(str::trim)
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_named_one_by_one_or_in_lists() {
        let named = |names: &[&str]| {
            kinds(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(named(&[]).unwrap(), []);
        assert_eq!(
            named(&["struct,Enum", "trait"]).unwrap(),
            [SymbolKind::Struct, SymbolKind::Enum, SymbolKind::Trait]
        );
        assert_eq!(named(&["struct", "any"]).unwrap(), []);
        let failure = named(&["strict"]).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::ArgumentInvalid);
        assert!(failure.hints()[0].contains("struct"), "{:?}", failure.hints());
    }
}
