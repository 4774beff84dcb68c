//! `gik bases`: the knowledge bases and how much is in each.

use std::ops::Range;

use gik_base::{ErrorCode, Result};
use gik_contract::{BaseStats, Timestamp};
use gik_ledger::jsonl;
use gik_store::Access;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tool::{Runs, keep, rows_of};
use crate::view::{Cell, Style};
use crate::{Context, Effect, Report, Shape, Tool, View, bases};

/// List the knowledge bases and how much is in each
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {}

/// The bases.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Sorted by name.
    pub bases: Vec<Base>,
}

/// One base.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Base {
    /// Its name.
    pub name: String,
    /// Files, or entries of memory.
    pub file_count: u64,
    /// Chunks, or entries of memory.
    pub chunk_count: u64,
    /// When a commit last wrote it.
    pub last_updated: Option<Timestamp>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let rows: Vec<Vec<Cell>> = self
            .bases
            .iter()
            .map(|base| {
                vec![
                    Cell::styled(Style::Name, &base.name),
                    Cell::number(base.file_count),
                    Cell::number(base.chunk_count),
                    Cell::text(
                        base.last_updated
                            .map_or_else(|| "never".to_owned(), |time| time.to_string()),
                    ),
                ]
            })
            .collect();
        view.table(&["base", "files", "chunks", "last commit"], &rows);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.bases)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.bases, rows)
    }
}

struct Bases;

impl Runs for Bases {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, _args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let counts = match ws.store(Access::ReadOnly) {
            Ok(store) => store.snapshot()?.base_counts()?,
            Err(failure) if failure.code() == ErrorCode::NoIndexedBase => Vec::new(),
            Err(failure) => return Err(failure),
        };
        let mut list = Vec::new();
        for name in bases::ALL {
            let (file_count, chunk_count, last_updated) = if *name == bases::MEMORY {
                let memory = ws.branch.memory();
                let n = memory.entries()?.len() as u64;
                (n, n, memory.stats()?.map(|stats| stats.last_updated))
            } else {
                let count = counts.iter().find(|count| count.name == *name);
                let stats: Option<BaseStats> = jsonl::read_json(&ws.branch.base_stats_path(name))?;
                (
                    count.map_or(0, |count| count.files),
                    count.map_or(0, |count| count.chunks),
                    stats.map(|stats| stats.last_updated),
                )
            };
            if file_count > 0
                || last_updated.is_some()
                || bases::INFERRED.contains(name)
                || *name == bases::MEMORY
            {
                list.push(Base { name: (*name).to_owned(), file_count, chunk_count, last_updated });
            }
        }
        Ok(Output { bases: list })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Bases>(&["bases"], Effect::Reads, Shape::List, "gik bases");
