//! Where languages differ in how modules are found and what they offer; one file for each family.

pub(crate) mod c;
mod javascript;
mod packages;
mod python;
mod ruby;
pub(crate) mod rust;

use super::expression::Step;
use super::layout::folder_of;
use super::lookup::{Lookup, Meaning, Resolver, Target, symbols};
use super::rules::{Family, Shares};
use super::table::Table;
use crate::{Provenance, SymbolKind};

/// The module that an import at a place names; none where it is not part of the project.
pub(crate) fn module(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    name: &str,
    place: u32,
) -> Option<Meaning> {
    match table.rules.family {
        Family::Python => python::module(resolver, file, name),
        Family::JavaScript => javascript::module(resolver, file, name),
        Family::Rust => rust::module(resolver, file, table, name, place),
        Family::Go => packages::go(resolver, name),
        Family::Jvm | Family::CSharp | Family::Php => {
            packages::named(resolver, table.rules.family, name)
        },
        Family::C => c::included(resolver, file, name),
        Family::Ruby => ruby::required(resolver, file, name),
        Family::Other => None,
    }
}

/// What an import without names binds: the module, or the package that it is in.
pub(crate) fn whole(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    at: u32,
    module: Meaning,
) -> Meaning {
    if table.rules.family == Family::Python {
        return python::whole(resolver, file, table, at, module);
    }
    module
}

/// What a file offers under a name, in languages without exports of their own.
pub(crate) fn offered(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    name: &str,
    depth: u32,
) -> Lookup {
    match table.rules.family {
        Family::Python => python::offered(resolver, file, name, depth),
        Family::Rust => rust::offered(resolver, file, name, depth),
        // What a header includes comes with it.
        Family::C | Family::Ruby => {
            let found = packages::declared(table, file, name);
            if found.is_empty() {
                resolver.through_wildcards(file, name, true, depth)
            } else {
                found
            }
        },
        Family::JavaScript
        | Family::Go
        | Family::Jvm
        | Family::CSharp
        | Family::Php
        | Family::Other => packages::declared(table, file, name),
    }
}

/// The file that a symbol of the kind of a module stands for.
pub(crate) fn module_file(resolver: &Resolver<'_>, table: &Table, of: Target) -> Option<u32> {
    if table.rules.family == Family::Rust { rust::declared(resolver, of) } else { None }
}

/// What is named without being brought in.
pub(crate) fn elsewhere(resolver: &Resolver<'_>, file: u32, table: &Table, name: &str) -> Lookup {
    match table.rules.family {
        Family::Rust => rust::elsewhere(resolver, file, name),
        Family::Ruby => ruby::constant(resolver, file, name),
        Family::Python
        | Family::JavaScript
        | Family::Go
        | Family::Jvm
        | Family::CSharp
        | Family::C
        | Family::Php
        | Family::Other => Lookup::default(),
    }
}

/// Whether a member that every type has makes a value of it.
pub(crate) fn makes_values(table: &Table, name: &str) -> bool {
    table.rules.family == Family::Ruby && name == "new"
}

/// What is called, where what was found only says that it exists, or is something else of that name.
pub(crate) fn defined(resolver: &Resolver<'_>, table: &Table, found: Lookup) -> Lookup {
    match table.rules.family {
        Family::C => c::defined(resolver, found),
        Family::Rust => rust::callable(resolver, found),
        Family::Python
        | Family::JavaScript
        | Family::Go
        | Family::Jvm
        | Family::CSharp
        | Family::Ruby
        | Family::Php
        | Family::Other => found,
    }
}

/// What the files of a package define.
pub(crate) fn in_package(resolver: &Resolver<'_>, package: &str, name: &str) -> Lookup {
    packages::in_package(resolver, package, name)
}

/// What is in a folder that is a package.
pub(crate) fn in_folder(resolver: &Resolver<'_>, folder: &str, name: &str) -> Lookup {
    let mut found = python::in_folder(resolver, folder, name);
    found.extend(packages::in_go_folder(resolver, folder, name));
    found.extend(ruby::in_folder(resolver, folder, name));
    found
}

/// A name among everything that a module offers.
pub(crate) fn among_all(
    resolver: &Resolver<'_>,
    module: &Meaning,
    name: &str,
    depth: u32,
) -> Lookup {
    if let Meaning::File(file) = module {
        // What begins with an underscore does not come with everything of a module of Python.
        let is_hidden = name.starts_with('_')
            && resolver.project.table(*file).is_none_or(|it| it.rules.family == Family::Python);
        return if is_hidden { Lookup::default() } else { resolver.exported(*file, name, depth) };
    }
    if matches!(module, Meaning::Package(_) | Meaning::Folder(_) | Meaning::Symbol(_)) {
        return resolver.member(module, name, depth);
    }
    Lookup::default()
}

