//! `cargo xtask tidy`: the house rules that neither the compiler nor clippy knows. Also a test, so it cannot be forgotten.
//!
//! `lexed` tells code from comments and text, `source` holds the rules for one file, `structure` those for crates and
//! folders, `exceptions` reads `xtask/tidy.toml`.

mod exceptions;
mod lexed;
mod source;
mod structure;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use crate::stop::{Result, Stop};
use crate::workspace;

use exceptions::Exceptions;
use source::Role;

/// One breach of a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    rule: &'static str,
    /// What is wrong and how to mend it.
    message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} [{}]", self.path, self.line, self.message, self.rule)
    }
}

/// Checks the checkout and prints what breaks a rule.
pub(crate) fn run() -> Result<()> {
    let findings = check(&workspace::root())?;
    if findings.is_empty() {
        return Ok(());
    }
    for finding in &findings {
        println!("{finding}");
    }
    Err(Stop::Failed(format!(
        "{} breaches of the house rules\nhint: an exception with its reason goes to `xtask/tidy.toml`",
        findings.len()
    )))
}

/// Every breach below the root that is not an exception, sorted.
pub(crate) fn check(root: &Path) -> Result<Vec<Finding>> {
    let exceptions = Exceptions::read(&root.join(exceptions::FILE))?;
    let files = workspace::files(root)?;
    let mut findings = structure::check(root, &files)?;
    let mut texts = Vec::new();
    for path in files.iter().filter(|path| source::is_text_of_ours(path)) {
        texts.push((path, workspace::read(&root.join(path))?));
    }
    let test_modules: BTreeSet<String> =
        texts.iter().flat_map(|(path, text)| source::test_modules(path, text)).collect();
    for (path, text) in &texts {
        let role = if test_modules.contains(*path) { Role::TestModule } else { Role::Product };
        findings.extend(source::check(path, text, role));
    }
    let mut findings = exceptions.apply(findings);
    findings.sort();
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checkout_keeps_the_house_rules() {
        let findings = check(&workspace::root()).unwrap();
        let list: Vec<String> = findings.iter().map(Finding::to_string).collect();
        assert!(list.is_empty(), "\n{}\n", list.join("\n"));
    }
}
