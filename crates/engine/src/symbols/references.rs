//! Where is a name used? Candidate files by their words, then the references that each file's structure knows.
//!
//! Nothing is resolved beyond the name: two things of one name are not told apart. That is said with every answer.

use std::collections::BTreeSet;
use std::ops::Range;

use gik_base::{ErrorCode, Failure, Result};
use gik_index::{FileNo, Query, Searcher};
use gik_parse::ReferenceRole;
use gik_retrieve::signals::is_noise_file;
use gik_store::{FileRow, Snapshot, SymbolRow};

use super::pattern::parts;
use super::{FileFilter, Pattern, id_of, qualified};
use crate::Workspace;
use crate::projection::text_of;

/// What to look for.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) pattern: &'a Pattern,
    /// Empty means all.
    pub(crate) roles: Vec<ReferenceRole>,
    pub(crate) files: FileFilter,
}

/// One use of the name.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) path: String,
    pub(crate) line: u32,
    /// From 0, in bytes.
    pub(crate) column: u32,
    pub(crate) role: ReferenceRole,
    /// The line, without the space around it.
    pub(crate) text: String,
    /// What the name belongs to, as written: `store` of `store.open()`.
    pub(crate) receiver: Option<String>,
    /// The innermost symbol around it.
    pub(crate) enclosing: Option<Enclosing>,
    /// Whether what it belongs to has the name of the asked container.
    pub(crate) names_container: bool,
    is_noise: bool,
}

/// The symbol around a reference.
#[derive(Debug, Clone)]
pub(crate) struct Enclosing {
    pub(crate) qualified: String,
    pub(crate) kind: String,
    pub(crate) symbol_id: String,
}

/// All uses, and how much was seen.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) references: Vec<Reference>,
    /// Files that have the words of the name and were looked at.
    pub(crate) files: u64,
    /// Those of them in which no references are known: text, data, languages without structure.
    pub(crate) files_without_references: u64,
    /// How often the name stands in these.
    pub(crate) word_matches: u64,
    /// Files that changed while they were looked at.
    pub(crate) changed_files: u64,
}

/// Longer lines are cut: nobody reads them.
const LINE_MAX: usize = 400;

/// Finds every use of a name.
pub(crate) fn references(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    asked: &Asked<'_>,
) -> Result<Collected> {
    let name = asked.pattern.name.as_str();
    let mut collected = Collected::default();
    for id in candidates(snapshot, name)? {
        ws.ctx.cancel.check()?;
        let Some(file) = snapshot.file(id)?.filter(|file| asked.files.takes(file)) else {
            continue;
        };
        collected.files += 1;
        let facts = snapshot.facts_of(id)?;
        let may_be_it = |place: &Range<u32>| {
            (place.end as usize).checked_sub(place.start as usize) == Some(name.len())
        };
        let is_without = facts.references.is_empty();
        // Reading and hashing is what takes long, and most files have the words without the name.
        if !is_without && !facts.references.iter().any(|reference| may_be_it(&reference.name)) {
            continue;
        }
        let Some(text) = text_of(ws, snapshot, &file)? else {
            collected.changed_files += 1;
            continue;
        };
        if is_without {
            collected.files_without_references += 1;
            collected.word_matches += count_words(&text, name);
            continue;
        }
        let mut lines = Lines { text: &text, at: 0, start: 0, number: 1 };
        let mut surroundings: Option<Surroundings> = None;
        for reference in facts.references.iter().filter(|reference| may_be_it(&reference.name)) {
            let Some(role) = ReferenceRole::from_number(reference.role) else { continue };
            if slice(&text, &reference.name) != Some(name)
                || !(asked.roles.is_empty() || asked.roles.contains(&role))
            {
                continue;
            }
            let known = match &mut surroundings {
                Some(known) => known,
                unread => unread.insert(Surroundings::of(snapshot, &file)?),
            };
            let receiver = reference.receiver.as_ref().and_then(|place| slice(&text, place));
            let at = reference.name.start as usize;
            let around = known.around(at);
            let (line, column, line_text) = lines.of(at);
            collected.references.push(Reference {
                path: file.key.as_str().to_owned(),
                line,
                column,
                role,
                text: line_text,
                names_container: names_container(asked.pattern, receiver, &owners(&around)),
                receiver: receiver.map(str::to_owned),
                enclosing: around.first().map(|symbol| Enclosing {
                    qualified: qualified(symbol, &file.language),
                    kind: symbol.kind.clone(),
                    symbol_id: id_of(symbol, &file),
                }),
                is_noise: known.is_noise,
            });
        }
    }
    let key = |reference: &Reference| (!reference.names_container, reference.is_noise);
    collected.references.sort_by(|a, b| {
        key(a)
            .cmp(&key(b))
            .then_with(|| a.path.cmp(&b.path))
            .then_with(|| (a.line, a.column).cmp(&(b.line, b.column)))
    });
    Ok(collected)
}

