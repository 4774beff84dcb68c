//! The rules for crates and folders: who may depend on whom, what must be listed where.

use std::path::Path;

use super::Finding;
use crate::stop::Result;
use crate::workspace::{self, Member};

/// Which crates of ours each crate may name. Dependencies point down, never sideways; `contract` and `base` are
/// everyone's. A new edge is a design decision: change this table and `ARCHITECTURE.md` in the same commit.
const LAYERS: &[(&str, &[&str])] = &[
    ("contract", &[]),
    ("base", &["contract"]),
    ("discover", &["base", "contract"]),
    ("stack", &["base", "contract"]),
    ("parse", &["base", "contract"]),
    ("index", &["base", "contract"]),
    ("graph", &["base", "contract"]),
    ("models", &["base", "contract"]),
    ("ledger", &["base", "contract"]),
    ("changes", &["base", "contract", "discover", "ledger"]),
    ("store", &["base", "contract", "index"]),
    ("retrieve", &["base", "contract", "index", "store"]),
    ("pack", &["base", "contract", "graph"]),
    (
        "engine",
        &[
            "base", "changes", "contract", "discover", "graph", "index", "ledger", "models",
            "pack", "parse", "retrieve", "stack", "store",
        ],
    ),
    ("app", &["base", "contract", "engine"]),
    ("testkit", &[]),
    ("xtask", &["base", "graph", "index", "models", "parse", "retrieve", "store", "testkit"]),
];

const LAYERS_FILE: &str = "xtask/src/tidy/structure.rs";
const LANGUAGES: &str = "crates/parse/languages/";
const EVERY_SECTION: &[&str] = &["dependencies", "build-dependencies", "dev-dependencies"];

/// Every breach of the structure.
pub(super) fn check(root: &Path, files: &[String]) -> Result<Vec<Finding>> {
    let members = workspace::members(root, files)?;
    let mut findings = Vec::new();
    for member in &members {
        check_layers(member, &mut findings);
        check_manifest(member, &mut findings);
    }
    check_architecture(root, &members, &mut findings)?;
    check_languages(files, &mut findings);
    check_workspace_dependencies(root, &members, &mut findings)?;
    for finding in &mut findings {
        locate(root, finding)?;
    }
    Ok(findings)
}

/// A finding whose line is not known yet carries the quoted name to look for in its message.
fn finding(path: String, rule: &'static str, message: String) -> Finding {
    Finding { path, line: 1, rule, message }
}

/// Sets the line to the first one that names what the message quotes first.
fn locate(root: &Path, finding: &mut Finding) -> Result<()> {
    let path = root.join(&finding.path);
    if let Some(name) = finding.message.split('`').nth(1)
        && path.is_file()
    {
        let text = workspace::read(&path)?;
        let found = text.lines().position(|line| line.starts_with(name));
        finding.line = found.map_or(1, |idx| idx + 1);
    }
    Ok(())
}

fn check_layers(member: &Member, findings: &mut Vec<Finding>) {
    let path = format!("{}/Cargo.toml", member.folder);
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == member.name) else {
        let message =
            format!("`{}` has no row in the layer table of {LAYERS_FILE}: add one", member.name);
        findings.push(finding(path, "layers", message));
        return;
    };
    for dependency in member.dependencies(&["dependencies", "build-dependencies"]) {
        let Some(name) = dependency.strip_prefix("gik-") else { continue };
        if !allowed.contains(&name) {
            let message = format!(
                "`{dependency}` is not below `{}`: move the code down, or change the table in {LAYERS_FILE}",
                member.name
            );
            findings.push(finding(path.clone(), "layers", message));
        }
    }
    for dependency in member.dependencies(&["dev-dependencies"]) {
        let Some(name) = dependency.strip_prefix("gik-") else { continue };
        if name != "testkit" && !allowed.contains(&name) {
            let message =
                format!("`{dependency}` is not below `{}`, for tests either", member.name);
            findings.push(finding(path.clone(), "layers", message));
        }
    }
}

