//! `bases/memory/`.

use gik_testkit::Tree;
use serde_json::{Value, json};

use super::{Kind, MAIN, check, json as document, jsonl};
use crate::cli::{gik, indexed};

const SOURCES: Kind = Kind::OneOf(&[
    "manualNote",
    "decision",
    "observation",
    "externalReference",
    "agentGenerated",
    "commitContext",
]);

fn check_entry(entry: &Value) {
    check(
        entry,
        &[
            ("id", Kind::MemoryId),
            ("createdAt", Kind::Time),
            ("updatedAt", Kind::Time),
            ("scope", Kind::OneOf(&["project", "branch", "global"])),
            ("source", SOURCES),
            ("text", Kind::Text),
            ("tags", Kind::Texts),
        ],
        &[
            ("title", Kind::Text),
            ("branch", Kind::OrNull(&Kind::Text)),
            ("originRevision", Kind::OrNull(&Kind::Uuid)),
            ("importance", Kind::OrNull(&Kind::Number)),
        ],
    );
}

fn entries(tree: &Tree) -> Vec<Value> {
    let entries = jsonl(tree, "bases/memory/sources.jsonl");
    entries.iter().for_each(check_entry);
    entries
}

fn check_stats(tree: &Tree, count: u64) {
    let stats = document(tree, "bases/memory/stats.json");
    check(
        &stats,
        &[
            ("base", Kind::OneOf(&["memory"])),
            ("chunkCount", Kind::Count),
            ("fileCount", Kind::Count),
            ("vectorCount", Kind::Count),
            ("failedCount", Kind::Count),
            ("lastUpdated", Kind::Time),
        ],
        &[],
    );
    assert_eq!((&stats["chunkCount"], &stats["fileCount"]), (&count.into(), &count.into()));
}

#[test]
fn an_entry_has_the_fields_of_the_contract() {
    let tree = indexed();
    let gik = gik(&tree);
    let head = tree.read(&format!("{MAIN}/HEAD"));
    gik.run(&["memory", "add", "plain text"]).success();
    gik.run(&[
        "memory",
        "add",
        "We use SQLite",
        "--title",
        "Storage",
        "--source",
        "decision",
        "--tag",
        "architecture,db",
        "--scope",
        "branch",
        "--importance",
        "0.8",
    ])
    .success();
    let found = entries(&tree);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0]["text"], "plain text");
    assert_eq!(
        (&found[0]["scope"], &found[0]["source"]),
        (&"project".into(), &"manualNote".into())
    );
    assert_eq!((&found[0]["tags"], found[0].get("title")), (&json!([]), None));
    assert_eq!(found[0]["originRevision"], head.trim_end());
    assert_eq!(
        (&found[1]["title"], &found[1]["tags"]),
        (&"Storage".into(), &json!(["architecture", "db"]))
    );
    assert_eq!((&found[1]["branch"], &found[1]["importance"]), (&"main".into(), &json!(0.8)));
    check_stats(&tree, 2);
}

#[test]
fn pruned_entries_move_to_the_archive_and_out_of_every_answer() {
    let tree = indexed();
    let gik = gik(&tree);
    gik.run(&["memory", "add", "quokka one", "--tag", "obsolete"]).success();
    gik.run(&["memory", "add", "quokka two"]).success();
    tree.write(
        &format!("{MAIN}/bases/memory/config.json"),
        r#"{"pruningPolicy":{"obsoleteTags":["obsolete"],"mode":"archive"}}"#,
    );
    let config = tree.read(&format!("{MAIN}/bases/memory/config.json"));
    let archived = entries(&tree)[0].clone();
    gik.run(&["memory", "prune"]).success();
    assert_eq!(jsonl(&tree, "bases/memory/archive.jsonl"), std::slice::from_ref(&archived));
    assert_eq!(entries(&tree).len(), 1);
    check_stats(&tree, 1);
    assert_eq!(tree.read(&format!("{MAIN}/bases/memory/config.json")), config);
    let told = |run: gik_testkit::Run| run.stdout.contains("quokka one");
    assert!(!told(gik.run(&["ask", "quokka"])));
    assert!(!told(gik.run(&["memory", "search", "quokka"])));
    assert!(!told(gik.run(&["memory", "list"])));
    gik.run(&["memory", "restore", archived["id"].as_str().unwrap()]).success();
    assert!(told(gik.run(&["ask", "quokka"])));
    check_stats(&tree, 2);
    gik.run(&["verify"]).success();
}

#[test]
fn deleted_entries_are_gone() {
    let tree = indexed();
    let gik = gik(&tree);
    gik.run(&["memory", "add", "old one"]).success();
    gik.run(&["memory", "add", "new one"]).success();
    gik.run(&["memory", "prune", "--max-entries", "1", "--mode", "delete"]).success();
    let left = entries(&tree);
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["text"], "new one");
    assert!(!tree.exists(&format!("{MAIN}/bases/memory/archive.jsonl")));
}

#[test]
fn branch_entries_are_seen_on_their_branch_only() {
    let tree = indexed();
    let gik = gik(&tree);
    gik.run(&["memory", "add", "quokka here", "--scope", "branch"]).success();
    gik.run(&["memory", "add", "quokka everywhere"]).success();
    gik.run(&["branch", "other"]).success();
    let seen = |branch: &str| {
        let bundle = gik.run(&["ask", "quokka", "--json", "--branch", branch]).json();
        let events = bundle["memoryEvents"].as_array().unwrap().clone();
        let mut texts: Vec<String> =
            events.iter().map(|event| event["text"].as_str().unwrap().to_owned()).collect();
        texts.sort();
        texts
    };
    assert_eq!(seen("main"), ["quokka everywhere", "quokka here"]);
    assert_eq!(seen("other"), ["quokka everywhere"]);
}

#[test]
fn memory_survives_the_loss_of_everything_derived() {
    let tree = indexed();
    let gik = gik(&tree);
    gik.run(&["memory", "add", "quokka"]).success();
    let before = tree.read(&format!("{MAIN}/bases/memory/sources.jsonl"));
    for derived in ["index.sqlite", "lexical", "stack", "bases/code", "bases/docs"] {
        tree.remove(&format!("{MAIN}/{derived}"));
    }
    gik.run(&["ask", "quokka"]).success();
    gik.run(&["ask", "farewell"]).success();
    gik.run(&["verify", "--repair"]).success();
    assert_eq!(tree.read(&format!("{MAIN}/bases/memory/sources.jsonl")), before);
}
