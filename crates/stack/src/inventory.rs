//! The whole answer: files and folders, dependencies, technologies, counts.

use std::collections::BTreeMap;

use gik_base::FileKey;
use gik_contract::ask::StackSummary;
use gik_contract::stack::{StackDependencyEntry, StackFileEntry, StackTechEntry};

use crate::manifest::{ManifestProblem, Manifests};
use crate::tables::TechKind;
use crate::{folders, resolve, tech};

/// A file of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StackFile<'a> {
    /// Its key.
    pub path: &'a FileKey,
    /// Its language id, such as `rust`, where the caller knows one.
    pub language: Option<&'a str>,
}

/// What the workspace is made of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inventory {
    /// Every folder and file, sorted by path.
    pub files: Vec<StackFileEntry>,
    /// Sorted by manager, name, manifest, scope, version.
    pub dependencies: Vec<StackDependencyEntry>,
    /// Sorted by kind and name.
    pub tech: Vec<StackTechEntry>,
    /// Files per language.
    pub languages: BTreeMap<String, u64>,
    /// Package managers, sorted.
    pub managers: Vec<String>,
    /// Files, without folders.
    pub total_files: u64,
    /// What is wrong with the manifests, sorted by path.
    pub problems: Vec<ManifestProblem>,
}

/// Joins the file list with the parsed manifests. Manifests of files that are not in the list do not count; the order
/// of the list does not matter.
pub fn inventory(files: &[StackFile<'_>], manifests: &Manifests) -> Inventory {
    let mut files = files.to_vec();
    files.sort_unstable();
    files.dedup_by_key(|file| file.path);

    let mut languages = BTreeMap::new();
    for language in files.iter().filter_map(|file| file.language) {
        match languages.get_mut(language) {
            Some(count) => *count += 1,
            None => {
                languages.insert(language.to_owned(), 1);
            },
        }
    }
    let resolution = resolve::resolve(&files, manifests);
    let mut managers: Vec<String> =
        resolution.managers.iter().map(|manager| manager.as_str().to_owned()).collect();
    managers.sort();
    let mut dependencies: Vec<StackDependencyEntry> = resolution
        .dependencies
        .iter()
        .map(|dependency| StackDependencyEntry {
            manager: dependency.manager.as_str().to_owned(),
            name: dependency.name.clone(),
            version: dependency.version.clone(),
            scope: dependency.scope.as_str().to_owned(),
            manifest_path: dependency.manifest.as_str().to_owned(),
        })
        .collect();
    dependencies.sort_by(|a, b| order(a).cmp(&order(b)));

    Inventory {
        tech: tech::technologies(&files, manifests, &resolution.dependencies),
        dependencies,
        languages,
        managers,
        total_files: files.len() as u64,
        problems: resolution.problems.into_iter().collect(),
        files: folders::entries(&files),
    }
}

fn order(entry: &StackDependencyEntry) -> [&str; 5] {
    [&entry.manager, &entry.name, &entry.manifest_path, &entry.scope, &entry.version]
}

/// The few words an answer says about the stack: languages with most files first, the rest by name.
pub fn summarize(inventory: &Inventory) -> StackSummary {
    let mut languages: Vec<(&String, &u64)> = inventory.languages.iter().collect();
    languages.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let named = |kind: TechKind| {
        inventory
            .tech
            .iter()
            .filter(|entry| entry.kind == kind.as_str())
            .map(|entry| entry.name.clone())
            .collect()
    };
    StackSummary {
        languages: languages.into_iter().map(|(language, _)| language.clone()).collect(),
        frameworks: named(TechKind::Framework),
        services: named(TechKind::Service),
        managers: inventory.managers.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::inventory_of;

    const PROJECT: &[(&str, &str)] = &[
        ("Cargo.toml", "[dependencies]\nserde = \"1.0\"\naxum = \"0.8\"\n"),
        ("compose.yaml", "services:\n  web: {}\n  api: {}\n"),
        ("src/main.rs", ""),
        ("web/a.ts", ""),
        ("web/b.ts", ""),
        ("web/package.json", r#"{ "dependencies": { "next": "15" } }"#),
        ("web/broken/package.json", "{"),
    ];

    #[test]
    fn the_examples_of_the_contract() {
        let found = inventory_of(PROJECT);
        let lines: Vec<String> =
            found.files.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
        assert!(
            lines.contains(
                &r#"{"path":"src/main.rs","kind":"File","languages":["rust"],"fileCount":null}"#
                    .to_owned()
            )
        );
        assert!(lines.contains(
            &r#"{"path":"src","kind":"Dir","languages":["rust"],"fileCount":1}"#.to_owned()
        ));
        let serde = found.dependencies.iter().find(|entry| entry.name == "serde").unwrap();
        assert_eq!(
            serde_json::to_string(serde).unwrap(),
            r#"{"manager":"cargo","name":"serde","version":"1.0","scope":"runtime","manifestPath":"Cargo.toml"}"#
        );
        let next = found.tech.iter().find(|entry| entry.name == "Next.js").unwrap();
        assert_eq!(
            serde_json::to_string(next).unwrap(),
            r#"{"kind":"framework","name":"Next.js","source":"dependency:next","confidence":0.9}"#
        );
    }

    #[test]
    fn counts_managers_and_problems() {
        let found = inventory_of(PROJECT);
        assert_eq!(found.total_files, 7);
        let languages: Vec<_> =
            found.languages.iter().map(|(name, n)| (name.as_str(), *n)).collect();
        assert_eq!(languages, [("rust", 1), ("typescript", 2)]);
        assert_eq!(found.managers, ["cargo", "npm"]);
        let problems: Vec<_> = found.problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(problems, ["web/broken/package.json"]);
    }

    #[test]
    fn the_summary_has_the_most_used_language_first() {
        let summary = summarize(&inventory_of(PROJECT));
        assert_eq!(summary.languages, ["typescript", "rust"]);
        assert_eq!(summary.frameworks, ["Axum", "Next.js"]);
        assert_eq!(summary.services, ["api", "web"]);
        assert_eq!(summary.managers, ["cargo", "npm"]);
    }

    #[test]
    fn the_order_of_the_files_does_not_matter() {
        let expected = inventory_of(PROJECT);
        let mut files = PROJECT.to_vec();
        for _ in 0..files.len() {
            files.rotate_left(1);
            assert_eq!(inventory_of(&files), expected);
        }
        files.reverse();
        assert_eq!(inventory_of(&files), expected);
        files.extend_from_slice(PROJECT);
        assert_eq!(inventory_of(&files), expected);
    }

    #[test]
    fn nothing_in_nothing_out() {
        assert_eq!(inventory_of(&[]), Inventory::default());
    }
}
