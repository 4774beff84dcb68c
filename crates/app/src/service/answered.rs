//! The part of an answer that a call asked for: so many tokens of it, from a row on.

use gik_base::Result;
use gik_engine::bound::{self, BYTES_PER_TOKEN, Cut, MOST_BYTES};
use gik_engine::{Answer, Declaration, Shape, View, Written};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::page::Cursor;

/// What came of a call.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Answered {
    /// The answer as data.
    pub(crate) json: Value,
    /// The answer in few words.
    pub(crate) text: String,
    /// Whether it is a failure that is told as data.
    pub(crate) is_failure: bool,
    /// Leads to what did not fit.
    pub(crate) next_cursor: Option<String>,
    /// What was cut.
    pub(crate) cuts: Vec<Cut>,
}

/// How much of an answer a call asks for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Asked {
    bytes: usize,
    cursor: Cursor,
}

impl Default for Asked {
    fn default() -> Self {
        Self { bytes: MOST_BYTES, cursor: Cursor::default() }
    }
}

impl Asked {
    /// Takes the name of the folder to work in out of the arguments.
    pub(super) fn root(arguments: &mut Map<String, Value>, tool: &Declaration) -> Option<String> {
        text(take(arguments, tool, "root"))
    }

    pub(super) fn taken_from(
        arguments: &mut Map<String, Value>,
        tool: &Declaration,
        root: Option<&str>,
        tokens: u64,
    ) -> Result<Self> {
        let wanted = take(arguments, tool, "maxTokens").and_then(|value| value.as_u64());
        let cursor = text(take(arguments, tool, "cursor"));
        let cursor = Cursor::new(cursor.as_deref(), &tool.name, root, arguments)?;
        let tokens = usize::try_from(wanted.unwrap_or(tokens)).unwrap_or(usize::MAX);
        Ok(Self { bytes: tokens.saturating_mul(BYTES_PER_TOKEN).min(MOST_BYTES), cursor })
    }

    /// The part of an answer that was asked for, as data and as text.
    pub(super) fn cut(&self, mut answer: Box<dyn Answer>, shape: Shape) -> Result<Answered> {
        let rows = answer.rows().filter(|_| shape == Shape::List);
        let mut next_cursor = None;
        if let Some(rows) = rows {
            let page = self.cursor.page(&rows, self.bytes);
            let is_part = page.start > 0 || page.end < rows.len();
            if is_part && answer.keep_rows(page.clone()) && page.end < rows.len() {
                next_cursor = Some(self.cursor.at(page.end));
            }
        }
        let mut json = answer.json()?;
        let mut cuts = bound::fit(&mut json, self.bytes)?;
        let mut text = shown(answer.as_ref());
        let bytes = text.len();
        if bound::fit_text(&mut text, self.bytes) && cuts.is_empty() {
            cuts.push(Cut { at: "text".to_owned(), kept: text.len(), of: bytes });
        }
        let is_failure = answer.is_failure();
        Ok(Answered { json, text, is_failure, next_cursor, cuts })
    }
}

/// Takes an argument of the service, unless the tool has one of that name.
fn take(arguments: &mut Map<String, Value>, tool: &Declaration, name: &str) -> Option<Value> {
    let is_own = tool.input.get("properties").is_some_and(|own| own.get(name).is_some());
    if is_own { None } else { arguments.remove(name) }
}

fn text(value: Option<Value>) -> Option<String> {
    value.and_then(|it| it.as_str().map(str::to_owned))
}

/// An answer in few words.
fn shown(answer: &dyn Answer) -> String {
    const UNLIMITED: usize = 1 << 20;
    let text = answer.written(Written::Compact).unwrap_or_else(|| {
        let mut view = View::new(UNLIMITED, false);
        answer.render(&mut view);
        view.finish()
    });
    if text.trim().is_empty() { "Nothing found.\n".to_owned() } else { text }
}
