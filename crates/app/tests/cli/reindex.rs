//! `gik reindex`.

use super::{asked, assert_transcript, gik, indexed, project};

#[test]
fn making_the_index_anew() {
    let tree = indexed();
    let fresh = project();
    let dry = gik(&tree).run(&["reindex", "--dry-run"]).success();
    let done = gik(&tree).run(&["reindex"]).success();
    let json = gik(&tree).run(&["reindex", "--json"]).success();
    assert_eq!(asked(&tree, "farewell"), ["src/text.rs"]);
    gik(&tree).run(&["verify"]).success();
    assert_transcript("reindex", &[gik(&fresh).run(&["reindex"]).exit(1), dry, done, json]);
}