/// Members take versions and lints from the workspace.
fn check_manifest(member: &Member, findings: &mut Vec<Finding>) {
    let path = format!("{}/Cargo.toml", member.folder);
    let lints = member.manifest.get("lints").and_then(|lints| lints.get("workspace"));
    if lints.and_then(toml::Value::as_bool) != Some(true) {
        let message = "`[lints]` must say `workspace = true`".to_owned();
        findings.push(finding(path.clone(), "manifest", message));
    }
    for section in EVERY_SECTION {
        let Some(table) = member.manifest.get(*section).and_then(toml::Value::as_table) else {
            continue;
        };
        for (name, value) in table {
            if value.get("workspace").is_none() {
                let message =
                    format!("`{name}` must say `workspace = true`; its version goes to the root");
                findings.push(finding(path.clone(), "manifest", message));
            }
        }
    }
}

fn check_architecture(root: &Path, members: &[Member], findings: &mut Vec<Finding>) -> Result<()> {
    const FILE: &str = "ARCHITECTURE.md";
    let file = root.join(FILE);
    let text = if file.is_file() { workspace::read(&file)? } else { String::new() };
    for member in members {
        let named = [format!("`{}`", member.name), member.folder.clone()]
            .iter()
            .any(|name| text.contains(name.as_str()));
        if !named {
            let message =
                format!("`{}` is not described: add its paragraph to the code map", member.folder);
            findings.push(finding(FILE.to_owned(), "architecture", message));
        }
    }
    Ok(())
}

/// Each folder of `languages` is a language, and a language has its description.
fn check_languages(files: &[String], findings: &mut Vec<Finding>) {
    let mut folders: Vec<&str> = files
        .iter()
        .filter_map(|file| file.strip_prefix(LANGUAGES)?.split_once('/'))
        .map(|(folder, _)| folder)
        .collect();
    folders.dedup();
    for folder in folders {
        let description = format!("{LANGUAGES}{folder}/language.toml");
        if !files.contains(&description) {
            let message =
                format!("`{folder}` has no language.toml: write one, see CONTRIBUTING.md");
            findings.push(finding(description, "languages", message));
        }
    }
}

fn check_workspace_dependencies(
    root: &Path,
    members: &[Member],
    findings: &mut Vec<Finding>,
) -> Result<()> {
    const FILE: &str = "Cargo.toml";
    let manifest = workspace::read_toml(&root.join(FILE))?;
    let declared = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let Some(declared) = declared.and_then(toml::Value::as_table) else { return Ok(()) };
    for name in declared.keys() {
        let is_used = |member: &Member| member.dependencies(EVERY_SECTION).contains(name);
        if !members.iter().any(is_used) {
            let message = format!("`{name}` is used by no member: remove it");
            findings.push(finding(FILE.to_owned(), "unused-dependency", message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    fn messages(fixture: &str) -> Vec<String> {
        let tree = Tree::new(fixture);
        let files = workspace::files(tree.root()).unwrap();
        check(tree.root(), &files).unwrap().iter().map(Finding::to_string).collect()
    }

    #[test]
    fn dependencies_point_down() {
        let found = messages(
            "
            //- Cargo.toml
            [workspace]
            //- ARCHITECTURE.md
            `parse` reads.
            //- crates/parse/Cargo.toml
            [lints]
            workspace = true
            [dependencies]
            gik-base.workspace = true
            gik-store.workspace = true
            [dev-dependencies]
            gik-testkit.workspace = true
            ",
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("crates/parse/Cargo.toml:5: `gik-store` is not below `parse`")
        );
    }

    #[test]
    fn a_new_crate_needs_a_row_a_paragraph_and_the_lints() {
        let found =
            messages("//- Cargo.toml\n//- crates/magic/Cargo.toml\n[dependencies]\nx = \"1\"\n");
        let rules: Vec<&str> = found.iter().filter_map(|line| line.rsplit('[').next()).collect();
        assert_eq!(rules, ["layers]", "manifest]", "manifest]", "architecture]"]);
    }

    #[test]
    fn a_language_folder_needs_its_description() {
        let found = messages(
            "//- Cargo.toml\n//- crates/parse/languages/rust/tags.scm\n//- crates/parse/languages/md/language.toml\n",
        );
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("crates/parse/languages/rust/language.toml:1:"));
    }

    #[test]
    fn a_dependency_nobody_uses_is_removed() {
        let found = messages("//- Cargo.toml\n[workspace.dependencies]\nserde = \"1\"\n");
        assert_eq!(
            found,
            ["Cargo.toml:2: `serde` is used by no member: remove it [unused-dependency]"]
        );
    }
}
