//! `gik memory list`: the entries that can be seen from this branch, newest first.

use std::ops::Range;

use gik_base::Result;
use gik_contract::{MemoryEntry, MemoryScope, MemorySource};
use gik_ledger::memory::visible_memory;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::names::{scopes, sources, split_tags};
use super::table;
use crate::tool::{Runs, keep, rows_of};
use crate::view::count;
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace};

/// How many entries are listed where no limit is given.
const DEFAULT_LIMIT: usize = 50;

/// List what is remembered, newest first
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Only entries of this scope
    #[arg(long, value_name = "SCOPE", value_parser = scopes(), ignore_case = true)]
    pub scope: Option<MemoryScope>,
    /// Only entries of this source
    #[arg(long, value_name = "SOURCE", value_parser = sources(), ignore_case = true)]
    pub source: Option<MemorySource>,
    /// Only entries with all of these tags; comma-separated or repeated
    #[arg(long = "tag", value_name = "TAG")]
    #[serde(alias = "tag")]
    pub tags: Vec<String>,
    /// List the archived entries instead
    #[arg(long)]
    pub archived: bool,
    /// How many entries at most, 0 for all [default: 50]
    #[arg(short = 'n', long, value_name = "N")]
    pub limit: Option<usize>,
}

/// The entries.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Newest first, as the files hold them.
    pub entries: Vec<MemoryEntry>,
    /// How many older entries the limit left out.
    pub remaining: u64,
    #[serde(skip)]
    is_archive: bool,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.entries.is_empty() {
            view.line(if self.is_archive {
                "No archived entry matches."
            } else {
                "No entry matches."
            });
            if !self.is_archive {
                view.hint("`gik memory add TEXT` remembers something");
            }
            return;
        }
        table(view, &self.entries);
        if self.remaining > 0 {
            let more = count(self.remaining, "older entry", "older entries");
            view.hint(format!("{more} not shown; `--limit 0` lists all"));
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

struct List;

impl Runs for List {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let tags = split_tags(&args.tags);
        let mut entries = if args.archived { archived(&ws)? } else { active(&ws)? };
        entries.retain(|entry| {
            args.scope.is_none_or(|scope| entry.scope == scope)
                && args.source.is_none_or(|source| entry.source == source)
                && tags.iter().all(|tag| entry.tags.contains(tag))
        });
        // Of entries of the same second the one that was written later is the newer.
        entries.reverse();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.created_at));
        let limit = match args.limit.unwrap_or(DEFAULT_LIMIT) {
            0 => usize::MAX,
            limit => limit,
        };
        let remaining = entries.len().saturating_sub(limit) as u64;
        entries.truncate(limit);
        Ok(Output { entries, remaining, is_archive: args.archived })
    }
}

/// The entries that can be seen from the branch at hand.
pub(super) fn active(ws: &Workspace<'_>) -> Result<Vec<MemoryEntry>> {
    let global = ws.global_memory();
    let located = visible_memory(&ws.knowledge, ws.branch.name(), global.as_ref())?;
    Ok(located.into_iter().map(|located| located.entry).collect())
}

/// The archived entries that could be seen from the branch at hand.
pub(super) fn archived(ws: &Workspace<'_>) -> Result<Vec<MemoryEntry>> {
    let mut entries = ws.branch.memory().archived()?;
    for name in ws.knowledge.branches()? {
        if name != ws.branch.name() {
            let others = ws.knowledge.branch(&name).memory().archived()?;
            entries.extend(others.into_iter().filter(|entry| entry.scope != MemoryScope::Branch));
        }
    }
    if let Some(global) = ws.global_memory() {
        entries.extend(global.archived()?);
    }
    Ok(entries)
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<List>(
    &["memory", "list"],
    Effect::Reads,
    Shape::List,
    "gik memory list --source decision --tag architecture",
);
