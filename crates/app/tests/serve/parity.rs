//! The same call gives the same data by command line, MCP and HTTP.

use serde_json::{Value, json};

use super::{Http, Mcp};
use crate::cli::{gik, indexed};

/// Words for the command line, the tool, and the same as data.
pub(crate) fn calls(id: &str) -> Vec<(Vec<&str>, &'static str, Value)> {
    let mut calls = vec![
        (vec!["search", "farewell"], "search", json!({"query": "farewell"})),
        (
            vec!["search", "greeting", "-n", "2", "--lang", "rust", "--explain"],
            "search",
            json!({"query": "greeting", "limit": 2, "languages": ["rust"], "explain": true}),
        ),
        (
            vec!["ask", "how are people greeted"],
            "ask",
            json!({"question": "how are people greeted"}),
        ),
        (
            vec!["ask", "greeting", "--detail", "signatures", "--budget", "200"],
            "ask",
            json!({"question": "greeting", "detail": "signatures", "budget": 200}),
        ),
        (vec!["symbols", "greet"], "symbols", json!({"name": "greet"})),
        (vec!["def", "greeting"], "def", json!({"symbol": "greeting"})),
        (vec!["refs", "greeting"], "refs", json!({"symbol": "greeting"})),
        (vec!["outline", "src/text.rs"], "outline", json!({"files": ["src/text.rs"]})),
        (vec!["graph", "callers", "greeting"], "graph_callers", json!({"node": "greeting"})),
        (vec!["graph", "callees", "main"], "graph_callees", json!({"node": "main"})),
        (vec!["graph", "imports", "src/main.rs"], "graph_imports", json!({"node": "src/main.rs"})),
        (
            vec!["graph", "importers", "src/text.rs"],
            "graph_importers",
            json!({"node": "src/text.rs"}),
        ),
        (
            vec!["graph", "neighbors", "src/text.rs", "--direction", "out", "--kind", "contains"],
            "graph_neighbors",
            json!({"node": "src/text.rs", "direction": "out", "kinds": ["contains"]}),
        ),
        (
            vec!["graph", "path", "src/text.rs", "greeting"],
            "graph_path",
            json!({"from": "src/text.rs", "to": "greeting"}),
        ),
        (vec!["graph", "cycles"], "graph_cycles", json!({})),
        (vec!["graph", "orphans", "--public"], "graph_orphans", json!({"public": true})),
        (vec!["graph", "hubs"], "graph_hubs", json!({})),
        (vec!["graph", "export", "--symbols"], "graph_export", json!({"symbols": true})),
        (vec!["impact", "greeting"], "impact", json!({"targets": ["greeting"]})),
        (vec!["impact", "nobody"], "impact", json!({"targets": ["nobody"]})),
        (vec!["map", "--budget", "100"], "map", json!({"budget": 100})),
        (vec!["similar", "src/text.rs:5"], "similar", json!({"place": "src/text.rs:5"})),
        (vec!["pack", "--focus", "farewell"], "pack", json!({"focus": "farewell"})),
        (
            vec!["pack", "greeting", "--budget-tokens", "500"],
            "context_pack.create",
            json!({"query": "greeting", "budgetTokens": 500}),
        ),
        (vec!["status"], "status", json!({})),
        (vec!["log"], "log", json!({})),
        (vec!["bases"], "bases", json!({})),
        (vec!["stats"], "stats", json!({})),
        (vec!["savings"], "savings", json!({})),
        (vec!["stack"], "stack", json!({})),
        (vec!["ls-files"], "ls_files", json!({})),
        (vec!["ls-files", "src"], "ls_files", json!({"paths": ["src"]})),
        (vec!["memory", "list"], "memory_list", json!({})),
        (vec!["memory", "search", "short"], "recall", json!({"query": "short"})),
        (vec!["memory", "metrics"], "memory_metrics", json!({})),
        (vec!["model", "list"], "model_list", json!({})),
        (vec!["config", "show"], "config_show", json!({})),
        (vec!["verify"], "verify", json!({})),
        (
            vec!["tool", "read_file", "src/text.rs", "--start-line", "3", "--end-line", "5"],
            "read_file",
            json!({"path": "src/text.rs", "start_line": 3, "end_line": 5}),
        ),
        (vec!["tool", "list_files", "**/*.rs"], "list_files", json!({"glob": "**/*.rs"})),
        (
            vec!["tool", "search_text", "greeting", "--path", "src/"],
            "search_text",
            json!({"query": "greeting", "paths": ["src/"]}),
        ),
        (
            vec!["tool", "search_symbols", "greet", "--kind", "function"],
            "search_symbols",
            json!({"name": "greet", "kind": "function"}),
        ),
        (
            vec!["tool", "get_symbol_definition", "farewell"],
            "get_symbol_definition",
            json!({"symbol_id": "farewell"}),
        ),
        (
            vec!["tool", "get_references", "greeting"],
            "get_references",
            json!({"symbol_id": "greeting"}),
        ),
        (
            vec![
                "tool",
                "retrieve_context",
                "greeting",
                "--current-path",
                "src/main.rs",
                "--language",
                "rust",
            ],
            "retrieve_context",
            json!({"query": "greeting", "current_path": "src/main.rs", "language": "rust"}),
        ),
        (vec!["changes", "list"], "changes_list", json!({})),
        (vec!["tool", "get_diagnostics"], "get_diagnostics", json!({})),
        (
            vec!["tool", "get_diagnostics", "src/text.rs", "--limit", "3"],
            "get_diagnostics",
            json!({"path": "src/text.rs", "limit": 3}),
        ),
        // Failures are the same, too.
        (vec!["changes", "show", "none"], "changes_show", json!({"id": "none"})),
        (
            vec!["symbols", "x", "--kind", "nothing"],
            "symbols",
            json!({"name": "x", "kinds": ["nothing"]}),
        ),
        (vec!["outline", "../outside.rs"], "outline", json!({"files": ["../outside.rs"]})),
        (vec!["outline", "missing.rs"], "outline", json!({"files": ["missing.rs"]})),
        (vec!["search", "+"], "search", json!({"query": "+"})),
        (
            vec!["tool", "read_file", "missing.rs", "--start-line", "1", "--end-line", "2"],
            "read_file",
            json!({"path": "missing.rs", "start_line": 1, "end_line": 2}),
        ),
    ];
    calls.push((vec!["search", "re:/(/"], "search", json!({"query": "re:/(/"})));
    calls.push((vec!["pack", "farewell"], "pack", json!({"query": "farewell"})));
    calls.push((vec!["show", "HEAD"], "show", json!({"revision": "HEAD"})));
    if id.is_empty() { calls } else { calls.into_iter().filter(|it| it.1 == id).collect() }
}

