//! `gik stack`.

use super::{assert_transcript, gik, project};

#[test]
fn what_the_workspace_is_made_of() {
    let tree = project();
    tree.write(
        "web/package.json",
        r#"{"dependencies":{"next":"^15.0.0"},"devDependencies":{"jest":"29"}}"#,
    );
    tree.write("compose.yaml", "services:\n  db:\n    image: postgres:16\n");
    tree.write("Dockerfile", "FROM rust:1\n");
    let gik = gik(&tree);
    let before = gik.run(&["stack"]);
    gik.run(&["index"]).success();
    assert_transcript(
        "stack",
        &[
            before,
            gik.run(&["stack"]).success(),
            gik.run(&["stack", "--dependencies"]).success(),
            gik.run(&["stack", "--json"]).success(),
        ],
    );
}
