//! Which tests look at what? By the name of the file and of the function, where an import or a call confirms it.

use super::Found;
use super::layout::{file_name, folder_of};
use super::lookup::Resolver;
use super::table::Table;
use crate::{Edge, EdgeKind, Node, Provenance};

/// Adds the edges of a file of tests.
pub(super) fn add(resolver: &Resolver<'_>, table: &Table, found: &mut Found) {
    let path = table.facts.path.as_str();
    if !is_test(path) {
        return;
    }
    let layout = resolver.project.layout;
    let subject = subject(path);
    let mut tests = Vec::new();
    for edge in &found.edges {
        if edge.to.file == found.file || edge.candidates > 1 || is_test(layout.path(edge.to.file)) {
            continue;
        }
        let same_name = match edge.kind {
            EdgeKind::Imports => {
                edge.to.symbol.is_none() && stem(layout.path(edge.to.file)) == subject
            },
            EdgeKind::Calls => edge.from.symbol.is_some_and(|from| {
                let from = table.symbol(from).map_or("", |symbol| symbol.name.as_str());
                let to = edge.to.symbol.and_then(|to| {
                    Some(resolver.project.table(edge.to.file)?.symbol(to)?.name.as_str())
                });
                to.is_some_and(|to| names(from, to))
            }),
            EdgeKind::Uses
            | EdgeKind::Exports
            | EdgeKind::Extends
            | EdgeKind::Implements
            | EdgeKind::Contains
            | EdgeKind::Dataflow
            | EdgeKind::Tests
            | EdgeKind::Mentions
            | EdgeKind::Together => false,
        };
        if same_name {
            tests.push(Edge {
                kind: EdgeKind::Tests,
                provenance: edge.provenance.max(Provenance::Import),
                confidence: 90,
                ..edge.clone()
            });
        }
    }
    tests.sort_by_key(|edge: &Edge| {
        (edge.from, edge.to, edge.evidence.as_ref().map(|one| one.start))
    });
    tests.dedup_by_key(|edge| (edge.from, edge.to));
    found.edges.extend(tests);
    let whole = |edge: &&Edge| edge.kind == EdgeKind::Tests && edge.from == Node::file(found.file);
    debug_assert!(found.edges.iter().filter(whole).all(|edge| edge.to.symbol.is_none()));
}

/// Whether a file holds tests, by its path.
pub(crate) fn is_test(path: &str) -> bool {
    let name = file_name(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    let in_folder = folder_of(path)
        .split('/')
        .any(|part| matches!(part, "tests" | "test" | "__tests__" | "spec" | "testing"));
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || name.contains(".test.")
        || name.contains(".spec.")
        || file_name(path).split('.').next().is_some_and(|stem| {
            stem.ends_with("Test") || stem.ends_with("Tests") || stem.ends_with("Spec")
        })
        || (in_folder && (stem == "conftest" || name.ends_with(".rs") || name.ends_with(".rb")))
}

/// The name of a file without its endings.
fn stem(path: &str) -> String {
    let name = file_name(path);
    let stem = name.split('.').next().unwrap_or(name);
    match stem {
        "__init__" | "index" | "mod" => file_name(folder_of(path)).to_lowercase(),
        stem => stem.to_lowercase().replace('_', ""),
    }
}

/// What a file of tests is about, by its name.
fn subject(path: &str) -> String {
    let stem = file_name(path).split('.').next().unwrap_or_default().to_lowercase();
    let stem = stem.strip_prefix("test_").unwrap_or(&stem);
    let stem = ["_test", "_spec", "tests", "test", "spec"]
        .iter()
        .find_map(|ending| stem.strip_suffix(ending))
        .unwrap_or(stem);
    stem.replace('_', "")
}

/// Whether a test has what it is about in its name: `test_open_twice` and `open`.
fn names(test: &str, subject: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace('_', "");
    let (test, subject) = (plain(test), plain(subject));
    subject.len() > 2 && test.contains("test") && test.contains(&subject)
}
