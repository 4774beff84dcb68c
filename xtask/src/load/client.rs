//! One client: asks over one connection, one question after another.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use gik_testkit::Rng;
use serde_json::{Value, json};

use super::files::Hot;
use super::{Answered, check};

/// Words that every generated tree has.
const WORDS: &[&str] = &[
    "cache", "resolve", "snapshot", "index", "error", "request", "config", "queue", "worker",
    "result", "search", "token", "parse", "buffer", "handle",
];

pub(super) struct Client {
    host: String,
    rng: Rng,
    connection: Option<BufReader<TcpStream>>,
}

impl Client {
    pub(super) fn new(host: &str, number: usize) -> Self {
        Self { host: host.to_owned(), rng: Rng::new(number as u64), connection: None }
    }

    /// Asks something and looks whether the answer is true.
    pub(super) fn ask(&mut self, hot: &Hot) -> Answered {
        let words: Vec<&str> = (0..3).map(|_| *self.rng.pick(WORDS)).collect();
        let question = if self.rng.one_in(2) {
            Hot::question(self.rng.within(0..1000))
        } else {
            words.join(" ")
        };
        let is_search = self.rng.one_in(2);
        let (tool, arguments) = if is_search {
            ("search", json!({"query": question, "limit": 5}))
        } else {
            ("ask", json!({"question": question, "topK": 5}))
        };
        let from = Instant::now();
        let answer = self.post(tool, &arguments);
        let to = Instant::now();
        let (pieces, of_hot, problem) = match answer {
            Ok((200, answer)) if is_search => check::search(&answer, hot, from, to),
            Ok((200, answer)) => check::ask(&answer, hot, from, to),
            Ok((status, answer)) => (0, 0, Some(format!("{tool} {arguments}: {status} {answer}"))),
            Err(error) => {
                self.connection = None;
                (0, 0, Some(format!("{tool} {arguments}: {error}")))
            },
        };
        Answered { time: to - from, pieces, of_hot, problem }
    }

    /// Calls a tool; gives the status and the answer.
    pub(super) fn post(&mut self, tool: &str, arguments: &Value) -> std::io::Result<(u16, Value)> {
        let body = arguments.to_string();
        let (host, length) = (self.host.clone(), body.len());
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let stream = TcpStream::connect(&host)?;
                stream.set_read_timeout(Some(Duration::from_secs(120)))?;
                stream.set_nodelay(true)?;
                BufReader::new(stream)
            },
        };
        let request = format!(
            "POST /v1/tools/{tool} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        connection.get_mut().write_all(request.as_bytes())?;
        let answer = read(&mut connection)?;
        self.connection = Some(connection);
        Ok(answer)
    }
}

fn read(connection: &mut BufReader<TcpStream>) -> std::io::Result<(u16, Value)> {
    let wrong = |what: &str| std::io::Error::other(what.to_owned());
    let mut line = String::new();
    connection.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
    let status = status.ok_or_else(|| wrong("no status"))?;
    let mut length = None;
    loop {
        line.clear();
        connection.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok();
        }
    }
    let mut body = vec![0; length.ok_or_else(|| wrong("no length"))?];
    connection.read_exact(&mut body)?;
    let value = serde_json::from_slice(&body).map_err(|_| wrong("no JSON"))?;
    Ok((status, value))
}
