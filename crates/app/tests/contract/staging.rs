//! `staging/pending.jsonl` and `staging/summary.json`.

use gik_testkit::Tree;
use serde_json::{Value, json};

use super::{Kind, MAIN, check, json as document, jsonl};
use crate::cli::gik;

const STATUSES: Kind = Kind::OneOf(&["pending", "processing", "indexed", "failed"]);

fn pending(tree: &Tree) -> Vec<Value> {
    let entries = jsonl(tree, "staging/pending.jsonl");
    for entry in &entries {
        check(
            entry,
            &[
                ("id", Kind::Uuid),
                ("branch", Kind::OneOf(&["main"])),
                ("base", Kind::OneOf(&["code", "docs", "memory", "kg", "notes"])),
                ("kind", Kind::OneOf(&["filePath", "directory", "url", "archive", "other"])),
                ("uri", Kind::Text),
                ("addedAt", Kind::Time),
                ("status", STATUSES),
            ],
            &[("lastError", Kind::Text), ("metadata", Kind::Object)],
        );
    }
    entries
}

/// Kind, uri, base and status of each entry.
fn rows(tree: &Tree) -> Vec<[String; 4]> {
    let text = |entry: &Value, name: &str| entry[name].as_str().unwrap().to_owned();
    pending(tree)
        .iter()
        .map(|entry| ["kind", "uri", "base", "status"].map(|name| text(entry, name)))
        .collect()
}

fn check_summary(tree: &Tree, counts: [u64; 3], by_base: &Value) {
    let summary = document(tree, "staging/summary.json");
    check(
        &summary,
        &[
            ("pendingCount", Kind::Count),
            ("indexedCount", Kind::Count),
            ("failedCount", Kind::Count),
            ("byBase", Kind::Counts),
            ("lastUpdatedAt", Kind::Time),
        ],
        &[],
    );
    let found =
        ["pendingCount", "indexedCount", "failedCount"].map(|name| summary[name].as_u64().unwrap());
    assert_eq!((found, &summary["byBase"]), (counts, by_base));
}

fn mixed() -> Tree {
    let tree =
        Tree::new("//- src/a.rs\nfn a() {}\n//- guide.md\n# Guide\n//- main.rs\nfn main() {}\n");
    tree.write("lib.zip", crate::cli::zip_of(&[("x.md", b"# X\n")]));
    tree.write("picture.dat", b"\x00\x01\x02");
    gik(&tree).run(&["init"]).success();
    tree
}

#[test]
fn every_kind_of_source_is_staged_with_its_kind_and_base() {
    let tree = mixed();
    let sources = ["add", "guide.md", "main.rs", "src", "lib.zip", "https://example.com/a/../b"];
    gik(&tree).run(&sources).success();
    let row =
        |kind: &str, uri: &str, base: &str| [kind, uri, base, "pending"].map(ToOwned::to_owned);
    assert_eq!(
        rows(&tree),
        [
            row("filePath", "guide.md", "docs"),
            row("filePath", "main.rs", "code"),
            row("directory", "src", "code"),
            row("directory", "src", "docs"),
            row("archive", "lib.zip", "code"),
            row("archive", "lib.zip", "docs"),
            row("url", "https://example.com/b", "docs"),
        ]
    );
    check_summary(&tree, [7, 0, 0], &json!({"code": 3, "docs": 4}));
}

#[test]
fn duplicates_by_branch_base_and_uri_are_skipped() {
    let tree = mixed();
    let gik = gik(&tree);
    gik.run(&["add", "guide.md", "./src/../guide.md"]).success();
    let before = tree.read(&format!("{MAIN}/staging/pending.jsonl"));
    gik.run(&["add", "guide.md"]).success();
    assert_eq!(tree.read(&format!("{MAIN}/staging/pending.jsonl")), before);
    assert_eq!(pending(&tree).len(), 1);
    gik.run(&["add", "guide.md", "--base", "code"]).success();
    let after = tree.read(&format!("{MAIN}/staging/pending.jsonl"));
    assert!(after.starts_with(&before), "entries are only added");
    assert_eq!(pending(&tree).len(), 2);
}

#[test]
fn a_commit_marks_what_was_indexed_and_what_failed() {
    let tree = mixed();
    let gik = gik(&tree);
    tree.write("gone.md", "# Gone\n");
    gik.run(&["add", "guide.md", "picture.dat", "gone.md", "src", "lib.zip"]).success();
    tree.remove("gone.md");
    gik.run(&["commit"]).success();
    let status = |uri: &str| -> Vec<(String, Option<String>)> {
        let of_uri = pending(&tree).into_iter().filter(|entry| entry["uri"] == uri);
        of_uri
            .map(|entry| {
                let error = entry["lastError"].as_str().map(ToOwned::to_owned);
                (entry["status"].as_str().unwrap().to_owned(), error)
            })
            .collect()
    };
    let indexed = ("indexed".to_owned(), None);
    assert_eq!(status("guide.md"), std::slice::from_ref(&indexed));
    assert_eq!(status("src"), [indexed.clone(), indexed.clone()]);
    assert_eq!(status("lib.zip"), [indexed.clone(), indexed]);
    assert_eq!(status("picture.dat"), [("failed".to_owned(), Some("not text".to_owned()))]);
    assert_eq!(
        status("gone.md"),
        [("failed".to_owned(), Some("the file does not exist".to_owned()))]
    );
    check_summary(&tree, [0, 5, 2], &json!({}));
}

#[test]
fn a_file_that_is_too_large_fails_with_its_size() {
    let tree = mixed();
    tree.write("big.md", "words ".repeat(1000));
    let gik = gik(&tree);
    gik.run(&["add", "big.md", "guide.md"]).success();
    gik.run(&["commit", "--set", "indexing.max_file_bytes=2048"]).success();
    assert_eq!(pending(&tree)[0]["lastError"], "too large: 6000 bytes, the limit is 2048");
}

#[test]
fn the_summary_is_made_again_when_it_is_missing() {
    let tree = mixed();
    let gik = gik(&tree);
    gik.run(&["add", "guide.md"]).success();
    tree.remove(&format!("{MAIN}/staging/summary.json"));
    gik.run(&["commit"]).success();
    check_summary(&tree, [0, 1, 0], &json!({}));
}

#[test]
fn what_is_processed_stays_as_history() {
    let tree = mixed();
    let gik = gik(&tree);
    gik.run(&["add", "guide.md"]).success();
    gik.run(&["commit"]).success();
    gik.run(&["rm", "guide.md"]).success();
    gik.run(&["commit"]).success();
    let entries = pending(&tree);
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[1]["metadata"], json!({"operation": "remove"}));
    assert_eq!(entries[1]["status"], "indexed");
}
