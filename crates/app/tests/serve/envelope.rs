//! The tools that models are taught: their envelope, their limits, their six codes.

use serde_json::{Value, json};

use super::Mcp;
use crate::cli::{gik, indexed};

fn error(envelope: &Value) -> &str {
    assert_eq!(envelope["ok"], false, "{envelope}");
    assert_eq!(envelope["data"], Value::Null);
    envelope["error"].as_str().unwrap()
}

#[test]
fn answers_come_in_the_envelope() {
    let tree = indexed();
    let mut mcp = Mcp::start(&tree, &["--profile", "full"]);
    let result =
        mcp.call("read_file", json!({"path": "src/text.rs", "start_line": 1, "end_line": 1}));
    assert_eq!(
        result["structuredContent"],
        json!({
            "ok": true,
            "data": {"path": "src/text.rs", "start_line": 1, "end_line": 1, "total_lines": 11, "content": "//! Words to say.\n"},
            "error": null,
            "meta": {"truncated": false, "bytes": 99, "warnings": []},
        })
    );
    let listed = mcp.call("list_files", json!({"limit": 1}));
    let listed = &listed["structuredContent"];
    assert_eq!((&listed["meta"]["truncated"], &listed["data"]["total"]), (&json!(true), &json!(4)));
}

#[test]
fn whatever_goes_wrong_has_one_of_the_codes() {
    let tree = indexed();
    tree.write(".env", "TOKEN=1\n");
    tree.write("binary.bin", [0u8, 1, 2, 3]);
    let mut mcp = Mcp::start(&tree, &["--profile", "full"]);
    let mut call = |tool: &str, arguments: Value| {
        let result = mcp.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        error(&result["structuredContent"]).to_owned()
    };
    let read = |path: &str| json!({"path": path, "start_line": 1, "end_line": 9});
    assert_eq!(call("read_file", json!({"path": "src/text.rs"})), "invalid_arguments");
    assert_eq!(
        call("read_file", json!({"path": "src/text.rs", "start_line": 0, "end_line": 2})),
        "invalid_arguments"
    );
    assert_eq!(
        call("read_file", json!({"path": "src/text.rs", "start_line": 3, "end_line": 2})),
        "invalid_arguments"
    );
    assert_eq!(
        call(
            "read_file",
            json!({"path": "src/text.rs", "start_line": 1, "end_line": 2, "max_bytes": 5})
        ),
        "invalid_arguments"
    );
    assert_eq!(call("read_file", read("binary.bin")), "invalid_arguments");
    assert_eq!(call("read_file", read("src")), "invalid_arguments");
    assert_eq!(call("read_file", read("none.rs")), "not_found");
    assert_eq!(call("read_file", read("../outside")), "permission_denied");
    assert_eq!(call("read_file", read(".env")), "permission_denied");
    assert_eq!(call("read_file", read(".git/config")), "not_found");
    assert_eq!(call("get_symbol_definition", json!({"symbol_id": "nothing_like_it"})), "not_found");
    assert_eq!(call("search_symbols", json!({"name": "x", "kind": "spoon"})), "invalid_arguments");
    assert_eq!(call("search_text", json!({"query": "x", "limit": 1000})), "invalid_arguments");
    assert_eq!(call("list_files", json!({"glob": "[", "limit": 3})), "invalid_arguments");
}

#[test]
fn long_files_are_cut_between_lines_and_say_so() {
    let tree = indexed();
    let line = "x".repeat(99);
    tree.write("long.txt", format!("{line}\n").repeat(3000));
    tree.write("one-line.txt", "\"".repeat(150_000));
    let mut mcp = Mcp::start(&tree, &["--max-tokens", "50000"]);
    let mut read = |path: &str, most: u32| {
        let arguments = json!({"path": path, "start_line": 1, "end_line": 9999, "max_bytes": most});
        mcp.call("read_file", arguments)["structuredContent"].clone()
    };
    let answer = read("long.txt", 2048);
    assert_eq!(answer["data"]["end_line"], 20);
    assert_eq!(answer["meta"]["truncated"], true);
    // Escapes make JSON twice as long as the text: still within the limit.
    let answer = read("one-line.txt", 200_000);
    assert_eq!(answer["meta"]["truncated"], true);
    assert!(answer.to_string().len() <= 200_000);
}

