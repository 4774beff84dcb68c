//! The server on a port: its routes, its events, its end.

use std::io::{Read as _, Write as _};

use serde_json::{Value, json};

use super::Http;
use crate::cli::{indexed, project};

#[test]
fn routes_answer() {
    let tree = indexed();
    let http = Http::start(&tree, &[]);
    assert_eq!((http.get("/healthz").status, http.get("/healthz").body.as_str()), (200, "ok\n"));
    assert_eq!(http.get("/v1/status").json()["branch"], "main");
    let tools = http.get("/v1/tools").json();
    assert_eq!(tools["tools"][0]["name"], "search");
    let found = http.call("search", &json!({"query": "farewell"}));
    assert_eq!(found.status, 200);
    assert_eq!(found.json()["results"][0]["path"], "src/text.rs");
    assert_eq!(found.header("x-content-type-options"), Some("nosniff"));
    let wrong = http.call("search", &json!({"quer": "farewell"}));
    assert_eq!(
        (wrong.status, wrong.json()["error"]["code"].as_str()),
        (400, Some("argument-invalid"))
    );
    assert_eq!(http.call("nothing", &json!({})).status, 404);
    assert_eq!(http.get("/nothing").status, 404);
    let method = http.get("/v1/tools/search");
    assert_eq!((method.status, method.header("allow")), (405, Some("POST")));
    let metrics = http.get("/metrics").body;
    assert!(metrics.contains("gik_tool_seconds_count{tool=\"search\"} 2"), "{metrics}");
    assert!(
        metrics.contains("gik_http_requests_total{route=\"/v1/tools/{name}\",status=\"404\"} 1"),
        "{metrics}"
    );
}

#[test]
fn the_description_names_every_tool_and_refers_to_nothing_that_is_not_there() {
    fn references(value: &Value, all: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                all.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
                object.values().for_each(|inner| references(inner, all));
            },
            Value::Array(items) => items.iter().for_each(|inner| references(inner, all)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {},
        }
    }
    let tree = indexed();
    let http = Http::start(&tree, &[]);
    let document = http.get("/v1/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    for tool in http.get("/v1/tools").json()["tools"].as_array().unwrap() {
        let path = format!("/v1/tools/{}", tool["name"].as_str().unwrap());
        assert!(document["paths"][&path]["post"].is_object(), "{path}");
    }
    let mut all = Vec::new();
    references(&document, &mut all);
    for reference in all {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[test]
fn steps_come_as_events_and_the_answer_last() {
    let tree = project();
    let http = Http::start(&tree, &[]);
    let headers = [("Content-Type", "application/json"), ("Accept", "text/event-stream")];
    let reply = http.request("POST /v1/tools/index", &headers, "{}");
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    let events: Vec<&str> = reply.body.trim().split("\n\n").collect();
    assert!(events[0].starts_with("event: progress\ndata: {"), "{events:?}");
    let last = events.last().unwrap().strip_prefix("event: answer\ndata: ").unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    assert_eq!(last["answer"]["changed"], true);
}

#[test]
fn the_protocol_of_agents_is_spoken_beside() {
    let tree = indexed();
    let http = Http::start(&tree, &["--profile", "few"]);
    let headers = [
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "search"),
    ];
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "search", "arguments": {"query": "farewell"},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }});
    let reply = http.request("POST /mcp", &headers, &call.to_string());
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(reply.body.contains("src/text.rs"), "{}", reply.body);
}

#[test]
fn a_token_is_asked_for_once_there_is_one() {
    let tree = indexed();
    let http = Http::start_with(&tree, &[], Some("0123456789abcdef"));
    assert_eq!(http.get("/healthz").status, 200);
    for path in ["/v1/tools", "/v1/status", "/metrics", "/v1/openapi.json", "/mcp"] {
        let refused = http.get(path);
        assert_eq!(
            (refused.status, refused.header("www-authenticate")),
            (401, Some("Bearer")),
            "{path}"
        );
    }
    let shown = [("Authorization", "Bearer 0123456789abcdef")];
    assert_eq!(http.request("GET /v1/tools", &shown, "").status, 200);
}

#[test]
fn without_a_token_other_machines_are_not_served() {
    let tree = indexed();
    let run = crate::cli::gik(&tree).run(&["serve", "--host", "0.0.0.0", "--port", "0"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("--token-file"), "{}", run.stderr);
    let run = crate::cli::gik(&tree).env("GIK_TOKEN", "short").run(&["serve", "--port", "0"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

#[test]
fn pages_that_were_allowed_may_ask() {
    let tree = indexed();
    let http = Http::start(&tree, &["--allow-origin", "https://app.example"]);
    let page = [("Origin", "https://app.example")];
    let asked = http.request("OPTIONS /v1/tools/search", &page, "");
    assert_eq!((asked.status, asked.header("access-control-allow-methods")), (204, Some("POST")));
    let reply = http.request("GET /v1/tools", &page, "");
    assert_eq!(reply.header("access-control-allow-origin"), Some("https://app.example"));
    let other = http.request("GET /v1/tools", &[("Origin", "https://evil.example")], "");
    assert_eq!((other.status, other.header("access-control-allow-origin")), (403, None));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_after_what_is_under_way() {
    let tree = indexed();
    let http = Http::start(&tree, &[]);
    let mut stream = http.connect();
    let body = json!({"query": "farewell"}).to_string();
    let request = format!(
        "POST /v1/tools/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    http.running.interrupt();
    let mut answer = String::new();
    drop(stream.read_to_string(&mut answer));
    // The request may have come after the end; one that was taken is answered in full.
    assert!(answer.is_empty() || answer.contains("src/text.rs"), "{answer}");
    let run = http.running.wait();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}
