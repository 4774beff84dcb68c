//! `gik status`.

use super::{assert_transcript, gik, project};

#[test]
fn what_is_tracked_and_what_changed() {
    let tree = project();
    let gik = gik(&tree);
    let before = gik.run(&["status"]);
    gik.run(&["init"]).success();
    let empty = gik.run(&["status"]).success();
    gik.run(&["index"]).success();
    let clean = gik.run(&["status"]).success();
    tree.append("README.md", "\nMore.\n");
    tree.remove("src/main.rs");
    tree.write("src/extra.rs", "fn extra() {}\n");
    gik.run(&["add", "https://example.com/guide"]).success();
    assert_transcript(
        "status",
        &[
            before,
            empty,
            clean,
            gik.run(&["status"]).success(),
            gik.run(&["status", "--json"]).success(),
            gik.run(&["status", "--branch", "nowhere"]).exit(1),
        ],
    );
}
