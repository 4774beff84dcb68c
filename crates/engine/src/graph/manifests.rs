//! What the manifests of a workspace say about the names of modules.

pub(super) mod kept;
mod loaders;

use std::path::Path;

use gik_base::Result;
use gik_graph::resolve::{CrateRoot, Manifests, NodePackage, ScriptPaths, join_relative};
use gik_store::{FileRow, Snapshot};
use serde_json::Value;

use crate::Workspace;
use crate::projection::text_of;

/// Settings may lead to other settings this often.
const EXTENDS_MAX: usize = 8;

/// Whether [`read`] may read a file of that path: what it finds in others does not depend on what they say.
pub(super) fn may_be_read(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    // Settings of TypeScript extend others of any name.
    name.ends_with(".json")
        || matches!(name, "go.mod" | "go.work" | "Cargo.toml")
        || name.ends_with(".rb") && is_library(folder)
}

fn is_library(folder: &str) -> bool {
    folder == "lib" || folder.ends_with("/lib")
}

/// Reads all manifests.
pub(super) fn read(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    files: &[FileRow],
) -> Result<Manifests> {
    let mut manifests = Manifests::default();
    // Of two modules of one name the one that a workspace names is meant.
    let (mut modules, mut used) = (Vec::new(), Vec::new());
    manifests.autoloaded = loaders::application_folders(files);
    for file in files {
        let path = file.key.as_str();
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if path.contains("node_modules/") {
            continue;
        }
        match name {
            "package.json" => {
                let Some(text) = text_of(ws, snapshot, file)? else { continue };
                if let Some((name, package)) = node_package(&text, folder) {
                    manifests.node.entry(name).or_insert(package);
                }
                let imports = node_imports(&text);
                if !imports.is_empty() {
                    manifests.subpaths.insert(folder.to_owned(), imports);
                }
            },
            "tsconfig.json" | "jsconfig.json" => {
                let settings = script_paths(ws, snapshot, files, path, 0)?;
                manifests.built.extend(settings.outputs(folder));
                manifests.scripts.insert(folder.to_owned(), settings.paths);
            },
            "go.mod" => {
                let Some(text) = text_of(ws, snapshot, file)? else { continue };
                if let Some(module) = go_module(&text) {
                    modules.push((module.to_owned(), folder.to_owned()));
                }
                for (module, folder) in loaders::replaced(&text, folder) {
                    used.push(folder.clone());
                    modules.push((module, folder));
                }
            },
            "go.work" => {
                let Some(text) = text_of(ws, snapshot, file)? else { continue };
                used.extend(loaders::workspace_modules(&text, folder));
            },
            "composer.json" => {
                let Some(text) = text_of(ws, snapshot, file)? else { continue };
                loaders::namespaces(&text, folder, &mut manifests.php);
            },
            "Cargo.toml" => {
                let Some(text) = text_of(ws, snapshot, file)? else { continue };
                if let Some((name, root)) = rust_crate(&text, folder) {
                    manifests.crates.entry(name).or_insert(root);
                }
            },
            "compile_commands.json" => {
                let Some(text) = text_of(ws, snapshot, file)? else { continue };
                manifests.includes.extend(include_folders(&text, &ws.root, folder));
            },
            _ if name.ends_with(".rb") && is_library(folder) => {
                let text = text_of(ws, snapshot, file)?;
                if text.is_some_and(|text| loaders::starts_loader(&text)) {
                    manifests.autoloaded.insert(folder.to_owned());
                }
            },
            _ => {},
        }
    }
    modules.sort_by_key(|(_, folder)| !used.contains(folder));
    for (module, folder) in modules {
        manifests.go.entry(module).or_insert(folder);
    }
    manifests.includes.sort_unstable();
    manifests.includes.dedup();
    Ok(manifests)
}

/// The name of a module of Go.
fn go_module(text: &str) -> Option<&str> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
    let name = line.split("//").next().unwrap_or(line).trim().trim_matches('"');
    (!name.is_empty()).then_some(name)
}

/// A crate: its name in code and where it starts.
fn rust_crate(text: &str, folder: &str) -> Option<(String, CrateRoot)> {
    let (mut section, mut name, mut lib_name, mut path) = ("", None, None, None);
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line;
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let value = value.trim().trim_matches('"');
        match (section, key.trim()) {
            ("[package]", "name") => name = Some(value),
            ("[lib]", "name") => lib_name = Some(value),
            ("[lib]", "path") => path = Some(value),
            _ => {},
        }
    }
    let name = lib_name.or(name)?.replace('-', "_");
    let file = join_relative(folder, path.unwrap_or("src/lib.rs"))?;
    Some((name, CrateRoot { folder: folder.to_owned(), file }))
}

