//! `gik stats`.

use super::{assert_transcript, gik, indexed};

#[test]
fn the_numbers() {
    let tree = indexed();
    tree.write("logo.dat", b"\x00\x01\x02binary");
    let sizes = |run: gik_testkit::Run| {
        run.redact(r"\d+(\.\d+)? [KM]?i?B\b", "[SIZE]")
            .redact(r#"("\w*[bB]ytes": )\d+"#, "$1[SIZE]")
    };
    assert_transcript(
        "stats",
        &[
            sizes(gik(&tree).run(&["stats"]).success()),
            sizes(gik(&tree).run(&["stats", "--json"]).success()),
        ],
    );
}
