//! `gik search`.

use super::{assert_transcript, gik, project};

#[test]
fn places() {
    let tree = project();
    let gik = gik(&tree);
    assert_transcript(
        "search",
        &[
            gik.run(&["search", "greeting", "--no-init"]).exit(1),
            gik.run(&["search", "greeting"]).success(),
            gik.run(&["search", "greeting", "-l"]).success(),
            gik.run(&["search", "farewell", "--json"]).success(),
            gik.run(&["search", "greeting", "--jsonl", "-n", "2"]).success(),
            gik.run(&["search", "Hello", "--lang", "rust", "--base", "code"]).success(),
            gik.run(&["search", "zebra"]).exit(1),
            gik.run(&["search", "zebra", "--jsonl"]).exit(1),
            gik.run(&["search", "x", "--base", "memory"]).exit(2),
            gik.run(&["search"]).exit(2),
        ],
    );
}
