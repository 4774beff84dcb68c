//! JavaScript and TypeScript: relative paths with endings left out, paths of `tsconfig.json`, packages of the workspace.

use crate::resolve::layout::{ScriptPaths, folder_of, join, join_relative};
use crate::resolve::lookup::{Meaning, Resolver};

/// Endings that an import may leave out, the likeliest first.
const ENDINGS: [&str; 12] = [
    ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".svelte",
    ".json",
];
/// What is compiled is imported by the name of what comes out.
const COMPILED: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts"]),
    (".jsx", &[".tsx"]),
    (".mjs", &[".mts", ".d.mts"]),
    (".cjs", &[".cts", ".d.cts"]),
];

/// The module that an import names.
pub(super) fn module(resolver: &Resolver<'_>, file: u32, name: &str) -> Option<Meaning> {
    let path = resolver.project.layout.path(file);
    let name = name.split('?').next().unwrap_or(name);
    if name.starts_with('.') {
        let target = join_relative(folder_of(path), name)?;
        let is_folder = name.ends_with('/') || name == "." || name == ".." || name.ends_with("/..");
        let found = at(resolver, &target, is_folder);
        return found.or_else(|| source_of(resolver, &target, is_folder)).map(Meaning::File);
    }
    if name.starts_with('#') {
        return by_subpath(resolver, path, name).map(Meaning::File);
    }
    by_settings(resolver, path, name).or_else(|| by_package(resolver, name)).map(Meaning::File)
}

/// The file that a path without its ending means.
fn at(resolver: &Resolver<'_>, path: &str, is_folder: bool) -> Option<u32> {
    let project = &resolver.project;
    if !is_folder {
        if path.rsplit('/').next().is_some_and(|name| name.contains('.'))
            && let Some(file) = project.file(path)
        {
            return Some(file);
        }
        for (ending, sources) in COMPILED {
            if let Some(stem) = path.strip_suffix(ending) {
                let source = |source: &&str| project.file(&format!("{stem}{source}"));
                if let Some(file) = sources.iter().find_map(source) {
                    return Some(file);
                }
            }
        }
        let found = ENDINGS.iter().find_map(|ending| project.file(&format!("{path}{ending}")));
        if found.is_some() {
            return found;
        }
    }
    ENDINGS.iter().find_map(|ending| project.file(&join(path, &format!("index{ending}"))))
}

/// The source of what is built: `core/lib/index` of a project whose settings say so.
fn source_of(resolver: &Resolver<'_>, path: &str, is_folder: bool) -> Option<u32> {
    let built = &resolver.project.layout.manifests.built;
    let mut folder = path;
    while !folder.is_empty() {
        folder = folder_of(folder);
        let Some(roots) = built.get(folder) else { continue };
        let inside = path.strip_prefix(folder)?.trim_start_matches('/');
        let inside = inside.strip_suffix(".d.ts").unwrap_or(inside);
        return roots.iter().find_map(|root| at(resolver, &join(root, inside), is_folder));
    }
    None
}

/// What the nearest package makes of a name that begins with `#`.
fn by_subpath(resolver: &Resolver<'_>, path: &str, name: &str) -> Option<u32> {
    let subpaths = &resolver.project.layout.manifests.subpaths;
    let mut folder = folder_of(path);
    let names = loop {
        if let Some(names) = subpaths.get(folder) {
            break names;
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder_of(folder);
    };
    let (pattern, targets) = longest(names, name)?;
    let middle = matched(pattern, name)?;
    targets.iter().find_map(|target| {
        let target = target.replace('*', middle);
        if target.starts_with('.') {
            in_package(resolver, folder, &target)
        } else {
            by_package(resolver, &target)
        }
    })
}

/// The most exact of the patterns that take a name.
fn longest<'p>(
    patterns: &'p [(String, Vec<String>)],
    name: &str,
) -> Option<(&'p str, &'p [String])> {
    let taken = patterns.iter().filter(|(pattern, _)| matched(pattern, name).is_some());
    let best = taken.max_by_key(|(pattern, _)| (!pattern.contains('*'), pattern.len()))?;
    Some((&best.0, &best.1))
}

/// A file of a package, or the source that it is built from.
fn in_package(resolver: &Resolver<'_>, folder: &str, target: &str) -> Option<u32> {
    let target = join_relative(folder, target)?;
    if let Some(file) = at(resolver, &target, false).or_else(|| source_of(resolver, &target, false))
    {
        return Some(file);
    }
    // What is built is made from sources beside it.
    let inside = target.strip_prefix(folder).unwrap_or(&target).trim_start_matches('/');
    ["dist/", "lib/", "build/", "out/", "esm/", "cjs/"].iter().find_map(|built| {
        let inside = inside.strip_prefix(built)?;
        let stem = inside.split_once('.').map_or(inside, |(stem, _)| stem);
        at(resolver, &join(folder, &format!("src/{stem}")), false)
    })
}

/// What the nearest settings of TypeScript make of a name.
fn by_settings(resolver: &Resolver<'_>, path: &str, name: &str) -> Option<u32> {
    let scripts = &resolver.project.layout.manifests.scripts;
    let mut folder = folder_of(path);
    let settings: &ScriptPaths = loop {
        if let Some(settings) = scripts.get(folder) {
            break settings;
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder_of(folder);
    };
    // The longest pattern counts.
    let mut best: Option<(&str, &Vec<String>, usize)> = None;
    for (pattern, targets) in &settings.paths {
        let middle = matched(pattern, name);
        if let Some(middle) = middle {
            let fixed = pattern.len();
            if best.is_none_or(|(_, _, length)| fixed > length) {
                best = Some((middle, targets, fixed));
            }
        }
    }
    if let Some((middle, targets, _)) = best {
        for target in targets {
            let target = join_relative("", &target.replace('*', middle))?;
            if let Some(file) = at(resolver, &target, false) {
                return Some(file);
            }
        }
    }
    let base = settings.base.as_ref()?;
    at(resolver, &join(base, name), false)
}

/// What a `*` of a pattern stands for; empty where there is none and the texts are the same.
fn matched<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    match pattern.split_once('*') {
        None => (pattern == name).then_some(""),
        Some((before, after)) => name.strip_prefix(before)?.strip_suffix(after),
    }
}

/// A package of the workspace, or a path inside of it.
fn by_package(resolver: &Resolver<'_>, name: &str) -> Option<u32> {
    let packages = &resolver.project.layout.manifests.node;
    let n_parts = if name.starts_with('@') { 2 } else { 1 };
    let end = name.match_indices('/').nth(n_parts - 1).map_or(name.len(), |(at, _)| at);
    let (package, rest) = name.split_at(end);
    let package = packages.get(package)?;
    let sub = if rest.is_empty() { ".".to_owned() } else { format!(".{rest}") };
    // What is offered as nothing is hidden.
    if longest(&package.exports, &sub).is_some_and(|(_, targets)| targets.is_empty()) {
        return None;
    }
    for (offered, targets) in &package.exports {
        let Some(middle) = matched(offered, &sub) else { continue };
        let targets = targets.iter().map(|target| target.replace('*', middle));
        let mut files = targets.filter_map(|target| in_package(resolver, &package.folder, &target));
        if let Some(file) = files.next() {
            return Some(file);
        }
    }
    let inside = rest.trim_start_matches('/');
    let start =
        if inside.is_empty() { package.folder.clone() } else { join(&package.folder, inside) };
    let source = join(&package.folder, "src");
    let source = if inside.is_empty() { source } else { join(&source, inside) };
    at(resolver, &start, inside.is_empty()).or_else(|| at(resolver, &source, inside.is_empty()))
}
