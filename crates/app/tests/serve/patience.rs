//! Who waits, for how long, and what becomes of calls that nobody waits for any more.

use std::fs::File;
use std::io::Write as _;
use std::time::{Duration, Instant};

use gik_testkit::{Tree, eventually};
use serde_json::json;

use super::{Http, Mcp, text};
use crate::cli::{indexed, project};

/// The lock of writers, held by the test as by another process for as long as it likes.
fn held(tree: &Tree) -> File {
    let path = tree.path(".guided/knowledge/.lock");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lock = File::options().write(true).create(true).truncate(false).open(path).unwrap();
    lock.lock().unwrap();
    lock
}

#[test]
fn a_first_call_that_cannot_be_answered_yet_says_so_within_two_seconds() {
    let tree = project();
    let lock = held(&tree);
    let mut mcp = Mcp::start(&tree, &[]);
    for _ in 0..2 {
        let started = Instant::now();
        let waiting = mcp.call("search", json!({"query": "farewell"}));
        let took = started.elapsed();
        assert!(took < Duration::from_secs(2), "{took:?}");
        assert_eq!(waiting["structuredContent"]["error"]["code"], "store-busy", "{waiting}");
        let told = text(&waiting);
        assert!(told.contains("the index is being made for the first time"), "{told}");
        assert!(told.contains("call again in a few seconds"), "{told}");
    }
    // What needs no index is there meanwhile.
    let read = json!({"path": "README.md", "start_line": 1, "end_line": 1});
    assert_eq!(mcp.call("read_file", read)["isError"], false);
    lock.unlock().unwrap();
    eventually("the index is there", || {
        let found = mcp.call("search", json!({"query": "farewell"}));
        found["structuredContent"]["results"][0]["path"] == "src/text.rs"
    });
}

#[test]
fn a_call_that_was_cancelled_is_not_answered() {
    let tree = indexed();
    let mut mcp = Mcp::start(&tree, &[]);
    let lock = held(&tree);
    tree.append("src/text.rs", "\npub fn flummery() {}\n");
    let call = |query: &str| json!({"name": "search", "arguments": {"query": query}});
    let cancelled = mcp.send("tools/call", call("flummery"));
    let reason = json!({"requestId": cancelled, "reason": "the person changed their mind"});
    mcp.notify("notifications/cancelled", reason);
    // Its work ends before its patience does: nothing else keeps the server busy.
    let started = Instant::now();
    lock.unlock().unwrap();
    let answer = mcp.request("tools/call", call("flummery"));
    assert_eq!(answer["result"]["structuredContent"]["results"][0]["path"], "src/text.rs");
    assert!(started.elapsed() < Duration::from_secs(8));
    assert!(mcp.heard.iter().all(|message| message["id"] != cancelled), "{:?}", mcp.heard);
    assert!(mcp.talk.hang_up().success());
}

#[test]
fn a_client_that_leaves_takes_its_call_along() {
    let tree = indexed();
    let http = Http::start(&tree, &[]);
    let running = |count: u64| {
        let line = format!("gik_tool_calls_running {count}");
        http.get("/metrics").body.lines().any(|known| known == line)
    };
    let _lock = held(&tree);
    tree.append("src/text.rs", "\npub fn flummery() {}\n");
    let mut stream = http.connect();
    stream
        .write_all(b"POST /v1/tools/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{\"query\":\"flummery\"}")
        .unwrap();
    eventually("it is worked on", || running(1));
    let started = Instant::now();
    drop(stream);
    eventually("nobody works on it", || running(0));
    // A call that nobody cancels waits ten seconds for the lock.
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn broken_messages_over_http_are_refused_one_by_one() {
    let tree = indexed();
    let http = Http::start(&tree, &[]);
    let headers =
        [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    let asked = |body: &str| http.request("POST /mcp", &headers, body);
    for broken in [
        "",
        "{",
        "not json",
        "[]",
        "null",
        "42",
        "{}",
        "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":5}",
        "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":[]}",
        &"[".repeat(100_000),
    ] {
        let refused = asked(broken);
        let shown: String = broken.chars().take(80).collect();
        assert!(
            (400..500).contains(&refused.status),
            "{shown}: {} {}",
            refused.status,
            refused.body
        );
    }
    let long =
        json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "x".repeat(2 << 20)}});
    assert_eq!(asked(&long.to_string()).status, 413);
    let as_text = [("Content-Type", "text/plain"), headers[1]];
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    assert_eq!(http.request("POST /mcp", &as_text, &ping).status, 415);
    assert_eq!(http.call("search", &json!({"query": "farewell"})).status, 200);
}
