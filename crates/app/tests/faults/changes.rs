//! SIGKILL at random moments while a proposed change is applied: the next command finds all files old or all new.

use std::time::Instant;

use gik_testkit::{Rng, Tree};

use super::project::{gik, say};

const KILLS: usize = 120;
const KILLS_PER_TREE: usize = 30;
const FILES: usize = 24;

/// The name of a file that is changed.
fn name(at: usize) -> String {
    format!("part_{}/file_{at}.txt", at % 4)
}

fn text(word: &str, at: usize) -> String {
    format!("{word} {at}\nsame\n")
}

/// Leads every file from one word to the other; one file and its folder come or go.
fn diff(from: &str, to: &str) -> String {
    let one = |at: usize| {
        let name = name(at);
        format!("--- a/{name}\n+++ b/{name}\n@@ -1,2 +1,2 @@\n-{from} {at}\n+{to} {at}\n same\n")
    };
    let diff: String = (0..FILES).map(one).collect();
    if to == "new" {
        diff + "--- /dev/null\n+++ b/made/file.txt\n@@ -0,0 +1 @@\n+made\n"
    } else {
        diff + "--- a/made/file.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-made\n"
    }
}

/// The word that all files have.
fn word(tree: &Tree, round: usize) -> &'static str {
    let word = if tree.read(&name(0)) == text("old", 0) { "old" } else { "new" };
    for at in 0..FILES {
        assert_eq!(tree.read(&name(at)), text(word, at), "round {round}, file {at}");
    }
    assert_eq!(tree.exists("made/file.txt"), word == "new", "round {round}");
    assert_eq!(tree.list().len(), FILES + usize::from(word == "new"), "round {round}");
    word
}

#[test]
fn a_change_that_is_killed_happens_wholly_or_not_at_all() {
    let seed = 17;
    say(&format!("seed {seed}"));
    let mut rng = Rng::new(seed);
    let (mut hits, mut taken_back, mut made) = (0, 0, 0);
    for first in (0..KILLS).step_by(KILLS_PER_TREE) {
        let tree = Tree::empty();
        for at in 0..FILES {
            tree.write(&name(at), text("old", at));
        }
        let gik = gik(&tree);
        let propose = |from: &str| {
            let to = if from == "old" { "new" } else { "old" };
            let arguments = [
                "tool",
                "apply_unified_diff",
                &diff(from, to),
                "--confirmation-token",
                "",
                "--json",
            ];
            let run = gik.run(&arguments).success();
            run.json()["data"]["change_id"].as_str().unwrap().to_owned()
        };
        let id = propose("old");
        let started = Instant::now();
        gik.run(&["changes", "apply", &id, "--yes"]).success();
        let longest = started.elapsed().mul_f64(1.1);
        let mut before = word(&tree, first);
        for round in first..first + KILLS_PER_TREE {
            let id = propose(before);
            let ending = gik.kill_at_random(&["changes", "apply", &id, "--yes"], longest, &mut rng);
            hits += usize::from(ending.was_killed());
            let next = gik.run(&["changes", "list"]);
            assert!(matches!(next.code, Some(0 | 1)), "{}", next.snapshot());
            taken_back += usize::from(next.stderr.contains("took back"));
            let after = word(&tree, round);
            assert!(!tree.exists(".guided/changes/journal.json"));
            made += usize::from(after != before);
            before = after;
        }
    }
    say(&format!("{hits} of {KILLS} kills hit; {taken_back} changes were taken back, {made} made"));
    assert!(hits * 3 >= KILLS && taken_back > 0 && made > 0, "{hits} {taken_back} {made}");
}
