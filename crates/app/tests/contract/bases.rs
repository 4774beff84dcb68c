//! `bases/code/` and `bases/docs/`.

use gik_testkit::Tree;
use serde_json::Value;

use super::{Kind, MAIN, check, json, jsonl};
use crate::cli::{gik, project};

fn check_stats(tree: &Tree, base: &str, chunks: usize, files: u64) {
    let stats = json(tree, &format!("bases/{base}/stats.json"));
    let fields =
        [("chunkCount", Kind::Count), ("fileCount", Kind::Count), ("lastUpdated", Kind::Time)];
    check(&stats, &fields, &[]);
    assert_eq!(stats["chunkCount"], chunks);
    assert_eq!(stats["fileCount"], files);
}

fn sources(tree: &Tree, base: &str) -> Vec<Value> {
    let entries = jsonl(tree, &format!("bases/{base}/sources.jsonl"));
    for entry in &entries {
        check(
            entry,
            &[
                ("id", Kind::Text),
                ("base", Kind::Text),
                ("path", Kind::Text),
                ("startLine", Kind::Count),
                ("endLine", Kind::Count),
            ],
            &[("text", Kind::Text), ("extra", Kind::Object)],
        );
        assert_eq!(entry["base"], base);
    }
    entries
}

#[test]
fn sources_are_the_lines_they_name() {
    let tree = project();
    gik(&tree).run(&["index"]).success();
    let mut files = std::collections::BTreeSet::new();
    for base in ["code", "docs"] {
        let entries = sources(&tree, base);
        for entry in &entries {
            let path = entry["path"].as_str().unwrap();
            files.insert(path.to_owned());
            let file = tree.read(path);
            let line = |name: &str| usize::try_from(entry[name].as_u64().unwrap()).unwrap();
            let (start, end) = (line("startLine"), line("endLine"));
            assert!(1 <= start && start <= end);
            let lines: Vec<&str> = file.lines().skip(start - 1).take(end - start + 1).collect();
            assert_eq!(entry["text"], lines.join("\n"), "{path}");
            assert!(entry["id"].as_str().unwrap().starts_with("ck:"));
        }
        check_stats(&tree, base, entries.len(), if base == "code" { 3 } else { 1 });
    }
    let files: Vec<String> = files.into_iter().collect();
    assert_eq!(files, tree.list());
}

#[test]
fn ids_are_unique_and_entries_sorted_by_path_and_line() {
    let tree = project();
    tree.write("copy/text.rs", tree.read("src/text.rs"));
    gik(&tree).run(&["index"]).success();
    let entries = sources(&tree, "code");
    let ids: std::collections::BTreeSet<&str> =
        entries.iter().map(|entry| entry["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), entries.len());
    let places: Vec<(&str, u64)> = entries
        .iter()
        .map(|entry| (entry["path"].as_str().unwrap(), entry["startLine"].as_u64().unwrap()))
        .collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn what_is_optional_is_left_out_above_the_configured_size() {
    let tree = project();
    let gik = gik(&tree);
    gik.run(&["index", "--set", "indexing.projection_text_bytes=10"]).success();
    let entries = sources(&tree, "code");
    let is_short = |entry: &Value| entry.get("text").is_none() && entry.get("extra").is_none();
    assert!(!entries.is_empty() && entries.iter().all(is_short));
    gik.run(&["verify"]).success();
    gik.run(&["ask", "farewell"]).success();
}

#[test]
fn only_a_base_that_changed_is_written_again() {
    let tree = project();
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    let modified = |base: &str| {
        let path = tree.path(&format!("{MAIN}/bases/{base}/sources.jsonl"));
        path.metadata().unwrap().modified().unwrap()
    };
    let before = modified("code");
    tree.append("README.md", "\nMore.\n");
    let commit = gik.run(&["commit", "--json"]).success().json();
    assert_eq!(commit["bases"], serde_json::json!(["docs"]));
    assert_eq!(modified("code"), before);
    assert!(tree.read(&format!("{MAIN}/bases/docs/sources.jsonl")).contains("More."));
}

#[test]
fn a_question_writes_no_contract_file() {
    let tree = project();
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    let before = tree.read(&format!("{MAIN}/bases/docs/sources.jsonl"));
    tree.append("README.md", "\nQuokka.\n");
    gik.run(&["ask", "quokka"]).success();
    assert_eq!(tree.read(&format!("{MAIN}/bases/docs/sources.jsonl")), before);
}

#[cfg(unix)]
#[test]
fn lines_that_stay_as_long_are_written_in_place() {
    use std::os::unix::fs::MetadataExt as _;
    let tree = project();
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    let path = format!("{MAIN}/bases/docs/sources.jsonl");
    let inode = || tree.path(&path).metadata().unwrap().ino();
    let (first, text) = (inode(), tree.read(&path));
    let page = tree.read("README.md");
    tree.write("README.md", page.to_uppercase());
    gik.run(&["index"]).success();
    let upper = tree.read(&path);
    assert_eq!(inode(), first);
    assert_ne!(upper, text);
    gik.run(&["verify"]).success();
    // The lines are those of an index that never knew the other page, and longer ones make a new file.
    tree.remove(&path);
    gik.run(&["index"]).success();
    assert_eq!(tree.read(&path), upper);
    let second = inode();
    tree.append("README.md", "\n## More\n\nA longer page.\n");
    gik.run(&["index"]).success();
    assert_ne!(inode(), second);
    gik.run(&["verify"]).success();
}
