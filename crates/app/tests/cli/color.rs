//! Colours: on request, never by surprise.

use super::{assert_text, gik, indexed};

#[test]
fn colours_on_request() {
    let tree = indexed();
    let gik = gik(&tree);
    let runs = [
        gik.run(&["search", "greeting", "-n", "2", "--color", "always"]).success(),
        gik.run(&["ask", "farewell", "-k", "1", "--color", "always"]).success(),
        gik.run(&["ask", "x", "--base", "kode", "--color", "always"]).exit(2),
        gik.run(&["log", "--color", "always"]).success(),
    ];
    // Escapes are made readable before ids and times are looked for between them.
    let text: Vec<String> =
        runs.into_iter().map(|run| run.redact("\u{1b}\\[([0-9;]*)m", "<$1>").snapshot()).collect();
    assert_text("color", &text.join("\n\n"));
}

#[test]
fn no_colours_into_a_pipe_and_under_no_color() {
    let tree = indexed();
    let gik = gik(&tree);
    let plain = |run: gik_testkit::Run| {
        let run = run.success();
        assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "{}", run.stdout);
    };
    plain(gik.run(&["ask", "greeting"]));
    plain(gik.clone().env("NO_COLOR", "").run(&["ask", "greeting"]));
    plain(gik.clone().env("CLICOLOR_FORCE", "1").run(&["ask", "greeting"]));
    plain(gik.clone().env("GIK_COLOR", "never").run(&["ask", "greeting"]));
    let forced = gik.env("NO_COLOR", "").env("CLICOLOR_FORCE", "1").run(&["ask", "greeting"]);
    assert!(forced.stdout.contains('\u{1b}'));
}
