//! C and C++: includes are paths, and what a header declares is defined elsewhere.

use super::super::lookup::{Lookup, Meaning, Resolver, Target};
use super::super::project::{DEFINING_MAX, folder_of, join, join_relative};
use super::super::rules::Family;
use super::super::table::{Table, last_part};

/// The header that an include names.
pub(super) fn included(resolver: &Resolver<'_>, file: u32, name: &str) -> Option<Meaning> {
    let own = folder_of(resolver.project.layout.path(file));
    let is_system = name.starts_with('<');
    let name = name.trim_matches(['<', '>', '"']);
    let beside = (!is_system).then(|| join_relative(own, name)).flatten();
    if let Some(found) = beside.and_then(|path| resolver.project.file(&path)) {
        return Some(Meaning::File(found));
    }
    for folder in &resolver.project.layout.manifests.includes {
        let path = join_relative(folder, name);
        if let Some(found) = path.and_then(|path| resolver.project.file(&path)) {
            return Some(Meaning::File(found));
        }
    }
    let mut folder = own;
    loop {
        for inside in ["include", "src", ""] {
            let start = if inside.is_empty() { folder.to_owned() } else { join(folder, inside) };
            let path = join_relative(&start, name);
            if let Some(found) = path.and_then(|path| resolver.project.file(&path)) {
                return Some(Meaning::File(found));
            }
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder_of(folder);
    }
}

/// The definitions of what prototypes declare, in their place; prototypes of which none is known stay.
pub(crate) fn defined(resolver: &Resolver<'_>, found: Lookup) -> Lookup {
    let mut defined = Lookup { is_external: found.is_external, ..Lookup::default() };
    for (meaning, how) in found.meanings {
        let targets = match meaning {
            Meaning::Symbol(target) => definitions(resolver, target),
            Meaning::File(_)
            | Meaning::Folder(_)
            | Meaning::Package(_)
            | Meaning::Value(_)
            | Meaning::Many(_) => Vec::new(),
        };
        if targets.is_empty() {
            defined.add(meaning, how);
        }
        for target in targets {
            defined.add(Meaning::Symbol(target), how);
        }
    }
    defined
}

fn definitions(resolver: &Resolver<'_>, declared: Target) -> Vec<Target> {
    let Some(table) = resolver.project.table(declared.file) else { return Vec::new() };
    let Some(symbol) = table.symbol(declared.symbol) else { return Vec::new() };
    if !table.is_declaration(declared.symbol) {
        return Vec::new();
    }
    let files = resolver.project.files_defining(&symbol.name);
    if files.len() > DEFINING_MAX {
        return Vec::new();
    }
    let owner = |container: Option<&str>| container.map(|name| last_part(name).to_owned());
    let mut found = Vec::new();
    for file in files {
        let Some(other) = resolver.project.table(file) else { continue };
        for (at, candidate) in (0..).zip(&other.facts.symbols) {
            let is_it = candidate.name == symbol.name
                && candidate.kind.is_callable()
                && owner(candidate.container.as_deref()) == owner(symbol.container.as_deref());
            if is_it && is_definition(other, at) {
                found.push(Target { file, symbol: at });
            }
        }
    }
    found
}

/// Whether a symbol has a body that other files can call.
fn is_definition(table: &Table, symbol: u32) -> bool {
    let text = table.symbol(symbol).map_or("", |symbol| table.facts.str(&symbol.bytes));
    table.rules.family == Family::C
        && text.trim_end().ends_with('}')
        && !text.split_whitespace().take(3).any(|word| word == "static")
}
