//! What does a document name? Files by their paths, and definitions by names that only one of them has.
//!
//! Links and code inside of text count, headings and plain words do not.

mod markdown;
mod restructured;

use std::collections::BTreeSet;
use std::ops::Range;

use super::Found;
use super::layout::{file_name, folder_of, join_relative};
use super::lookup::{Resolver, Target};
use super::project::{DEFINING_MAX, Definition};
use super::rules::{self, Family};
use super::table::Table;
use super::tests_of::is_test;
use crate::facts::SymbolKind;
use crate::{Edge, EdgeKind, Evidence, Node, Provenance};

/// A name without what it is in can mean one definition and what declares it; where more files have it, they need not be
/// read to know that it says nothing.
const PLAIN_MAX: usize = 4;
/// Longer texts are no names.
const NAME_MAX: usize = 160;

/// A place of a document that may name something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) place: Range<u32>,
    pub(crate) text: String,
    /// Whether it is where a link leads to.
    pub(crate) is_link: bool,
}

/// Whether a language is that of documents whose mentions are read.
pub(crate) fn is_document(language: &str) -> bool {
    matches!(language, "markdown" | "mdx" | "restructuredtext")
}

/// What a document may name, in order.
pub(crate) fn of(language: &str, text: &str) -> Vec<Mention> {
    let mut found = match language {
        "markdown" | "mdx" => markdown::mentions(text),
        "restructuredtext" => restructured::mentions(text),
        _ => Vec::new(),
    };
    found.retain(|mention| !mention.text.is_empty() && mention.text.len() <= NAME_MAX);
    found
}

/// Adds what a document mentions.
pub(super) fn add(resolver: &Resolver<'_>, table: &Table, found: &mut Found) {
    let mut seen = BTreeSet::new();
    for mention in &table.mentions {
        let file = path_of(resolver, &table.facts.path, mention);
        let (to, provenance, confidence) = match file {
            Some(file) => (Node::file(file), Provenance::Syntax, 95),
            None => {
                let Some(named) = Named::of(mention) else { continue };
                let Some(Target { file, symbol }) = definition(resolver, &named) else { continue };
                let confidence = if named.owners.is_empty() { 80 } else { 90 };
                (Node::symbol(file, symbol), Provenance::Heuristic, confidence)
            },
        };
        let from = table.node_at(found.file, mention.place.start);
        if to.file == found.file || !seen.insert((from, to)) {
            continue;
        }
        let Range { start, end } = mention.place;
        found.edges.push(Edge {
            from,
            to,
            kind: EdgeKind::Mentions,
            provenance,
            confidence,
            candidates: 1,
            evidence: Some(Evidence { file: found.file, start, end }),
        });
    }
}

/// The file that a path of a document leads to: from its own folder, or from the root.
fn path_of(resolver: &Resolver<'_>, document: &str, mention: &Mention) -> Option<u32> {
    let path = mention.text.split(['#', '?']).next().unwrap_or_default();
    let path = match path.rsplit_once(':') {
        Some((path, line)) if line.starts_with(|c: char| c.is_ascii_digit()) => path,
        _ => path,
    };
    let is_path = !path.contains("://")
        && !path.contains(char::is_whitespace)
        && (mention.is_link || path.contains('/') || path.contains('.'));
    if !is_path || path.ends_with('/') {
        return None;
    }
    let path = path.replace("%20", " ");
    let (own, from_root) = match path.strip_prefix('/') {
        Some(rest) => (None, rest),
        None => (join_relative(folder_of(document), &path), path.as_str()),
    };
    let ways = [own, join_relative("", from_root)];
    let file = ways.into_iter().flatten().find_map(|path| resolver.project.file(&path))?;
    // What has no language takes no part.
    resolver.project.language(file).map(|_| file)
}

/// A definition as a document names it: `Store::open()`.
#[derive(Debug, PartialEq, Eq)]
struct Named<'m> {
    name: &'m str,
    /// What it is said to be in, from outside.
    owners: Vec<&'m str>,
}

