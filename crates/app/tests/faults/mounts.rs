//! File systems that belong to one test: small ones, read-only ones.
//!
//! A test that needs them runs its body in a process of its own with a private list of mounts, where it may mount
//! without being root and nothing it mounts outlives it.

use std::path::Path;
use std::process::{Command, Stdio};

use gik_testkit::Tree;

use super::project::say;

/// Tells the inner process that it is one.
const INSIDE: &str = "GIK_TEST_PRIVATE_MOUNTS";

/// Whether the body of a test ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    Ran,
    /// The system does not allow mounting; the text says why.
    Impossible(String),
}

/// Runs `body` where it may mount. `test` is the full name of the calling test, which is run again inside.
pub(super) fn with_private_mounts(test: &str, body: impl FnOnce()) -> Outcome {
    if std::env::var_os(INSIDE).is_some() {
        body();
        return Outcome::Ran;
    }
    let mut reasons = Vec::new();
    // As a user with a namespace of its own; then as root without one.
    for flags in [&["--map-root-user", "--mount"][..], &["--mount"]] {
        match probe(flags) {
            Ok(()) => {
                run_inside(flags, test);
                return Outcome::Ran;
            },
            Err(reason) => reasons.push(reason),
        }
    }
    Outcome::Impossible(reasons.join("; "))
}

/// Whether a small file system can be mounted that way.
fn probe(flags: &[&str]) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new("unshare")
        .args(flags)
        .args(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"])
        .arg(folder.path())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`unshare` does not start: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

fn run_inside(flags: &[&str], test: &str) {
    let binary = std::env::current_exe().expect("the test knows its binary");
    let output = Command::new("unshare")
        .args(flags)
        .arg(binary)
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, "1")
        .stdin(Stdio::null())
        .output()
        .expect("`unshare` started before");
    let (said, listed) =
        (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "{test} failed in its own process:\n{said}\n{listed}");
    say(said.trim_end());
    assert!(listed.contains("1 passed"), "{test} is not the name of the test:\n{listed}");
}

/// A file system in memory on a tree's root; gone when dropped, before the tree is.
#[derive(Debug)]
pub(super) struct Mounted<'tree> {
    root: &'tree Path,
}

impl<'tree> Mounted<'tree> {
    /// Puts an empty file system of that many bytes on the root of a tree.
    pub(super) fn on(tree: &'tree Tree, bytes: usize) -> Self {
        let options = format!("size={bytes}");
        mount(&["-t", "tmpfs", "-o", &options, "tmpfs"], tree.root());
        Self { root: tree.root() }
    }

    /// From now on nothing can be written to it.
    pub(super) fn make_read_only(&self) {
        mount(&["-o", "remount,bind,ro"], self.root);
    }

    /// From now on it can be written to.
    pub(super) fn make_writable(&self) {
        mount(&["-o", "remount,bind,rw"], self.root);
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        // A failing test is on its way out, and its private mounts go with it.
        drop(Command::new("umount").arg("--lazy").arg(self.root).status());
    }
}

fn mount(options: &[&str], folder: &Path) {
    let status = Command::new("mount").args(options).arg(folder).status().expect("`mount` starts");
    assert!(status.success(), "`mount {}` failed", options.join(" "));
}