/// What other files of the same package define. Values are left out: a local name may hide them, and nothing tells.
pub(crate) fn shared(resolver: &Resolver<'_>, file: u32, table: &Table, name: &str) -> Lookup {
    let mut found = Lookup::default();
    if table.rules.family == Family::Php
        && let Some(package) = table.package.as_deref()
        && let Some(target) = packages::autoloaded(resolver, &format!("{package}\\{name}"))
    {
        found.add(Meaning::Symbol(target), Provenance::Import);
        return found;
    }
    for &other in companions(resolver, table) {
        if other == file {
            continue;
        }
        let Some(other_table) =
            resolver.project.table(other).filter(|other| is_companion(table, other))
        else {
            continue;
        };
        found.extend(packages::declared(other_table, other, name));
    }
    // What a namespace is in is seen from inside of it.
    let mut package = table.package.as_deref().filter(|_| table.rules.family == Family::CSharp);
    while found.is_empty()
        && let Some((outer, _)) = package.and_then(|package| package.rsplit_once('.'))
    {
        found = packages::in_package(resolver, outer, name);
        package = Some(outer);
    }
    found
}

/// What the namespaces that a file itself opens have under a name.
pub(crate) fn in_own_namespaces(table: &Table, file: u32, name: &str) -> Lookup {
    let is_named = matches!(table.rules.family, Family::CSharp | Family::Php);
    if is_named { packages::declared(table, file, name) } else { Lookup::default() }
}

/// The member of a type that is defined in another file than the type.
pub(crate) fn member_elsewhere(
    resolver: &Resolver<'_>,
    table: &Table,
    of: Target,
    name: &str,
) -> Lookup {
    let mut found = Lookup::default();
    let Some(own) = table.symbol(of.symbol) else { return found };
    if !matches!(table.rules.family, Family::Go | Family::CSharp) {
        return found;
    }
    for &other in companions(resolver, table) {
        let Some(other_table) =
            resolver.project.table(other).filter(|other| is_companion(table, other))
        else {
            continue;
        };
        if !other_table.may_define(name) {
            continue;
        }
        let is_named =
            |at: &&u32| other_table.symbol(**at).is_some_and(|symbol| symbol.name == name);
        let foreign = other_table.foreign.get(&own.name).map_or(&[][..], Vec::as_slice);
        let mut places: Vec<u32> = foreign.iter().filter(is_named).copied().collect();
        // Another part of the same class.
        for &twin in other_table.members(None, &own.name).iter().filter(|_| other != of.file) {
            places.extend(other_table.members(Some(twin), name));
        }
        found.extend(symbols(other_table, other, &places));
    }
    found
}

/// The files that may be part of the same package.
fn companions<'p>(resolver: &Resolver<'p>, table: &Table) -> &'p [u32] {
    match table.rules.shares {
        Shares::Nothing => &[],
        Shares::Folder => resolver.project.files_in(folder_of(&table.facts.path)),
        Shares::Package => table
            .package
            .as_deref()
            .map_or(&[], |package| resolver.project.files_of_package(package)),
    }
}

fn is_companion(table: &Table, other: &Table) -> bool {
    table.rules.family == other.rules.family && table.package == other.package
}

/// The beginning of a path that is no name of a scope: `crate::store`.
pub(crate) fn leading_path<'s, 't>(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    place: u32,
    name: &str,
    rest: &'s [Step<'t>],
) -> Option<(Lookup, &'s [Step<'t>])> {
    if table.rules.family != Family::Rust {
        return None;
    }
    rust::leading(resolver, file, table, place, name).map(|found| (found, rest))
}

/// The object whose method is around a place: `this` inside of `const store = { open() { … } }`.
pub(crate) fn own_object(table: &Table, place: u32) -> Option<u32> {
    if table.rules.family != Family::JavaScript {
        return None;
    }
    let mut here = table.innermost(place);
    while let Some(at) = here {
        if table.symbol(at)?.kind == SymbolKind::Method {
            return table.owners[at as usize].filter(|owner| table.symbol(*owner).is_some());
        }
        here = table.around[at as usize];
    }
    None
}
