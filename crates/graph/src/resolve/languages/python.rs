//! Python: packages are folders, `__init__.py` speaks for its folder, relative imports count dots.

use crate::Provenance;
use crate::resolve::layout::{folder_of, join};
use crate::resolve::lookup::{Lookup, Meaning, Resolver};
use crate::resolve::table::{Table, first_part};

/// The module that an import names.
pub(super) fn module(resolver: &Resolver<'_>, file: u32, name: &str) -> Option<Meaning> {
    let path = resolver.project.layout.path(file);
    let rest = name.trim_start_matches('.');
    let n_dots = name.len() - rest.len();
    if n_dots > 0 {
        let mut folder = folder_of(path);
        for _ in 1..n_dots {
            if folder.is_empty() {
                return None;
            }
            folder = folder_of(folder);
        }
        return below(resolver, folder, rest);
    }
    from_root(resolver, path, rest)
}

/// What an absolute import names: what is below a root that the file itself is below, the nearest first; else what is
/// below the only other root that has it. Several others are as many guesses.
fn from_root(resolver: &Resolver<'_>, path: &str, dotted: &str) -> Option<Meaning> {
    let roots = resolver.project.python_roots_with(first_part(dotted.trim()));
    let is_around = |root: &&str| {
        root.is_empty() || path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
    };
    let (own, others): (Vec<&str>, Vec<&str>) = roots.partition(is_around);
    if let Some(found) = own.iter().rev().find_map(|root| below(resolver, root, dotted)) {
        return Some(found);
    }
    let mut found = others.iter().filter_map(|root| below(resolver, root, dotted));
    found.next().filter(|_| found.next().is_none())
}

/// The module at a dotted path below a folder.
fn below(resolver: &Resolver<'_>, folder: &str, dotted: &str) -> Option<Meaning> {
    let path = join(folder, &dotted.trim().replace('.', "/"));
    let path = path.trim_end_matches('/');
    if !dotted.is_empty() {
        for ending in [".py", ".pyi"] {
            if let Some(file) = resolver.project.file(&format!("{path}{ending}")) {
                return Some(Meaning::File(file));
            }
        }
    }
    for name in ["__init__.py", "__init__.pyi"] {
        if let Some(file) = resolver.project.file(&join(path, name)) {
            return Some(Meaning::File(file));
        }
    }
    let files = resolver.project.files_in(path).iter();
    let mut paths = files.map(|file| resolver.project.layout.path(*file));
    // Asked for once more: the folder is a package as long as that file is there.
    let holds_modules = paths
        .find(|path| path.ends_with(".py"))
        .is_some_and(|path| resolver.project.file(path).is_some());
    (holds_modules && !path.is_empty()).then(|| Meaning::Folder(path.to_owned()))
}

/// `import a.b` binds `a`; `import a.b as c` binds the module itself.
pub(super) fn whole(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    at: u32,
    module: Meaning,
) -> Meaning {
    let fact = table.fact(at);
    let name = fact.from.as_ref().map_or("", |from| table.facts.str(from));
    if fact.alias.is_some() || !name.contains('.') {
        return module;
    }
    self::module(resolver, file, first_part(name)).unwrap_or(module)
}

/// What a module offers: what it defines, what it imports, the modules below it.
pub(super) fn offered(resolver: &Resolver<'_>, file: u32, name: &str, depth: u32) -> Lookup {
    let found = resolver.in_file(file, name, depth);
    if !found.is_empty() || found.is_external {
        return found;
    }
    let path = resolver.project.layout.path(file);
    if path.ends_with("/__init__.py") || path == "__init__.py" || path.ends_with("/__init__.pyi") {
        return in_folder(resolver, folder_of(path), name);
    }
    found
}

/// The module of that name in a folder.
pub(super) fn in_folder(resolver: &Resolver<'_>, folder: &str, name: &str) -> Lookup {
    let mut found = Lookup::default();
    if let Some(module) = below(resolver, folder, name) {
        found.add(module, Provenance::Import);
    }
    found
}
