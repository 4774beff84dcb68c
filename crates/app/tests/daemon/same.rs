//! The same bytes, whoever answers.

use gik_testkit::Run;
use serde_json::json;

use super::{calls, configure, is_running, started, status, warm};
use crate::cli::{gik, indexed, project};
use crate::serve::client::Mcp;
use crate::serve::parity;
use gik_testkit::eventually;

fn assert_same(warm: &Run, own: &Run) {
    assert_eq!(warm.stdout, own.stdout, "{}", own.snapshot());
    assert_eq!(warm.stderr, own.stderr, "{}", own.snapshot());
    assert_eq!(warm.code, own.code, "{}", own.snapshot());
}

#[test]
fn commands_print_the_same_bytes() {
    let tree = indexed();
    gik(&tree).run(&["memory", "add", "We keep it short.", "--title", "Short"]).success();
    let _running = started(&tree);
    let looks: [&[(&str, &str)]; 2] =
        [&[], &[("COLUMNS", "50"), ("GIK_COLOR", "always"), ("FORCE_HYPERLINK", "1")]];
    let mut asked = 0;
    for (words, _, _) in parity::calls("") {
        for (look, format) in [(1, "text"), (0, "json")] {
            let words: Vec<&str> = words.iter().copied().chain(["--format", format]).collect();
            let look = looks[look];
            let dressed =
                |gik| look.iter().fold(gik, |gik: gik_testkit::Gik<'_>, it| gik.env(it.0, it.1));
            let before = calls(&tree);
            let answered = dressed(warm(&tree)).run(&words);
            asked += calls(&tree) - before;
            assert_same(&answered, &dressed(gik(&tree)).run(&words));
        }
    }
    assert!(asked > 50, "only {asked} went to the warm process");
}

#[test]
fn the_folder_the_workspace_and_the_settings_are_those_of_the_caller() {
    let (tree, other) = (indexed(), indexed());
    let _running = started(&tree);
    other.write("src/elsewhere.rs", "pub fn only_elsewhere() {}\n");
    let elsewhere = other.root().to_str().unwrap();
    let calls_of = |words: &[&str], folder: &str| {
        let before = calls(&tree);
        let answered = warm(&tree).within(folder).run(words);
        assert_eq!(calls(&tree), before + 1, "{words:?}");
        assert_same(&answered, &gik(&tree).within(folder).run(words));
        answered
    };
    calls_of(&["outline", "text.rs"], "src");
    calls_of(&["search", "greeting", "--set", "ask.max_snippet_lines=1"], ".");
    let found = calls_of(&["-C", elsewhere, "symbols", "only_elsewhere", "--json"], ".");
    assert_eq!(found.json()["symbols"][0]["path"], "src/elsewhere.rs");
    // What the caller's variables decide, only the caller knows.
    let before = calls(&tree);
    let own = warm(&tree).env("GIK_CONFIG_ASK_TOP_K", "1").run(&["ask", "greeting", "--json"]);
    assert_eq!(own.json()["ragChunks"].as_array().unwrap().len(), 1);
    assert_eq!(calls(&tree), before);
}

#[test]
fn a_first_index_is_made_on_the_way_and_files_are_never_behind() {
    let (tree, twin) = (project(), project());
    let _running = started(&tree);
    let answered = warm(&tree).run(&["search", "farewell"]).success();
    assert_eq!(calls(&tree), 1);
    let own = gik(&twin).run(&["search", "farewell"]).success();
    assert_eq!(answered.snapshot(), own.snapshot());
    tree.write("src/late.rs", "pub fn brand_new() {}\n");
    let found = warm(&tree).run(&["symbols", "brand_new", "--json"]).success();
    assert_eq!(found.json()["symbols"][0]["path"], "src/late.rs");
    assert_eq!(calls(&tree), 2);
}

#[test]
fn failures_and_writing_stay_with_the_process_that_was_asked() {
    let tree = indexed();
    let _running = started(&tree);
    for words in [&["search", "+"][..], &["outline", "missing.rs"], &["search", "re:/(/", "--json"]]
    {
        assert_same(&warm(&tree).run(words), &gik(&tree).run(words));
    }
    let before = calls(&tree);
    warm(&tree).run(&["memory", "add", "Written here.", "--title", "Here"]).success();
    warm(&tree).run(&["doctor"]).success();
    assert_eq!(calls(&tree), before);
}

#[test]
fn an_mcp_server_starts_one_and_shares_it() {
    let tree = indexed();
    let question = || ("search", json!({"query": "farewell"}));
    let mut alone = Mcp::start_by(&gik(&tree), &[]);
    assert!(!is_running(&tree), "nobody asked for one");
    let mut first = Mcp::start_by(&warm(&tree), &[]);
    eventually("the server has started a warm process", || is_running(&tree));
    let mut second = Mcp::start_by(&warm(&tree), &[]);
    let (tool, arguments) = question();
    let own = alone.call(tool, arguments);
    for mcp in [&mut first, &mut second] {
        let (tool, arguments) = question();
        let before = calls(&tree);
        assert_eq!(mcp.call(tool, arguments), own);
        assert_eq!(calls(&tree), before + 1);
    }
    let before = calls(&tree);
    first.call("remember", json!({"text": "Said here.", "title": "Here"}));
    assert_eq!(calls(&tree), before, "writing is not passed on");
    assert_eq!(status(&tree)["working"], 0);
}

#[test]
fn whoever_wants_none_has_none() {
    let tree = indexed();
    let _running = started(&tree);
    configure(&tree, "daemon:\n  use: false\n");
    warm(&tree).run(&["search", "farewell"]).success();
    gik(&tree).run(&["search", "farewell"]).success();
    assert_eq!(calls(&tree), 0);
    warm(&tree).run(&["daemon", "start"]).exit(2);
}