/// The folders of the workspace that compilers are told to look for headers in.
fn include_folders(text: &str, root: &Path, folder: &str) -> Vec<String> {
    let Ok(Value::Array(commands)) = serde_json::from_str(text) else { return Vec::new() };
    let mut folders = Vec::new();
    let beside = root.join(folder);
    for command in &commands {
        let start = command.get("directory").and_then(Value::as_str).unwrap_or_default();
        let words: Vec<&str> = match (command.get("arguments"), command.get("command")) {
            (Some(Value::Array(list)), _) => list.iter().filter_map(Value::as_str).collect(),
            (_, Some(Value::String(line))) => line.split_whitespace().collect(),
            _ => Vec::new(),
        };
        let mut is_next = false;
        for word in words {
            let named =
                ["-I", "-isystem", "-iquote"].iter().find_map(|flag| word.strip_prefix(flag));
            let folder = match named {
                _ if is_next => Some(word),
                Some("") => {
                    is_next = true;
                    continue;
                },
                named => named,
            };
            is_next = false;
            let Some(folder) = folder else { continue };
            let path = beside.join(start).join(folder);
            let inside = path.strip_prefix(root).ok().and_then(Path::to_str);
            folders.extend(inside.and_then(|inside| join_relative("", &inside.replace('\\', "/"))));
        }
    }
    folders
}

/// What files of a package name by `#`, and the files that are meant.
fn node_imports(text: &str) -> Vec<(String, Vec<String>)> {
    let json: Option<Value> = serde_json::from_str(text).ok();
    let imports = json.as_ref().and_then(|json| json.get("imports")?.as_object());
    let import = |(name, target): (&String, &Value)| {
        let mut targets = Vec::new();
        add_targets(target, &mut targets);
        (name.clone(), targets)
    };
    imports.into_iter().flatten().map(import).collect()
}

/// A package and what it offers.
fn node_package(text: &str, folder: &str) -> Option<(String, NodePackage)> {
    let json: Value = serde_json::from_str(text).ok()?;
    let name = json.get("name")?.as_str()?.to_owned();
    let mut exports: Vec<(String, Vec<String>)> = Vec::new();
    match json.get("exports") {
        Some(Value::Object(map)) if map.keys().any(|key| key.starts_with('.')) => {
            for (path, target) in map {
                let mut targets = Vec::new();
                add_targets(target, &mut targets);
                exports.push((path.clone(), targets));
            }
        },
        Some(target) => {
            let mut targets = Vec::new();
            add_targets(target, &mut targets);
            exports.push((".".to_owned(), targets));
        },
        None => {},
    }
    let mains = ["source", "types", "typings", "module", "main"]
        .iter()
        .filter_map(|field| json.get(*field)?.as_str().map(str::to_owned));
    let mains: Vec<String> = mains.collect();
    if !mains.is_empty() {
        exports.push((".".to_owned(), mains));
    }
    Some((name, NodePackage { folder: folder.to_owned(), exports }))
}

