//! `gik show`.

use super::{assert_transcript, gik, indexed};

#[test]
fn one_revision() {
    let tree = indexed();
    let gik = gik(&tree);
    let head = tree.read(".guided/knowledge/main/HEAD");
    let prefix = &head[..8];
    assert_transcript(
        "show",
        &[
            gik.run(&["show"]).success(),
            gik.run(&["show", "@", "--json"]).success(),
            gik.run(&["show", "HEAD~1"]).success(),
            gik.run(&["show", prefix]).success(),
            gik.run(&["show", "HEAD~2"]).exit(1),
            gik.run(&["show", "zzzz"]).exit(1),
            gik.run(&["show", "nothing here", "--json"]).exit(1),
        ],
    );
}
