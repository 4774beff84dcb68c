//! `gik changes list`: what programs proposed and nobody decided yet.

use std::ops::Range;

use gik_base::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{created_at, files_of, state, summary};
use crate::proposals::Desk;
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Cell, Style};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// List the proposed changes, oldest first
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {}

/// The proposals.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Oldest first.
    pub changes: Vec<Listed>,
    /// Ids of proposals that cannot be read.
    pub damaged: Vec<String>,
}

/// One proposal.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// When it was proposed.
    pub created_at: String,
    /// The tool that was called.
    pub tool: String,
    /// `ready`, or `outdated` where a file is no longer what it was made for.
    pub state: &'static str,
    /// The files.
    pub paths: Vec<String>,
    /// New lines.
    pub added: u64,
    /// Lines that are gone.
    pub removed: u64,
    #[serde(skip)]
    summary: String,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.changes.is_empty() {
            view.line("No change is proposed.");
        } else {
            let row = |change: &Listed| {
                let style = if change.state == "ready" { Style::Good } else { Style::Warning };
                vec![
                    Cell::styled(Style::Name, &change.id),
                    Cell::text(&change.created_at),
                    Cell::styled(style, change.state),
                    Cell::text(&change.summary),
                    Cell::text(change.paths.join(" ")),
                ]
            };
            let rows: Vec<Vec<Cell>> = self.changes.iter().map(row).collect();
            view.table(&["id", "when", "state", "size", "files"], &rows);
            view.hint("`gik changes show ID` shows one, `gik changes apply ID` applies it");
        }
        for id in &self.damaged {
            let line = view.paint(Style::Warning, format!("{id} is damaged"));
            view.line(line);
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.changes)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.changes, rows)
    }

    fn found(&self) -> bool {
        !self.changes.is_empty()
    }
}

struct List;

impl Runs for List {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, _: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let desk = Desk::of(&ws)?;
        let (proposals, damaged) = desk.shelf.list()?;
        let listed = |proposal: &gik_changes::Proposal| {
            let files = files_of(proposal);
            Listed {
                id: proposal.id.clone(),
                created_at: created_at(proposal),
                tool: proposal.tool.clone(),
                state: state(&desk, proposal),
                summary: summary(&files),
                added: files.iter().map(|file| file.added).sum(),
                removed: files.iter().map(|file| file.removed).sum(),
                paths: files.into_iter().map(|file| file.path).collect(),
            }
        };
        Ok(Output { changes: proposals.iter().map(listed).collect(), damaged })
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<List>(&["changes", "list"], Effect::Reads, Shape::List, "gik changes list");