/// All files that a condition of `exports` may lead to, sources and types first.
fn add_targets(value: &Value, targets: &mut Vec<String>) {
    match value {
        Value::String(target) => targets.push(target.clone()),
        Value::Array(list) => list.iter().for_each(|one| add_targets(one, targets)),
        Value::Object(map) => {
            let first = ["source", "types", "import", "require", "default"];
            for name in first {
                if let Some(one) = map.get(name) {
                    add_targets(one, targets);
                }
            }
            for (_, one) in map.iter().filter(|(name, _)| !first.contains(&name.as_str())) {
                add_targets(one, targets);
            }
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => {},
    }
}

/// What a `tsconfig.json` says.
#[derive(Default)]
struct Settings {
    paths: ScriptPaths,
    /// Where what is built goes, and the folder that it is built from.
    out: Option<String>,
    root: Option<String>,
    is_composite: bool,
}

impl Settings {
    /// The folder that holds what is built, and the folders that the sources of it may be in.
    fn outputs(&self, folder: &str) -> Option<(String, Vec<String>)> {
        let out = self.out.clone().filter(|out| !out.is_empty() && out != folder)?;
        let roots = match &self.root {
            Some(root) => vec![root.clone()],
            // A project that others refer to is built from where its settings are.
            None if self.is_composite => vec![folder.to_owned(), join_relative(folder, "src")?],
            None => vec![join_relative(folder, "src")?],
        };
        Some((out, roots))
    }
}

/// The paths of a `tsconfig.json`, with those of the settings that it extends.
fn script_paths(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    files: &[FileRow],
    path: &str,
    depth: usize,
) -> Result<Settings> {
    let file = files.binary_search_by(|file| file.key.as_str().cmp(path));
    let Some(file) = file.ok().and_then(|at| files.get(at)) else {
        return Ok(Settings::default());
    };
    let Some(text) = text_of(ws, snapshot, file)? else { return Ok(Settings::default()) };
    let Ok(json) = serde_json::from_str::<Value>(&without_comments(&text)) else {
        return Ok(Settings::default());
    };
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut settings = Settings::default();
    let extended: Vec<&str> = match json.get("extends") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if depth < EXTENDS_MAX {
        for other in extended.into_iter().filter(|other| other.starts_with('.')) {
            let Some(other) = join_relative(folder, other) else { continue };
            let other = if other.ends_with(".json") { other } else { format!("{other}.json") };
            let found = script_paths(ws, snapshot, files, &other, depth + 1)?;
            settings.paths.base = found.paths.base.or(settings.paths.base);
            if !found.paths.paths.is_empty() {
                settings.paths.paths = found.paths.paths;
            }
            settings.out = found.out.or(settings.out);
            settings.root = found.root.or(settings.root);
            settings.is_composite |= found.is_composite;
        }
    }
    let options = json.get("compilerOptions");
    let option = |name: &str| options.and_then(|options| options.get(name));
    if let Some(base) = option("baseUrl").and_then(Value::as_str) {
        settings.paths.base = join_relative(folder, base);
    }
    if let Some(paths) = option("paths").and_then(Value::as_object) {
        let base = option("baseUrl").and_then(Value::as_str).unwrap_or(".");
        let start = join_relative(folder, base).unwrap_or_default();
        settings.paths.paths = paths
            .iter()
            .map(|(pattern, targets)| {
                let targets = targets.as_array().into_iter().flatten().filter_map(Value::as_str);
                (
                    pattern.clone(),
                    targets.filter_map(|target| join_relative(&start, target)).collect(),
                )
            })
            .collect();
    }
    if let Some(out) = option("outDir").and_then(Value::as_str) {
        settings.out = join_relative(folder, out);
    }
    if let Some(root) = option("rootDir").and_then(Value::as_str) {
        settings.root = join_relative(folder, root);
    }
    if let Some(is_composite) = option("composite").and_then(Value::as_bool) {
        settings.is_composite = is_composite;
    }
    Ok(settings)
}

/// JSON as people write it: without comments and without commas before a closing bracket.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut in_string = false;
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            match c {
                '\\' => out.extend(chars.next()),
                '"' => in_string = false,
                _ => {},
            }
            continue;
        }
        match (c, chars.peek()) {
            ('"', _) => {
                in_string = true;
                out.push(c);
            },
            ('/', Some('/')) => while chars.next_if(|c| *c != '\n').is_some() {},
            ('/', Some('*')) => {
                let mut before = ' ';
                chars.next();
                for c in chars.by_ref() {
                    if before == '*' && c == '/' {
                        break;
                    }
                    before = c;
                }
            },
            ('}' | ']', _) => {
                let end = out.trim_end().len();
                if out[..end].ends_with(',') {
                    out.truncate(end - 1);
                }
                out.push(c);
            },
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_last_commas_are_left_out() {
        let text = "{ // a\n \"a/*b\": [1, 2,], /* c */ \"d\\\"//\": 1,\n}";
        let json: Value = serde_json::from_str(&without_comments(text)).unwrap();
        assert_eq!(json, serde_json::json!({"a/*b": [1, 2], "d\"//": 1}));
    }

    #[test]
    fn names_of_modules_and_crates_are_read() {
        assert_eq!(
            go_module("// x\nmodule example.com/a/b // y\n\ngo 1.21\n"),
            Some("example.com/a/b")
        );
        let text = "[package]\nname = \"my-store\"\n[dependencies]\nname = \"no\"\n[lib]\npath = \"lib.rs\"\n";
        let (name, root) = rust_crate(text, "crates/store").unwrap();
        assert_eq!((name.as_str(), root.file.as_str()), ("my_store", "crates/store/lib.rs"));
    }

    #[test]
    fn folders_of_headers_are_those_inside_the_workspace() {
        let text = r#"[{"directory":"/w/build","command":"cc -I../inc -I /w/src -I/usr/include -c a.c","file":"a.c"}]"#;
        let folders = include_folders(text, Path::new("/w"), "");
        assert_eq!(folders, ["inc", "src"]);
    }

    #[test]
    fn a_package_offers_sources_before_what_is_built() {
        let text = r#"{"name":"@a/b","main":"lib/i.js","exports":{".":{"default":"./x.js","types":"./x.d.ts"},"./*":"./src/*.ts"}}"#;
        let (name, package) = node_package(text, "packages/b").unwrap();
        assert_eq!(name, "@a/b");
        assert_eq!(
            package.exports[0],
            (".".to_owned(), vec!["./x.d.ts".to_owned(), "./x.js".to_owned()])
        );
        assert_eq!(package.exports[1].0, "./*");
        assert_eq!(package.exports[2].1, ["lib/i.js"]);
    }
}
