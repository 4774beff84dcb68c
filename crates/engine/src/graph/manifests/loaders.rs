//! Where loaders look for what is named: namespaces of PHP, constants of Ruby, modules of Go.

use std::collections::{BTreeMap, BTreeSet};

use gik_graph::resolve::join_relative;
use gik_store::FileRow;
use serde_json::Value;

/// The namespaces of a `composer.json` and the folders that hold them (PSR-4).
pub(super) fn namespaces(text: &str, folder: &str, found: &mut BTreeMap<String, Vec<String>>) {
    let Ok(json) = serde_json::from_str::<Value>(text) else { return };
    for section in ["autoload", "autoload-dev"] {
        let spaces = json.get(section).and_then(|section| section.get("psr-4"));
        for (space, folders) in spaces.and_then(Value::as_object).into_iter().flatten() {
            let folders = match folders {
                Value::String(one) => vec![one.as_str()],
                Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
            };
            let folders = folders.into_iter().filter_map(|inside| join_relative(folder, inside));
            found.entry(space.trim_matches('\\').to_owned()).or_default().extend(folders);
        }
    }
}

/// The folders that constants of Ruby are loaded from, by the names of their files: those below `app/` of an
/// application of Rails.
pub(super) fn application_folders(files: &[FileRow]) -> BTreeSet<String> {
    const APPLICATION: &str = "config/application.rb";
    let paths = || files.iter().map(|file| file.key.as_str());
    let roots: Vec<&str> = paths()
        .filter_map(|path| path.strip_suffix(APPLICATION))
        .filter(|root| root.is_empty() || root.ends_with('/'))
        .collect();
    let mut folders = BTreeSet::new();
    for root in roots {
        let app = format!("{root}app/");
        for path in paths().filter(|path| path.ends_with(".rb")) {
            let Some((kind, rest)) = path.strip_prefix(&app).and_then(|it| it.split_once('/'))
            else {
                continue;
            };
            folders.insert(format!("{app}{kind}"));
            if rest.starts_with("concerns/") {
                folders.insert(format!("{app}{kind}/concerns"));
            }
        }
    }
    folders
}

/// Whether a file says that the constants of a gem are named by its files.
pub(super) fn starts_loader(text: &str) -> bool {
    text.contains("Zeitwerk::Loader.for_gem")
}

/// The folders of the modules of a `go.work`.
pub(super) fn workspace_modules(text: &str, folder: &str) -> Vec<String> {
    entries(text, "use")
        .filter_map(|entry| join_relative(folder, entry.trim_matches('"')))
        .collect()
}

/// Modules that a `go.mod` takes from folders: `replace example.com/lib => ../lib`.
pub(super) fn replaced(text: &str, folder: &str) -> Vec<(String, String)> {
    let replaced = entries(text, "replace").filter_map(|entry| {
        let (module, target) = entry.split_once("=>")?;
        let module = module.split_whitespace().next()?;
        let target = target.trim();
        let target = target.starts_with('.').then(|| join_relative(folder, target))??;
        Some((module.to_owned(), target))
    });
    replaced.collect()
}

/// What a word of a file of Go is followed by, on its line or in brackets.
fn entries<'t>(text: &'t str, word: &'static str) -> impl Iterator<Item = &'t str> {
    let mut is_open = false;
    text.lines().filter_map(move |line| {
        let line = line.split("//").next().unwrap_or(line).trim();
        if is_open {
            is_open = line != ")";
            return (is_open && !line.is_empty()).then_some(line);
        }
        let rest = line.strip_prefix(word)?.strip_prefix([' ', '\t', '('].as_slice());
        let rest = rest?.trim();
        if rest.is_empty() || rest == "(" {
            is_open = true;
            return None;
        }
        Some(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_namespaces_are_read() {
        let text = r#"{"autoload":{"psr-4":{"App\\":"src/","":["lib"]}},"autoload-dev":{"psr-4":{"T\\":"tests"}}}"#;
        let mut found = BTreeMap::new();
        namespaces(text, "web", &mut found);
        let folders = |name: &str| found.get(name).cloned().unwrap_or_default();
        assert_eq!(folders("App"), ["web/src"]);
        assert_eq!(folders(""), ["web/lib"]);
        assert_eq!(folders("T"), ["web/tests"]);
    }

    #[test]
    fn modules_of_go_are_taken_from_folders() {
        let text = "go 1.21\n\nuse ./api // x\nuse (\n\t./lib\n\n\t\"./b\"\n)\n";
        assert_eq!(workspace_modules(text, ""), ["api", "lib", "b"]);
        let text = "module a\nreplace example.com/x v1.0.0 => ../x\nreplace (\n\tb => ./b\n\tc => example.com/c v1\n)\n";
        let expected = [("example.com/x", "x"), ("b", "a/b")];
        assert_eq!(
            replaced(text, "a"),
            expected.map(|(name, folder)| (name.to_owned(), folder.to_owned()))
        );
    }
}
