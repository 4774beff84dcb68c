//! What must not work: leaving the workspace, coming from another page, wearing the server out.

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Http, Mcp};
use crate::cli::indexed;

/// Ways to name a file that is not ours.
const OUTSIDE: &[&str] = &[
    "../outside.txt",
    "src/../../outside.txt",
    "./././../outside.txt",
    "/etc/passwd",
    "//etc/passwd",
    "src/../../../../../../../../etc/passwd",
    "link-out/secret.txt",
    "link-file",
    "link-chain",
    "..",
    "/",
    "~/.ssh/id_rsa",
    "file:///etc/passwd",
    "src/\u{ff0e}\u{ff0e}/text.rs",
    "\u{2024}\u{2024}/outside.txt",
    "..\u{2215}outside.txt",
    "%2e%2e/outside.txt",
    "..%2foutside.txt",
    "..\\outside.txt",
    "src/text.rs\0.png",
    "\0",
    "",
    "src/text.rs/..",
    ".git/HEAD",
    ".GIT/HEAD",
    ".guided/knowledge/config.yaml",
    "src/../.guided/knowledge/main/HEAD",
];

#[cfg(unix)]
#[test]
fn no_name_leads_out_of_the_workspace() {
    let tree = indexed();
    let outside = tree.outside();
    std::fs::write(outside.join("secret.txt"), "the rutabaga of others").unwrap();
    tree.link("link-out", outside.to_str().unwrap());
    tree.link("link-file", outside.join("secret.txt").to_str().unwrap());
    tree.link("link-chain", "link-file");
    std::fs::create_dir_all(tree.path(".git")).unwrap();
    std::fs::write(tree.path(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    let mut mcp = Mcp::start(&tree, &["--profile", "full", "--max-tokens", "50000"]);
    let http = Http::start(&tree, &[]);
    for name in OUTSIDE {
        let calls = [
            ("read_file", json!({"path": name, "start_line": 1, "end_line": 99})),
            ("outline", json!({"files": [name]})),
            ("why", json!({"place": name})),
            ("similar", json!({"place": format!("{name}:1")})),
            ("remember", json!({"file": name})),
            ("add", json!({"sources": [name]})),
            ("ls_files", json!({"paths": [name]})),
            ("search", json!({"query": "rutabaga", "current": name})),
            ("ask", json!({"question": "rutabaga", "files": [name]})),
            ("list_files", json!({"glob": name})),
        ];
        for (tool, arguments) in calls {
            let result = mcp.call(tool, arguments.clone());
            let told = result.to_string();
            assert!(
                !told.contains("of others") && !told.contains("root:x:"),
                "{tool} {name:?}: {told}"
            );
            if tool == "read_file" {
                assert_eq!(result["isError"], true, "{name:?}: {told}");
            }
            let posted = http.call(tool, &arguments);
            assert!(
                !posted.body.contains("of others") && !posted.body.contains("root:x:"),
                "{tool} {name:?}"
            );
            assert!(posted.status < 500, "{tool} {name:?}: {} {}", posted.status, posted.body);
        }
    }
}

#[test]
fn other_names_and_pages_are_refused() {
    let tree = indexed();
    let http = Http::start(&tree, &[]);
    let body = json!({"query": "farewell"}).to_string();
    let kind = ("Content-Type", "application/json");
    for path in
        ["POST /v1/tools/search", "POST /mcp", "GET /v1/status", "GET /metrics", "GET /healthz"]
    {
        let asked = |headers: &[(&str, &str)]| http.request(path, headers, &body).status;
        assert_eq!(asked(&[kind, ("Host", "evil.example")]), 421, "{path}");
        assert_eq!(asked(&[kind, ("Host", "127.0.0.1.nip.io:7311")]), 421, "{path}");
        assert_eq!(asked(&[kind, ("Host", "localhost"), ("Host", "evil.example")]), 400, "{path}");
        assert_eq!(asked(&[kind, ("Origin", "https://evil.example")]), 403, "{path}");
        assert_eq!(asked(&[kind, ("Origin", "null")]), 403, "{path}");
    }
    // What a page can send without asking first.
    let form = [("Content-Type", "text/plain")];
    assert_eq!(http.request("POST /v1/tools/search", &form, &body).status, 415);
}

#[test]
fn bodies_that_are_too_long_or_no_json_are_refused() {
    let tree = indexed();
    let http = Http::start(&tree, &[]);
    let kind = [("Content-Type", "application/json")];
    let long = json!({"query": "x".repeat(2 << 20)}).to_string();
    assert_eq!(http.request("POST /v1/tools/search", &kind, &long).status, 413);
    for wrong in [
        "{",
        "[]",
        "null",
        "\"x\"",
        "{\"query\": \"x\"} {}",
        "\u{feff}{}",
        "{\"query\":\"\\ud800\"}",
    ] {
        assert_eq!(http.request("POST /v1/tools/search", &kind, wrong).status, 400, "{wrong}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(http.request("POST /v1/tools/search", &kind, &deep).status, 400);
    let many =
        format!("GET /v1/tools HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "X: y\r\n".repeat(500));
    assert!(matches!(http.raw(many.as_bytes()).status, 400 | 431));
    for garbage in [
        "\r\n\r\n\r\n",
        "GET\r\n\r\n",
        "\0\0\0\0",
        "GET / HTTP/9.9\r\n\r\n",
        "POST /v1/tools/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    ] {
        let reply = http.raw(garbage.as_bytes());
        assert!(reply.status == 0 || reply.status == 400, "{garbage:?}: {}", reply.status);
    }
    assert_eq!(http.get("/healthz").status, 200, "the server is still there");
}

#[test]
fn slow_clients_do_not_keep_others_waiting() {
    let tree = indexed();
    let http = Http::start(&tree, &[]);
    let mut slow: Vec<_> = (0..50)
        .map(|_| {
            let mut stream = http.connect();
            stream.write_all(b"POST /v1/tools/search HTTP/1.1\r\nHost: localhost\r\n").unwrap();
            stream
        })
        .collect();
    let started = Instant::now();
    assert_eq!(http.call("search", &json!({"query": "farewell"})).status, 200);
    assert!(started.elapsed() < Duration::from_secs(8));
    let mut half = http.connect();
    half.write_all(b"POST /v1/tools/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{").unwrap();
    let (mut answer, started) = (String::new(), Instant::now());
    drop(half.read_to_string(&mut answer));
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(started.elapsed() < Duration::from_secs(30));
    let mut rest = Vec::new();
    drop(slow[0].read_to_end(&mut rest));
    assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"), "it was hung up on");
}

#[test]
fn broken_messages_do_not_end_the_conversation() {
    let tree = indexed();
    let mut mcp = Mcp::start(&tree, &[]);
    let broken: &[&[u8]] = &[
        b"\n", b"   \n", b"{\n", b"not json\n", b"\xff\xfe\n", b"[]\n", b"null\n", b"42\n", b"\"x\"\n", b"{}\n",
        b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}\n",
        b"{\"jsonrpc\":\"2.0\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":5}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":[]}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"tools/call\",\"params\":{\"name\":1}}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":[]}}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{}}\n",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4711}}\n",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/no/such\"}\n",
    ];
    for bytes in broken {
        mcp.talk.say_bytes(bytes);
    }
    let deep = format!("{}{}\n", "[".repeat(50_000), "]".repeat(50_000));
    mcp.talk.say_bytes(deep.as_bytes());
    let result = mcp.call("search", json!({"query": "farewell"}));
    assert_eq!(result["structuredContent"]["results"][0]["path"], "src/text.rs");
    for message in &mcp.heard {
        assert!(message["error"]["code"].is_i64(), "{message}");
    }
    assert!(mcp.talk.hang_up().success());
}

#[test]
fn a_conversation_that_begins_wrong_is_still_begun() {
    let tree = indexed();
    let mut mcp = Mcp::start_silent(&tree, &[]);
    mcp.talk.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    mcp.talk.say("garbage");
    let hello = mcp.request("initialize", json!({"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}));
    assert_eq!(hello["result"]["protocolVersion"], "2025-11-25", "{hello}");
    let result: Value = mcp.call("status", json!({}));
    assert_eq!(result["isError"], false);
}
