//! Two small clients, so that tests say what goes over the wire and nothing is hidden.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use gik_testkit::{Gik, Running, Talk, Tree};
use serde_json::{Value, json};

use crate::cli::gik;

/// A conversation over standard input and output.
pub(crate) struct Mcp {
    pub(super) talk: Talk,
    next_id: u64,
    /// Notifications that came meanwhile.
    pub(super) heard: Vec<Value>,
}

impl Mcp {
    /// Starts the server and shakes hands.
    pub(super) fn start(tree: &Tree, args: &[&str]) -> Self {
        Self::start_silent(tree, args).greeted()
    }

    /// Starts the server as this command does, and shakes hands.
    pub(crate) fn start_by(gik: &Gik<'_>, args: &[&str]) -> Self {
        Self::start_silent_by(gik, args).greeted()
    }

    fn greeted(mut self) -> Self {
        let hello = self.request(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            }),
        );
        assert_eq!(hello["result"]["protocolVersion"], "2025-11-25");
        self.notify("notifications/initialized", json!({}));
        self
    }

    /// Starts the server and says nothing yet.
    pub(super) fn start_silent(tree: &Tree, args: &[&str]) -> Self {
        Self::start_silent_by(&gik(tree), args)
    }

    fn start_silent_by(gik: &Gik<'_>, args: &[&str]) -> Self {
        let args: Vec<&str> = ["mcp"].iter().chain(args).copied().collect();
        Self { talk: gik.talk(&args), next_id: 0, heard: Vec::new() }
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.talk.say(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// Sends a request without waiting for its answer.
    pub(super) fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params});
        self.talk.say(&request.to_string());
        self.next_id
    }

    /// Waits for the answer to a request.
    pub(super) fn answer(&mut self, id: u64) -> Value {
        loop {
            let line = self.talk.hear().expect("the server answers");
            let message: Value = serde_json::from_str(&line).expect("standard output is JSON");
            assert_eq!(message["jsonrpc"], "2.0");
            if message["id"] == id {
                return message;
            }
            self.heard.push(message);
        }
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// The result of a tool.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }
}

/// The text of a result.
pub(super) fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().expect("a result has text").to_owned()
}

/// A server on a port of its own.
pub(super) struct Http<'tree> {
    pub(super) running: Running<'tree>,
    pub(super) address: String,
}

/// An answer over HTTP.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Reply {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("the body is JSON")
    }

    /// The value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

impl<'tree> Http<'tree> {
    pub(super) fn start(tree: &'tree Tree, args: &[&str]) -> Self {
        Self::start_with(tree, args, None)
    }

    pub(super) fn start_with(tree: &'tree Tree, args: &[&str], token: Option<&str>) -> Self {
        let args: Vec<&str> = ["serve", "--port", "0"].iter().chain(args).copied().collect();
        let mut command = gik(tree);
        if let Some(token) = token {
            command = command.env("GIK_TOKEN", token);
        }
        let mut running = command.spawn(&args);
        let line = running.lines().next_line().expect("the server says where it listens");
        let address = line.strip_prefix("listening on http://").expect("an address").to_owned();
        Self { running, address }
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are, and reads until the server hangs up.
    pub(super) fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = self.connect();
        // A server that refuses may hang up before it has read everything.
        drop(stream.write_all(request));
        let mut bytes = Vec::new();
        drop(stream.read_to_end(&mut bytes));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        let body = if is_chunked { unchunked(body) } else { body.to_owned() };
        Reply { status, head: head.to_owned(), body }
    }

    pub(super) fn request(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut lines = vec![format!("{line} HTTP/1.1"), "Connection: close".to_owned()];
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            lines.push(format!("Host: {}", self.address));
        }
        lines.extend(headers.iter().map(|(name, value)| format!("{name}: {value}")));
        if !body.is_empty() {
            lines.push(format!("Content-Length: {}", body.len()));
        }
        self.raw(format!("{}\r\n\r\n{body}", lines.join("\r\n")).as_bytes())
    }

    pub(super) fn get(&self, path: &str) -> Reply {
        self.request(&format!("GET {path}"), &[], "")
    }

    pub(super) fn call(&self, tool: &str, arguments: &Value) -> Reply {
        self.request(
            &format!("POST /v1/tools/{tool}"),
            &[("Content-Type", "application/json")],
            &arguments.to_string(),
        )
    }
}

fn unchunked(body: &str) -> String {
    let (mut rest, mut whole) = (body.as_bytes(), Vec::new());
    while let Some(at) = rest.windows(2).position(|pair| pair == b"\r\n") {
        let size = std::str::from_utf8(&rest[..at]).unwrap_or_default();
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        let (start, end) = (at + 2, at + 2 + size);
        if size == 0 || end > rest.len() {
            break;
        }
        whole.extend_from_slice(&rest[start..end]);
        rest = rest.get(end + 2..).unwrap_or_default();
    }
    String::from_utf8_lossy(&whole).into_owned()
}
