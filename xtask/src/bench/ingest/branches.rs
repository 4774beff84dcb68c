//! Two states of a tree as branches of a git repository, and the switch between them.

use std::path::Path;
use std::process::Command;

use crate::corpus;
use crate::process;
use crate::stop::Result;
use crate::workspace;

/// The branch that everything else is measured on.
pub(super) const MAIN: &str = "main";
/// How many files differ between the branches.
const CHANGED: usize = 50;
/// Endings of languages where two slashes start a comment.
const SLASH_COMMENTS: &[&str] = &[".c", ".cpp", ".cs", ".go", ".h", ".java", ".js", ".rs", ".ts"];

/// Makes the tree a repository with all of it on the main branch.
pub(super) fn prepare(root: &Path) -> Result<()> {
    git(root, &["init", "--quiet", "--initial-branch", MAIN])?;
    workspace::write(&root.join(".git/info/exclude"), "/.guided\n")?;
    commit(root)
}

/// Keeps what has changed on the main branch and prepares the state of the others.
pub(super) fn keep(root: &Path) -> Result<()> {
    commit(root)?;
    git(root, &["checkout", "--quiet", "-b", "others"])?;
    let files = workspace::files(root)?;
    let sources: Vec<String> = files
        .into_iter()
        .filter(|file| SLASH_COMMENTS.iter().any(|ending| file.ends_with(ending)))
        .collect();
    for file in corpus::spread(&[sources], CHANGED) {
        let path = root.join(file);
        // A file that is no text stays as it is.
        if let Ok(text) = workspace::read(&path) {
            workspace::write(&path, &format!("{text}\n// Changed on another branch.\n"))?;
        }
    }
    commit(root)?;
    git(root, &["checkout", "--quiet", MAIN])
}

/// The name of a branch that no round before has seen.
pub(super) fn other(round: usize) -> String {
    format!("other-{round}")
}

/// Checks a branch out, making it from the state of the others where it is new.
pub(super) fn switch(root: &Path, branch: &str) -> Result<()> {
    if branch != MAIN {
        git(root, &["branch", "--force", branch, "others"])?;
    }
    git(root, &["checkout", "--quiet", branch])
}

fn commit(root: &Path) -> Result<()> {
    git(root, &["add", "--all"])?;
    git(root, &["commit", "--quiet", "--allow-empty", "--message", "state"])
}

fn git(root: &Path, args: &[&str]) -> Result<()> {
    let mut command = Command::new("git");
    process::clean_environment(&mut command);
    command.current_dir(root);
    for setting in [
        "user.name=bench",
        "user.email=bench@example.com",
        "commit.gpgsign=false",
        "core.autocrlf=false",
        "core.hooksPath=/dev/null",
        "gc.auto=0",
    ] {
        command.args(["-c", setting]);
    }
    process::quiet_output(command.args(args)).map(|_| ())
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn branches_differ_in_source_files_and_nothing_is_lost() {
        let tree = Tree::new("//- a.rs\nfn a() {}\n//- b.md\n# B\n//- .guided/x\n1\n");
        prepare(tree.root()).unwrap();
        tree.append("a.rs", "fn b() {}\n");
        keep(tree.root()).unwrap();
        let main = tree.read("a.rs");
        assert_eq!(main, "fn a() {}\nfn b() {}\n");
        switch(tree.root(), &other(0)).unwrap();
        assert!(tree.read("a.rs").starts_with(&main));
        assert_ne!(tree.read("a.rs"), main);
        assert_eq!(tree.read("b.md"), "# B\n");
        switch(tree.root(), MAIN).unwrap();
        assert_eq!(tree.read("a.rs"), main);
        assert!(tree.exists(".guided/x"));
    }
}