impl<'m> Named<'m> {
    fn of(mention: &'m Mention) -> Option<Self> {
        if mention.is_link {
            return None;
        }
        let text = mention.text.trim().trim_start_matches("crate::");
        let (path, is_call) = match text.split_once('(') {
            Some((path, rest)) => (path, rest.ends_with(')')),
            None => (text, false),
        };
        if text.contains('(') && !is_call {
            return None;
        }
        let mut parts = Vec::new();
        let mut rest = path;
        loop {
            let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            let (part, after) = rest.split_at(end);
            if part.is_empty() || part.starts_with(|c: char| c.is_ascii_digit()) {
                return None;
            }
            parts.push(part);
            if after.is_empty() {
                break;
            }
            let signs = ["::", ".", "#", "->", "\\"];
            rest = signs.iter().find_map(|sign| after.strip_prefix(sign))?;
        }
        let name = parts.pop()?;
        // A plain word may be anything.
        let has_case = name.contains(char::is_uppercase) && name.contains(char::is_lowercase);
        let inner = name.get(1..).unwrap_or_default();
        let is_code = is_call
            || name.contains('_')
            || has_case && inner.contains(char::is_uppercase) && inner.contains(char::is_lowercase);
        (name.len() > 2 && (is_code || !parts.is_empty())).then_some(Self { name, owners: parts })
    }
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The only definition that a document can mean.
fn definition(resolver: &Resolver<'_>, named: &Named<'_>) -> Option<Target> {
    let files = resolver.project.files_defining(named.name);
    if files.len() > DEFINING_MAX {
        return None;
    }
    let is_subject = |file: &&u32| !is_test(resolver.project.layout.path(**file));
    if named.owners.is_empty() && files.iter().filter(is_subject).count() > PLAIN_MAX {
        return None;
    }
    let project = &resolver.project;
    let language = |file: u32| project.tables.language(file).unwrap_or_default();
    let mut found = project.definitions_in(&files, named.name);
    found.retain(|one| {
        let language = language(one.file);
        let is_known = one.kind != SymbolKind::Value
            || !named.owners.is_empty() && rules::of(language).family != Family::Other;
        let path = resolver.project.layout.path(one.file);
        let container = one.container.as_deref().unwrap_or_default();
        !is_document(language) && is_known && is_in(path, container, &named.owners)
    });
    prefer(&mut found, |one| !is_test(resolver.project.layout.path(one.file)));
    let is_c = |one: &Definition| rules::of(language(one.file)).family == Family::C;
    let target = |one: &Definition| Target { file: one.file, symbol: project.tables.symbol(one) };
    if found.len() > 1 && found.iter().any(is_c) {
        let is_declared = |one: &Definition| {
            let table = project.table(one.file).filter(|_| is_c(one));
            table.is_some_and(|table| table.is_declaration(target(one).symbol))
        };
        prefer(&mut found, |one| !is_declared(one));
    }
    let file = found.first()?.file;
    if found.iter().any(|one| one.file != file) {
        return None;
    }
    let mut symbols: Vec<u32> = found.iter().map(|one| target(one).symbol).collect();
    symbols.sort_unstable();
    let (&symbol, rest) = symbols.split_first()?;
    // Declarations of one function are one; what is not known is not.
    let owner = |symbol: u32| project.table(file)?.owners.get(symbol as usize);
    let is_same = |other: &u32| owner(*other).is_some_and(|other| owner(symbol) == Some(other));
    rest.iter().all(is_same).then_some(Target { file, symbol })
}

/// Leaves out the others where some are better.
fn prefer(found: &mut Vec<Definition>, is_better: impl Fn(&Definition) -> bool) {
    if found.iter().any(&is_better) {
        found.retain(is_better);
    }
}

/// Whether what a symbol is in ends with these names.
fn is_in(path: &str, container: &str, owners: &[&str]) -> bool {
    if owners.is_empty() {
        return true;
    }
    let stem = file_name(path).split('.').next().unwrap_or_default();
    let is_named = !matches!(stem, "mod" | "lib" | "main" | "index" | "__init__");
    let inside = container.split(['.', ':', '\\', '#']);
    let whole: Vec<&str> = folder_of(path)
        .split('/')
        .chain(is_named.then_some(stem))
        .chain(inside)
        .filter(|part| !part.is_empty() && *part != "src")
        .collect();
    let is_one = |(one, other): (&&str, &&str)| one == other || one.replace('-', "_") == **other;
    owners.len() <= whole.len()
        && whole[whole.len() - owners.len()..].iter().zip(owners).all(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Option<(String, usize)> {
        let mention = Mention { place: 0..1, text: text.to_owned(), is_link: false };
        Named::of(&mention).map(|named| (named.name.to_owned(), named.owners.len()))
    }

    #[test]
    fn names_of_definitions_look_like_code() {
        assert_eq!(named("Store::open()"), Some(("open".to_owned(), 1)));
        assert_eq!(named("pkg.store.Store"), Some(("Store".to_owned(), 2)));
        assert_eq!(named("open_store"), Some(("open_store".to_owned(), 0)));
        assert_eq!(named("openStore(path, 1)"), Some(("openStore".to_owned(), 0)));
        assert_eq!(named("FileStore"), Some(("FileStore".to_owned(), 0)));
        assert_eq!(named("HashMap<K, V>"), None);
        for plain in ["open", "Store", "README", "a + b", "x = 1", "--flag", "3.14", "f(", ""] {
            assert_eq!(named(plain), None, "{plain}");
        }
    }
}
