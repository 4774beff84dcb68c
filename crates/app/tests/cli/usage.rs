//! Wrong usage: status 2, a sentence that says what is wrong, and the nearest right thing.

use super::{assert_transcript, gik, indexed};

#[test]
fn wrong_words() {
    let tree = indexed();
    let gik = gik(&tree);
    assert_transcript(
        "usage",
        &[
            gik.run(&[]).exit(2),
            gik.run(&["serach", "x"]).exit(2),
            gik.run(&["config"]).exit(2),
            gik.run(&["config", "shwo"]).exit(2),
            gik.run(&["status", "--jsn"]).exit(2),
            gik.run(&["status", "--json", "--jsonl"]).exit(2),
            gik.run(&["status", "--color", "sometimes"]).exit(2),
            gik.run(&["status", "--threads", "0"]).exit(2),
            gik.run(&["status", "--set", "nonsense=1"]).exit(2),
            gik.run(&["status", "too", "many"]).exit(2),
        ],
    );
}

#[test]
fn a_list_format_for_what_is_no_list_is_refused_before_anything_is_done() {
    let tree = super::project();
    let gik = gik(&tree);
    let run = gik.run(&["init", "--jsonl"]).exit(2);
    assert!(!tree.exists(".guided"), "{}", run.snapshot());
    assert_eq!(run.json()["error"]["code"], "argument-invalid");
}

#[test]
fn failures_are_data_when_data_was_asked_for() {
    let tree = super::project();
    assert_transcript(
        "failure_json",
        &[
            gik(&tree).run(&["ask", "x", "--no-init", "--json"]).exit(1),
            gik(&tree).run(&["log", "--jsonl"]).exit(1),
            gik(&tree).run(&["add", "nowhere", "--json"]).exit(1),
        ],
    );
}
