//! Where languages differ in how modules are found and what they offer; one file for each family.

mod javascript;
mod python;

use super::expression::Step;
use super::lookup::{Lookup, Meaning, Resolver, Target, symbols};
use super::project::folder_of;
use super::rules::{Family, Shares};
use super::table::Table;
use crate::{Provenance, SymbolKind};

/// The module that an import names; none where it is not part of the project.
pub(crate) fn module(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    name: &str,
) -> Option<Meaning> {
    match table.rules.family {
        Family::Python => python::module(resolver, file, name),
        Family::JavaScript => javascript::module(resolver, file, name),
        Family::Rust
        | Family::Go
        | Family::Jvm
        | Family::CSharp
        | Family::C
        | Family::Ruby
        | Family::Php
        | Family::Other => None,
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
    match table.rules.family {
        Family::Python => python::whole(resolver, file, table, at, module),
        Family::JavaScript
        | Family::Rust
        | Family::Go
        | Family::Jvm
        | Family::CSharp
        | Family::C
        | Family::Ruby
        | Family::Php
        | Family::Other => module,
    }
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
        Family::JavaScript
        | Family::Rust
        | Family::Go
        | Family::Jvm
        | Family::CSharp
        | Family::C
        | Family::Ruby
        | Family::Php
        | Family::Other => symbols(table, file, table.members(None, name)),
    }
}

/// What is in a folder that is a package.
pub(crate) fn in_folder(resolver: &Resolver<'_>, folder: &str, name: &str) -> Lookup {
    python::in_folder(resolver, folder, name)
}

/// A name among everything that a module offers.
pub(crate) fn among_all(
    resolver: &Resolver<'_>,
    module: &Meaning,
    name: &str,
    depth: u32,
) -> Lookup {
    // What begins with an underscore does not come with everything.
    if let Meaning::File(file) = module
        && !name.starts_with('_')
    {
        return resolver.exported(*file, name, depth);
    }
    Lookup::default()
}

/// What other files of the same package define. Values are left out: a local name may hide them, and nothing tells.
pub(crate) fn shared(resolver: &Resolver<'_>, file: u32, table: &Table, name: &str) -> Lookup {
    let mut found = Lookup::default();
    for &other in companions(resolver, table) {
        if other == file {
            continue;
        }
        let Some(other_table) =
            resolver.project.table(other).filter(|other| is_companion(table, other))
        else {
            continue;
        };
        let is_value = |at: &u32| {
            other_table.symbol(*at).is_none_or(|symbol| symbol.kind == SymbolKind::Value)
        };
        let places: Vec<u32> =
            other_table.members(None, name).iter().copied().filter(|at| !is_value(at)).collect();
        for (meaning, _) in symbols(other_table, other, &places).meanings {
            found.add(meaning, Provenance::Import);
        }
    }
    found
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
    _resolver: &Resolver<'_>,
    _file: u32,
    _table: &Table,
    _place: u32,
    _name: &str,
    _rest: &'s [Step<'t>],
) -> Option<(Lookup, &'s [Step<'t>])> {
    None
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