#[test]
fn secrets_are_neither_read_nor_found_unless_allowed() {
    let tree = indexed();
    for name in
        [".env", ".env.production", "deploy/server.pem", "deploy/id_rsa", ".aws/credentials"]
    {
        tree.write(name, "the kohlrabi of secrets\n");
    }
    tree.write(".env.example", "the kohlrabi of examples\n");
    gik(&tree).run(&["index"]).success();
    let mut mcp = Mcp::start(&tree, &["--profile", "full"]);
    let found = mcp.call("search", json!({"query": "kohlrabi"}));
    let paths = crate::cli::paths(&found["structuredContent"]["results"]);
    assert_eq!(paths, [".env.example"]);
    let read = |path: &str| json!({"path": path, "start_line": 1, "end_line": 1});
    for name in
        [".env", ".env.production", "deploy/server.pem", "deploy/id_rsa", ".aws/credentials"]
    {
        let result = mcp.call("read_file", read(name));
        assert_eq!(error(&result["structuredContent"]), "permission_denied", "{name}");
    }
    tree.write(".gikignore", "!.env\n");
    let result = mcp.call("read_file", read(".env"));
    assert_eq!(result["structuredContent"]["data"]["content"], "the kohlrabi of secrets\n");
}

#[test]
fn places_that_cannot_be_read_are_diagnostics() {
    let tree = indexed();
    tree.write("src/bad.rs", "// é\nfn a() { let x = \"🎈\" }\nfn b() { ) }\n");
    tree.write("src/odd.unknown", "text\n");
    let mut mcp = Mcp::start(&tree, &["--profile", "full"]);
    let mut get =
        |arguments: Value| mcp.call("get_diagnostics", arguments)["structuredContent"].clone();
    let found = get(json!({"path": "src/bad.rs"}));
    assert_eq!(found["data"]["total"], 2, "{found}");
    let first = &found["data"]["diagnostics"][0];
    assert_eq!(
        (&first["severity"], &first["message"], &first["start_line"], &first["start_col"]),
        (&json!("error"), &json!("`;` is missing"), &json!(2), &json!(21)),
        "{first}"
    );
    let cut = get(json!({"path": "src/bad.rs", "limit": 1}));
    assert_eq!((&cut["meta"]["truncated"], &cut["data"]["total"]), (&json!(true), &json!(2)));
    let all = get(json!({}));
    assert_eq!(
        (&all["data"]["total"], &all["data"]["diagnostics"][0]["count"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(all["data"]["diagnostics"][0]["path"], "src/bad.rs");
    assert_eq!(get(json!({"path": "src/text.rs"}))["data"]["total"], 0);
    assert!(get(json!({"path": "src/odd.unknown"}))["meta"]["warnings"][0].is_string());
    assert_eq!(error(&get(json!({"path": "../x"}))), "permission_denied");
    assert_eq!(error(&get(json!({"path": "none.rs"}))), "not_found");
    assert_eq!(error(&get(json!({"limit": 201}))), "invalid_arguments");
}

#[test]
fn calls_that_a_model_wrote_are_made() {
    let tree = indexed();
    let gik = gik(&tree);
    let said = json!({"type": "tool_call", "calls": [
        {"id": "call_1", "name": "read_file", "arguments": {"path": "README.md", "start_line": 1, "end_line": 1}},
        {"id": "call_2", "name": "read_file", "arguments": {"path": "../x", "start_line": 1, "end_line": 1}},
        {"id": "call_3", "name": "symbols", "arguments": {"name": "farewell"}},
        {"id": "call_4", "name": "symbols", "arguments": {"nothing": 1}},
        {"id": "call_5", "name": "changes_apply", "arguments": {"id": "x"}},
    ]})
    .to_string();
    let run = gik.run_with_input(&["tools", "call"], &said).success();
    assert!(
        run.stdout.starts_with("<tool_result id=\"call_1\" name=\"read_file\">\n{\"ok\":true,"),
        "{}",
        run.stdout
    );
    assert_eq!(run.stdout.matches("</tool_result>\n").count(), 5);
    let results = gik.run_with_input(&["tools", "call", "--json"], &said).json()["results"].clone();
    let code = |at: usize| results[at]["result"]["error"].clone();
    assert_eq!(results[0]["result"]["data"]["content"], "# Greeter\n");
    assert_eq!(
        [code(1), code(2), code(3), code(4)],
        [json!("permission_denied"), json!(null), json!("invalid_arguments"), json!("not_found")]
    );
    assert_eq!(results[2]["result"]["data"]["symbols"][0]["name"], "farewell");
    let listed = gik.run_with_input(&["tools", "call", "--list"], &said).json();
    assert_eq!(listed["toolCalls"][0]["type"], "function");
    assert_eq!(listed["toolCalls"][0]["function"]["name"], "read_file");
    let answer = gik.run_with_input(&["tools", "call"], "It is in `main.rs`.").success();
    assert_eq!(answer.stdout, "It is in `main.rs`.");
    gik.run_with_input(&["tools", "call"], "{\"type\":\"tool_call\",\"calls\":1}").exit(2);
}
