//! Real git in a test tree, blind to the configuration of the person who runs the test.

use std::process::Command;

use crate::Tree;

/// The moment every commit of a test has, so that commit ids are the same in every run.
const COMMIT_TIME: &str = "2026-01-02T03:04:05Z";

impl Tree {
    /// Runs git in the workspace, checks that it succeeded and gives its standard output without the last newline.
    pub fn git(&self, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(args).current_dir(self.root());
        self.isolate_git(&mut command);
        let output = command.output().expect("git is installed");
        assert!(
            output.status.success(),
            "git {}: {}",
            args.join(" "),
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Makes the workspace a git repository on branch `main`.
    pub fn git_init(&self) {
        self.git(&["init", "--quiet", "--initial-branch", "main"]);
    }

    /// Commits everything and gives the commit's id.
    pub fn git_commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Takes the user's git settings and a surrounding repository out of a command's sight.
    pub(crate) fn isolate_git(&self, command: &mut Command) {
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        command
            .env("HOME", self.home())
            .env("XDG_CONFIG_HOME", self.home().join(".config"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", self.outside())
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_AUTHOR_NAME", "Test")
            .env("GIT_AUTHOR_EMAIL", "test@example.com")
            .env("GIT_AUTHOR_DATE", COMMIT_TIME)
            .env("GIT_COMMITTER_NAME", "Test")
            .env("GIT_COMMITTER_EMAIL", "test@example.com")
            .env("GIT_COMMITTER_DATE", COMMIT_TIME);
    }
}

#[cfg(test)]
mod tests {
    use crate::Tree;

    #[test]
    fn the_same_files_give_the_same_commit_id() {
        let commit = || {
            let tree = Tree::new("//- a\none\n");
            tree.git_init();
            tree.git_commit("first")
        };
        assert_eq!(commit(), commit());
    }

    #[test]
    fn branches_can_be_switched() {
        let tree = Tree::new("//- a\none\n");
        tree.git_init();
        tree.git_commit("first");
        tree.git(&["switch", "--quiet", "--create", "feature/x"]);
        assert_eq!(tree.git(&["branch", "--show-current"]), "feature/x");
    }
}
