//! Rust: modules are files, found from the file that declares them; `crate`, `self` and `super` say where a path starts.

use crate::Provenance;
use crate::facts::{FileFacts, ScopeFact, ScopeKind, SymbolKind};
use crate::resolve::expression::Step;
use crate::resolve::layout::{file_name, folder_of, join};
use crate::resolve::lookup::{Lookup, Meaning, Resolver, Target};
use crate::resolve::table::Table;

/// Trees of uses are taken apart this deep.
const DEPTH_MAX: usize = 16;

/// Puts one fact in place of a tree of uses for each of its leaves.
pub(crate) fn expand(facts: &mut FileFacts) {
    let is_tree = |fact: &ScopeFact| matches!(fact.kind, ScopeKind::Import | ScopeKind::Reexport);
    let (trees, others): (Vec<ScopeFact>, Vec<ScopeFact>) =
        std::mem::take(&mut facts.scopes).into_iter().partition(is_tree);
    facts.scopes = others;
    for tree in trees {
        let Some(place) = tree.from else { continue };
        let text = facts.str(&place).to_owned();
        let mut leaves = Vec::new();
        add_leaves(&text, 0, "", 0, &mut leaves);
        for leaf in leaves {
            let at = |start: usize, length: usize| {
                let start = place.start + u32::try_from(start).unwrap_or(0);
                start..start + u32::try_from(length).unwrap_or(0)
            };
            // What the path is says no single place of the text: it is put behind it.
            let start = u32::try_from(facts.text.len()).unwrap_or(u32::MAX);
            facts.text.push_str(&leaf.path);
            let end = u32::try_from(facts.text.len()).unwrap_or(u32::MAX);
            let kind = match (leaf.is_all, tree.kind) {
                (true, _) => ScopeKind::ImportAll,
                (false, kind) => kind,
            };
            facts.scopes.push(ScopeFact {
                kind,
                name: (!leaf.is_all && !leaf.is_self).then(|| at(leaf.name.0, leaf.name.1)),
                from: Some(start..end),
                alias: leaf.alias.map(|(start, length)| at(start, length)).or_else(|| {
                    (leaf.is_self || leaf.is_all).then(|| at(leaf.name.0, leaf.name.1))
                }),
            });
        }
    }
}

struct Leaf {
    path: String,
    name: (usize, usize),
    alias: Option<(usize, usize)>,
    is_all: bool,
    /// `self` in a list means the module around the list.
    is_self: bool,
}

fn add_leaves(text: &str, offset: usize, prefix: &str, depth: usize, leaves: &mut Vec<Leaf>) {
    let skipped = text.len() - text.trim_start().len();
    let (text, offset) = (text.trim(), offset + skipped);
    if text.is_empty() || depth > DEPTH_MAX {
        return;
    }
    let joined = |path: &str| {
        let path: String = path.split_whitespace().collect();
        let path = path.trim_end_matches("::").to_owned();
        if prefix.is_empty() || path.is_empty() {
            format!("{prefix}{path}")
        } else {
            format!("{prefix}::{path}")
        }
    };
    if let Some(open) = text.find('{') {
        let inner = text[open + 1..].trim_end().trim_end_matches('}');
        let around = joined(&text[..open]);
        let mut start = 0;
        let mut level = 0_i32;
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            match c {
                '{' => level += 1,
                '}' => level -= 1,
                ',' if level == 0 => {
                    let part = &inner[start..at];
                    add_leaves(part, offset + open + 1 + start, &around, depth + 1, leaves);
                    start = at + 1;
                },
                _ => {},
            }
        }
        return;
    }
    let (path, alias) = match text.split_once(" as ") {
        Some((path, alias)) => {
            let at = text.len() - alias.trim_start().len();
            (path.trim_end(), Some((offset + at, alias.trim().len())))
        },
        None => (text, None),
    };
    let (before, last) = path.rsplit_once("::").unwrap_or(("", path));
    let name = (offset + path.len() - last.len(), last.len());
    let is_self = last == "self" && !(before.is_empty() && prefix.is_empty());
    let path = joined(before);
    leaves.push(Leaf { path, name, alias, is_all: last == "*", is_self });
}

