//! `index_state.json` and `build_state.json`, field by field.

use gik_testkit::Tree;
use serde_json::{Value, json};

use super::MAIN;
use crate::cli::gik;

fn read(tree: &Tree, name: &str) -> Value {
    serde_json::from_str(&tree.read(&format!("{MAIN}/{name}"))).unwrap()
}

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn project() -> Tree {
    Tree::new("//- a.rs\nfn a() {}\n//- b.md\n# B\n")
}

#[test]
fn the_index_state_says_which_stages_are_ready() {
    let tree = project();
    gik(&tree).run(&["index"]).success();
    let state = read(&tree, "index_state.json");
    assert_eq!(fields(&state), ["schemaVersion", "generatedAt", "buildId", "modes", "stages"]);
    assert_eq!(state["modes"], json!(["code", "extracted-prose", "prose", "records"]));
    let ready = json!({"state": "ready", "files": 2, "total": 2});
    assert_eq!(state["stages"], json!({"stage1": ready, "stage2": ready, "stage3": ready}));
    gik(&tree).run(&["index", "--stage", "4"]).success();
    let state = read(&tree, "index_state.json");
    assert_eq!(
        state["stages"],
        json!({"stage1": ready, "stage2": ready, "stage3": ready, "stage4": ready})
    );
}

#[test]
fn the_build_state_names_the_provider_and_its_head() {
    let tree = project();
    tree.git_init();
    tree.git(&["add", "--all"]);
    tree.git(&["commit", "--quiet", "--message", "first"]);
    gik(&tree).run(&["index"]).success();
    let state = read(&tree, "build_state.json");
    assert_eq!(
        fields(&state),
        [
            "schemaVersion",
            "signatureVersion",
            "buildId",
            "createdAt",
            "updatedAt",
            "stage",
            "tool",
            "repo",
            "progress"
        ]
    );
    let commit = tree.git(&["rev-parse", "HEAD"]);
    let commit = commit.trim();
    let head = json!({"commitId": commit, "branch": "main"});
    assert_eq!(state["repo"], json!({"provider": "git", "head": head}));
    assert!(state["buildId"].as_str().unwrap().starts_with(&commit[..12]));
    assert_eq!(state["stage"], "stage3");
    assert_eq!(state["progress"]["stage2"]["state"], "ready");
}

#[test]
fn without_version_control_nothing_is_made_up_and_the_id_is_the_same_everywhere() {
    let builds: Vec<Value> = (0..2)
        .map(|_| {
            let tree = project();
            gik(&tree).run(&["index"]).success();
            read(&tree, "build_state.json")
        })
        .collect();
    assert_eq!(builds[0]["repo"], json!({"provider": "none", "head": null}));
    assert_eq!(builds[0]["buildId"], builds[1]["buildId"]);
    assert!(builds[0]["buildId"].as_str().unwrap().starts_with("noscm-"));
}
