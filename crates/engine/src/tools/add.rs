//! `gik add`: puts files, folders, archives and urls on the list for the next commit.

use gik_base::Result;
use gik_contract::PendingSource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tool::Runs;
use crate::view::{Cell, Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, bases, stack_scan, staging};

/// Stage files, folders, archives or urls for the next commit
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Paths inside the workspace, or http(s) urls
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<String>,
    /// The base everything goes to; inferred from each file where it is not given
    #[arg(long, value_name = "BASE")]
    pub base: Option<String>,
}

/// What `add` did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Entries that are new on the list.
    pub added: Vec<PendingSource>,
    /// Sources that were waiting already.
    pub already_pending: Vec<String>,
    /// Everything that waits now.
    pub pending_count: u64,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let rows: Vec<Vec<Cell>> = self
            .added
            .iter()
            .map(|entry| {
                vec![
                    Cell::styled(Style::Good, "+"),
                    Cell::styled(Style::Name, &entry.uri),
                    Cell::text(entry.kind.as_str()),
                    Cell::text(&entry.base),
                ]
            })
            .collect();
        if !rows.is_empty() {
            view.table(&["", "source", "kind", "base"], &rows);
        }
        for uri in &self.already_pending {
            let uri = view.paint(Style::Name, uri);
            view.line(format!("{uri} is waiting already"));
        }
        let them = if self.pending_count == 1 { "it" } else { "them" };
        view.hint(format!(
            "{} waiting; run `gik commit` to index {them}",
            count(self.pending_count, "source is", "sources are")
        ));
    }
}

struct Add;

impl Runs for Add {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let base =
            args.base.as_deref().map(|base| bases::checked(base, bases::FILE_BASES)).transpose()?;
        let targets = args
            .sources
            .iter()
            .map(|typed| staging::target(&ws, typed))
            .collect::<Result<Vec<_>>>()?;
        staging::allow_pages(&ws, &targets)?;
        let inventory = stack_scan::scan(&ws)?;
        let held = ws.hold()?;
        let mut pending = ws.branch.pending()?;
        let mut added = Vec::new();
        let mut already_pending = Vec::new();
        for target in &targets {
            let staged = staging::stage(&mut pending, staging::entries(&ws, target, base));
            if staged.is_empty() {
                already_pending.push(target.uri.clone());
            }
            added.extend(staged);
        }
        let transaction = ws.branch.transaction(&held);
        if !added.is_empty() {
            transaction.set_pending(&pending)?;
        }
        stack_scan::write(&inventory, &transaction)?;
        transaction.commit()?;
        let pending_count = staging::waiting(&pending);
        Ok(Output { added, already_pending, pending_count })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Add>(
    &["add"],
    Effect::Writes,
    Shape::One,
    "gik add src README.md https://example.com/guide --base docs",
)
.reaching_out();
