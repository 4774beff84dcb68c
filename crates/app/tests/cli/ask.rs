//! `gik ask`.

use super::{assert_transcript, gik, indexed, project};

#[test]
fn a_question_with_evidence() {
    let tree = project();
    let gik = gik(&tree);
    assert_transcript(
        "ask",
        &[
            gik.run(&["ask", "how is the greeting made?", "--no-init"]).exit(1),
            gik.run(&["ask", "how is the greeting made?"]).success(),
            gik.run(&["ask", "farewell", "--json"]).success(),
            gik.run(&["ask", "\"Hello, {name}\"", "-k", "1"]).success(),
            gik.run(&["ask", "greeting", "+Usage", "--base", "docs"]).success(),
            gik.run(&["ask", "greeting", "--files", "*.md"]).success(),
            gik.run(&["ask", "greeting", "--lang", "rust", "--files", "!src/text.rs"]).success(),
            gik.run(&["ask", "zebra crossing"]).exit(1),
            gik.run(&["ask", "zebra crossing", "--json"]).exit(1),
        ],
    );
}

#[test]
fn a_question_that_cannot_be_asked() {
    let tree = indexed();
    let gik = gik(&tree);
    assert_transcript(
        "ask_wrong",
        &[
            gik.run(&["ask"]).exit(2),
            gik.run(&["ask", ""]).exit(2),
            gik.run(&["ask", "-the"]).exit(2),
            gik.run(&["ask", "\"\""]).exit(2),
            gik.run(&["ask", "x", "--base", "kode"]).exit(2),
            gik.run(&["ask", "x", "--lang", "klingon"]).exit(2),
            gik.run(&["ask", "x", "--files", "a[b"]).exit(2),
            gik.run(&["ask", "x", "-k", "0"]).exit(2),
            gik.run(&["ask", "greeting", "--branch", "nowhere"]).exit(1),
            gik.run(&["ask", "greeting", "--jsonl"]).exit(2),
        ],
    );
}

#[test]
fn an_index_is_made_first_where_there_is_none() {
    let tree = project();
    let run = gik(&tree).run(&["ask", "greeting"]).success();
    assert!(run.stderr.contains("no index yet"), "{}", run.stderr);
    let quiet = project();
    let run = gik(&quiet).run(&["ask", "greeting", "--quiet"]).success();
    assert_eq!(run.stderr, "");
    assert!(!run.stdout.is_empty());
}

#[test]
fn steps_are_timed_on_request() {
    let tree = indexed();
    let timings =
        gik(&tree).run(&["ask", "greeting", "--json", "--timings"]).json()["debug"]["timings"]
            .clone();
    let timings = timings.as_object().expect("timings are an object");
    for step in ["refresh", "search", "total"] {
        assert!(timings[step].as_f64().is_some_and(|ms| ms >= 0.0), "{step}");
    }
    assert!(
        gik(&tree).run(&["ask", "greeting", "--json"]).json()["debug"].get("timings").is_none()
    );
}
