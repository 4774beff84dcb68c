//! One client: asks over one connection, one question after another.

use std::time::Instant;

use gik_testkit::Rng;
use serde_json::{Value, json};

use super::files::Hot;
use super::{Answered, check};
use crate::served::Connection;

/// Words that every generated tree has.
const WORDS: &[&str] = &[
    "cache", "resolve", "snapshot", "index", "error", "request", "config", "queue", "worker",
    "result", "search", "token", "parse", "buffer", "handle",
];

pub(super) struct Client {
    rng: Rng,
    connection: Connection,
}

impl Client {
    pub(super) fn new(host: &str, number: usize) -> Self {
        Self { rng: Rng::new(number as u64), connection: Connection::to(host) }
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
            Err(error) => (0, 0, Some(format!("{tool} {arguments}: {error}"))),
        };
        Answered { time: to - from, pieces, of_hot, problem }
    }

    /// Has a note remembered; gives its id where the server says that it keeps it.
    pub(super) fn remember(&mut self, text: &str) -> std::io::Result<Option<String>> {
        let (status, answer) = self.post("remember", &json!({"text": text}))?;
        let id = answer["entry"]["id"].as_str().filter(|_| status == 200);
        Ok(id.map(str::to_owned))
    }

    /// Calls a tool; gives the status and the answer.
    fn post(&mut self, tool: &str, arguments: &Value) -> std::io::Result<(u16, Value)> {
        self.connection.post(tool, arguments)
    }
}
