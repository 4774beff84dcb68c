//! `gik bases`.

use super::{assert_transcript, gik, indexed, project};

#[test]
fn the_bases() {
    let tree = indexed();
    let fresh = project();
    assert_transcript(
        "bases",
        &[
            gik(&fresh).run(&["bases"]),
            gik(&tree).run(&["bases"]).success(),
            gik(&tree).run(&["bases", "--json"]).success(),
            gik(&tree).run(&["bases", "--jsonl"]).success(),
        ],
    );
}
