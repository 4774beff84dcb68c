//! `gik commit`: makes a named point of what is indexed.

use std::collections::BTreeMap;

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::{PendingSource, SourceStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commit::{Committed, Reason, commit, told};
use crate::ingest::{Effort, fill};
use crate::tool::Runs;
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Index what is staged and changed, and make a revision of it
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Why; Conventional Commits (`feat(api): …`) become entries of `gik release`
    #[arg(short, long, value_name = "TEXT")]
    pub message: Option<String>,
    /// Leave vectors for later: words and structure alone are searched until the next `gik index` or `gik watch`
    #[arg(long, alias = "defer-embeddings")]
    pub no_embed: bool,
}

/// What a commit did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The new revision.
    pub revision_id: String,
    /// Its message.
    pub message: String,
    /// Bases that changed.
    pub bases: Vec<String>,
    /// Files new in the index.
    pub added: u64,
    /// Files whose content changed.
    pub updated: u64,
    /// Files that are gone.
    pub removed: u64,
    /// Files found under another name.
    pub moved: u64,
    /// Files that had to be parsed.
    pub parsed: u64,
    /// Files per language, among those written.
    pub languages: BTreeMap<String, u64>,
    /// Files left out per reason, among those looked at.
    pub skipped: BTreeMap<String, u64>,
    /// Staged sources and what became of them.
    pub sources: Vec<PendingSource>,
}

impl From<Committed> for Output {
    fn from(done: Committed) -> Self {
        Self {
            revision_id: done.revision.id,
            message: done.revision.message,
            bases: done.bases,
            added: done.outcome.added,
            updated: done.outcome.updated,
            removed: done.outcome.removed,
            moved: done.outcome.moved,
            parsed: done.outcome.parsed,
            languages: done.outcome.languages,
            skipped: done.outcome.skipped,
            sources: done.sources,
        }
    }
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let id = view.paint(Style::Name, self.revision_id.get(..8).unwrap_or(&self.revision_id));
        let message = view.plain(&self.message);
        view.line(format!("[{id}] {message}"));
        let mut parts = Vec::new();
        for (n, what) in [
            (self.added, "added"),
            (self.updated, "updated"),
            (self.moved, "moved"),
            (self.removed, "removed"),
        ] {
            if n > 0 {
                parts.push(format!("{n} {what}"));
            }
        }
        if !parts.is_empty() {
            view.line(format!("files: {}", parts.join(", ")));
        }
        if !self.skipped.is_empty() {
            let reasons: Vec<String> =
                self.skipped.iter().map(|(reason, n)| format!("{n} {reason}")).collect();
            view.line(format!("left out: {}", reasons.join(", ")));
            view.hint("`gik ls-files --skipped` lists them with their reasons");
        }
        for source in self.sources.iter().filter(|source| source.status == SourceStatus::Failed) {
            let label = view.paint(Style::Bad, "failed:");
            let reason = view.plain(told(source));
            view.line(format!("{label} {reason}"));
        }
    }
}

struct Commit;

impl Runs for Commit {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let held = ws.hold()?;
        let message = args.message.unwrap_or_else(|| default_message(&ws));
        let attempt = commit(&ws, &held, &message, Reason::Asked, None)?;
        let committed = attempt.made().ok_or_else(|| {
            Failure::new(ErrorCode::NothingToCommit, "there is nothing to commit")
                .hint("`gik add PATH` stages sources; `gik status` shows what is tracked")
        })?;
        drop(held);
        if !args.no_embed {
            fill(&ws, Effort::All)?;
        }
        Ok(committed.into())
    }
}

fn default_message(ws: &crate::Workspace<'_>) -> String {
    let waiting: Vec<String> = ws
        .branch
        .pending()
        .unwrap_or_default()
        .into_iter()
        .filter(gik_ledger::staging::is_waiting)
        .map(|source| source.uri)
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    match waiting.as_slice() {
        [] => "Update the index".to_owned(),
        [one] => format!("Index {one}"),
        [first, rest @ ..] => {
            format!(
                "Index {first} and {}",
                count(rest.len() as u64, "other source", "other sources")
            )
        },
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Commit>(
    &["commit"],
    Effect::Writes,
    Shape::One,
    "gik commit -m \"docs: index the guide\"",
)
.reaching_out();
