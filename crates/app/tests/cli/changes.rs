//! `gik changes`.

use gik_testkit::{Run, Tree};

use super::{assert_transcript, gik, indexed, project};

/// Changes one file, makes one, and moves one.
const DIFF: &str = "\
--- a/src/text.rs
+++ b/src/text.rs
@@ -7,5 +7,5 @@

 /// Makes the words to part with.
 pub fn farewell(name: &str) -> String {
-    format!(\"Goodbye, {name}!\")
+    format!(\"Farewell, {name}!\")
 }
diff --git a/README.md b/docs/README.md
rename from README.md
rename to docs/README.md
--- /dev/null
+++ b/notes/new.md
@@ -0,0 +1,2 @@
+# New
+\tindented
";

fn propose(tree: &Tree, diff: &str) -> Run {
    gik(tree).run(&["tool", "apply_unified_diff", diff, "--confirmation-token", "", "--json"])
}

fn stable(run: Run) -> Run {
    run.redact(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[TIME]")
        .redact(r"gik-[0-9a-f]{64}", "[TOKEN]")
        .redact(r#""diffHash": "[0-9a-f]{64}""#, "\"diffHash\": [HASH]")
        .redact(r"\b[0-9a-f]{16}\b", "[CHANGE]")
        .redact(r"apply [0-9a-f]{6} ", "apply [BEGIN] ")
}

#[test]
fn seeing_and_deciding() {
    let tree = indexed();
    let gik = gik(&tree);
    let id =
        propose(&tree, DIFF).success().json()["data"]["change_id"].as_str().unwrap().to_owned();
    let other = DIFF.replace("Farewell", "So long");
    propose(&tree, &other).success();
    assert_eq!(tree.list(), ["Cargo.toml", "README.md", "src/main.rs", "src/text.rs"]);
    let mut runs = vec![
        gik.run(&["changes", "list"]).success(),
        gik.run(&["changes", "show", &id]).success(),
        gik.run(&["changes", "confirm", &id]).success(),
        gik.run(&["changes", "apply", &id]).exit(1),
        gik.run(&["changes", "apply", &id[..6], "--yes"]).success(),
        gik.run(&["changes", "apply", &id, "--yes"]).exit(1),
        gik.run(&["changes", "list"]).success(),
    ];
    assert_eq!(
        tree.list(),
        ["Cargo.toml", "docs/README.md", "notes/new.md", "src/main.rs", "src/text.rs"]
    );
    assert!(tree.read("src/text.rs").contains("Farewell, {name}!"));
    let listed = gik.run(&["changes", "list", "--json"]).json();
    let id = listed["changes"][0]["id"].as_str().unwrap();
    runs.extend([
        gik.run(&["changes", "confirm", id]).exit(1),
        gik.run(&["changes", "apply", id, "--yes"]).exit(1),
        gik.run(&["changes", "discard", id]).success(),
        gik.run(&["changes", "list"]).exit(1),
        gik.run(&["changes", "discard"]).exit(2),
        gik.run(&["changes", "show", "../../x"]).exit(1),
    ]);
    let runs: Vec<Run> = runs.into_iter().map(stable).collect();
    assert_transcript("changes", &runs);
}

#[test]
fn the_index_follows_what_was_applied() {
    let tree = indexed();
    let id =
        propose(&tree, DIFF).success().json()["data"]["change_id"].as_str().unwrap().to_owned();
    assert!(super::asked(&tree, "indented").is_empty());
    gik(&tree).run(&["changes", "apply", &id, "--yes"]).success();
    assert_eq!(super::asked(&tree, "indented"), ["notes/new.md"]);
}

#[test]
fn a_proposal_needs_no_index_and_is_kept_from_version_control() {
    let tree = project();
    propose(&tree, DIFF).success();
    assert_eq!(tree.read(".guided/changes/.gitignore"), "*\n");
    gik(&tree).run(&["changes", "discard", "--all"]).success();
    assert_eq!(tree.list_below(".guided/changes"), [".guided/changes/.gitignore"]);
}

#[test]
fn edits_by_place_are_proposed_from_the_command_line() {
    let tree = indexed();
    let edit = r##"{"start_line":1,"start_col":2,"end_line":1,"end_col":9,"replacement":"Host"}"##;
    let run = gik(&tree)
        .run(&["tool", "apply_text_edits", "README.md", edit, "--confirmation-token", "", "--json"])
        .success();
    let data = &run.json()["data"];
    assert_eq!(data["status"], "staged");
    assert!(data["diff"].as_str().unwrap().contains("-# Greeter\n+# Host\n"), "{data}");
    let id = data["change_id"].as_str().unwrap();
    gik(&tree).run(&["changes", "apply", id, "--yes"]).success();
    assert!(tree.read("README.md").starts_with("# Host\n"));
}
