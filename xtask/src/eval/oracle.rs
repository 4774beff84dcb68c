//! Runs universal-ctags over a list of files and reads the definitions it prints.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::process;
use crate::stop::{Result, Stop};

/// A definition that ctags reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) kind: String,
    /// The kind of what encloses it, empty at the top.
    pub(super) scope: String,
}

/// The first line of `ctags --version`.
pub(super) fn version() -> Result<String> {
    let printed = process::output(Command::new("ctags").arg("--version"))?;
    let first = printed.lines().next().unwrap_or_default();
    let name = first.split(',').next().unwrap_or_default();
    if !name.starts_with("Universal Ctags") {
        return Err(Stop::Failed(
            "`ctags` is not universal-ctags\nhint: apt-get install universal-ctags".to_owned(),
        ));
    }
    Ok(name.to_owned())
}

/// The definitions of every listed file, by path; one process for all, reading every file as the named language.
pub(super) fn tags(language: &str, list: &Path) -> Result<BTreeMap<String, Vec<Tag>>> {
    let mut command = Command::new("ctags");
    command.args(["--quiet=yes", "--options=NONE", "--sort=no", "--output-format=json"]);
    // Name, file, line, kind and scope; no pseudo tags and no names made up for what has none.
    command.args(["--fields=NFnzsp", "--extras=-p-{anonymous}", "-f", "-"]);
    command.arg(format!("--language-force={language}")).arg("-L").arg(list);
    let printed = process::quiet_output(&mut command)?;
    let mut all: BTreeMap<String, Vec<Tag>> = BTreeMap::new();
    for line in printed.lines() {
        let (path, tag) = read(line)
            .ok_or_else(|| Stop::Failed(format!("ctags printed something else: {line}")))?;
        all.entry(path).or_default().push(tag);
    }
    Ok(all)
}

fn read(line: &str) -> Option<(String, Tag)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    let tag = Tag {
        name: text("name")?,
        line: u32::try_from(value["line"].as_u64()?).ok()?,
        kind: text("kind")?,
        scope: text("scopeKind").unwrap_or_default(),
    };
    Some((text("path")?, tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_a_tag_of_its_file() {
        let line = r#"{"_type": "tag", "name": "x", "path": "t/a.cpp", "line": 7, "kind": "member", "scope": "A", "scopeKind": "struct"}"#;
        let tag = Tag {
            name: "x".to_owned(),
            line: 7,
            kind: "member".to_owned(),
            scope: "struct".to_owned(),
        };
        assert_eq!(read(line), Some(("t/a.cpp".to_owned(), tag)));
        assert_eq!(read("ctags: warning"), None);
    }
}
