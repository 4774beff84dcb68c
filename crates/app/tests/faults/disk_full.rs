//! The disk is full at every moment of a command: it fails with the cause, the old state stays, and with some space
//! the same command succeeds.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;

use gik_testkit::Tree;

use super::mounts::{Mounted, Outcome, with_private_mounts};
use super::project::{edit, error_code, gik, remember, say, verify, write_project};
use super::truth::Truth;

/// What the file system counts in.
const PAGE: usize = 4096;
const DISK: usize = 8 << 20;
const BALLAST: &str = "ballast.bin";

/// Leaves that many pages free.
fn fill(tree: &Tree, free_pages: usize) {
    empty(tree);
    // First everything, then as much back as wanted: what is free depends on what else is on the disk.
    let mut ballast = fs::File::create(tree.path(BALLAST)).expect("a name needs no space");
    let page = [0u8; PAGE];
    let mut pages = 0;
    while ballast.write_all(&page).is_ok() {
        pages += 1;
    }
    assert!(pages > free_pages, "the disk is too small");
    ballast.set_len(((pages - free_pages) * PAGE) as u64).expect("the ballast can be cut");
}

fn empty(tree: &Tree) {
    if tree.exists(BALLAST) {
        tree.remove(BALLAST);
    }
}

/// Runs a command with ever more free space until it has enough, checking what each failure leaves.
fn starves(tree: &Tree, args: &dyn Fn(usize) -> Vec<String>, prepare: &dyn Fn(usize)) {
    let mut failures = 0;
    let mut successes = 0;
    for free_pages in 0.. {
        empty(tree);
        prepare(free_pages);
        let before = Truth::of(tree);
        fill(tree, free_pages);
        let line = args(free_pages);
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        let run = gik(tree).run(&line);
        if run.code == Some(0) {
            successes += 1;
            // The files grow with every round, so one success does not mean that the next one fits.
            if successes == 3 {
                break;
            }
            continue;
        }
        failures += 1;
        let run = run.exit(1);
        assert_eq!(error_code(&run), "disk-full", "{free_pages} pages free: {run:?}");
        let message = run.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(
            message.contains("No space left on device") || message.contains("disk is full"),
            "{message}"
        );
        assert!(run.json()["error"]["hints"].to_string().contains("free some space"), "{run:?}");

        // Readers answer on the full disk.
        gik(tree).run(&["status"]).success();
        gik(tree).run(&["log"]).success();
        Truth::before_recovery(tree);

        empty(tree);
        verify(tree);
        let after = Truth::of(tree);
        check_kept(&before, &after);
        let again = gik(tree).run(&line);
        // A change that was recorded before the space ran out is finished by the next writer, which was `verify`.
        let is_done = after.revisions.len() > before.revisions.len();
        if again.code != Some(0) {
            assert!(is_done && error_code(&again) == "commit-nothing-pending", "{again:?}");
        }
        verify(tree);
    }
    say(&format!("{failures} failures for want of space"));
    assert!(failures >= 3, "the disk was never full in the middle of the command");
}

fn check_kept(before: &Truth, after: &Truth) {
    assert!(
        after.revisions.starts_with(&before.revisions),
        "history changed: {before:?} {after:?}"
    );
    let lost: BTreeSet<String> = &before.memory_ids() - &after.memory_ids();
    assert!(lost.is_empty(), "memory was lost: {lost:?}");
    let lost: BTreeSet<String> = &before.source_ids() - &after.source_ids();
    assert!(lost.is_empty(), "sources were lost: {lost:?}");
}

fn on_a_small_disk(test: &str, body: impl FnOnce(&Tree)) {
    let name = format!("faults::disk_full::{test}");
    let outcome = with_private_mounts(&name, || {
        let tree = Tree::empty();
        let mounted = Mounted::on(&tree, DISK);
        write_project(&tree);
        tree.write(".gikignore", "ballast.bin\n");
        body(&tree);
        drop(mounted);
    });
    if let Outcome::Impossible(reason) = outcome {
        say(&format!(
            "NOT RUN: {name} needs a small file system, and none can be mounted here: {reason}"
        ));
    }
}

fn words(line: &[&str]) -> Vec<String> {
    line.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn commit_survives_a_full_disk() {
    on_a_small_disk("commit_survives_a_full_disk", |tree| {
        gik(tree).run(&["index"]).success();
        starves(
            tree,
            &|round| words(&["commit", "-m", &format!("round {round}"), "--json"]),
            &|round| edit(tree, round + 10),
        );
    });
}

#[test]
fn memory_add_survives_a_full_disk() {
    on_a_small_disk("memory_add_survives_a_full_disk", |tree| {
        gik(tree).run(&["index"]).success();
        remember(tree, "Depots close at six.");
        let long = "Parcels wait. ".repeat(100);
        starves(
            tree,
            &|round| words(&["memory", "add", &format!("{round}: {long}"), "--json"]),
            &|_| {},
        );
    });
}

#[test]
fn index_survives_a_full_disk() {
    on_a_small_disk("index_survives_a_full_disk", |tree| {
        gik(tree).run(&["index"]).success();
        starves(tree, &|_| words(&["index", "--json"]), &|round| {
            for at in 0..8 {
                edit(tree, round * 8 + at);
            }
            tree.write(&format!("docs/new_{round}.md"), format!("# New {round}\n").repeat(40));
        });
    });
}

#[test]
fn the_first_index_survives_a_full_disk() {
    on_a_small_disk("the_first_index_survives_a_full_disk", |tree| {
        let mut failures = 0;
        for free_pages in (0..400).step_by(3) {
            if tree.exists(".guided") {
                tree.remove(".guided");
            }
            fill(tree, free_pages);
            let run = gik(tree).run(&["index", "--json"]);
            if run.code == Some(0) {
                break;
            }
            failures += 1;
            let run = run.exit(1);
            assert_eq!(error_code(&run), "disk-full", "{free_pages} pages free: {run:?}");
            empty(tree);
            gik(tree).run(&["index", "--json"]).success();
            verify(tree);
            Truth::of(tree);
        }
        assert!(failures >= 3, "the disk was never full");
    });
}
