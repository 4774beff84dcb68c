//! Python: packages are folders, `__init__.py` speaks for its folder, relative imports count dots.

use crate::Provenance;
use crate::resolve::lookup::{Lookup, Meaning, Resolver};
use crate::resolve::project::{folder_of, join};
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
    roots(resolver, path).find_map(|root| below(resolver, root, rest))
}

/// The folders that absolute imports of a file start from, the likeliest first.
fn roots<'r>(resolver: &'r Resolver<'_>, path: &'r str) -> impl Iterator<Item = &'r str> {
    let roots = &resolver.project.layout.python_roots;
    // The root that the file itself is below, then all others.
    let is_around = |root: &&String| {
        root.is_empty()
            || path.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/'))
    };
    let own = roots.iter().rev().filter(is_around);
    let others = roots.iter().filter(move |root| !is_around(root));
    own.chain(others).map(String::as_str)
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