/// Files with the words of the name next to each other. Not the name as one word: `a-parse_it` has it, and is another.
pub(crate) fn candidates(snapshot: &Snapshot<'_>, name: &str) -> Result<BTreeSet<FileNo>> {
    let query = Query::parse(&format!("\"{}\"", name.replace('"', " ")))?;
    if query.is_empty() {
        return Err(Failure::new(
            ErrorCode::ArgumentInvalid,
            format!("`{name}` has no letter or digit to look for"),
        ));
    }
    let parts = snapshot.segments().iter().map(|row| (&row.segment, &row.tombstones));
    let searcher = Searcher::new(parts);
    let hits = searcher.search(&query, usize::MAX, &|_| true);
    Ok(hits.into_iter().map(|hit| hit.file).collect())
}

/// What is read of a file once it has a reference.
struct Surroundings {
    symbols: Vec<SymbolRow>,
    is_noise: bool,
}

impl Surroundings {
    fn of(snapshot: &Snapshot<'_>, file: &FileRow) -> Result<Self> {
        Ok(Self { symbols: snapshot.symbols_of(file.id)?, is_noise: is_noise_file(file) })
    }

    /// The symbols around a place, from the innermost out.
    fn around(&self, at: usize) -> Vec<&SymbolRow> {
        let around = self.symbols.iter().filter(|symbol| symbol.bytes.contains(&at));
        let mut around: Vec<&SymbolRow> = around.collect();
        around.sort_by_key(|symbol| symbol.bytes.len());
        around
    }
}

/// What the members around a place belong to: a function inside a method means what the method means.
fn owners<'s>(around: &[&'s SymbolRow]) -> Vec<&'s str> {
    let members = ["method", "constructor", "function", "field", "property"];
    let members = around.iter().filter(|symbol| members.contains(&symbol.kind.as_str()));
    members.filter_map(|symbol| symbol.container.as_deref()).collect()
}

/// Whether what a name belongs to is called like the innermost container that was asked for.
fn names_container(pattern: &Pattern, receiver: Option<&str>, owners: &[&str]) -> bool {
    let (Some(asked), Some(receiver)) = (pattern.containers.last(), receiver) else { return false };
    if matches!(receiver, "self" | "Self" | "this" | "cls" | "$this" | "static") {
        return owners.iter().any(|owner| parts(owner).last() == Some(asked));
    }
    parts(receiver).last() == Some(asked)
}

fn slice<'t>(text: &'t str, place: &Range<u32>) -> Option<&'t str> {
    text.get(place.start as usize..place.end as usize)
}

/// How often a name stands in a text as a word of its own.
fn count_words(text: &str, name: &str) -> u64 {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let alone = text.match_indices(name).filter(|(at, found)| {
        !text[..*at].ends_with(is_word) && !text[at + found.len()..].starts_with(is_word)
    });
    alone.count() as u64
}

/// The lines of a text, asked for at rising places.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    start: usize,
    number: u32,
}

impl Lines<'_> {
    /// Number, column and text of the line at a place.
    fn of(&mut self, at: usize) -> (u32, u32, String) {
        for (newline, _) in self.text[self.at..at].match_indices('\n') {
            self.number += 1;
            self.start = self.at + newline + 1;
        }
        self.at = at;
        let rest = &self.text[self.start..];
        let line = rest.lines().next().unwrap_or_default().trim();
        let shown = &line[..line.floor_char_boundary(LINE_MAX)];
        let column = u32::try_from(at - self.start).unwrap_or(u32::MAX);
        (self.number, column, shown.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_as_a_whole() {
        assert_eq!(count_words("open reopen open_it (open) OPEN open", "open"), 3);
        assert_eq!(count_words("", "open"), 0);
    }

    #[test]
    fn lines_are_told_at_rising_places() {
        let text = "one\n  two two\r\n\nfour";
        let mut lines = Lines { text, at: 0, start: 0, number: 1 };
        assert_eq!(lines.of(0), (1, 0, "one".to_owned()));
        assert_eq!(lines.of(6), (2, 2, "two two".to_owned()));
        assert_eq!(lines.of(10), (2, 6, "two two".to_owned()));
        assert_eq!(lines.of(16), (4, 0, "four".to_owned()));
    }

    #[test]
    fn a_receiver_names_the_container_by_its_last_part() {
        let pattern = Pattern::parse("Store::open").unwrap();
        assert!(names_container(&pattern, Some("Store"), &[]));
        assert!(names_container(&pattern, Some("crate::Store<T>"), &[]));
        assert!(!names_container(&pattern, Some("File"), &[]));
        assert!(!names_container(&pattern, Some("self"), &[]));
        assert!(names_container(&pattern, Some("self"), &["Store::read", "Store"]));
        assert!(!names_container(&pattern, Some("self"), &["Store::read"]));
        assert!(!names_container(&Pattern::parse("open").unwrap(), Some("Store"), &[]));
    }
}
