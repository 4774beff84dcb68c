//! `gik rm`.

use super::{asked, assert_transcript, gik, indexed, listed, project};

#[test]
fn taking_sources_out() {
    let tree = indexed();
    let gik = gik(&tree);
    tree.write("notes/later.md", "# Later\n");
    gik.run(&["add", "notes/later.md"]).success();
    assert_transcript(
        "rm",
        &[
            gik.run(&["rm", "notes/later.md"]).success(),
            gik.run(&["rm", "src/text.rs"]).success(),
            gik.run(&["rm", "src", "--json"]).success(),
            gik.run(&["rm", "nowhere"]).exit(1),
            gik.run(&["rm", "https://example.com/never"]).exit(1),
        ],
    );
}

#[test]
fn a_file_of_a_tracked_folder_goes_and_comes_back() {
    let tree = indexed();
    let gik = gik(&tree);
    gik.run(&["rm", "src/text.rs"]).success();
    gik.run(&["commit"]).success();
    assert_eq!(asked(&tree, "farewell"), Vec::<String>::new());
    // The folder is tracked still, and a change of the file does not bring it back.
    tree.append("src/text.rs", "// farewell\n");
    assert_eq!(asked(&tree, "farewell"), Vec::<String>::new());
    gik.run(&["add", "src/text.rs"]).success();
    gik.run(&["commit"]).success();
    assert_eq!(asked(&tree, "farewell"), ["src/text.rs"]);
}

#[test]
fn a_folder_inside_a_tracked_folder_goes_with_all_below_it() {
    let tree = indexed();
    let gik = gik(&tree);
    gik.run(&["rm", "src"]).success();
    let commit = gik.run(&["commit", "--json"]).success().json();
    assert_eq!(commit["removed"], 2);
    assert_eq!(listed(&tree), ["Cargo.toml", "README.md"]);
    tree.write("src/new.rs", "fn brand_new() {}\n");
    assert_eq!(asked(&tree, "brand_new"), Vec::<String>::new());
    gik.run(&["add", "src"]).success();
    gik.run(&["commit"]).success();
    assert_eq!(asked(&tree, "brand_new"), ["src/new.rs"]);
}

#[test]
fn everything_can_be_taken_out() {
    let tree = indexed();
    let gik = gik(&tree);
    gik.run(&["rm", "."]).success();
    gik.run(&["commit"]).success();
    assert!(listed(&tree).is_empty());
    gik.run(&["verify"]).success();
}

#[test]
fn a_source_that_a_killed_commit_left_behind_can_be_taken_off_the_list() {
    let tree = project();
    gik(&tree).run(&["init"]).success();
    gik(&tree).run(&["add", "src"]).success();
    let pending = ".guided/knowledge/main/staging/pending.jsonl";
    tree.write(pending, tree.read(pending).replace("\"pending\"", "\"processing\""));
    gik(&tree).run(&["rm", "src"]).success();
    assert_eq!(tree.read(pending).trim(), "");
}
