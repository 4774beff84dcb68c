//! `cargo xtask gen`: documents that the program itself prints, kept in the repository so that they can be read.
//!
//! `gik docs <page>` prints each page of [`PAGES`]; `gik docs schemas` prints one JSON object from name to JSON Schema.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

/// The pages, each `docs/<page>.md`.
const PAGES: &[&str] = &["commands", "config", "env", "errors", "languages"];
const SCHEMAS: &str = "docs/schemas/";
const FIX: &str = "cargo xtask gen";
const HEADER: &str = "<!-- Written by `cargo xtask gen`; change the source, not this file. -->\n\n";

/// Whether files are written or only compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    Check,
}

/// Builds the binary, asks it for every document and writes or compares them.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let root = workspace::root();
    let binary = process::build_gik(&root, "dev")?;
    let documents = documents(&binary)?;
    let changes = compare(&root, &documents)?;
    match mode {
        Mode::Write => {
            apply(&root, &documents, &changes)?;
            println!("{} documents, {} changed", documents.len(), changes.len());
            Ok(())
        },
        Mode::Check if changes.is_empty() => Ok(()),
        Mode::Check => {
            let list: Vec<String> = changes.iter().map(Change::describe).collect();
            Err(Stop::Failed(format!(
                "generated documents are not current\n{}\nhint: run `{FIX}` and commit the result",
                list.join("\n")
            )))
        },
    }
}

/// Path and text of every document, as the binary prints them.
fn documents(binary: &Path) -> Result<BTreeMap<String, String>> {
    let home = tempfile::tempdir().map_err(|error| Stop::Failed(error.to_string()))?;
    let print = |page: &str| {
        let mut command = Command::new(binary);
        process::clean_environment(&mut command);
        command.args(["docs", page]).current_dir(home.path());
        command.env("GIK_HOME", home.path()).env("NO_COLOR", "1").env("COLUMNS", "100");
        process::output(&mut command)
    };
    let mut documents = BTreeMap::new();
    for page in PAGES {
        documents.insert(format!("docs/{page}.md"), with_header(&print(page)?));
    }
    documents.extend(schemas(&print("schemas")?)?);
    Ok(documents)
}

fn with_header(page: &str) -> String {
    format!("{HEADER}{}\n", page.trim_end())
}

/// One file per schema.
fn schemas(printed: &str) -> Result<BTreeMap<String, String>> {
    let wrong = |reason: &str| Stop::Failed(format!("`gik docs schemas`: {reason}"));
    let parsed: Value = serde_json::from_str(printed).map_err(|error| wrong(&error.to_string()))?;
    let by_name = parsed.as_object().ok_or_else(|| wrong("not a JSON object"))?;
    let mut files = BTreeMap::new();
    for (name, schema) in by_name {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if name.is_empty() || !name.bytes().all(plain) {
            return Err(wrong(&format!("`{name}` cannot be a file name")));
        }
        let text =
            serde_json::to_string_pretty(schema).map_err(|error| wrong(&error.to_string()))?;
        files.insert(format!("{SCHEMAS}{name}.json"), text + "\n");
    }
    Ok(files)
}

/// How a file on disk differs from what the program says.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    Missing(String),
    Different { path: String, line: usize, is: String, should_be: String },
    Surplus(String),
}

impl Change {
    fn describe(&self) -> String {
        match self {
            Self::Missing(path) => format!("{path}: missing"),
            Self::Surplus(path) => format!("{path}: the program no longer has it"),
            Self::Different { path, line, is, should_be } => {
                format!("{path}:{line}:\n  - {is}\n  + {should_be}")
            },
        }
    }
}

fn compare(root: &Path, documents: &BTreeMap<String, String>) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for (path, text) in documents {
        let file = root.join(path);
        if !file.exists() {
            changes.push(Change::Missing(path.clone()));
            continue;
        }
        let present = workspace::read(&file)?;
        if present != *text {
            changes.push(first_difference(path, &present, text));
        }
    }
    for file in workspace::files(root)? {
        if file.starts_with(SCHEMAS) && !documents.contains_key(&file) {
            changes.push(Change::Surplus(file));
        }
    }
    Ok(changes)
}

fn first_difference(path: &str, is: &str, should_be: &str) -> Change {
    let same = is.lines().zip(should_be.lines()).take_while(|(a, b)| a == b).count();
    let line_of = |text: &str| text.lines().nth(same).unwrap_or("(end of file)").to_owned();
    Change::Different {
        path: path.to_owned(),
        line: same + 1,
        is: line_of(is),
        should_be: line_of(should_be),
    }
}

fn apply(root: &Path, documents: &BTreeMap<String, String>, changes: &[Change]) -> Result<()> {
    for change in changes {
        match change {
            Change::Missing(path) | Change::Different { path, .. } => {
                if let Some(text) = documents.get(path) {
                    workspace::write(&root.join(path), text)?;
                }
            },
            Change::Surplus(path) => {
                let file = root.join(path);
                std::fs::remove_file(&file)
                    .map_err(|error| Stop::on_path("remove", &file, error))?;
            },
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn writing_makes_the_check_pass() {
        let tree = Tree::new("//- docs/config.md\nold\n//- docs/schemas/gone.json\n{}\n");
        let mut documents = schemas(r#"{"head": {"type": "object"}}"#).unwrap();
        documents.insert("docs/config.md".to_owned(), "new\n".to_owned());

        let changes = compare(tree.root(), &documents).unwrap();
        let described: Vec<String> = changes.iter().map(Change::describe).collect();
        assert_eq!(
            described,
            [
                "docs/config.md:1:\n  - old\n  + new",
                "docs/schemas/head.json: missing",
                "docs/schemas/gone.json: the program no longer has it",
            ]
        );
        apply(tree.root(), &documents, &changes).unwrap();
        assert_eq!(compare(tree.root(), &documents).unwrap(), []);
        assert_eq!(tree.read("docs/schemas/head.json"), "{\n  \"type\": \"object\"\n}\n");
    }

    #[test]
    fn a_schema_name_cannot_leave_its_folder() {
        assert!(schemas(r#"{"../x": {}}"#).is_err());
    }
}
