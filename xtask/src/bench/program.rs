//! The program under test and what is done to the tree it works on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::child::{self, Finished};
use super::series::Results;
use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

/// Where the index lives inside a tree.
pub(super) const KNOWLEDGE: &str = ".guided";

/// How often each thing is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rounds {
    /// Indexing from nothing.
    pub(super) fresh: usize,
    /// Everything that works on the finished index.
    pub(super) steady: usize,
}

/// The program under test and how to run it.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) binary: PathBuf,
    /// The command that only walks.
    pub(super) walker: PathBuf,
    pub(super) home: PathBuf,
    pub(super) rounds: Rounds,
}

impl Program {
    /// Runs it on a tree.
    pub(super) fn gik(&self, root: &Path, args: &[&str]) -> Result<Finished> {
        let mut command = Command::new(&self.binary);
        process::clean_environment(&mut command);
        command.arg("-C").arg(root).args(args);
        command.env("GIK_HOME", &self.home).env("GIK_NO_DAEMON", "1").env("NO_COLOR", "1");
        child::run(&mut command)
    }

    /// Runs the command that only walks.
    pub(super) fn walk(&self, root: &Path) -> Result<Finished> {
        let mut command = Command::new(&self.walker);
        process::clean_environment(&mut command);
        child::run(command.arg(root))
    }
}

/// Removes the index, so that the next one is made from nothing.
pub(super) fn forget(root: &Path) -> Result<()> {
    let knowledge = root.join(KNOWLEDGE);
    if knowledge.exists() {
        fs::remove_dir_all(&knowledge)
            .map_err(|error| Stop::on_path("remove", &knowledge, error))?;
    }
    Ok(())
}

/// The first Rust file in the order of names: the same in every run.
pub(super) fn some_source_file(root: &Path) -> Result<PathBuf> {
    let files = workspace::files(root)?;
    let found = files.iter().find(|file| file.ends_with(".rs") && !file.starts_with(KNOWLEDGE));
    found
        .map(|file| root.join(file))
        .ok_or_else(|| Stop::Failed("the tree has no Rust file to change".to_owned()))
}

/// Adds a function to a Rust file.
pub(super) fn change(path: &Path, round: usize) -> Result<()> {
    let text = workspace::read(path)?;
    let added = format!("\n/// Added in round {round}.\npub fn added_in_round_{round}() {{}}\n");
    workspace::write(path, &(text + &added))
}

/// Notes how large the index of a tree is, and what is written beside it.
pub(super) fn note_sizes(results: &mut Results, root: &Path) -> Result<()> {
    (results.index_bytes, results.document_bytes) = (0, 0);
    let folder = root.join(KNOWLEDGE);
    for file in workspace::all_files(&folder)? {
        let path = folder.join(&file);
        let metadata =
            fs::metadata(&path).map_err(|error| Stop::on_path("look at", &path, error))?;
        let is_index = ["/index.", "/lexical/"].iter().any(|part| file.contains(part));
        *(if is_index { &mut results.index_bytes } else { &mut results.document_bytes }) +=
            metadata.len();
    }
    Ok(())
}

/// A shell script in the place of the program, with two rounds of everything.
#[cfg(all(test, unix))]
pub(super) fn pretend(tree: &gik_testkit::Tree, script: &str) -> Program {
    let binary = tree.outside().join("program");
    // Written by a child: a file that this process holds open for writing could not be started.
    let write = "printf '%s' \"$1\" > \"$0\" && chmod +x \"$0\"";
    let script = format!("#!/bin/sh\n{script}");
    let status = Command::new("/bin/sh").args(["-c", write]).arg(&binary).arg(script).status();
    assert!(status.is_ok_and(|status| status.success()));
    Program {
        walker: PathBuf::from("true"),
        binary,
        home: tree.home().to_owned(),
        rounds: Rounds { fresh: 2, steady: 2 },
    }
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::super::series::Subject;
    use super::*;

    #[test]
    fn changing_a_file_changes_its_text_every_round() {
        let tree = Tree::new("//- b.rs\nfn b() {}\n//- a.md\n");
        let path = some_source_file(tree.root()).unwrap();
        change(&path, 0).unwrap();
        let once = tree.read("b.rs");
        change(&path, 1).unwrap();
        assert!(tree.read("b.rs").starts_with(&once));
    }

    #[test]
    fn what_is_written_for_others_is_no_part_of_the_index() {
        let tree = Tree::new(
            "//- .guided/k/main/index.sqlite\n12\n//- .guided/k/main/lexical/1.seg\n3\n//- .guided/k/main/kg/nodes.jsonl\n4\n",
        );
        let subject = Subject { label: "x".to_owned(), generated: None, files: 1, bytes: 1 };
        let mut results = Results::new(subject);
        note_sizes(&mut results, tree.root()).unwrap();
        assert_eq!((results.index_bytes, results.document_bytes), (5, 2));
    }

    #[test]
    fn forgetting_leaves_the_files_alone() {
        let tree = Tree::new("//- a\n1\n//- .guided/x\n2\n");
        forget(tree.root()).unwrap();
        forget(tree.root()).unwrap();
        assert_eq!(tree.list_below(""), ["a"]);
    }
}
