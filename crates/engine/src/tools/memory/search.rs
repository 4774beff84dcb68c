//! `gik memory search`: entries that match, best first.

use std::ops::Range;

use gik_base::Result;
use gik_contract::ask::MemoryEvent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::indented;
use super::names::short_id;
use crate::answer::{memory_events, understood};
use crate::conditions::Flags;
use crate::tool::{Runs, keep, rows_of, words};
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View, bases};

/// How many entries are shown where no limit is given.
const DEFAULT_LIMIT: usize = 10;

/// Search what is remembered, best first
///
/// Words count where they occur; "quoted words" must stand together; +word must occur; -word must not; tag:adr and
/// changed:<7d are conditions. Put a query with such signs in quotes: 'lock "no patience" -test'.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// What to look for
    #[arg(required = true, value_name = "QUERY")]
    #[serde(deserialize_with = "words")]
    #[schemars(with = "String")]
    pub query: Vec<String>,
    /// How many entries at most, 0 for all [default: 10]
    #[arg(short = 'n', long, value_name = "N")]
    pub limit: Option<usize>,
}

/// The entries that match.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// What was looked for.
    pub query: String,
    /// Best first.
    pub entries: Vec<MemoryEvent>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.entries.is_empty() {
            view.line("Nothing found.");
            view.hint("fewer or other words may help; `gik memory list` lists what is remembered");
            return;
        }
        for (at, event) in self.entries.iter().enumerate() {
            if at > 0 {
                view.blank();
            }
            let id = view.paint(Style::Name, short_id(&event.id));
            let title = view.paint(Style::Heading, event.title.as_deref().unwrap_or_default());
            let score = view.paint(Style::Faint, format!("{:.2}", event.score));
            let title = if event.title.is_some() { format!("{title}  ") } else { String::new() };
            view.line(format!("{id}  {title}{score}"));
            indented(view, &event.text);
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.entries)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.entries, rows)
    }

    fn found(&self) -> bool {
        !self.entries.is_empty()
    }
}

struct Search;

impl Runs for Search {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let text = args.query.join(" ");
        let (query, conditions) = understood(&text, &Flags::default(), bases::ALL)?;
        let limit = match args.limit.unwrap_or(DEFAULT_LIMIT) {
            0 => usize::MAX,
            limit => limit,
        };
        let entries = memory_events(&ws, &query, &conditions, limit)?;
        Ok(Output { query: text, entries })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Search>(
    &["memory", "search"],
    Effect::Reads,
    Shape::List,
    "gik memory search why sqlite",
)
.called("recall");
