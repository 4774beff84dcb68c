//! Words first, then structure: what can be asked while an index is built, and what is left when that is stopped.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use gik_testkit::{Rng, Running, Tree};
use serde_json::Value;

use super::project::{gik, knowledge, say, verify};

const SOURCES: usize = 50;
const NOTES: usize = 8;
const FILES: usize = SOURCES + NOTES;

/// More text than is read in one go; most of it has no structure, which is quickly done with.
fn large_project() -> Tree {
    let tree = Tree::empty();
    for at in 0..NOTES {
        tree.write(
            &format!("notes/depot_{at}.txt"),
            "a parcel leaves the depot\n\n".repeat(36_000),
        );
    }
    for at in 0..SOURCES {
        let mut text = format!("//! Depot {at}.\n\n");
        let mut n = 0;
        while text.len() < 36_000 {
            n += 1;
            write!(
                text,
                "/// Weighs parcel {n} of depot {at} before it leaves.\npub fn weigh_{at}_{n}(parcels: &mut Vec<u32>) -> u32 \
                 {{\n    parcels.sort_unstable();\n    parcels.iter().map(|parcel| parcel * {n}).sum()\n}}\n\n"
            )
            .expect("a string can be written to");
        }
        tree.write(&format!("src/part_{}/depot_{at}.rs", at % 10), text);
    }
    tree
}

fn state(tree: &Tree) -> Option<Value> {
    let path = knowledge("index_state.json");
    tree.exists(&path).then(|| serde_json::from_str(&tree.read(&path)).expect("it is JSON"))
}

/// Starts an index and waits until its words can be searched.
fn build_with_words(tree: &Tree) -> Running<'_> {
    let running = gik(tree).spawn(&["index"]);
    let started = Instant::now();
    while state(tree).is_none_or(|state| state["stages"]["stage1"]["state"] != "ready") {
        assert!(started.elapsed() < Duration::from_secs(120), "no words after two minutes");
        std::thread::sleep(Duration::from_millis(5));
    }
    running
}

/// What an index without any interruption gives, apart from times and ids.
fn result(tree: &Tree) -> (String, Value) {
    let answer = gik(tree).run(&["search", "--json", "weigh_17_3"]).success().json();
    (tree.read(&knowledge("bases/code/sources.jsonl")), answer["results"].clone())
}

fn unfinished(tree: &Tree) -> u64 {
    gik(tree).run(&["status", "--json"]).success().json()["unfinished"]
        .as_u64()
        .expect("it is a number")
}

#[test]
fn words_can_be_searched_before_structure_is_read() {
    let tree = large_project();
    let mut running = build_with_words(&tree);
    let asked = Instant::now();
    let run = gik(&tree).run(&["search", "--json", "weigh_17_3"]).success();
    let waited = asked.elapsed();
    assert!(!running.has_ended(), "the index was done before it was asked");
    assert!(run.stdout.contains("src/part_7/depot_17.rs"), "{}", run.stdout);
    assert!(run.stderr.contains("the index is being built"), "{}", run.stderr);
    assert!(waited < Duration::from_secs(5), "a reader waited {waited:?} for a builder");
    assert_eq!(running.wait().code, Some(0));

    let state = state(&tree).unwrap();
    assert_eq!(state["stages"]["stage2"]["state"], "ready");
    assert_eq!(state["stages"]["stage2"]["files"], FILES);
    assert_eq!(unfinished(&tree), 0);
    let run = gik(&tree).run(&["search", "weigh_17_3"]).success();
    assert_eq!(run.stderr, "");
}

#[test]
fn an_interrupted_build_keeps_its_words_and_goes_on() {
    let tree = large_project();
    let running = build_with_words(&tree);
    running.interrupt();
    assert_eq!(running.wait().code, Some(130));
    let left = unfinished(&tree);
    assert!(left > 0, "there was nothing left to do");
    verify(&tree);

    let answer = gik(&tree).run(&["index", "--json"]).success().json();
    assert_eq!(answer["files"], FILES);
    assert_eq!(unfinished(&tree), 0);
    verify(&tree);
    let other = large_project();
    gik(&other).run(&["index"]).success();
    assert!(result(&tree) == result(&other), "an interrupted index differs from one in one go");
}

#[test]
fn a_build_that_is_killed_at_any_moment_goes_on() {
    let tree = large_project();
    let started = Instant::now();
    gik(&tree).run(&["index"]).success();
    let whole = started.elapsed();
    let expected = result(&tree);
    let mut rng = Rng::new(0x57a6_e500);
    let mut killed = 0;
    for _ in 0..4 {
        tree.remove(".guided");
        killed += usize::from(gik(&tree).kill_at_random(&["index"], whole, &mut rng).was_killed());
        if tree.exists(&knowledge("HEAD")) {
            verify(&tree);
        }
        gik(&tree).run(&["index"]).success();
        verify(&tree);
        assert!(result(&tree) == expected, "a killed index differs from one in one go");
    }
    say(&format!("{killed} of 4 builds were killed"));
    assert!(killed >= 1, "only {killed} of 4 builds were killed in time");
}

#[test]
fn a_file_that_moves_while_it_has_only_words_is_read_all_the_same() {
    let tree = large_project();
    let running = build_with_words(&tree);
    running.interrupt();
    assert_eq!(running.wait().code, Some(130));
    assert!(unfinished(&tree) > 0, "there was nothing left to do");
    for at in 0..SOURCES {
        let part = at % 10;
        tree.rename(&format!("src/part_{part}/depot_{at}.rs"), &format!("src/moved_{at}.rs"));
    }
    gik(&tree).run(&["index"]).success();
    let outline = gik(&tree).run(&["outline", "--json", "src/moved_49.rs"]).success();
    assert!(outline.stdout.contains("weigh_49_1"), "{}", outline.stdout);
    assert_eq!(unfinished(&tree), 0);
    verify(&tree);
}

#[test]
fn a_branch_made_from_an_unfinished_build_goes_on_with_it() {
    let tree = large_project();
    tree.write("other/left_out.rs", "pub fn nobody_asked_for_this() {}\n");
    tree.git_init();
    tree.git(&["add", "--all"]);
    tree.git(&["commit", "--quiet", "--message", "first"]);
    let running = gik(&tree).spawn(&["index", "src", "notes"]);
    let started = Instant::now();
    while state(&tree).is_none_or(|state| state["stages"]["stage1"]["state"] != "ready") {
        assert!(started.elapsed() < Duration::from_secs(120), "no words after two minutes");
        std::thread::sleep(Duration::from_millis(5));
    }
    running.interrupt();
    assert_eq!(running.wait().code, Some(130));
    tree.git(&["checkout", "--quiet", "-b", "second"]);
    let answer = gik(&tree).run(&["search", "--json", "weigh_17_3"]).success();
    assert!(answer.stdout.contains("depot_17.rs"), "{}", answer.stdout);
    let files = gik(&tree).run(&["ls-files"]).success().stdout;
    assert_eq!(files.lines().filter(|line| line.contains("depot_")).count(), FILES, "{files}");
    assert!(!files.contains("left_out"), "{files}");
}
