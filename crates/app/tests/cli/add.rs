//! `gik add`.

use super::{assert_transcript, gik, project};

#[test]
fn staging_sources() {
    let tree = project();
    let gik = gik(&tree);
    let before = gik.run(&["add", "src"]).exit(1);
    gik.run(&["init"]).success();
    assert_transcript(
        "add",
        &[
            before,
            gik.run(&["add", "src", "README.md", "https://example.com/guide"]).success(),
            gik.run(&["add", "src", "Cargo.toml"]).success(),
            gik.run(&["add", "README.md", "--base", "notes", "--json"]).success(),
            gik.run(&["add", "nowhere.md"]).exit(1),
            gik.run(&["add", "../home"]).exit(2),
            gik.run(&["add", "ftp://example.com/x"]).exit(2),
            gik.run(&["add", "README.md", "--base", "memory"]).exit(2),
            gik.run(&["add"]).exit(2),
        ],
    );
}

#[test]
fn one_bad_source_stages_nothing() {
    let tree = project();
    let gik = gik(&tree);
    gik.run(&["init"]).success();
    gik.run(&["add", "README.md", "nowhere.md"]).exit(1);
    assert!(!tree.exists(".guided/knowledge/main/staging/pending.jsonl"));
}
