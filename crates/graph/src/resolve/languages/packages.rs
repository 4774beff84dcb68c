//! Languages whose modules are packages: Go by folder, Java, Kotlin, C# and PHP by the name that files give.

use super::super::layout::join;
use super::super::lookup::{Lookup, Meaning, Resolver, Target, symbols};
use super::super::rules::Family;
use super::super::table::Table;
use crate::Provenance;
use crate::facts::SymbolKind;

/// The folder of an imported package of Go.
pub(super) fn go(resolver: &Resolver<'_>, name: &str) -> Option<Meaning> {
    let modules = &resolver.project.layout.manifests.go;
    let (folder, rest) = modules.iter().rev().find_map(|(module, folder)| {
        let rest = name.strip_prefix(module.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then_some((folder, rest))
    })?;
    let path = format!("{folder}{rest}");
    let path = path.trim_matches('/');
    let has_files = !resolver.project.files_in(path).is_empty();
    has_files.then(|| Meaning::Folder(path.to_owned()))
}

/// What the files of a folder of Go define under a name.
pub(super) fn in_go_folder(resolver: &Resolver<'_>, folder: &str, name: &str) -> Lookup {
    let mut found = Lookup::default();
    for &file in resolver.project.files_in(folder) {
        let path = resolver.project.layout.path(file);
        if !path.ends_with(".go") || path.ends_with("_test.go") {
            continue;
        }
        if let Some(table) = resolver.project.table(file) {
            found.extend(symbols(table, file, table.members(None, name)));
        }
    }
    found
}

/// The package, or the definition inside a package, that a name with its package leads to.
pub(super) fn named(resolver: &Resolver<'_>, family: Family, name: &str) -> Option<Meaning> {
    let separator = if family == Family::Php { '\\' } else { '.' };
    let name = name.trim_matches(separator);
    if family == Family::Php
        && let Some(target) = autoloaded(resolver, name)
    {
        return Some(Meaning::Symbol(target));
    }
    if !resolver.project.files_of_package(name).is_empty() {
        return Some(Meaning::Package(name.to_owned()));
    }
    // Types of a package, then what they hold.
    for (at, _) in name.rmatch_indices(separator) {
        let (package, rest) = (&name[..at], &name[at + 1..]);
        if resolver.project.files_of_package(package).is_empty() {
            continue;
        }
        let mut here = Meaning::Package(package.to_owned());
        for part in rest.split(separator) {
            let found = resolver.member(&here, part, 4);
            let [(meaning, _)] = found.meanings.as_slice() else { return None };
            here = meaning.clone();
        }
        return Some(here);
    }
    None
}

/// The class that a full name of PHP is loaded from, where a manifest says in which folder its namespace is (PSR-4).
pub(super) fn autoloaded(resolver: &Resolver<'_>, name: &str) -> Option<Target> {
    let spaces = &resolver.project.layout.manifests.php;
    let mut best: Option<(&str, &Vec<String>, &str)> = None;
    for (space, folders) in spaces {
        let rest = name
            .strip_prefix(space.as_str())
            .map(|rest| if space.is_empty() { Some(rest) } else { rest.strip_prefix('\\') });
        if let Some(Some(rest)) = rest
            && best.is_none_or(|(known, _, _)| space.len() >= known.len())
        {
            best = Some((space, folders, rest));
        }
    }
    let (_, folders, rest) = best?;
    let path = format!("{}.php", rest.replace('\\', "/"));
    let simple = rest.rsplit('\\').next()?;
    folders.iter().find_map(|folder| {
        let file = resolver.project.file(&join(folder, &path))?;
        let found = declared(resolver.project.table(file)?, file, simple);
        let [(Meaning::Symbol(target), _)] = found.meanings.as_slice() else { return None };
        resolver.is_type(*target).then_some(*target)
    })
}

/// What the files of a package define under a name.
pub(super) fn in_package(resolver: &Resolver<'_>, package: &str, name: &str) -> Lookup {
    let mut found = Lookup::default();
    for &file in resolver.project.files_of_package(package) {
        if let Some(table) = resolver.project.table(file) {
            found.extend(declared(table, file, name));
        }
    }
    found
}

/// What a file defines under a name, outside of everything or in its namespace. Values are left out.
pub(super) fn declared(table: &Table, file: u32, name: &str) -> Lookup {
    let mut found = Lookup::default();
    if !table.may_define(name) {
        return found;
    }
    let mut add = |places: &[u32]| {
        for &symbol in places {
            let kind = table.symbol(symbol).map(|symbol| symbol.kind);
            if kind.is_some_and(|kind| kind != SymbolKind::Value) {
                found.add(Meaning::Symbol(Target { file, symbol }), Provenance::Import);
            }
        }
    };
    add(table.members(None, name));
    for &module in &table.modules {
        add(table.members(Some(module), name));
    }
    found
}
