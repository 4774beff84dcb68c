//! `gik branch`.

use super::{assert_transcript, gik, indexed, project};

#[test]
fn branches_of_knowledge() {
    let tree = indexed();
    let gik = gik(&tree);
    let fresh = project();
    assert_transcript(
        "branch",
        &[
            super::gik(&fresh).run(&["branch"]).success(),
            super::gik(&fresh).run(&["branch", "new"]).exit(1),
            gik.run(&["branch"]).success(),
            gik.run(&["branch", "feature/x"]).success(),
            gik.run(&["branch", "feature/x"]).exit(1),
            gik.run(&["branch", "--json"]).success(),
            gik.run(&["branch", "--jsonl"]).success(),
            gik.run(&["status", "--branch", "feature/x"]).success(),
            gik.run(&["ask", "farewell", "--branch", "feature/x"]).success(),
            gik.run(&["branch", "--delete", "main"]).exit(1),
            gik.run(&["branch", "--delete", "nowhere"]).exit(1),
            gik.run(&["branch", "--delete", "feature/x"]).success(),
        ],
    );
}
