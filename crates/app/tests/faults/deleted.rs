//! Derived files are deleted: the next command answers, truth is untouched, and one command brings all of them back.

use gik_testkit::Tree;

use super::project::{
    Saved, ask, evidence, gik, indexed_project, knowledge, listed_memory, remember, verify,
};

/// What can be derived again, each a file or a folder.
const DERIVED: [&str; 9] = [
    "index.sqlite",
    "lexical",
    "stack",
    "bases/code/sources.jsonl",
    "bases/code/stats.json",
    "bases/docs/sources.jsonl",
    "bases/docs/stats.json",
    "bases/memory/stats.json",
    "staging/summary.json",
];

/// What cannot.
const TRUTH: [&str; 4] =
    ["HEAD", "timeline.jsonl", "staging/pending.jsonl", "bases/memory/sources.jsonl"];

fn prepared() -> (Tree, Vec<String>) {
    let tree = indexed_project();
    let mut ids = vec![
        remember(&tree, "Depots close at six."),
        remember(&tree, "Scales are checked in May."),
    ];
    ids.sort();
    (tree, ids)
}

fn sorted_memory(tree: &Tree) -> Vec<String> {
    let mut ids = listed_memory(tree);
    ids.sort();
    ids
}

/// Answers come, truth is what it was, and `repair` brings every file back.
fn recovers(tree: &Tree, saved: &Saved, what: &str, repair: &[&str]) {
    gik(tree).run(&["status"]).success();
    gik(tree).run(&["log"]).success();
    gik(tree).run(&["stats"]).success();
    ask(tree);
    for name in TRUTH {
        let path = knowledge(name);
        assert_eq!(
            tree.read_bytes(&path),
            saved.bytes(&path),
            "{name} changed after {what} was deleted"
        );
    }
    gik(tree).run(repair).success();
    assert_eq!(saved.missing(tree), Vec::<String>::new(), "not back after {what} was deleted");
    verify(tree);
}

#[test]
fn each_derived_file_comes_back() {
    let (tree, memory) = prepared();
    let expected = evidence(&ask(&tree));
    let saved = Saved::of(&tree);
    for repair in [&["index"][..], &["verify", "--repair"]] {
        for name in DERIVED {
            saved.restore(&tree);
            tree.remove(&knowledge(name));
            recovers(&tree, &saved, name, repair);
            assert_eq!(evidence(&ask(&tree)), expected, "{name}");
            assert_eq!(sorted_memory(&tree), memory, "{name}");
        }
    }
}

#[test]
fn all_derived_files_at_once_come_back() {
    let (tree, memory) = prepared();
    let expected = evidence(&ask(&tree));
    let saved = Saved::of(&tree);
    for repair in [&["index"][..], &["verify", "--repair"]] {
        saved.restore(&tree);
        for name in DERIVED {
            tree.remove(&knowledge(name));
        }
        assert_eq!(sorted_memory(&tree), memory);
        recovers(&tree, &saved, "everything", repair);
        assert_eq!(evidence(&ask(&tree)), expected);
        assert_eq!(sorted_memory(&tree), memory);
    }
}

#[test]
fn a_commit_after_everything_derived_is_gone_keeps_the_history() {
    let (tree, memory) = prepared();
    let saved = Saved::of(&tree);
    for name in DERIVED {
        tree.remove(&knowledge(name));
    }
    super::project::edit(&tree, 9);
    gik(&tree).run(&["commit", "-m", "feat: from nothing"]).success();
    let path = knowledge("timeline.jsonl");
    let before = String::from_utf8_lossy(saved.bytes(&path)).into_owned();
    assert!(tree.read(&path).starts_with(&before), "the history changed");
    assert_eq!(sorted_memory(&tree), memory);
    verify(&tree);
}