/// The module, type or crate that a path leads to, named at a place.
pub(super) fn module(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    path: &str,
    place: u32,
) -> Option<Meaning> {
    let mut parts = path.split("::").map(str::trim);
    let first = parts.next()?;
    let mut here = start(resolver, file, table, first, place)?;
    for part in parts {
        here = if part == "super" {
            let Meaning::File(file) = here else { return None };
            Meaning::File(parent(resolver, file)?)
        } else {
            let found = resolver.member(&here, part, 4);
            found
                .meanings
                .into_iter()
                .map(|(meaning, _)| meaning)
                .find(|meaning| matches!(meaning, Meaning::File(_) | Meaning::Symbol(_)))?
        };
    }
    Some(file_of(resolver, here))
}

/// The file of a module in place of its declaration: `mod store;`.
fn file_of(resolver: &Resolver<'_>, meaning: Meaning) -> Meaning {
    match meaning {
        Meaning::Symbol(target) if is_module(resolver, target) => {
            declared(resolver, target).map_or(meaning, Meaning::File)
        },
        Meaning::Symbol(_)
        | Meaning::File(_)
        | Meaning::Folder(_)
        | Meaning::Package(_)
        | Meaning::Value(_)
        | Meaning::Many(_) => meaning,
    }
}

fn is_module(resolver: &Resolver<'_>, target: Target) -> bool {
    let table = resolver.project.table(target.file);
    let symbol = table.and_then(|table| table.symbol(target.symbol));
    symbol.is_some_and(|symbol| symbol.kind == SymbolKind::Module)
}

/// What can be called of what a name stands for: a module of the same name cannot.
pub(super) fn callable(resolver: &Resolver<'_>, found: Lookup) -> Lookup {
    let is_called = |(meaning, _): &(Meaning, Provenance)| match meaning {
        Meaning::File(_) => false,
        Meaning::Symbol(target) => !is_module(resolver, *target),
        Meaning::Folder(_) | Meaning::Package(_) | Meaning::Value(_) | Meaning::Many(_) => true,
    };
    let meanings = found.meanings.into_iter().filter(is_called).collect();
    Lookup { meanings, is_external: found.is_external }
}

/// The steps of a chain without those that give what they are called on: `store.clone().unwrap()`.
pub(crate) fn without_wrappers<'t>(steps: &[Step<'t>]) -> Vec<Step<'t>> {
    let mut kept = Vec::with_capacity(steps.len());
    let mut rest = steps;
    while let Some((step, after)) = rest.split_first() {
        let opens = |step: &Step<'_>| {
            matches!(step, Step::Member("unwrap" | "expect" | "unwrap_or_default"))
        };
        let passes_on = opens(step)
            || *step == Step::Member("clone")
            || matches!(step, Step::Member("as_ref" | "as_mut")) && after.get(1).is_some_and(opens);
        match after.split_first() {
            Some((Step::Call, after)) if passes_on => rest = after,
            _ => {
                kept.push(step.clone());
                rest = after;
            },
        }
    }
    kept
}

/// What the first part of a path stands for.
fn start(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    first: &str,
    place: u32,
) -> Option<Meaning> {
    match first {
        "" => None,
        "crate" | "$crate" => root_of(resolver, file).map(Meaning::File),
        "self" => Some(Meaning::File(file)),
        "super" => {
            // Inside of a module of the file, the file is what is around it.
            if is_inline(table, place) {
                return Some(Meaning::File(file));
            }
            parent(resolver, file).map(Meaning::File)
        },
        name => {
            let own = table.members(None, name).iter().find(|at| {
                table.symbol(**at).is_some_and(|symbol| {
                    symbol.kind.is_type() || symbol.kind == SymbolKind::Module
                })
            });
            let own = own.map(|symbol| Meaning::Symbol(Target { file, symbol: *symbol }));
            let child = child(resolver, file, name).map(Meaning::File);
            child.or(own).or_else(|| krate(resolver, name).map(Meaning::File))
        },
    }
}

