//! `HEAD` and `timeline.jsonl`.

use gik_testkit::Tree;
use serde_json::{Value, json};

use super::{Kind, MAIN, check, jsonl};
use crate::cli::gik;

fn timeline(tree: &Tree) -> Vec<Value> {
    jsonl(tree, "timeline.jsonl")
}

fn check_revision(revision: &Value) {
    check(
        revision,
        &[
            ("id", Kind::Uuid),
            ("parentId", Kind::OrNull(&Kind::Uuid)),
            ("branch", Kind::Text),
            ("gitCommit", Kind::OrNull(&Kind::Text)),
            ("timestamp", Kind::Time),
            ("message", Kind::Text),
            ("operations", Kind::List),
        ],
        &[("indexSignature", Kind::Text), ("baseSignatures", Kind::Object)],
    );
}

/// The revisions form one chain from the first to `HEAD`.
fn check_chain(tree: &Tree) {
    let timeline = timeline(tree);
    let mut parent = Value::Null;
    for revision in &timeline {
        check_revision(revision);
        assert_eq!(revision["parentId"], parent);
        parent = revision["id"].clone();
    }
    assert_eq!(tree.read(&format!("{MAIN}/HEAD")).trim_end(), parent.as_str().unwrap());
}

fn last_operations(tree: &Tree) -> Value {
    check_chain(tree);
    timeline(tree).last().unwrap()["operations"].clone()
}

#[test]
fn every_operation_has_the_fields_of_the_contract() {
    let tree = Tree::new("//- src/a.rs\nfn a() {}\n//- b.md\n# B\n");
    tree.git_init();
    let commit = tree.git_commit("first");
    let gik = gik(&tree);

    gik.run(&["init"]).success();
    assert_eq!(last_operations(&tree), json!([{"type": "Init"}]));
    let init = timeline(&tree).remove(0);
    assert_eq!(
        (&init["branch"], &init["parentId"], &init["gitCommit"], &init["message"]),
        (&"main".into(), &Value::Null, &commit.as_str().into(), &"Init GIK".into())
    );

    gik.run(&["add", "."]).success();
    gik.run(&["commit", "-m", "feat: all"]).success();
    assert_eq!(
        last_operations(&tree),
        json!([{"type": "Commit", "bases": ["code", "docs"], "sourceCount": 2}])
    );
    assert_eq!(timeline(&tree)[1]["message"], "feat: all");

    gik.run(&["reindex"]).success();
    let operations = last_operations(&tree);
    for (operation, base) in operations.as_array().unwrap().iter().zip(["code", "docs"]) {
        let text = Kind::Text;
        check(
            operation,
            &[("type", text), ("base", text), ("fromModelId", text), ("toModelId", text)],
            &[],
        );
        assert_eq!((&operation["type"], &operation["base"]), (&"Reindex".into(), &base.into()));
    }

    gik.run(&["memory", "add", "one"]).success();
    assert_eq!(last_operations(&tree), json!([{"type": "MemoryIngest", "count": 1}]));
    gik.run(&["memory", "add", "two", "--tag", "old"]).success();

    gik.run(&["memory", "prune", "--obsolete-tag", "old"]).success();
    assert_eq!(
        last_operations(&tree),
        json!([{"type": "MemoryPrune", "count": 1, "archivedCount": 1, "deletedCount": 0}])
    );
    gik.run(&["memory", "prune", "--max-entries", "0", "--mode", "delete"]).success();
    assert_eq!(
        last_operations(&tree),
        json!([{"type": "MemoryPrune", "count": 1, "archivedCount": 0, "deletedCount": 1}])
    );
}

#[test]
fn a_branch_made_from_another_continues_its_chain_with_a_custom_operation() {
    let tree = Tree::new("//- b.md\n# B\n");
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    let head = tree.read(&format!("{MAIN}/HEAD"));
    gik.run(&["branch", "feature/x"]).success();
    let text = tree.read(".guided/knowledge/feature%2Fx/timeline.jsonl");
    let revisions = super::lines_of(&text);
    let last = revisions.last().unwrap();
    check_revision(last);
    assert_eq!(last["parentId"], head.trim_end());
    assert_eq!(last["branch"], "feature/x");
    let operation = &last["operations"][0];
    let required = [("type", Kind::OneOf(&["Custom"])), ("name", Kind::Text)];
    check(operation, &required, &[("data", Kind::Object)]);
    assert_eq!(operation["data"], json!({"from": "main", "revision": head.trim_end()}));
}

#[test]
fn release_reads_and_adds_no_revision() {
    let tree = Tree::new("//- b.md\n# B\n");
    gik(&tree).run(&["index", "-m", "feat: b"]).success();
    let before = timeline(&tree);
    gik(&tree).run(&["release", "--tag", "v1"]).success();
    assert_eq!(timeline(&tree), before);
}

#[test]
fn lines_are_only_ever_added() {
    let tree = Tree::new("//- b.md\n# B\n");
    let gik = gik(&tree);
    let mut before = String::new();
    for turn in 0..4 {
        tree.append("b.md", format!("\nturn {turn}\n"));
        gik.run(&["index"]).success();
        let now = tree.read(&format!("{MAIN}/timeline.jsonl"));
        assert!(now.starts_with(&before) && now.len() > before.len());
        before = now;
    }
    check_chain(&tree);
}
