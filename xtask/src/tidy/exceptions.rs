//! `xtask/tidy.toml`: where a house rule does not hold, and why.

use std::path::Path;

use toml::Value;

use super::Finding;
use crate::stop::{Result, Stop};
use crate::workspace;

/// Where exceptions are written down.
pub(super) const FILE: &str = "xtask/tidy.toml";

/// The exceptions in the order written.
#[derive(Debug)]
pub(super) struct Exceptions(Vec<Exception>);

#[derive(Debug)]
struct Exception {
    rule: String,
    path: String,
}

impl Exceptions {
    /// Reads `[[allow]]` tables; a missing file allows nothing.
    pub(super) fn read(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Ok(Self(Vec::new()));
        }
        let table = workspace::read_toml(path)?;
        let allowed = table.get("allow").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        allowed.iter().map(Exception::parse).collect::<Result<_>>().map(Self)
    }

    /// Takes out what is allowed; an exception that nothing needs any more is a finding itself.
    pub(super) fn apply(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut used = vec![false; self.0.len()];
        let mut kept = Vec::new();
        for finding in findings {
            match self.0.iter().position(|exception| exception.covers(&finding)) {
                Some(position) => used[position] = true,
                None => kept.push(finding),
            }
        }
        for (exception, _) in self.0.iter().zip(used).filter(|(_, used)| !used) {
            kept.push(Finding {
                path: FILE.to_owned(),
                line: 1,
                rule: "exceptions",
                message: format!(
                    "`{}` keeps `{}` by now: remove the entry",
                    exception.path, exception.rule
                ),
            });
        }
        kept
    }
}

impl Exception {
    fn parse(entry: &Value) -> Result<Self> {
        let text = |key: &str| {
            let value = entry.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
            value
                .map(str::to_owned)
                .ok_or_else(|| Stop::Failed(format!("{FILE}: an [[allow]] entry has no `{key}`")))
        };
        // The reason is for the reader; an entry without one is refused.
        text("reason")?;
        Ok(Self { rule: text("rule")?, path: text("path")? })
    }

    fn covers(&self, finding: &Finding) -> bool {
        self.rule == finding.rule && self.path == finding.path
    }
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    fn finding(path: &str) -> Finding {
        Finding { path: path.to_owned(), line: 3, rule: "host-door", message: "x".to_owned() }
    }

    fn exceptions(text: &str) -> Result<Exceptions> {
        let tree = Tree::empty();
        tree.write("tidy.toml", text);
        Exceptions::read(&tree.path("tidy.toml"))
    }

    #[test]
    fn an_exception_covers_one_rule_in_one_file() {
        let exceptions =
            exceptions("[[allow]]\nrule = \"host-door\"\npath = \"a.rs\"\nreason = \"why\"\n");
        let kept =
            exceptions.unwrap().apply(vec![finding("a.rs"), finding("a.rs"), finding("b.rs")]);
        assert_eq!(kept, [finding("b.rs")]);
    }

    #[test]
    fn an_exception_needs_a_reason_and_a_use() {
        assert!(exceptions("[[allow]]\nrule = \"host-door\"\npath = \"a.rs\"\n").is_err());
        let unused =
            exceptions("[[allow]]\nrule = \"host-door\"\npath = \"a.rs\"\nreason = \"why\"\n");
        assert_eq!(unused.unwrap().apply(Vec::new())[0].rule, "exceptions");
    }
}
