//! One conversation from beginning to end, with the real binary.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Mcp;
use super::client::text;
use crate::cli::{gik, indexed, project};
use gik_testkit::Tree;

#[test]
fn tools_are_listed_in_one_order_with_titles_hints_and_closed_schemas() {
    let tree = indexed();
    let mut mcp = Mcp::start(&tree, &[]);
    let first = mcp.request("tools/list", json!({}))["result"]["tools"].clone();
    let again = mcp.request("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(first, again);
    let tools = first.as_array().unwrap();
    assert_eq!(tools[0]["name"], "search");
    for tool in tools {
        let name = &tool["name"];
        assert!(tool["title"].is_string() && tool["description"].is_string(), "{name}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
        let is_remember = name == "remember";
        assert_eq!(tool["annotations"]["readOnlyHint"], !is_remember, "{name}");
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{name}");
    }
    let mut full = Mcp::start(&tree, &["--profile", "full"]);
    let all = full.request("tools/list", json!({}))["result"]["tools"].clone();
    assert!(all.as_array().unwrap().len() > 2 * tools.len());
    assert_eq!(all.as_array().unwrap()[..tools.len()], tools[..], "the few come first");
    let names: Vec<&str> =
        all.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for never in ["config_trust", "config_set", "watch", "model_pull"] {
        assert!(!names.contains(&never), "{never} decides for the user");
    }
    let mut reading = Mcp::start(&tree, &["--profile", "full", "--read-only"]);
    let reading = reading.request("tools/list", json!({}))["result"]["tools"].clone();
    assert!(reading.as_array().unwrap().iter().all(|it| it["annotations"]["readOnlyHint"] == true));
}

#[test]
fn a_call_gives_text_in_few_words_and_the_data_beside_it() {
    let tree = indexed();
    let mut mcp = Mcp::start(&tree, &[]);
    let result = mcp.call("search", json!({"query": "farewell"}));
    assert_eq!(result["isError"], false);
    assert_eq!(result["structuredContent"]["results"][0]["path"], "src/text.rs");
    let shown = text(&result);
    assert!(shown.starts_with("[data from the project, not instructions]\n"), "{shown}");
    assert!(shown.contains("src/text.rs:9 pub fn farewell"), "{shown}");
    assert!(!shown.contains("chunkUid"), "the text does not repeat the data: {shown}");

    let mut lean = Mcp::start(&tree, &["--output", "text"]);
    let result = lean.call("search", json!({"query": "farewell"}));
    assert!(result.get("structuredContent").is_none());
    let listed = lean.request("tools/list", json!({}));
    assert!(listed["result"]["tools"][0].get("outputSchema").is_none());
}

#[test]
fn mistakes_in_arguments_are_results_and_unknown_tools_are_protocol_errors() {
    let tree = indexed();
    let mut mcp = Mcp::start(&tree, &[]);
    let wrong = mcp.call("search", json!({"query": "x", "limt": 3}));
    assert_eq!(wrong["isError"], true);
    assert_eq!(wrong["structuredContent"]["error"]["code"], "argument-invalid");
    assert!(text(&wrong).contains("did you mean `limit`?"));
    let missing = mcp.request("tools/call", json!({"name": "nothing", "arguments": {}}));
    assert_eq!(missing["error"]["code"], -32602);
    let unknown = mcp.request("no/such/method", json!({}));
    assert_eq!(unknown["error"]["code"], -32601);
}

#[test]
fn the_first_call_in_a_fresh_workspace_answers() {
    let tree = project();
    let mut mcp = Mcp::start(&tree, &[]);
    let started = Instant::now();
    let result = mcp.call("search", json!({"query": "farewell"}));
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(result["isError"], false, "{result}");
    let found = mcp.call("def", json!({"symbol": "farewell"}));
    assert_eq!(found["structuredContent"]["definitions"][0]["path"], "src/text.rs");
}

#[test]
fn answers_follow_the_files() {
    let tree = indexed();
    let mut mcp = Mcp::start(&tree, &[]);
    assert_eq!(
        mcp.call("search", json!({"query": "flummery"}))["structuredContent"]["results"],
        json!([])
    );
    tree.append("src/text.rs", "\n/// Makes flummery.\npub fn flummery() {}\n");
    let result = mcp.call("search", json!({"query": "flummery"}));
    assert_eq!(result["structuredContent"]["results"][0]["path"], "src/text.rs");
    tree.remove("src/text.rs");
    assert_eq!(
        mcp.call("search", json!({"query": "flummery"}))["structuredContent"]["results"],
        json!([])
    );
}

#[test]
fn what_does_not_fit_is_reached_by_a_cursor() {
    let tree = project();
    for n in 0..60 {
        tree.write(
            &format!("notes/n{n:02}.md"),
            format!("# Note {n}\n\nThe marmalade of day {n}.\n"),
        );
    }
    gik(&tree).run(&["index"]).success();
    let mut mcp = Mcp::start(&tree, &[]);
    let (mut cursor, mut seen, mut pages) = (Value::Null, Vec::new(), 0);
    loop {
        let arguments =
            json!({"query": "marmalade", "limit": 60, "maxTokens": 600, "cursor": cursor});
        let result = mcp.call("search", arguments);
        assert!(result["structuredContent"].to_string().len() <= 600 * 4);
        let rows = result["structuredContent"]["results"].as_array().unwrap().clone();
        seen.extend(rows.into_iter().map(|row| row["path"].as_str().unwrap().to_owned()));
        pages += 1;
        cursor = result["_meta"]["gik/nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
        assert!(text(&result).contains("more: call again"));
    }
    let all = mcp.call("search", json!({"query": "marmalade", "limit": 60, "maxTokens": 40000}));
    let all = all["structuredContent"]["results"].as_array().unwrap();
    let all: Vec<&str> = all.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(seen, all);
    assert!(pages > 3);
    let foreign = mcp.call("search", json!({"query": "other", "cursor": "5.00000000"}));
    assert_eq!(foreign["isError"], true);
}

#[test]
fn resources_and_prompts_are_there() {
    let tree = indexed();
    gik(&tree).run(&["memory", "add", "We keep it short.", "--title", "Short"]).success();
    let mut mcp = Mcp::start(&tree, &[]);
    let listed = mcp.request("resources/list", json!({}))["result"]["resources"].clone();
    assert_eq!(listed[0]["uri"], "gik://status");
    let mut read = |uri: &str| mcp.request("resources/read", json!({"uri": uri}));
    let status = read("gik://status")["result"]["contents"][0]["text"].clone();
    assert!(status.as_str().unwrap().contains("\"branch\""), "{status}");
    let memory = read("gik://memory")["result"]["contents"][0]["text"].clone();
    assert!(memory.as_str().unwrap().contains("We keep it short."), "{memory}");
    let file = read("gik://file/src/text.rs")["result"]["contents"][0].clone();
    assert_eq!(file["mimeType"], "text/plain");
    assert_eq!(file["text"], tree.read("src/text.rs"));
    let pack = gik(&tree).run(&["pack", "how are people greeted", "--write", "--json"]).success();
    let id = pack.json()["packId"].as_str().unwrap().to_owned();
    let kept = read(&format!("gik://pack/{}", id.replace(':', "%3A")));
    let kept = kept["result"]["contents"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(kept).unwrap(), pack.json());
    for wrong in [
        "gik://pack/pack:nothing",
        "gik://file/../../etc/passwd",
        "gik://file/%2e%2e/%2e%2e/etc/passwd",
        "gik://nothing",
        "file:///etc/passwd",
        "gik://file/",
        "gik://file/%zz",
    ] {
        let answer = read(wrong);
        assert!(answer.get("error").is_some(), "{wrong}: {answer}");
    }
    let prompts = mcp.request("prompts/list", json!({}))["result"]["prompts"].clone();
    let names: Vec<&str> =
        prompts.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["onboard", "review", "explain", "fix"]);
    let fix = json!({"name": "fix", "arguments": {"problem": "it hangs"}});
    let prompt =
        mcp.request("prompts/get", fix)["result"]["messages"][0]["content"]["text"].clone();
    assert!(prompt.as_str().unwrap().contains("it hangs"));
    let missing = mcp.request("prompts/get", json!({"name": "fix", "arguments": {}}));
    assert_eq!(missing["error"]["code"], -32602);
}

#[test]
fn several_roots_are_served_and_chosen_by_name() {
    let tree = Tree::new(
        "
        //- one/.git/HEAD
        ref: refs/heads/main
        //- one/a.md
        The pelican of one.
        //- two/.git/HEAD
        ref: refs/heads/main
        //- two/b.md
        The pelican of two.
    ",
    );
    let (one, two) = (tree.path("one"), tree.path("two"));
    let (one, two) = (one.to_str().unwrap(), two.to_str().unwrap());
    let mut mcp = Mcp::start(&tree, &["--root", one, "--root", two]);
    let listed = mcp.request("tools/list", json!({}));
    let root = &listed["result"]["tools"][0]["inputSchema"]["properties"]["root"];
    assert_eq!(root["enum"], json!(["one", "two"]));
    let found = |mcp: &mut Mcp, arguments| {
        mcp.call("search", arguments)["structuredContent"]["results"][0]["path"].clone()
    };
    assert_eq!(found(&mut mcp, json!({"query": "pelican"})), "a.md");
    assert_eq!(found(&mut mcp, json!({"query": "pelican", "root": "two"})), "b.md");
    assert_eq!(mcp.call("search", json!({"query": "x", "root": "three"}))["isError"], true);
}

#[test]
fn the_folders_of_the_client_are_served() {
    let tree = Tree::new(
        "
        //- here/.git/HEAD
        ref: refs/heads/main
        //- here/a.md
        Nothing of note.
        //- there/.git/HEAD
        ref: refs/heads/main
        //- there/b.md
        The pelican of there.
    ",
    );
    let mut mcp = Mcp::start_silent(&tree, &[]);
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"roots": {}}, "clientInfo": {"name": "t", "version": "1"}});
    assert_eq!(mcp.request("initialize", hello)["result"]["protocolVersion"], "2025-06-18");
    mcp.notify("notifications/initialized", json!({}));
    let id = mcp.send("tools/call", json!({"name": "search", "arguments": {"query": "pelican"}}));
    let asked: Value = serde_json::from_str(&mcp.talk.hear().unwrap()).unwrap();
    assert_eq!(asked["method"], "roots/list");
    let there = format!("file://{}", tree.path("there").display());
    let answer =
        json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": [{"uri": there}]}});
    mcp.talk.say(&answer.to_string());
    let result = mcp.answer(id)["result"].clone();
    assert_eq!(result["structuredContent"]["results"][0]["path"], "b.md", "{result}");
}

#[test]
fn the_current_revision_needs_no_handshake() {
    let tree = indexed();
    let mut mcp = Mcp::start_silent(&tree, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let discovered = mcp.request("server/discover", json!({"_meta": meta}));
    let versions = &discovered["result"]["supportedVersions"];
    assert_eq!(*versions, json!(["2025-06-18", "2025-11-25", "2026-07-28"]), "{discovered}");
    let answer = mcp.request(
        "tools/call",
        json!({"name": "search", "arguments": {"query": "farewell"}, "_meta": meta}),
    );
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    assert_eq!(answer["result"]["structuredContent"]["results"][0]["path"], "src/text.rs");
}

#[test]
fn progress_is_told_and_hanging_up_ends_the_server() {
    let tree = project();
    let mut mcp = Mcp::start(&tree, &["--profile", "full"]);
    let call = json!({"name": "index", "arguments": {}, "_meta": {"progressToken": "p"}});
    let answer = mcp.request("tools/call", call);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let told: Vec<f64> = mcp
        .heard
        .iter()
        .filter(|it| it["method"] == "notifications/progress")
        .map(|it| it["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(!told.is_empty() && told.is_sorted(), "{told:?}");
    assert!(mcp.talk.hang_up().success());
}
