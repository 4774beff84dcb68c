//! Does an answer say what the files said between question and answer?

use std::time::Instant;

use serde_json::Value;

use super::files::Hot;
use super::text_now;

/// How many pieces an answer has, how many of them come from files that change, and what is wrong with one.
pub(super) type Checked = (usize, usize, Option<String>);

/// An answer of `ask`.
pub(super) fn ask(answer: &Value, hot: &Hot, from: Instant, to: Instant) -> Checked {
    pieces(answer, "ragChunks", "snippet", hot, from, to)
}

/// An answer of `search`.
pub(super) fn search(answer: &Value, hot: &Hot, from: Instant, to: Instant) -> Checked {
    pieces(answer, "results", "text", hot, from, to)
}

fn pieces(
    answer: &Value,
    list: &str,
    field: &str,
    hot: &Hot,
    from: Instant,
    to: Instant,
) -> Checked {
    let Some(items) = answer[list].as_array() else {
        return (0, 0, Some(format!("there is no `{list}` in the answer")));
    };
    let mut of_hot = 0;
    for item in items {
        let path = item["path"].as_str().unwrap_or_default();
        let part = item[field].as_str().unwrap_or_default().trim_end_matches('…');
        let is_right = match hot.held(path, part, from, to) {
            Some(is_right) => {
                of_hot += 1;
                is_right
            },
            None => text_now(hot.project(), path)
                .is_some_and(|text| part.lines().all(|line| text.contains(line.trim()))),
        };
        if !is_right {
            return (items.len(), of_hot, Some(format!("stale: `{path}` says {part:?}")));
        }
    }
    (items.len(), of_hot, None)
}
