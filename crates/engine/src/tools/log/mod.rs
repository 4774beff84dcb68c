//! `gik log`: what happened to the branch, or which questions were asked, newest first.

mod filter;
mod words;

use gik_base::{ErrorCode, Failure, Result, clock};
use gik_contract::{AskLogEntry, Revision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::filter::{Period, is_wanted, operations};
pub(super) use self::words::{BRANCH, MEMORY_RESTORE, in_words, short, subject};
use crate::tool::{Runs, rows_of};
use crate::view::{Cell, Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, bases};

/// How many entries are listed where no limit is given.
const DEFAULT_LIMIT: usize = 20;

/// Show what happened to this branch, newest first
///
/// Times are UTC: `2025-11-27`, `2025-11-27T10:00:00Z`, or an age such as `90m`, `3h`, `2d`, `1w`.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// What to list
    #[arg(long, value_enum, ignore_case = true)]
    pub kind: Option<Kind>,
    /// Only revisions with one of these operations (Commit, MemoryIngest, …); comma-separated or repeated
    #[arg(long = "op", value_name = "OPERATION")]
    pub op: Vec<String>,
    /// Only what concerns this base (code, docs, memory, notes)
    #[arg(long, value_name = "BASE")]
    pub base: Option<String>,
    /// Only what happened at this time or later
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Only what happened at this time or earlier; a date means its whole day
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
    /// How many entries at most, 0 for all [default: 20]
    #[arg(short = 'n', long, value_name = "N")]
    pub limit: Option<usize>,
    /// One line for each entry: id and message
    #[arg(long)]
    pub oneline: bool,
}

/// Which log to list.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// The revisions of the branch; the default
    #[default]
    Timeline,
    /// The questions that were asked in this workspace, on any branch
    Ask,
}

/// The entries of a log.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Newest first.
    pub entries: Entries,
    /// How many older entries the limit left out.
    pub remaining: u64,
    #[serde(skip)]
    head: Option<String>,
    #[serde(skip)]
    layout: Layout,
}

/// Revisions or questions, as the files hold them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Entries {
    /// Lines of `timeline.jsonl`.
    Timeline(Vec<Revision>),
    /// Lines of `ask.log.jsonl`.
    Asks(Vec<AskLogEntry>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Table,
    Lines,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if !self.found() {
            view.line(match self.entries {
                Entries::Timeline(_) => "No revision matches.",
                Entries::Asks(_) => "No question matches.",
            });
            return;
        }
        match (&self.entries, self.layout) {
            (Entries::Timeline(revisions), Layout::Lines) => {
                for revision in revisions {
                    let id = view.paint(Style::Name, short(&revision.id));
                    let message = view.plain(subject(&revision.message));
                    view.line(format!("{id} {message}"));
                }
            },
            (Entries::Asks(asks), Layout::Lines) => {
                for ask in asks {
                    let when = view.paint(Style::Name, ask.timestamp);
                    let question = view.plain(&ask.question);
                    view.line(format!("{when} {question}"));
                }
            },
            (Entries::Timeline(revisions), Layout::Table) => {
                let rows: Vec<Vec<Cell>> =
                    revisions.iter().map(|revision| self.revision_row(revision)).collect();
                view.table(&["revision", "when", "", "operation", "message"], &rows);
            },
            (Entries::Asks(asks), Layout::Table) => {
                let rows: Vec<Vec<Cell>> = asks.iter().map(ask_row).collect();
                view.table(&["when", "branch", "hits", "bases", "question"], &rows);
            },
        }
        if self.remaining > 0 && self.layout == Layout::Table {
            let more = count(self.remaining, "older entry", "older entries");
            view.hint(format!("{more} not shown; `--limit 0` lists all"));
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        match &self.entries {
            Entries::Timeline(revisions) => rows_of(revisions),
            Entries::Asks(asks) => rows_of(asks),
        }
    }

    fn found(&self) -> bool {
        match &self.entries {
            Entries::Timeline(revisions) => !revisions.is_empty(),
            Entries::Asks(asks) => !asks.is_empty(),
        }
    }
}

impl Output {
    fn revision_row(&self, revision: &Revision) -> Vec<Cell> {
        let is_head = self.head.as_deref() == Some(&revision.id);
        vec![
            Cell::styled(Style::Name, short(&revision.id)),
            Cell::text(revision.timestamp),
            Cell::styled(Style::Good, if is_head { "HEAD" } else { "" }),
            Cell::text(words::names(revision)),
            Cell::text(subject(&revision.message)),
        ]
    }
}

fn ask_row(ask: &AskLogEntry) -> Vec<Cell> {
    vec![
        Cell::text(ask.timestamp),
        Cell::styled(Style::Name, &ask.branch),
        Cell::number(ask.total_hits),
        Cell::text(ask.bases.join(",")),
        Cell::text(&ask.question),
    ]
}

struct Log;

impl Runs for Log {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let period = Period::of(&args, clock::now())?;
        let base = args.base.as_deref().map(|base| bases::checked(base, bases::ALL)).transpose()?;
        let layout = if args.oneline { Layout::Lines } else { Layout::Table };
        let limit = match args.limit.unwrap_or(DEFAULT_LIMIT) {
            0 => usize::MAX,
            limit => limit,
        };
        let (entries, remaining) = match args.kind.unwrap_or_default() {
            Kind::Timeline => {
                let (revisions, remaining) = revisions(&ws, &args.op, base, &period, limit)?;
                (Entries::Timeline(revisions), remaining)
            },
            Kind::Ask if !args.op.is_empty() => {
                return Err(Failure::new(
                    ErrorCode::ArgumentInvalid,
                    "`--op` is about revisions; questions have no operations",
                )
                .hint("leave out `--op`, or `--kind ask`"));
            },
            Kind::Ask => {
                let mut asks = ws.knowledge.ask_log().read(usize::MAX)?;
                asks.reverse();
                asks.retain(|ask| period.holds(ask.timestamp));
                asks.retain(|ask| {
                    base.is_none_or(|base| ask.bases.iter().any(|name| name == base))
                });
                let remaining = cut(&mut asks, limit);
                (Entries::Asks(asks), remaining)
            },
        };
        Ok(Output { entries, remaining, head: ws.branch.head()?, layout })
    }
}

fn revisions(
    ws: &Workspace<'_>,
    typed: &[String],
    base: Option<&str>,
    period: &Period,
    limit: usize,
) -> Result<(Vec<Revision>, u64)> {
    let mut revisions = ws.branch.timeline()?;
    let wanted = operations(typed, &revisions)?;
    revisions.reverse();
    revisions.retain(|revision| {
        period.holds(revision.timestamp)
            && (wanted.is_empty()
                || revision.operations.iter().any(|done| is_wanted(done, &wanted)))
            && base.is_none_or(|base| {
                revision.operations.iter().any(|done| words::touches(done, base))
            })
    });
    let remaining = cut(&mut revisions, limit);
    Ok((revisions, remaining))
}

/// Shortens a list and tells by how much.
fn cut<T>(entries: &mut Vec<T>, limit: usize) -> u64 {
    let remaining = entries.len().saturating_sub(limit);
    entries.truncate(limit);
    remaining as u64
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Log>(&["log"], Effect::Reads, Shape::List, "gik log --op commit --since 1w");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_tells_what_it_left_out() {
        let mut entries = vec![1, 2, 3];
        assert_eq!(cut(&mut entries, 2), 1);
        assert_eq!(cut(&mut entries, usize::MAX), 0);
        assert_eq!(entries, [1, 2]);
    }
}
