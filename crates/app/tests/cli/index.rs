//! `gik index`.

use gik_testkit::Tree;

use super::{assert_transcript, gik, project};

#[test]
fn indexing_a_workspace() {
    let tree = project();
    tree.write("dist/app.min.js", format!("var a={};\n", "1+".repeat(4000)));
    tree.write("logo.dat", b"\x00\x01\x02binary");
    let gik = gik(&tree);
    let first = gik.run(&["index"]).success();
    let again = gik.run(&["index"]).success();
    tree.append("README.md", "\nMore words.\n");
    let changed = gik.run(&["index", "--json", "-m", "docs: more words"]).success();
    assert_transcript(
        "index",
        &[
            first,
            again,
            changed,
            gik.run(&["index", "nowhere"]).exit(1),
            gik.run(&["index", "src", "--base", "kode"]).exit(2),
            gik.run(&["index", "../home"]).exit(2),
        ],
    );
}

#[test]
fn indexing_one_folder() {
    let tree = project();
    let gik = gik(&tree);
    assert_transcript(
        "index_sources",
        &[
            gik.run(&["index", "src", "README.md", "--base", "docs"]).success(),
            gik.run(&["ls-files"]).success(),
        ],
    );
}

#[test]
fn an_empty_workspace() {
    let tree = Tree::empty();
    let gik = gik(&tree);
    assert_transcript(
        "empty_workspace",
        &[
            gik.run(&["index"]).success(),
            gik.run(&["status"]).success(),
            gik.run(&["ask", "anything"]).exit(1),
            gik.run(&["bases"]).success(),
            gik.run(&["stats"]).success().redact(r"\d+\.\d KiB", "[SIZE]"),
            gik.run(&["stack"]).success(),
            gik.run(&["ls-files"]).exit(1),
            gik.run(&["verify"]).success(),
        ],
    );
}

#[test]
fn stage_four_makes_the_sql_table_and_a_reindex_keeps_it() {
    let tree = project();
    let gik = gik(&tree);
    let has_table = || {
        let mut database = tree.read_bytes(".guided/knowledge/main/index.sqlite");
        database.extend(tree.read_bytes(".guided/knowledge/main/index.sqlite-wal"));
        database.windows(b"fts_chunks_content".len()).any(|name| name == b"fts_chunks_content")
    };
    gik.run(&["index"]).success();
    assert!(!has_table());
    gik.run(&["index", "--stage", "4"]).success();
    assert!(has_table());
    gik.run(&["reindex"]).success();
    assert!(has_table());
}
