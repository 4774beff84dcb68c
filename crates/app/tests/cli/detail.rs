//! How much of an answer is shown, and in which form: budgets, detail, formats, lines around a place, links.

use super::{assert_transcript, gik, indexed, paths};

#[test]
fn detail_budget_and_form() {
    let tree = indexed();
    let gik = gik(&tree);
    assert_transcript(
        "detail",
        &[
            gik.run(&["ask", "greeting", "--detail", "locations"]).success(),
            gik.run(&["ask", "greeting", "--detail", "signatures", "-k2"]).success(),
            gik.run(&["ask", "greeting", "--budget", "60"]).success(),
            gik.run(&["ask", "greeting", "--budget", "12"]).success(),
            gik.run(&["ask", "greeting", "--format", "md", "-k2"]).success(),
            gik.run(&["ask", "greeting", "--format", "compact", "--budget", "80"]).success(),
            gik.run(&["search", "greeting", "--format", "md", "-n2"]).success(),
            gik.run(&["search", "greeting", "--format", "compact", "-n2"]).success(),
            gik.run(&["search", "greeting", "-c"]).success(),
            gik.run(&["search", "farewell greeting", "-C", "1", "-n2"]).success(),
            gik.run(&["ask", "--like", "src/text.rs:4", "-k1", "--detail", "locations"]).success(),
            gik.run(&["ask", "--like", "src/text.rs", "-k1"]).exit(2),
            gik.run(&["status", "--format", "md"]).exit(2),
            gik.run(&["ask", "x", "--format", "json", "--json"]).exit(2),
        ],
    );
}

#[test]
fn no_answer_is_larger_than_its_budget() {
    let tree = indexed();
    for budget in [0, 5, 20, 50, 100, 1000] {
        let run = gik(&tree).run(&["ask", "greeting", "--json", "--budget", &budget.to_string()]);
        let bundle = run.json();
        let used = bundle["budget"]["used"].as_u64().unwrap();
        let bytes: usize = (bundle["ragChunks"].as_array().unwrap().iter())
            .map(|chunk| chunk["snippet"].as_str().unwrap().len())
            .sum();
        assert!(used <= budget && bytes as u64 <= 4 * used, "{budget}: {bundle}");
    }
}

#[test]
fn the_folder_can_be_named_before_a_command_that_has_another_meaning_for_the_sign() {
    let tree = indexed();
    let root = tree.root().to_str().unwrap();
    let run = gik(&tree).run(&["-C", root, "search", "farewell", "-C", "2", "--json"]).success();
    let results = &run.json()["results"];
    assert_eq!(paths(results), ["src/text.rs"]);
    assert_eq!(results[0]["before"].as_array().unwrap().len(), 2);
    gik(&tree).run(&["search", "farewell", "--workspace", root]).success();
    gik(&tree).run(&["ask", "farewell", "-C", root]).success();
}

#[test]
fn paths_are_links_where_they_are_wanted() {
    let tree = indexed();
    let links = |value: &str| {
        let run = gik(&tree).env("FORCE_HYPERLINK", value).run(&["search", "farewell"]).success();
        run.stdout.contains("\u{1b}]8;;file:///") && run.stdout.contains("src/text.rs#")
    };
    assert!(links("1") && !links("0"));
    assert!(!gik(&tree).run(&["search", "farewell"]).stdout.contains('\u{1b}'));
}

#[test]
fn what_is_like_a_chunk_is_asked_for_without_it() {
    let tree = indexed();
    tree.write("src/more.rs", "/// Makes the greeting for a crowd.\npub fn greeting_of_all() {}\n");
    let bundle = gik(&tree).run(&["ask", "--like", "src/text.rs:4", "--json"]).success().json();
    let found = paths(&bundle["ragChunks"]);
    assert!(found.contains(&"src/more.rs".to_owned()), "{found:?}");
    assert!(!found.contains(&"src/text.rs".to_owned()), "{found:?}");
    let bundle = gik(&tree).run(&["ask", "lang:markdown", "--like", "src/text.rs:4", "--json"]);
    assert_eq!(paths(&bundle.success().json()["ragChunks"]), ["README.md"]);
}

#[test]
fn chunks_are_compared_by_words_where_there_are_no_vectors() {
    let tree = super::project();
    tree.write(
        "src/more.rs",
        "/// Makes the greeting for a crowd.\npub fn greeting(name: &str) {}\n",
    );
    gik(&tree).run(&["index", "--no-embed"]).success();
    let run = gik(&tree).run(&["similar", "src/more.rs:2"]).success();
    assert!(run.stdout.contains("compared by words"), "{}", run.stdout);
    gik(&tree).run(&["index"]).success();
    let run = gik(&tree).run(&["similar", "src/more.rs:2", "--json"]).success();
    assert_eq!(run.json()["by"], "vectors");
}
