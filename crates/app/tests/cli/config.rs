//! `gik config`.

use super::{assert_transcript, gik, project};

#[test]
fn settings_and_where_they_come_from() {
    let tree = project();
    let gik = gik(&tree);
    assert_transcript(
        "config",
        &[
            gik.run(&["config", "check"]).success(),
            gik.run(&["config", "show"]).success(),
            gik.run(&["config", "init"]).success(),
            gik.run(&["config", "init"]).exit(2),
            gik.run(&["config", "set", "ask.top_k", "3"]).success(),
            gik.run(&["config", "set", "ask.top_k", "5", "--global"]).success(),
            gik.run(&["config", "set", "indexing.maxFileBytes", "2000000", "--json"]).success(),
            gik.run(&["config", "show", "ask", "--origin"]).success(),
            gik.run(&["config", "show", "ask.top_k", "--json", "--origin"]).success(),
            gik.run(&["config", "show", "ask.top_k", "--set", "ask.top_k=9", "--origin"]).success(),
            gik.clone()
                .env("GIK_CONFIG_ASK_TOP_K", "7")
                .run(&["config", "show", "ask", "--origin"]),
            gik.run(&["config", "show", "ask.topk"]).exit(2),
            gik.run(&["config", "set", "ask.top_k", "many"]).exit(2),
            gik.run(&["config", "set", "ask.top_k", "1000"]).exit(2),
            gik.run(&["config", "set", "indexing.thread", "2"]).exit(2),
            gik.run(&["config", "check"]).success(),
            gik.run(&["status", "--set", "ask.top_k"]).exit(2),
        ],
    );
}

#[test]
fn mistakes_are_found_with_their_place() {
    let tree = project();
    let gik = gik(&tree);
    tree.write(
        ".guided/knowledge/config.yaml",
        "ask:\n  top_k: lots\n  snippet_lines: 3\nindexing:\n  max_file_bytes: 10\nembedding:\n  x: 1\n",
    );
    let check = gik.run(&["config", "check"]);
    let json = gik.run(&["config", "check", "--json"]);
    let status = gik.run(&["status"]);
    tree.write(".guided/knowledge/config.yaml", "ask:\n  top_k: [1\n");
    let broken = gik.run(&["config", "check"]);
    let broken_ask = gik.run(&["ask", "greeting"]);
    tree.write("other.yaml", "ask:\n  topK: 3\n");
    assert_transcript(
        "config_mistakes",
        &[
            check,
            json,
            status,
            broken,
            broken_ask,
            gik.run(&["config", "check", "other.yaml"]).success(),
            gik.run(&["config", "check", "nowhere.yaml"]),
        ],
    );
}

#[test]
fn a_workspace_must_be_trusted_before_it_may_widen_access() {
    let tree = project();
    let gik = gik(&tree);
    tree.write(
        ".guided/knowledge/config.yaml",
        "sources:\n  urls:\n    allow_private: [\"127.0.0.1\"]\n",
    );
    assert_transcript(
        "config_trust",
        &[
            gik.run(&["config", "show", "sources.urls", "--origin"]),
            gik.run(&["config", "trust"]).success(),
            gik.run(&["config", "show", "sources.urls", "--origin"]).success(),
            gik.run(&["config", "trust", "--json"]).success(),
            gik.run(&["config", "trust", "--revoke"]).success(),
            gik.run(&["status"]),
        ],
    );
}
