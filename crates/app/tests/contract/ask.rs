//! `ask --json` and `asks/ask.log.jsonl`.

use gik_testkit::Tree;
use serde_json::{Value, json};

use super::{Kind, MAIN, check, lines_of};
use crate::cli::{gik, project};

const LOG: &str = ".guided/knowledge/asks/ask.log.jsonl";

fn bundle(tree: &Tree, arguments: &[&str]) -> Value {
    gik(tree).run(&[&["ask", "--json"], arguments].concat()).json()
}

#[test]
fn the_bundle_has_the_fields_of_the_contract() {
    let tree = project();
    gik(&tree).run(&["index"]).success();
    gik(&tree).run(&["memory", "add", "The greeting is friendly", "--title", "Tone"]).success();
    let bundle = bundle(&tree, &["greeting"]);
    check(
        &bundle,
        &[
            ("revisionId", Kind::Uuid),
            ("question", Kind::Text),
            ("bases", Kind::Texts),
            ("ragChunks", Kind::List),
            ("kgResults", Kind::List),
            ("memoryEvents", Kind::List),
            ("stackSummary", Kind::Object),
            ("debug", Kind::Object),
        ],
        &[("freshness", Kind::Object), ("coverage", Kind::Object)],
    );
    assert_eq!(bundle["revisionId"], tree.read(&format!("{MAIN}/HEAD")).trim_end());
    assert_eq!(bundle["question"], "greeting");
    assert_eq!(bundle["bases"], json!(["code", "docs", "memory", "notes"]));
    check(
        &bundle["stackSummary"],
        &[
            ("languages", Kind::Texts),
            ("frameworks", Kind::Texts),
            ("services", Kind::Texts),
            ("managers", Kind::Texts),
        ],
        &[],
    );
    let debug = [("embeddingModelId", Kind::OrNull(&Kind::Text)), ("usedBases", Kind::Texts)];
    check(&bundle["debug"], &debug, &[("timings", Kind::Object)]);
    assert_eq!(bundle["debug"]["usedBases"], json!(["code", "docs", "memory"]));
    check(
        &bundle["freshness"],
        &[
            ("state", Kind::OneOf(&["current", "stale"])),
            ("refreshedFiles", Kind::Count),
            ("aheadOfRevision", Kind::Bool),
        ],
        &[],
    );
    let coverage = [("files", Kind::Count), ("chunks", Kind::Count), ("skipped", Kind::Counts)];
    check(&bundle["coverage"], &coverage, &[]);
}

#[test]
fn a_chunk_and_a_memory_event_have_their_fields() {
    let tree = project();
    gik(&tree).run(&["index"]).success();
    gik(&tree).run(&["memory", "add", "The greeting is friendly", "--title", "Tone"]).success();
    let bundle = bundle(&tree, &["greeting"]);
    let chunks = bundle["ragChunks"].as_array().unwrap();
    assert_eq!(chunks.len(), 4);
    let mut last = f64::INFINITY;
    for chunk in chunks {
        check(
            chunk,
            &[
                ("base", Kind::OneOf(&["code", "docs"])),
                ("score", Kind::Number),
                ("path", Kind::Text),
                ("startLine", Kind::Count),
                ("endLine", Kind::Count),
                ("snippet", Kind::Text),
            ],
            &[
                ("denseScore", Kind::OrNull(&Kind::Number)),
                ("rerankerScore", Kind::OrNull(&Kind::Number)),
                ("chunkUid", Kind::Text),
                ("name", Kind::Text),
                ("kind", Kind::Text),
                ("language", Kind::Text),
                ("matched", Kind::Texts),
                ("truncated", Kind::Bool),
            ],
        );
        let score = chunk["score"].as_f64().unwrap();
        assert!(score <= last, "the best come first");
        last = score;
        let start = chunk["startLine"].as_u64().unwrap();
        let end = chunk["endLine"].as_u64().unwrap();
        let lines = chunk["snippet"].as_str().unwrap().lines().count() as u64;
        assert_eq!(lines, end - start + 1);
    }
    let event = &bundle["memoryEvents"][0];
    check(
        event,
        &[
            ("id", Kind::MemoryId),
            ("score", Kind::Number),
            ("scope", Kind::OneOf(&["project", "branch", "global"])),
            ("source", Kind::Text),
            ("text", Kind::Text),
            ("tags", Kind::Texts),
            ("createdAt", Kind::Time),
        ],
        &[("title", Kind::Text)],
    );
    assert_eq!(event["title"], "Tone");
}

#[test]
fn every_question_that_was_answered_is_one_line_of_the_log() {
    let tree = project();
    let gik = gik(&tree);
    gik.run(&["ask", "greeting", "--no-init"]).exit(1);
    assert!(!tree.exists(LOG), "a question that failed is not logged");
    gik.run(&["ask", "how", "does", "greeting work?"]).success();
    gik.run(&["ask", "farewell", "--base", "docs"]).exit(1);
    gik.run(&["ask", "farewell", "--base", "kode"]).exit(2);
    gik.run(&["ask", "\"unclosed"]).exit(2);
    gik.run(&["search", "greeting"]).success();
    gik.run(&["ask", "farewell", "--base", "code"]).success();
    let entries = lines_of(&tree.read(LOG));
    for entry in &entries {
        check(
            entry,
            &[
                ("timestamp", Kind::Time),
                ("branch", Kind::Text),
                ("question", Kind::Text),
                ("bases", Kind::Texts),
                ("totalHits", Kind::Count),
            ],
            &[
                ("bundlePath", Kind::OrNull(&Kind::Text)),
                ("answerBytes", Kind::Count),
                ("filesBytes", Kind::Count),
                ("files", Kind::Count),
            ],
        );
    }
    let told: Vec<_> = entries
        .iter()
        .map(|entry| (&entry["question"], &entry["bases"], &entry["totalHits"]))
        .collect();
    let all = json!(["code", "docs", "memory", "notes"]);
    let (docs, code) = (json!(["docs"]), json!(["code"]));
    let question = json!("how does greeting work?");
    let farewell = json!("farewell");
    assert_eq!(
        told,
        [
            (&question, &all, &json!(4)),
            (&farewell, &docs, &json!(0)),
            (&farewell, &code, &json!(1)),
        ]
    );
}

#[test]
fn the_log_can_be_switched_off() {
    let tree = project();
    gik(&tree).run(&["ask", "greeting", "--set", "ask.log=false"]).success();
    assert!(!tree.exists(LOG));
}
