//! A model of the user's choice ranks the best candidates anew: pairs by a cross-encoder, single texts by an encoder.

use gik_testkit::{Gik, tiny_encoder};
use serde_json::Value;

use super::{gik, indexed};

const QUESTION: &str = "how to say hello to people";
/// A cross-encoder of a few kilobytes with random weights.
const CROSS_ENCODER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/fixtures/reranker");

fn choose(gik: &Gik<'_>, model: &str) {
    gik.run(&["config", "set", "ranking.reranker.model_id", model, "--global"]).success();
}

fn ask(gik: &Gik<'_>) -> Value {
    gik.run(&["ask", QUESTION, "--explain", "--json"]).success().json()
}

fn scores(bundle: &Value) -> Vec<Option<f64>> {
    let chunks = bundle["ragChunks"].as_array().unwrap();
    chunks.iter().map(|chunk| chunk.get("rerankerScore").and_then(Value::as_f64)).collect()
}

fn gains(bundle: &Value) -> Vec<f64> {
    let chunks = bundle["ragChunks"].as_array().unwrap().iter();
    chunks
        .flat_map(|chunk| chunk["signals"].as_array().unwrap())
        .filter(|signal| signal["name"] == "reranker")
        .map(|signal| signal["value"].as_f64().unwrap())
        .collect()
}

#[test]
fn without_a_choice_there_is_no_reranker() {
    let tree = indexed();
    let bundle = ask(&gik(&tree));
    assert!(scores(&bundle).iter().all(Option::is_none));
    assert_eq!(bundle["debug"].get("rerankerModelId"), None);
}

#[test]
fn a_cross_encoder_scores_every_candidate() {
    let tree = indexed();
    let gik = gik(&tree);
    let added = gik.run(&["model", "add", CROSS_ENCODER, "--name", "me/reranker"]).success();
    assert!(added.stdout.contains("ranking.reranker.model_id me/reranker"), "{}", added.snapshot());
    let listed = gik.run(&["model", "show", "me/reranker", "--json"]).success().json();
    assert_eq!(listed["kind"], "reranker", "{listed}");
    let refused = gik.run(&["model", "use", "me/reranker"]).exit(2);
    assert!(
        refused.stderr.contains("a reranker, which makes no embeddings"),
        "{}",
        refused.snapshot()
    );

    choose(&gik, "me/reranker");
    let bundle = ask(&gik);
    assert_eq!(bundle["debug"]["rerankerModelId"], "me/reranker");
    assert!(scores(&bundle).iter().all(Option::is_some), "{bundle}");
    assert!(gains(&bundle).iter().any(|gain| (gain - 0.5).abs() < 1e-9), "the best gains all");
    let chunk = &bundle["ragChunks"][0];
    let signals = chunk["signals"].as_array().unwrap().iter();
    let sum: f64 = signals.map(|signal| signal["value"].as_f64().unwrap()).sum();
    assert!((sum - chunk["score"].as_f64().unwrap()).abs() < 1e-3, "{chunk}");
    assert_eq!(ask(&gik), bundle);
    // Names are left to their letters.
    let name = gik.run(&["ask", "greeting", "--json"]).success().json();
    assert!(scores(&name).iter().all(Option::is_none));
}

#[test]
fn an_encoder_embeds_what_a_question_has_found_and_keeps_it() {
    let tree = indexed();
    let gik = gik(&tree);
    let folder = tree.outside().join("encoder");
    tiny_encoder(&folder);
    gik.run(&["model", "add", folder.to_str().unwrap(), "--name", "me/encoder"]).success();
    choose(&gik, "me/encoder");
    let bundle = ask(&gik);
    assert_eq!(bundle["debug"]["rerankerModelId"], "me/encoder");
    // The vectors of the index stay those of the table.
    assert_eq!(bundle["debug"]["embeddingModelId"], "gik-static-256-v1");
    let found = scores(&bundle);
    assert!(
        found.iter().all(|score| score.is_some_and(|score| score.abs() <= 1.0001)),
        "{found:?}"
    );
    assert!(tree.home().join(".gik/cache/embeddings.sqlite").is_file());
    assert_eq!(ask(&gik), bundle);
}

#[test]
fn a_model_that_is_missing_or_of_another_kind_is_told() {
    let tree = indexed();
    let gik = gik(&tree);
    choose(&gik, "me/none");
    let run = gik.run(&["ask", QUESTION, "--json"]).exit(1);
    assert_eq!(run.json()["error"]["code"], "embedding-provider-unavailable");
    assert!(run.stdout.contains("gik model pull me/none"), "{}", run.snapshot());
    let folder = tree.outside().join("table");
    gik_testkit::tiny_static_model(&folder);
    gik.run(&["model", "add", folder.to_str().unwrap(), "--name", "me/none"]).success();
    let run = gik.run(&["ask", QUESTION, "--json"]).exit(2);
    assert_eq!(run.json()["error"]["code"], "config-invalid");
}
