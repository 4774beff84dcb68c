//! `gik index`: `init`, `add` and `commit` in one.

use gik_base::{ErrorCode, Result};
use gik_ledger::Tracking;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::commit::Output as CommitOutput;
use crate::commit::{Attempt, Reason, commit, has_lost_projections, restore_projections};
use crate::ingest::{Effort, fill};
use crate::modes::{Mode, Modes};
use crate::staging::{self, Target};
use crate::tool::Runs;
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, bases, branching};

/// Index this workspace: init, add and commit in one
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// What to index; the whole workspace where nothing is given and nothing is tracked yet
    #[arg(value_name = "SOURCE")]
    pub sources: Vec<String>,
    /// The base everything goes to; inferred from each file where it is not given
    #[arg(long, value_name = "BASE")]
    pub base: Option<String>,
    /// Why, for the timeline
    #[arg(short, long, value_name = "TEXT")]
    pub message: Option<String>,
    /// Build up to this stage: 4 adds the FTS5 table `fts_chunks` for those who query the database with SQL
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(4..=4))]
    #[schemars(range(min = 4, max = 4))]
    pub stage: Option<u8>,
    /// What to index from here on, once or more: files of other modes are left out; `all` brings them back
    #[arg(long, value_name = "MODE", value_enum)]
    pub mode: Vec<Mode>,
    /// Memory in MB that indexing may take, at least 96; it then does less at once
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(96..))]
    #[schemars(range(min = 96))]
    pub max_rss: Option<u32>,
    /// Leave vectors for later: words and structure alone are searched until the next `gik index` or `gik watch`
    #[arg(long, alias = "defer-embeddings")]
    pub no_embed: bool,
}

/// What `index` did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The newest revision.
    pub revision_id: String,
    /// Whether anything changed.
    pub changed: bool,
    /// Files in the index.
    pub files: u64,
    /// Chunks in the index.
    pub chunks: u64,
    /// The commit, where one was made.
    pub commit: Option<CommitOutput>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        match &self.commit {
            Some(commit) => commit.render(view),
            None => view.line("Nothing changed since the last commit."),
        }
        let files = view.paint(Style::Number, count(self.files, "file", "files"));
        let chunks = view.paint(Style::Number, count(self.chunks, "chunk", "chunks"));
        view.line(format!("indexed: {files}, {chunks}"));
    }
}

/// The stage that makes the database complete.
const FTS_STAGE: u8 = 4;

struct Index;

impl Runs for Index {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let mut ws = ctx.open()?;
        let indexing = &mut ws.settings.indexing;
        indexing.fts |= args.stage == Some(FTS_STAGE);
        if let Some(megabytes) = args.max_rss {
            indexing.max_rss_bytes = u64::from(megabytes) << 20;
        }
        let base =
            args.base.as_deref().map(|base| bases::checked(base, bases::FILE_BASES)).transpose()?;
        let targets = args
            .sources
            .iter()
            .map(|typed| staging::target(&ws, typed))
            .collect::<Result<Vec<_>>>()?;
        staging::allow_pages(&ws, &targets)?;
        let output = index(&ws, &targets, base, args.message.as_deref(), Modes::asked(&args.mode))?;
        if !args.no_embed {
            fill(&ws, Effort::All)?;
        }
        Ok(output)
    }
}

/// Initialises where needed, stages what is not tracked yet, commits.
pub(crate) fn index(
    ws: &Workspace<'_>,
    targets: &[Target],
    base: Option<&'static str>,
    message: Option<&str>,
    modes: Option<Modes>,
) -> Result<Output> {
    ws.require_checked_out()?;
    if !ws.branch.is_initialized() {
        branching::start_branch(ws)?;
    }
    ws.knowledge.ensure_layout()?;
    let held = ws.hold()?;
    match ws.branch.init(&held, "Init GIK", ws.scm.head.clone(), None) {
        Err(failure) if failure.code() != ErrorCode::AlreadyInitialized => return Err(failure),
        _ => {},
    }
    let mut pending = ws.branch.pending()?;
    let tracking = Tracking::from_entries(&pending);
    let whole = [staging::whole_workspace()];
    let is_bare = targets.is_empty() && tracking.is_empty() && staging::waiting(&pending) == 0;
    let targets = if is_bare { &whole } else { targets };
    let mut is_staged = false;
    for target in targets {
        // What is tracked already is brought up to date by the commit; only a page has to be asked for again.
        let entries = staging::entries(ws, target, base)
            .into_iter()
            .filter(|entry| target.is_page() || !tracking.has(entry))
            .collect();
        is_staged |= !staging::stage(&mut pending, entries).is_empty();
    }
    if is_staged {
        let transaction = ws.branch.transaction(&held);
        transaction.set_pending(&pending)?;
        transaction.commit()?;
    }
    let message = message.map_or_else(|| default_message(ws, targets), str::to_owned);
    let attempt = commit(ws, &held, &message, Reason::Asked, modes)?;
    let (revision_id, counts) = match &attempt {
        Attempt::Made(committed) => (committed.revision.id.clone(), committed.counts.clone()),
        Attempt::Needless(counts) => {
            if has_lost_projections(ws)? {
                restore_projections(ws, &held)?;
            }
            (ws.head_revision()?.id, counts.clone())
        },
    };
    let committed = attempt.made();
    drop(held);
    Ok(Output {
        revision_id,
        changed: committed.is_some(),
        files: counts.iter().map(|count| count.files).sum(),
        chunks: counts.iter().map(|count| count.chunks).sum(),
        commit: committed.map(CommitOutput::from),
    })
}

fn default_message(ws: &Workspace<'_>, targets: &[Target]) -> String {
    match targets {
        [] => "Update the index".to_owned(),
        [one] if one.uri == "." => {
            let name = ws.root.file_name().map(|name| name.to_string_lossy().into_owned());
            format!("Index {}", name.unwrap_or_else(|| ".".to_owned()))
        },
        [one] => format!("Index {}", one.uri),
        [first, rest @ ..] => {
            format!(
                "Index {} and {}",
                first.uri,
                count(rest.len() as u64, "other source", "other sources")
            )
        },
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Index>(&["index"], Effect::Writes, Shape::One, "gik index").reaching_out();