/// The start of a path that names a place: `crate::store::open()`.
pub(super) fn leading(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    place: u32,
    name: &str,
) -> Option<Lookup> {
    let is_place =
        matches!(name, "crate" | "super") || (name == "self" && table.type_at(place).is_none());
    let meaning = is_place.then(|| start(resolver, file, table, name, place))??;
    Some(Lookup { meanings: vec![(meaning, Provenance::Import)], is_external: false })
}

/// A module or crate that is named without being used.
pub(super) fn elsewhere(resolver: &Resolver<'_>, file: u32, name: &str) -> Lookup {
    let mut found = Lookup::default();
    if let Some(file) = child(resolver, file, name).or_else(|| krate(resolver, name)) {
        found.add(Meaning::File(file), Provenance::Import);
    }
    found
}

/// The file of a module that a symbol declares: `mod store;`.
pub(super) fn declared(resolver: &Resolver<'_>, of: Target) -> Option<u32> {
    let table = resolver.project.table(of.file)?;
    let symbol = table.symbol(of.symbol)?;
    let has_members = table.owners.contains(&Some(of.symbol));
    if has_members { None } else { child(resolver, of.file, &symbol.name) }
}

fn is_inline(table: &Table, place: u32) -> bool {
    let mut here = table.innermost(place);
    while let Some(at) = here {
        if table.symbol(at).is_some_and(|symbol| symbol.kind == SymbolKind::Module) {
            return true;
        }
        here = table.around[at as usize];
    }
    false
}

fn krate(resolver: &Resolver<'_>, name: &str) -> Option<u32> {
    let root = resolver.project.layout.manifests.crates.get(name)?;
    resolver.project.file(&root.file)
}

/// The first file of the crate that a file is part of.
fn root_of(resolver: &Resolver<'_>, file: u32) -> Option<u32> {
    let path = resolver.project.layout.path(file);
    let mut folder = folder_of(path);
    if matches!(file_name(folder), "tests" | "benches" | "examples" | "bin") {
        return Some(file);
    }
    loop {
        let first = ["lib.rs", "main.rs"];
        // A crate with both starts where the file itself is first.
        if first.contains(&file_name(path)) && folder_of(path) == folder {
            return Some(file);
        }
        if let Some(root) = first.iter().find_map(|name| resolver.project.file(&join(folder, name)))
        {
            return Some(root);
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder_of(folder);
    }
}

/// The file of a module that a file declares.
fn child(resolver: &Resolver<'_>, file: u32, name: &str) -> Option<u32> {
    let path = resolver.project.layout.path(file);
    let folder = folder_of(path);
    let stem = file_name(path).trim_end_matches(".rs");
    let is_first = matches!(stem, "lib" | "main" | "mod")
        || matches!(file_name(folder), "tests" | "benches" | "examples" | "bin");
    let below = if is_first { folder.to_owned() } else { join(folder, stem) };
    [join(&below, &format!("{name}.rs")), join(&below, &format!("{name}/mod.rs"))]
        .iter()
        .find_map(|path| resolver.project.file(path))
}

/// The file of the module around a file.
fn parent(resolver: &Resolver<'_>, file: u32) -> Option<u32> {
    let path = resolver.project.layout.path(file);
    let mut folder = folder_of(path);
    match file_name(path) {
        "lib.rs" | "main.rs" => return None,
        "mod.rs" => folder = folder_of(folder),
        _ => {},
    }
    let inside = ["mod.rs", "lib.rs", "main.rs"].iter().map(|name| join(folder, name));
    inside.chain([format!("{folder}.rs")]).find_map(|path| resolver.project.file(&path))
}

/// What a module offers: what it defines or uses, and the modules below it.
pub(super) fn offered(resolver: &Resolver<'_>, file: u32, name: &str, depth: u32) -> Lookup {
    let found = resolver.in_file(file, name, depth);
    if found.is_empty() && !found.is_external {
        return elsewhere(resolver, file, name);
    }
    let meanings = found.meanings.into_iter();
    let meanings = meanings.map(|(meaning, how)| (file_of(resolver, meaning), how)).collect();
    Lookup { meanings, is_external: found.is_external }
}