/// Times and lengths of work differ from run to run.
fn settled(mut value: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(object) => {
                for name in ["timings", "generatedAt", "ageSeconds", "elapsedMs"] {
                    object.remove(name);
                }
                object.values_mut().for_each(walk);
            },
            Value::Array(items) => items.iter_mut().for_each(walk),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {},
        }
    }
    walk(&mut value);
    value
}

#[test]
fn the_same_call_gives_the_same_data_everywhere() {
    let tree = indexed();
    gik(&tree).run(&["memory", "add", "We keep it short.", "--title", "Short"]).success();
    let mut mcp = Mcp::start(&tree, &["--profile", "full", "--max-tokens", "50000"]);
    let http = Http::start(&tree, &[]);
    for (words, tool, arguments) in calls("") {
        let words: Vec<&str> = words.into_iter().chain(["--json"]).collect();
        let typed = gik(&tree).run(&words);
        let typed = settled(typed.json());
        let called = mcp.call(tool, arguments.clone());
        assert_eq!(settled(called["structuredContent"].clone()), typed, "{words:?} by MCP");
        let posted = http.call(tool, &arguments);
        assert_eq!(settled(posted.json()), typed, "{words:?} by HTTP");
        let has_failed = typed.get("error").is_some_and(|error| !error.is_null());
        assert_eq!(called["isError"], has_failed, "{words:?}");
        assert_eq!(posted.status == 200, !has_failed, "{words:?} {}", posted.status);
    }
}

#[test]
fn every_tool_that_only_reads_is_compared() {
    let tree = indexed();
    let http = Http::start(&tree, &[]);
    // They need a place in git, compare machines, or have an argument that only a revision of the test gives.
    let elsewhere = ["why", "doctor", "memory_show", "model_show", "model_verify"];
    let compared: Vec<&str> = calls("").iter().map(|call| call.1).collect();
    for tool in http.get("/v1/tools").json()["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        if tool["readOnly"] == true && !elsewhere.contains(&name) {
            assert!(compared.contains(&name), "{name} is compared nowhere");
        }
    }
}
