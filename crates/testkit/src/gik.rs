//! Runs the real binary the way a user would, but in a test tree and in an environment that is the same everywhere.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::{Redactor, Running, Talk, Tree};

/// Variables that programs need to start at all, or that tools like coverage read; all others are taken away.
const KEPT_VARIABLES: &[&str] =
    &["PATH", "TMPDIR", "LD_LIBRARY_PATH", "LLVM_PROFILE_FILE", "SystemRoot", "TEMP"];

/// The width that help and tables are laid out for.
pub(crate) const COLUMNS: &str = "100";

/// How to start `gik` in a tree. Each call runs a new process.
#[derive(Debug, Clone)]
pub struct Gik<'tree> {
    binary: PathBuf,
    tree: &'tree Tree,
    folder: PathBuf,
    variables: BTreeMap<String, String>,
}

impl<'tree> Gik<'tree> {
    /// The binary at a path, which tests of the application know as `env!("CARGO_BIN_EXE_gik")`.
    pub fn new(binary: impl Into<PathBuf>, tree: &'tree Tree) -> Self {
        let folder = tree.root().to_owned();
        Self { binary: binary.into(), tree, folder, variables: BTreeMap::new() }
    }

    /// Starts in a folder of the workspace instead of its root.
    #[must_use]
    pub fn within(mut self, relative: &str) -> Self {
        self.folder = self.tree.path(relative);
        self
    }

    /// Sets a variable for the program.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Runs to the end.
    pub fn run(&self, args: &[&str]) -> Run {
        self.spawn(args).wait()
    }

    /// Runs to the end with text on standard input.
    pub fn run_with_input(&self, args: &[&str], input: &str) -> Run {
        let mut child =
            self.command(args).stdin(Stdio::piped()).spawn().expect("the binary starts");
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        // A program that does not read its input closes the pipe early; that is its right.
        drop(stdin.write_all(input.as_bytes()));
        drop(stdin);
        let output = child.wait_with_output().expect("the binary can be waited for");
        self.finish(args, output)
    }

    /// Starts and does not wait, for tests with several processes at once.
    pub fn spawn(&self, args: &[&str]) -> Running<'tree> {
        let child = self.command(args).spawn().expect("the binary starts");
        Running::new(self.clone(), args, child)
    }

    /// Starts and keeps its standard input open.
    pub fn talk(&self, args: &[&str]) -> Talk {
        Talk::new(self.command(args).stdin(Stdio::piped()).spawn().expect("the binary starts"))
    }

    pub(crate) fn finish(&self, args: &[&str], output: Output) -> Run {
        Run {
            line: args.iter().fold("gik".to_owned(), |line, arg| line + " " + &quoted(arg)),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code(),
            redactor: Redactor::for_tree(self.tree),
        }
    }

    fn command(&self, args: &[&str]) -> Command {
        let home = self.tree.home();
        let mut command = Command::new(&self.binary);
        command.args(args).current_dir(&self.folder).env_clear();
        for name in KEPT_VARIABLES {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        self.tree.isolate_git(&mut command);
        command
            .env("USERPROFILE", home)
            .env("GIK_HOME", home.join(".gik"))
            // What another process keeps warm is for the tests about that.
            .env("GIK_NO_DAEMON", "1")
            .env("NO_COLOR", "1")
            .env("TERM", "dumb")
            .env("COLUMNS", COLUMNS)
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .envs(&self.variables)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

/// What a finished run of `gik` left behind.
#[derive(Debug)]
pub struct Run {
    line: String,
    /// Standard output as text.
    pub stdout: String,
    /// Standard error as text.
    pub stderr: String,
    /// The exit code; none when a signal ended the process.
    pub code: Option<i32>,
    redactor: Redactor,
}

impl Run {
    /// Checks that the exit code is 0.
    pub fn success(self) -> Self {
        self.exit(0)
    }

    /// Checks the exit code.
    pub fn exit(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "\n{}", self.raw());
        self
    }

    /// Standard output as one JSON value.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| unreadable(&format!("stdout is not JSON: {error}"), self))
    }

    /// Standard output as one JSON value per line.
    pub fn jsonl(&self) -> Vec<Value> {
        let parsed: Result<Vec<Value>, _> = self.stdout.lines().map(serde_json::from_str).collect();
        parsed
            .unwrap_or_else(|error| unreadable(&format!("stdout is not JSON lines: {error}"), self))
    }

    /// One more rule for [`Run::snapshot`], applied before the built-in ones.
    #[must_use]
    pub fn redact(mut self, pattern: &str, replacement: &str) -> Self {
        self.redactor = self.redactor.rule(pattern, replacement);
        self
    }

    /// Command, output and exit code as one text that is the same in every run.
    pub fn snapshot(&self) -> String {
        self.redactor.apply(&self.raw())
    }

    fn raw(&self) -> String {
        let mut text = format!("$ {}\n{}", self.line, self.stdout);
        end_line(&mut text);
        text.push_str("--- stderr\n");
        text.push_str(&self.stderr);
        end_line(&mut text);
        let code = self.code.map_or_else(|| "by signal".to_owned(), |code| code.to_string());
        text + "--- exit " + &code
    }
}

#[expect(clippy::panic, reason = "the caller is a test; the whole run belongs in its message")]
fn unreadable(message: &str, run: &Run) -> ! {
    panic!("{message}\n{}", run.raw())
}

fn end_line(text: &mut String) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
}

/// The argument as a shell would need it.
fn quoted(arg: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,@~+%".contains(&byte);
    if !arg.is_empty() && arg.bytes().all(plain) {
        arg.to_owned()
    } else {
        format!("'{}'", arg.replace('\'', r"'\''"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_has_the_command_both_outputs_and_the_code() {
        let tree = Tree::empty();
        let shell = Gik::new("/bin/sh", &tree);
        let run = shell.run(&["-c", "pwd; echo oops >&2; exit 3"]).exit(3);
        assert_eq!(
            run.snapshot(),
            "$ gik -c 'pwd; echo oops >&2; exit 3'\n[ROOT]\n--- stderr\noops\n--- exit 3"
        );
    }

    #[test]
    fn the_environment_of_the_developer_is_out_of_sight() {
        let tree = Tree::new("//- sub/a\n");
        let shell = Gik::new("/bin/sh", &tree).within("sub").env("EXTRA", "1");
        let script = "echo \"$CARGO_MANIFEST_DIR|$NO_COLOR|$COLUMNS|$GIK_HOME|$EXTRA|$PWD\"";
        let run = shell.run(&["-c", script]).success();
        assert_eq!(
            run.redact("^[$].*\n", "").snapshot().lines().next(),
            Some("|1|100|[HOME]/.gik|1|[ROOT]/sub")
        );
    }

    #[test]
    fn json_and_standard_input_pass_through() {
        let tree = Tree::empty();
        let cat = Gik::new("/bin/cat", &tree);
        assert_eq!(cat.run_with_input(&[], "{\"a\":1}").json()["a"], 1);
        assert_eq!(cat.run_with_input(&[], "1\n2\n").jsonl().len(), 2);
    }

    #[test]
    fn arguments_are_quoted_when_a_shell_would_need_it() {
        assert_eq!(quoted("--files=src/*.rs"), "'--files=src/*.rs'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("HEAD~1"), "HEAD~1");
    }
}
