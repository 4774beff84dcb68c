//! The four commands that are killed: what each does in a round, and what it may not lose.

use std::collections::BTreeSet;

use gik_testkit::Tree;
use serde_json::{Value, json};

use super::super::project::{edit, gik, knowledge, memory_id};
use super::super::truth::Truth;
use super::Victim;

fn words(line: &[&str]) -> Vec<String> {
    line.iter().map(|&word| word.to_owned()).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

#[derive(Default)]
pub(super) struct Commit {
    revisions: BTreeSet<String>,
}

impl Victim for Commit {
    fn start(&mut self, tree: &Tree, _rounds: &[usize]) {
        self.revisions = Truth::of(tree).revision_ids();
    }

    fn prepare(&mut self, tree: &Tree, round: usize) {
        edit(tree, round + 2);
        if round.is_multiple_of(5) {
            // Sources that wait go through their own states during a commit.
            tree.write(&format!("notes/{round}.md"), format!("# Note {round}\n"));
            gik(tree).run(&["add", &format!("notes/{round}.md")]).success();
        }
    }

    fn args(&self, round: usize) -> Vec<String> {
        words(&["commit", "-m", &format!("feat: round {round}"), "--json"])
    }

    fn acknowledge(&mut self, answer: &Value) {
        self.revisions.insert(text(&answer["revisionId"]));
    }

    fn is_done(&self, before: &Truth, after: &Truth) -> bool {
        after.revisions.len() > before.revisions.len()
    }

    fn check(&self, truth: &Truth) {
        assert!(self.revisions.is_subset(&truth.revision_ids()), "a revision was lost: {truth:?}");
    }

    /// However often it was killed, what it wrote is what one undisturbed run writes.
    fn finish(&self, tree: &Tree) {
        let fresh = Tree::empty();
        for path in tree.list() {
            fresh.write(&path, tree.read_bytes(&path));
        }
        gik(&fresh).run(&["index"]).success();
        for name in ["bases/code/sources.jsonl", "bases/docs/sources.jsonl", "stack/files.jsonl"] {
            let path = knowledge(name);
            assert_eq!(tree.read(&path), fresh.read(&path), "{name} differs from one made at once");
        }
    }
}

#[derive(Default)]
pub(super) struct Add {
    sources: BTreeSet<String>,
}

impl Victim for Add {
    fn start(&mut self, tree: &Tree, _rounds: &[usize]) {
        self.sources = Truth::of(tree).source_ids();
    }

    fn prepare(&mut self, tree: &Tree, round: usize) {
        tree.write(&format!("notes/{round}.md"), format!("# Note {round}\n"));
    }

    fn args(&self, round: usize) -> Vec<String> {
        words(&["add", &format!("notes/{round}.md"), "--json"])
    }

    fn acknowledge(&mut self, answer: &Value) {
        let added = answer["added"].as_array().expect("a list of entries");
        self.sources.extend(added.iter().map(|entry| text(&entry["id"])));
    }

    fn is_done(&self, _before: &Truth, _after: &Truth) -> bool {
        false
    }

    fn check(&self, truth: &Truth) {
        assert!(self.sources.is_subset(&truth.source_ids()), "a source was lost: {truth:?}");
    }
}

#[derive(Default)]
pub(super) struct MemoryAdd {
    entries: BTreeSet<String>,
}

impl Victim for MemoryAdd {
    fn start(&mut self, _tree: &Tree, _rounds: &[usize]) {
        self.entries.clear();
    }

    fn prepare(&mut self, _tree: &Tree, _round: usize) {}

    fn args(&self, round: usize) -> Vec<String> {
        words(&["memory", "add", &format!("Parcel {round} was late."), "--json"])
    }

    fn acknowledge(&mut self, answer: &Value) {
        self.entries.insert(memory_id(answer));
    }

    fn is_done(&self, _before: &Truth, _after: &Truth) -> bool {
        false
    }

    fn check(&self, truth: &Truth) {
        assert!(self.entries.is_subset(&truth.memory_ids()), "an entry was lost: {truth:?}");
    }
}

/// Each round archives the entries that carry its tag; the others stay.
#[derive(Default)]
pub(super) struct MemoryPrune {
    all: BTreeSet<String>,
    pruned: BTreeSet<String>,
}

impl Victim for MemoryPrune {
    fn start(&mut self, tree: &Tree, rounds: &[usize]) {
        let entry = |round: usize, at: usize| {
            json!({
                "id": format!("mem-{round:06}{at:06}"),
                "createdAt": "2026-01-02T03:04:05Z",
                "updatedAt": "2026-01-02T03:04:05Z",
                "scope": "project",
                "source": "observation",
                "text": format!("Observation {at} of round {round}."),
                "tags": [format!("round-{round}")],
                "branch": null,
                "originRevision": null,
            })
        };
        let entries: Vec<Value> =
            rounds.iter().flat_map(|&round| (0..2).map(move |at| entry(round, at))).collect();
        let lines: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
        tree.write(&knowledge("bases/memory/sources.jsonl"), lines);
        gik(tree).run(&["verify", "--repair"]).success();
        self.all = Truth::of(tree).memory_ids();
        self.pruned.clear();
        assert_eq!(self.all.len(), entries.len());
    }

    fn prepare(&mut self, _tree: &Tree, _round: usize) {}

    fn args(&self, round: usize) -> Vec<String> {
        words(&[
            "memory",
            "prune",
            "--obsolete-tag",
            &format!("round-{round}"),
            "--mode",
            "archive",
            "--json",
        ])
    }

    fn acknowledge(&mut self, answer: &Value) {
        let pruned = answer["pruned"].as_array().expect("a list of entries");
        self.pruned.extend(pruned.iter().map(|pruned| text(&pruned["entry"]["id"])));
    }

    fn is_done(&self, _before: &Truth, _after: &Truth) -> bool {
        false
    }

    fn check(&self, truth: &Truth) {
        let (active, archived) = (truth.memory_ids(), truth.archive_ids());
        assert!(active.is_disjoint(&archived), "an entry is active and archived: {truth:?}");
        let kept: BTreeSet<String> = active.union(&archived).cloned().collect();
        assert_eq!(kept, self.all, "an entry was lost or made up");
        assert!(self.pruned.is_subset(&archived), "a pruned entry came back: {truth:?}");
    }
}
