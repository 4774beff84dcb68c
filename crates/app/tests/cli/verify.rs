//! `gik verify`.

use super::{assert_transcript, gik, indexed, project};

#[test]
fn checking_what_is_on_disk() {
    let tree = indexed();
    let gik = gik(&tree);
    let good = gik.run(&["verify"]).success();
    tree.remove(".guided/knowledge/main/bases/docs/sources.jsonl");
    tree.write(".guided/knowledge/main/stack/stats.json", "{}");
    let bad = gik.run(&["verify"]).exit(1);
    let bad_json = gik.run(&["verify", "--json"]).exit(1);
    let bad_jsonl = gik.run(&["verify", "--jsonl"]).exit(1);
    let repaired = gik.run(&["verify", "--repair"]).success();
    let after = gik.run(&["verify", "--json"]).success();
    tree.write(".guided/knowledge/main/HEAD", "00000000-0000-4000-8000-000000000000\n");
    let lost = gik.run(&["verify"]);
    let fresh = project();
    assert_transcript(
        "verify",
        &[
            good,
            bad,
            bad_json,
            bad_jsonl,
            repaired,
            after,
            lost,
            super::gik(&fresh).run(&["verify"]),
        ],
    );
}

#[test]
fn a_repair_does_not_lose_changes_of_other_bases() {
    let tree = indexed();
    tree.write("src/text.rs", "/// Yodels.\npub fn yodel() {}\n");
    tree.remove(".guided/knowledge/main/bases/docs/sources.jsonl");
    gik(&tree).run(&["verify", "--repair"]).success();
    gik(&tree).run(&["commit"]).success();
    let sources = tree.read(".guided/knowledge/main/bases/code/sources.jsonl");
    assert!(sources.contains("yodel") && !sources.contains("farewell"), "{sources}");
}
