//! `gik reindex`: reads every tracked file again.

use gik_base::Result;
use gik_contract::RevisionOperation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::commit::Output as CommitOutput;
use crate::commit::{Reason, commit, has_fts};
use crate::tool::Runs;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Read every tracked file again and make the index anew
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Tell what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What `reindex` did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Bases that were made anew.
    pub bases: Vec<String>,
    /// Whether nothing was done.
    pub dry_run: bool,
    /// The commit.
    pub commit: Option<CommitOutput>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let bases: Vec<String> =
            self.bases.iter().map(|base| view.paint(Style::Name, base)).collect();
        if self.dry_run {
            view.line(format!("Would make anew: {}", bases.join(", ")));
            return;
        }
        match &self.commit {
            Some(commit) => commit.render(view),
            None => view.line("There is nothing to index."),
        }
    }
}

struct Reindex;

impl Runs for Reindex {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let mut ws = ctx.open()?;
        ws.require_initialized()?;
        let mut output = Output { bases: Vec::new(), dry_run: args.dry_run, commit: None };
        if args.dry_run {
            if let Ok(store) = ws.store(gik_store::Access::ReadOnly) {
                output.bases =
                    store.snapshot()?.base_counts()?.into_iter().map(|count| count.name).collect();
            }
            return Ok(output);
        }
        ws.require_checked_out()?;
        // Whoever asked for the SQL table keeps it.
        ws.settings.indexing.fts |= has_fts(&ws);
        let held = ws.hold()?;
        let committed = commit(&ws, &held, "Reindex", Reason::Reindex, None)?;
        if let Some(committed) = &committed {
            output.bases = committed
                .revision
                .operations
                .iter()
                .filter_map(|operation| match operation {
                    RevisionOperation::Reindex { base, .. } => Some(base.clone()),
                    RevisionOperation::Init
                    | RevisionOperation::Commit { .. }
                    | RevisionOperation::MemoryIngest { .. }
                    | RevisionOperation::MemoryPrune { .. }
                    | RevisionOperation::Release { .. }
                    | RevisionOperation::Custom { .. }
                    | RevisionOperation::Unknown(_) => None,
                })
                .collect();
        }
        output.commit = committed.map(CommitOutput::from);
        Ok(output)
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Reindex>(&["reindex"], Effect::Writes, Shape::One, "gik reindex");
