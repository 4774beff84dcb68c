//! `gik init`.

use gik_testkit::Tree;

use super::{assert_transcript, gik};

#[test]
fn starting_a_branch() {
    let tree = Tree::new("//- a.md\n# A\n");
    let gik = gik(&tree);
    let other = Tree::new("//- a.md\n# A\n");
    assert_transcript(
        "init",
        &[
            gik.run(&["init"]).success(),
            gik.run(&["init"]).success(),
            gik.run(&["init", "--json"]).success(),
            super::gik(&other).run(&["init", "--json"]).success(),
            gik.run(&["--workspace", "nowhere", "init"]).exit(2),
            gik.run(&["--workspace", "a.md", "init"]).exit(2),
        ],
    );
}
