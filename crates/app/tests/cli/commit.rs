//! `gik commit`.

use super::{assert_transcript, gik, project};

#[test]
fn making_a_revision() {
    let tree = project();
    let gik = gik(&tree);
    let before = gik.run(&["commit"]).exit(1);
    gik.run(&["init"]).success();
    let nothing = gik.run(&["commit"]).exit(1);
    gik.run(&["add", "src", "README.md"]).success();
    let first = gik.run(&["commit", "-m", "feat(text): greet people"]).success();
    tree.rename("src/text.rs", "src/words.rs");
    tree.append("README.md", "\nMore.\n");
    tree.remove("src/main.rs");
    tree.write("src/extra.rs", "fn extra() {}\n");
    let changed = gik.run(&["commit"]).success();
    tree.write("picture.dat", b"\x00\x01\x02\x03");
    gik.run(&["add", "picture.dat"]).success();
    let failed = gik.run(&["commit"]).exit(1);
    gik.run(&["add", "picture.dat", "Cargo.toml"]).success();
    let partly = gik.run(&["commit", "--json"]).success();
    gik.run(&["add", "picture.dat"]).success();
    tree.append("README.md", "\nEven more.\n");
    let partly_text = gik.run(&["commit"]).success();
    assert_transcript(
        "commit",
        &[
            before,
            nothing,
            first,
            changed,
            failed,
            partly,
            partly_text,
            gik.run(&["commit"]).exit(1),
        ],
    );
}
