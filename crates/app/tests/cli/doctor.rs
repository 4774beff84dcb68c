//! `gik doctor`.

use super::{assert_transcript, gik, indexed, project};

#[test]
fn checking_what_is_needed() {
    let tree = indexed();
    let fresh = project();
    let stable = |run: gik_testkit::Run| {
        run.redact(r"\d+(\.\d+)? [KMGT]iB", "[SIZE]")
            .redact(r"\d+ known, \d+ with structure", "[N] known, [N] with structure")
            .redact(r"\b\d+\.\d+\.\d+\b", "[VERSION]")
            .redact(r#"\d+(\.\d+)? (bytes|cores?|threads?)"#, "[N] $2")
    };
    assert_transcript(
        "doctor",
        &[
            stable(gik(&fresh).run(&["doctor"])),
            stable(gik(&tree).run(&["doctor"])),
            stable(gik(&tree).run(&["doctor", "--json"])),
        ],
    );
}
