//! Other programs on the same tree: those that are on the `PATH`; the others are named in the report.

use std::path::Path;
use std::process::Command;

use super::super::child;
use super::super::series::{Results, Step};
use crate::stop::Result;

/// A program and how it is asked to do what comes closest to making an index.
struct Peer {
    step: Step,
    program: &'static str,
    args: &'static [&'static str],
    /// What it leaves in the tree.
    leaves: Option<&'static str>,
}

const QUESTION: &str = "where is the error of a request reported";

const PEERS: &[Peer] = &[
    Peer { step: Step::Ripgrep, program: "rg", args: &["--files", "--quiet"], leaves: None },
    Peer { step: Step::Ctags, program: "ctags", args: &["-R", "-f", "-"], leaves: None },
    Peer { step: Step::Semble, program: "semble", args: &["search", QUESTION, "."], leaves: None },
    Peer { step: Step::Probe, program: "probe", args: &["search", QUESTION, "."], leaves: None },
    Peer {
        step: Step::Codegraph,
        program: "codegraph",
        args: &["init", "-i"],
        leaves: Some(".codegraph"),
    },
];

/// Runs every peer once and gives a sentence for each that is missing or failed.
pub(super) fn run(results: &mut Results, root: &Path) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    for peer in PEERS {
        if !is_installed(peer.program) {
            notes.push(format!("`{}` is not installed.", peer.program));
            continue;
        }
        let finished = child::run(Command::new(peer.program).args(peer.args).current_dir(root));
        match finished {
            Ok(finished) => results.add(peer.step, finished.wall, finished.peak),
            Err(_) => notes.push(format!("`{}` failed on this tree.", peer.program)),
        }
        if let Some(left) = peer.leaves.map(|left| root.join(left)).filter(|left| left.exists()) {
            super::super::remove(&left)?;
        }
    }
    Ok(notes)
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_looked_for_on_the_path() {
        assert!(is_installed("sh"));
        assert!(!is_installed("no-such-program-anywhere"));
    }
}
