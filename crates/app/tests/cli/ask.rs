//! `gik ask`.

use gik_testkit::Tree;

use super::{asked, assert_transcript, gik, indexed, project};

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
fn what_is_near_in_meaning_comes_before_what_has_more_of_the_words() {
    let tree = Tree::empty();
    tree.write(
        "doc/paint.md",
        "# Paint\n\nThe old file cabinet in the user room was painted white by a user.\n",
    );
    tree.write(
        "doc/clean.md",
        "# Cleaning\n\nDeletes an old file from the disk when its user has gone.\n",
    );
    let gik = gik(&tree);
    let bundle = gik.run(&["ask", "erase old file of a user", "--json"]).success().json();
    let chunks = bundle["ragChunks"].as_array().unwrap();
    let dense: Vec<f64> =
        chunks.iter().map(|chunk| chunk["denseScore"].as_f64().unwrap()).collect();
    assert_eq!(chunks[0]["path"], "doc/clean.md", "{chunks:?}");
    assert!(dense[0] > dense[1] && dense[0] <= 1.0, "{dense:?}");
    assert_eq!(bundle["debug"]["embeddingModelId"], "gik-static-256-v1");
    // A name is looked for by its letters alone, and nothing found is nothing weighed.
    for question in ["file", "zebra crossing"] {
        let bundle = gik.run(&["ask", question, "--json"]).json();
        assert!(bundle["debug"]["embeddingModelId"].is_null(), "{question}");
        let chunks = bundle["ragChunks"].as_array().unwrap();
        assert!(chunks.iter().all(|chunk| chunk["denseScore"].is_null()), "{question}");
    }
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

#[test]
fn a_question_to_memory_alone_gives_no_files() {
    let tree = indexed();
    let bundle = gik(&tree).run(&["ask", "greeting", "--base", "memory", "--json"]).json();
    assert_eq!(bundle["ragChunks"].as_array().unwrap().len(), 0);
}

#[test]
fn what_was_staged_is_indexed_first_and_what_was_taken_out_stays_out() {
    let tree = project();
    gik(&tree).run(&["init"]).success();
    gik(&tree).run(&["add", "src"]).success();
    assert_eq!(asked(&tree, "farewell"), ["src/text.rs"]);
    assert_eq!(asked(&tree, "terminal"), Vec::<String>::new());
    gik(&tree).run(&["rm", "src"]).success();
    gik(&tree).run(&["commit"]).success();
    assert_eq!(asked(&tree, "farewell"), Vec::<String>::new());
}
