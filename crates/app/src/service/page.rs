//! Which rows of a list are handed out, and where the next call goes on. Nothing is kept between calls: a cursor names
//! a row and carries a check of the call that it belongs to.

use std::ops::Range;

use gik_base::{ErrorCode, Failure, Result, hash};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where a call begins.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Cursor {
    start: usize,
    check: u64,
}

impl Cursor {
    /// What a call gave as its cursor.
    pub(super) fn new(
        given: Option<&str>,
        tool: &str,
        root: Option<&str>,
        arguments: &Map<String, Value>,
    ) -> Result<Self> {
        let mut sorted: Vec<String> =
            arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
        sorted.sort();
        let whole = format!("{tool}\n{}\n{}", root.unwrap_or_default(), sorted.join("\n"));
        let check = hash::fast64(whole.as_bytes()) & 0xffff_ffff;
        let Some(given) = given else { return Ok(Self { start: 0, check }) };
        let parts = given.split_once('.').and_then(|(start, known)| {
            Some((start.parse().ok()?, u64::from_str_radix(known, 16).ok()?))
        });
        match parts {
            Some((start, known)) if known == check => Ok(Self { start, check }),
            _ => Err(Failure::new(
                ErrorCode::ArgumentInvalid,
                "the cursor does not belong to this call",
            )
            .hint("give the same arguments as in the call whose answer had the cursor")),
        }
    }

    /// The cursor of the same call for a later row.
    pub(super) fn at(&self, start: usize) -> String {
        format!("{start}.{:08x}", self.check)
    }

    /// The rows from here on that fit, at least one.
    pub(super) fn page(&self, rows: &[Value], bytes: usize) -> Range<usize> {
        // Names and brackets around the rows.
        const FRAME: usize = 200;
        let start = self.start.min(rows.len());
        let mut room = bytes.saturating_sub(FRAME);
        let mut end = start;
        for row in &rows[start..] {
            let size = row.to_string().len() + 1;
            if size > room && end > start {
                break;
            }
            room = room.saturating_sub(size);
            end += 1;
        }
        start..end
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::Cursor;

    fn arguments(query: &str) -> Map<String, Value> {
        let Value::Object(map) = json!({"query": query, "limit": 5}) else { unreachable!() };
        map
    }

    #[test]
    fn pages_follow_one_another_without_gaps() {
        let rows: Vec<Value> = (0..100).map(|n| json!({"n": n})).collect();
        let (mut given, mut seen) = (None, Vec::new());
        loop {
            let cursor = Cursor::new(given.as_deref(), "search", None, &arguments("x")).unwrap();
            let page = cursor.page(&rows, 300);
            seen.extend_from_slice(&rows[page.clone()]);
            if page.end == rows.len() {
                break;
            }
            given = Some(cursor.at(page.end));
        }
        assert_eq!(seen, rows);
    }

    #[test]
    fn a_cursor_of_another_call_is_refused() {
        let cursor = Cursor::new(None, "search", None, &arguments("x")).unwrap().at(7);
        assert!(Cursor::new(Some(&cursor), "search", None, &arguments("x")).is_ok());
        assert!(Cursor::new(Some(&cursor), "search", None, &arguments("y")).is_err());
        assert!(Cursor::new(Some(&cursor), "symbols", None, &arguments("x")).is_err());
        assert!(Cursor::new(Some(&cursor), "search", Some("b"), &arguments("x")).is_err());
        for wrong in ["", "7", "7.", ".1", "-1.0", "7.zz", "99999999999999999999999.0"] {
            assert!(Cursor::new(Some(wrong), "search", None, &arguments("x")).is_err(), "{wrong}");
        }
    }
}
