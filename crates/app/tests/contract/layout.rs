//! What `init` makes, and that doing it again changes nothing.

use gik_testkit::Tree;

use super::{MAIN, jsonl};
use crate::cli::gik;

fn is_empty_folder(tree: &Tree, folder: &str) -> bool {
    let path = tree.path(&format!("{MAIN}/{folder}"));
    path.is_dir() && std::fs::read_dir(path).unwrap().next().is_none()
}

#[test]
fn init_makes_the_folders_of_the_contract_and_leaves_them_empty() {
    let tree = Tree::new("//- a.md\n# A\n");
    gik(&tree).run(&["init"]).success();
    for folder in ["staging", "stack", "bases/code", "bases/docs", "bases/memory"] {
        assert!(is_empty_folder(&tree, folder), "{folder}");
    }
    assert_eq!(tree.list_below(MAIN), [format!("{MAIN}/HEAD"), format!("{MAIN}/timeline.jsonl")]);
    assert!(!tree.exists(&format!("{MAIN}/kg")), "the graph is made when it is first written");
    assert!(!tree.exists(".guided/knowledge/asks"), "the log is made by the first question");
}

#[test]
fn head_is_one_line_with_the_id_of_the_only_revision() {
    let tree = Tree::empty();
    gik(&tree).run(&["init"]).success();
    let timeline = jsonl(&tree, "timeline.jsonl");
    assert_eq!(timeline.len(), 1);
    let id = timeline[0]["id"].as_str().unwrap();
    assert_eq!(tree.read(&format!("{MAIN}/HEAD")), format!("{id}\n"));
}

#[test]
fn a_second_init_changes_no_byte_and_says_so() {
    let tree = Tree::empty();
    gik(&tree).run(&["init"]).success();
    let files = || -> Vec<(String, Vec<u8>)> {
        let below = tree.list_below(".guided");
        below.into_iter().map(|file| (file.clone(), tree.read_bytes(&file))).collect()
    };
    let before = files();
    let run = gik(&tree).run(&["init", "--json"]).success();
    assert_eq!(run.json()["alreadyInitialized"], true);
    assert_eq!(files(), before);
}

#[test]
fn derived_files_are_ignored_by_git_and_truth_is_not() {
    let tree = Tree::new("//- a.md\n# A\n");
    tree.git_init();
    gik(&tree).run(&["index"]).success();
    gik(&tree).run(&["ask", "a"]).success();
    gik(&tree).run(&["memory", "add", "remember this"]).success();
    tree.git(&["add", "--all"]);
    let added = tree.git(&["ls-files", ".guided"]);
    let added: Vec<&str> = added.lines().collect();
    assert_eq!(
        added,
        [
            ".guided/.gitignore",
            ".guided/knowledge/main/HEAD",
            ".guided/knowledge/main/bases/memory/sources.jsonl",
            ".guided/knowledge/main/staging/pending.jsonl",
            ".guided/knowledge/main/timeline.jsonl",
        ]
    );
}
