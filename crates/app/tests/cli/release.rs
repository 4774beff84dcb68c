//! `gik release`.

use super::{assert_text, assert_transcript, gik, project};

#[test]
fn writing_the_changelog() {
    let tree = project();
    let gik = gik(&tree);
    let before = gik.run(&["release"]).exit(1);
    let messages = [
        "feat(text): greet people",
        "fix!: say goodbye properly\n\nBREAKING CHANGE: `farewell` returns a string",
        "docs: explain the usage",
        "no convention here",
    ];
    gik.run(&["index", "-m", "chore: start"]).success();
    for message in messages {
        tree.append("README.md", "\nMore.\n");
        gik.run(&["commit", "-m", message]).success();
    }
    let date = |run: gik_testkit::Run| run.redact(r"\] - \d{4}-\d\d-\d\d", "] - [DATE]");
    let dry = date(gik.run(&["release", "--dry-run"]).success());
    assert!(!tree.exists("CHANGELOG.md"));
    let written = date(gik.run(&["release", "--tag", "v0.1.0"]).success());
    tree.append("README.md", "\nMore.\n");
    gik.run(&["commit", "-m", "feat: one more thing"]).success();
    let appended = date(gik.run(&["release", "--tag", "v0.2.0", "--append", "--json"]).success());
    let text =
        date(gik.run(&["release", "--dry-run", "--from", "HEAD~1", "--to", "HEAD"]).success());
    tree.write("CHANGELOG.md", "# Mine\n");
    let refused = gik.run(&["release"]).exit(2);
    let wrong = gik.run(&["release", "--from", "nowhere"]).exit(1);
    assert_transcript("release", &[before, dry, written, appended, text, refused, wrong]);
}

#[test]
fn the_changelog_file() {
    let tree = project();
    let gik = gik(&tree);
    gik.run(&["index", "-m", "feat(text): greet people"]).success();
    gik.run(&["release", "--tag", "v0.1.0"]).success();
    tree.append("README.md", "\nMore.\n");
    gik.run(&["commit", "-m", "fix: say it right"]).success();
    gik.run(&["release", "--tag", "v0.2.0", "--append"]).success();
    let text = gik_testkit::Redactor::for_tree(&tree)
        .rule(r"\d{4}-\d\d-\d\d", "[DATE]")
        .apply(&tree.read("CHANGELOG.md"));
    assert_text("changelog", &text);
}
