//! What must survive: HEAD, timeline, list of sources, memory. Read as a stranger to the program would read it.

use std::collections::BTreeSet;

use gik_testkit::Tree;
use serde_json::Value;

use super::project::knowledge;

/// The files of the branch that cannot be derived again.
#[derive(Debug)]
pub(super) struct Truth {
    pub(super) head: String,
    pub(super) revisions: Vec<Value>,
    pub(super) sources: Vec<Value>,
    pub(super) memory: Vec<Value>,
    pub(super) archive: Vec<Value>,
}

/// What a file may look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Every line is a record.
    Whole,
    /// The last line may lack its end.
    MayBeTorn,
}

impl Truth {
    /// Everything, each line whole, and the history one chain from the first revision to HEAD.
    pub(super) fn of(tree: &Tree) -> Self {
        let truth = Self::read(tree, End::Whole);
        truth.check_chain();
        truth
    }

    /// What a reader finds right after a kill, before a writer has repaired anything: HEAD names a revision, and the
    /// files that are replaced as a whole are whole.
    pub(super) fn before_recovery(tree: &Tree) -> Self {
        let truth = Self::read(tree, End::MayBeTorn);
        assert!(
            truth.revision_ids().contains(&truth.head),
            "HEAD is not in the timeline: {truth:?}"
        );
        truth
    }

    fn read(tree: &Tree, timeline: End) -> Self {
        Self {
            head: tree.read(&knowledge("HEAD")).trim().to_owned(),
            revisions: lines(tree, "timeline.jsonl", timeline),
            sources: lines(tree, "staging/pending.jsonl", End::Whole),
            memory: lines(tree, "bases/memory/sources.jsonl", End::Whole),
            archive: lines(tree, "bases/memory/archive.jsonl", End::Whole),
        }
    }

    fn check_chain(&self) {
        let mut parent = None;
        for revision in &self.revisions {
            assert_eq!(revision["parentId"].as_str(), parent, "the chain is broken: {self:?}");
            parent = revision["id"].as_str();
        }
        assert_eq!(Some(self.head.as_str()), parent, "HEAD is not the newest revision");
        for records in [&self.revisions, &self.sources, &self.memory, &self.archive] {
            assert_eq!(ids(records).len(), records.len(), "an id is there twice: {records:?}");
        }
    }

    pub(super) fn revision_ids(&self) -> BTreeSet<String> {
        ids(&self.revisions)
    }

    pub(super) fn source_ids(&self) -> BTreeSet<String> {
        ids(&self.sources)
    }

    pub(super) fn memory_ids(&self) -> BTreeSet<String> {
        ids(&self.memory)
    }

    pub(super) fn archive_ids(&self) -> BTreeSet<String> {
        ids(&self.archive)
    }
}

fn ids(records: &[Value]) -> BTreeSet<String> {
    records
        .iter()
        .map(|record| record["id"].as_str().expect("a record has an id").to_owned())
        .collect()
}

fn lines(tree: &Tree, name: &str, end: End) -> Vec<Value> {
    let path = knowledge(name);
    if !tree.exists(&path) {
        return Vec::new();
    }
    let text = String::from_utf8(tree.read_bytes(&path)).expect("JSON lines are UTF-8");
    let mut records = Vec::new();
    for line in text.split_inclusive('\n') {
        match serde_json::from_str(line) {
            Ok(record) if line.ends_with('\n') || end == End::MayBeTorn => records.push(record),
            _ if !line.ends_with('\n') && end == End::MayBeTorn => {},
            other => unreadable(&path, line, &format!("{other:?}")),
        }
    }
    records
}

#[expect(clippy::panic, reason = "the caller is a test; file and line belong in its message")]
fn unreadable(path: &str, line: &str, problem: &str) -> ! {
    panic!("`{path}` has the line {line:?}: {problem}")
}
