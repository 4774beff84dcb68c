//! Fields and operations of later versions survive what this version does, byte for byte.

use gik_testkit::Tree;

use super::MAIN;
use crate::cli::{gik, indexed};

/// Puts a field of a later version into the first line of a file, and gives that line.
fn extend_first_line(tree: &Tree, file: &str, field: &str) -> String {
    let path = format!("{MAIN}/{file}");
    let text = tree.read(&path);
    let (first, rest) = text.split_once('\n').unwrap();
    let line = format!("{},{field}}}", first.strip_suffix('}').unwrap());
    tree.write(&path, format!("{line}\n{rest}"));
    line
}

fn first_line(tree: &Tree, file: &str) -> String {
    tree.read(&format!("{MAIN}/{file}")).lines().next().unwrap().to_owned()
}

const FIELD: &str = r#""zz_future":{"b":[1,2.50,123456789012345678901234567890,"ü"],"a":null}"#;

fn use_everything(tree: &Tree) {
    let gik = gik(tree);
    tree.append("README.md", "\nQuokka.\n");
    tree.write("new.md", "# New\n");
    for arguments in [
        &["ask", "quokka"][..],
        &["add", "new.md"],
        &["commit", "-m", "more"],
        &["rm", "new.md"],
        &["commit"],
        &["memory", "add", "another"],
        &["memory", "prune", "--obsolete-tag", "gone"],
        &["reindex"],
        &["log"],
        &["show", "HEAD~1"],
        &["status"],
        &["verify"],
    ] {
        let run = gik.run(arguments);
        assert!(matches!(run.code, Some(0 | 1)), "{}", run.snapshot());
        assert!(!run.stderr.contains("error:"), "{}", run.snapshot());
    }
}

#[test]
fn unknown_fields_of_the_timeline_stay() {
    let tree = indexed();
    let line = extend_first_line(&tree, "timeline.jsonl", FIELD);
    use_everything(&tree);
    assert_eq!(first_line(&tree, "timeline.jsonl"), line);
}

#[test]
fn unknown_operations_stay_and_are_shown_by_name() {
    let tree = indexed();
    let path = format!("{MAIN}/timeline.jsonl");
    let parent = tree.read(&format!("{MAIN}/HEAD"));
    let id = "0f4e9c0a-1b23-4d5e-8abc-1234567890ab";
    let line = format!(
        r#"{{"id":"{id}","parentId":"{}","branch":"main","timestamp":"2025-11-27T01:00:00Z","message":"From later","operations":[{{"type":"Teleport","to":"mars"}},{{"type":"Commit","bases":["code"],"sourceCount":1,"speed":9}}]}}"#,
        parent.trim_end()
    );
    tree.append(&path, format!("{line}\n"));
    tree.write(&format!("{MAIN}/HEAD"), format!("{id}\n"));
    let log = gik(&tree).run(&["log"]).success();
    assert!(log.stdout.contains("Teleport"), "{}", log.stdout);
    let shown = gik(&tree).run(&["show", id, "--json"]).success().json();
    assert_eq!(shown["operations"][0]["to"], "mars");
    assert_eq!(shown["operations"][1]["speed"], 9);
    use_everything(&tree);
    let kept = tree.read(&path);
    assert!(kept.lines().any(|other| other == line), "{kept}");
}

#[test]
fn unknown_fields_of_the_staging_stay() {
    let tree = indexed();
    let line = extend_first_line(&tree, "staging/pending.jsonl", FIELD);
    use_everything(&tree);
    assert_eq!(first_line(&tree, "staging/pending.jsonl"), line);
}

#[test]
fn unknown_fields_of_memory_stay() {
    let tree = indexed();
    gik(&tree).run(&["memory", "add", "first"]).success();
    let line = extend_first_line(&tree, "bases/memory/sources.jsonl", FIELD);
    use_everything(&tree);
    assert_eq!(first_line(&tree, "bases/memory/sources.jsonl"), line);
    gik(&tree).run(&["memory", "prune", "--max-entries", "0"]).success();
    assert_eq!(first_line(&tree, "bases/memory/archive.jsonl"), line);
}
