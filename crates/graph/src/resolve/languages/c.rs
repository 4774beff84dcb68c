//! C and C++: includes are paths, and what a header declares is defined elsewhere.

use std::collections::BTreeSet;

use super::super::layout::{folder_of, join, join_relative};
use super::super::lookup::{Lookup, Meaning, Resolver, Target};
use super::super::project::DEFINING_MAX;
use super::super::rules::Family;
use super::super::table::{Table, last_part};
use super::packages::declared;
use crate::facts::SymbolKind;

/// More headers than this are not looked through.
const HEADERS_MAX: usize = 600;
/// What the library of C defines: a project that declares it again, for systems that do not, does not define it.
const STANDARD: [&str; 50] = [
    "abort",
    "abs",
    "assert",
    "atoi",
    "bsearch",
    "calloc",
    "close",
    "exit",
    "fclose",
    "fopen",
    "fprintf",
    "fread",
    "free",
    "fseek",
    "fwrite",
    "getenv",
    "isalpha",
    "isdigit",
    "isspace",
    "longjmp",
    "lseek",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "open",
    "printf",
    "putchar",
    "puts",
    "qsort",
    "read",
    "realloc",
    "setjmp",
    "snprintf",
    "sprintf",
    "sscanf",
    "strchr",
    "strcmp",
    "strcpy",
    "strdup",
    "strerror",
    "strlen",
    "strncmp",
    "strstr",
    "strtol",
    "vsnprintf",
    "vsprintf",
    "write",
];

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
            Meaning::Symbol(target) if is_of_library(resolver, target) => {
                defined.is_external = true;
                continue;
            },
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
            if is_it && is_definition(other, at, file == declared.file) {
                found.push(Target { file, symbol: at });
            }
        }
    }
    found
}

/// Whether a symbol has a body that can be called, from the same file or from others.
fn is_definition(table: &Table, symbol: u32, is_near: bool) -> bool {
    let text = table.symbol(symbol).map_or("", |symbol| table.facts.str(&symbol.bytes));
    table.rules.family == Family::C
        && text.trim_end().ends_with('}')
        && (is_near || !text.split_whitespace().take(3).any(|word| word == "static"))
}

/// Whether a symbol stands in for one of the library.
fn is_of_library(resolver: &Resolver<'_>, target: Target) -> bool {
    let Some(table) = resolver.project.table(target.file) else { return false };
    let Some(symbol) = table.symbol(target.symbol) else { return false };
    let is_empty = symbol.kind == SymbolKind::Macro || table.is_declaration(target.symbol);
    is_empty && symbol.container.is_none() && STANDARD.contains(&symbol.name.as_str())
}

/// The files that a file includes, and whether some are not part of the project.
#[derive(Debug, Default)]
pub(crate) struct Includes {
    files: Vec<u32>,
    has_external: bool,
}

/// What headers declare under a name, through all that they include.
pub(crate) fn through_includes(resolver: &Resolver<'_>, file: u32, name: &str) -> Lookup {
    let mut found = Lookup::default();
    let (mut seen, mut waiting) = (BTreeSet::from([file]), vec![file]);
    while let Some(here) = waiting.pop() {
        let includes = resolver.includes(here);
        found.is_external |= includes.has_external;
        for &other in &includes.files {
            if seen.len() > HEADERS_MAX || !seen.insert(other) {
                continue;
            }
            let Some(table) = resolver.project.table(other) else { continue };
            let own = declared(table, other, name);
            if own.is_empty() {
                waiting.push(other);
            }
            found.extend(own);
        }
    }
    found
}

/// The files that the includes of a file name.
pub(crate) fn includes(resolver: &Resolver<'_>, file: u32) -> Includes {
    let mut includes = Includes::default();
    let Some(table) = resolver.project.table(file) else { return includes };
    for &at in &table.wildcards {
        let Some(from) = &table.fact(at).from else { continue };
        match included(resolver, file, table.facts.str(from)) {
            Some(Meaning::File(other)) => includes.files.push(other),
            _ => includes.has_external = true,
        }
    }
    includes
}
