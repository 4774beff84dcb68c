//! `gik log`.

use super::{assert_transcript, gik, project};

#[test]
fn what_happened() {
    let tree = project();
    let gik = gik(&tree);
    let before = gik.run(&["log"]).exit(1);
    gik.run(&["index", "-m", "feat: index all"]).success();
    gik.run(&["ask", "greeting"]).success();
    gik.run(&["ask", "farewell", "--base", "code"]).success();
    gik.run(&["reindex"]).success();
    assert_transcript(
        "log",
        &[
            before,
            gik.run(&["log"]).success(),
            gik.run(&["log", "--json", "-n", "1"]).success(),
            gik.run(&["log", "--jsonl", "--op", "init"]).success(),
            gik.run(&["log", "--oneline", "--op", "commit,reindex"]).success(),
            gik.run(&["log", "--kind", "ask"]).success(),
            gik.run(&["log", "--kind", "ask", "--jsonl", "--base", "docs"]).success(),
            gik.run(&["log", "--base", "docs", "--since", "1h", "--oneline"]).success(),
            gik.run(&["log", "--until", "2001-01-01"]).exit(1),
            gik.run(&["log", "--since", "yesterday"]).exit(2),
            gik.run(&["log", "--op", "comit"]).exit(2),
            gik.run(&["log", "--kind", "asks"]).exit(2),
            gik.run(&["log", "--base", "kode"]).exit(2),
        ],
    );
}
