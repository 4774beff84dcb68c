//! `gik memory`.

use gik_testkit::{Run, Tree};

use super::{assert_transcript, gik, indexed, project};

fn remembered() -> Tree {
    let tree = indexed();
    let gik = gik(&tree);
    gik.run(&[
        "memory",
        "add",
        "We use SQLite: one file, no server",
        "--title",
        "Storage",
        "--source",
        "decision",
        "--tag",
        "architecture",
        "--importance",
        "0.8",
    ])
    .success();
    gik.run(&["memory", "add", "The greeting is said twice on Mondays", "--tag", "obsolete"])
        .success();
    tree
}

/// The ids of the entries, newest first.
fn ids(tree: &Tree) -> Vec<String> {
    let rows = gik(tree).run(&["memory", "list", "--jsonl"]).success().jsonl();
    rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

fn stable(run: Run) -> Run {
    run.redact(r"\b\d{4}-\d\d-\d\d  ", "[DATE]  ")
}

#[test]
fn remembering() {
    let tree = project();
    let gik = gik(&tree);
    tree.write("note.txt", "From a file\n");
    assert_transcript(
        "memory_add",
        &[
            gik.run(&["memory", "add", "First thing known"]).success(),
            gik.run(&["memory", "add", "Titled", "--title", "A title", "--json"]).success(),
            gik.run(&["memory", "add", "--file", "note.txt", "--scope", "branch"]).success(),
            gik.run(&["memory", "add", "For all", "--scope", "global"]).success(),
            gik.run(&["memory", "add"]).exit(2),
            gik.run(&["memory", "add", " "]).exit(2),
            gik.run(&["memory", "add", "x", "--importance", "7"]).exit(2),
            gik.run(&["memory", "add", "x", "--scope", "world"]).exit(2),
            gik.run(&["memory", "add", "x", "--title", &"t".repeat(101)]).exit(2),
            gik.run(&["memory", "add", "--file", "nowhere.txt"]),
        ],
    );
}

#[test]
fn looking_at_memory() {
    let tree = remembered();
    let gik = gik(&tree);
    let id = ids(&tree).pop().unwrap();
    let fresh = project();
    assert_transcript(
        "memory_list",
        &[
            stable(super::gik(&fresh).run(&["memory", "list"])),
            stable(gik.run(&["memory", "list"]).success()),
            gik.run(&["memory", "list", "--json", "--tag", "architecture"]).success(),
            stable(gik.run(&["memory", "list", "--source", "observation"]).exit(1)),
            gik.run(&["memory", "show", &id]).success(),
            gik.run(&["memory", "show", &id, "--json"]).success(),
            gik.run(&["memory", "show", "mem-ffffffffffff"]).exit(1),
            gik.run(&["memory", "show", "me"]),
            gik.run(&["memory", "search", "why", "sqlite"]).success(),
            gik.run(&["memory", "search", "sqlite", "--jsonl"]).success(),
            gik.run(&["memory", "search", "zebra"]).exit(1),
            gik.run(&["memory", "metrics"]).success(),
            gik.run(&["memory", "metrics", "--json"]).success(),
            gik.run(&["ask", "sqlite"]).success(),
        ],
    );
}

#[test]
fn letting_go_and_bringing_back() {
    let tree = remembered();
    let gik = gik(&tree);
    let all = ids(&tree);
    let nothing = gik.run(&["memory", "prune"]);
    let dry = gik.run(&["memory", "prune", "--obsolete-tag", "obsolete", "--dry-run"]);
    assert_eq!(ids(&tree), all);
    let pruned = gik.run(&["memory", "prune", "--obsolete-tag", "obsolete"]).success();
    let again = gik.run(&["memory", "prune", "--obsolete-tag", "obsolete"]);
    let archived = stable(gik.run(&["memory", "list", "--archived"]).success());
    let row = gik.run(&["memory", "list", "--archived", "--jsonl"]).jsonl().remove(0);
    // As it is shown, so that the same name stands for it in command and answer.
    let id = &row["id"].as_str().unwrap()[..12];
    let restored = gik.run(&["memory", "restore", id]).success();
    let twice = gik.run(&["memory", "restore", id]).exit(1);
    let json = gik.run(&["memory", "prune", "--max-entries", "1", "--mode", "delete", "--json"]);
    let log = gik.run(&["log"]).success();
    assert_transcript(
        "memory_prune",
        &[nothing, dry, pruned, again, archived, restored, twice, json, log],
    );
}
