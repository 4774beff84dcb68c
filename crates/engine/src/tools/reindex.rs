//! `gik reindex`: makes vectors anew after the model changed, or everything.

use gik_base::{ErrorCode, Result, env, fs};
use gik_contract::RevisionOperation;
use gik_store::Access;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::commit::Output as CommitOutput;
use crate::commit::{Reason, commit, has_fts, reindex_operation};
use crate::embedding::{BaseModel, EmbeddingConfig};
use crate::ingest::{Effort, fill, note_reindexed, reembed};
use crate::tool::Runs;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, bases};

/// Make vectors anew where the model changed; where it did not, read every tracked file again
///
/// Words and structure do not depend on the model, so a new model makes vectors alone, from the texts that are indexed.
/// The default backend keeps the old vectors until the new ones are complete.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Make the vectors of this base anew, and nothing else
    #[arg(long, value_name = "BASE")]
    pub base: Option<String>,
    /// Also where the model did not change; without `--base`, everything is read again
    #[arg(long)]
    pub force: bool,
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
    /// Whether only their vectors were.
    pub vectors_only: bool,
    /// Vectors that were made.
    pub vectors: u64,
    /// Whether nothing was done.
    pub dry_run: bool,
    /// The new revision, where one was made.
    pub revision_id: Option<String>,
    /// The commit, where everything was read again.
    pub commit: Option<CommitOutput>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let bases: Vec<String> =
            self.bases.iter().map(|base| view.paint(Style::Name, base)).collect();
        let what = if self.vectors_only { "vectors of " } else { "" };
        match (&self.commit, bases.as_slice()) {
            (_, []) if self.vectors_only => view.line("The model did not change."),
            _ if self.dry_run => view.line(format!("Would make anew: {what}{}", bases.join(", "))),
            (Some(commit), _) => {
                commit.render(view);
                view.line(format!("vectors: {}", self.vectors));
            },
            (None, []) => view.line("There is nothing to index."),
            (None, _) => {
                let id = self.revision_id.as_deref().unwrap_or_default();
                let id = view.paint(Style::Name, id.get(..8).unwrap_or(id));
                let n = self.vectors;
                view.line(format!("[{id}] Reindex"));
                view.line(format!("vectors of {}: {n} made anew", bases.join(", ")));
            },
        }
    }
}

struct Reindex;

impl Runs for Reindex {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let asked = args.base.as_deref();
        let asked = asked.map(|base| bases::checked(base, bases::FILE_BASES)).transpose()?;
        let Known { all, outdated } = Known::of(&ws)?;
        let chosen: Vec<String> = match asked {
            Some(base) if args.force => all.iter().filter(|one| *one == base).cloned().collect(),
            Some(base) => outdated.into_iter().filter(|one| one == base).collect(),
            None if args.force => Vec::new(),
            None => outdated,
        };
        let vectors_only = asked.is_some() || !chosen.is_empty();
        let mut output = Output {
            bases: if vectors_only { chosen } else { all },
            vectors_only,
            vectors: 0,
            dry_run: args.dry_run,
            revision_id: None,
            commit: None,
        };
        if args.dry_run {
            return Ok(output);
        }
        ws.require_checked_out()?;
        if vectors_only {
            vectors_anew(&ws, &mut output)?;
        } else {
            everything_anew(ws, &mut output)?;
        }
        Ok(output)
    }
}

/// The bases that have chunks.
struct Known {
    all: Vec<String>,
    /// Those whose vectors are of another model.
    outdated: Vec<String>,
}

impl Known {
    fn of(ws: &Workspace<'_>) -> Result<Self> {
        let mut known = Self { all: Vec::new(), outdated: Vec::new() };
        let store = match ws.store(Access::ReadOnly) {
            Ok(store) => store,
            // What cannot be read is made anew.
            Err(failure)
                if matches!(
                    failure.code(),
                    ErrorCode::NoIndexedBase
                        | ErrorCode::StoreBroken
                        | ErrorCode::WorkspaceReadOnly
                ) =>
            {
                return Ok(known);
            },
            Err(failure) => return Err(failure),
        };
        let snapshot = store.snapshot()?;
        for count in snapshot.base_counts()? {
            if BaseModel::of(ws, &snapshot, &count.name)?.compatibility.needs_reindex() {
                known.outdated.push(count.name.clone());
            }
            known.all.push(count.name);
        }
        Ok(known)
    }
}

fn vectors_anew(ws: &Workspace<'_>, output: &mut Output) -> Result<()> {
    // Before the files that say so are written anew.
    let operations: Vec<RevisionOperation> =
        output.bases.iter().map(|base| reindex_operation(ws, base)).collect::<Result<_>>()?;
    for base in &output.bases {
        output.vectors += reembed(ws, base)?;
    }
    if !operations.is_empty() {
        let held = ws.hold()?;
        let mut transaction = ws.branch.transaction(&held);
        transaction.revision("Reindex", ws.scm.head.clone(), operations);
        output.revision_id = transaction.commit()?.map(|revision| revision.id);
    }
    Ok(())
}

fn everything_anew(mut ws: Workspace<'_>, output: &mut Output) -> Result<()> {
    // A model that is not there is told before anything is dropped.
    for base in bases::FILE_BASES {
        if fs::exists(&ws.branch.base_model_info_path(base)) {
            let config = EmbeddingConfig::of(&ws.settings, base)?;
            config.open(env::gik_home().as_deref(), &ws.ctx.cancel)?;
        }
    }
    // Whoever asked for the SQL table keeps it.
    ws.settings.indexing.fts |= has_fts(&ws);
    let held = ws.hold()?;
    let committed = commit(&ws, &held, "Reindex", Reason::Reindex, None)?.made();
    drop(held);
    output.bases = committed.as_ref().map(|done| done.bases.clone()).unwrap_or_default();
    output.revision_id = committed.as_ref().map(|done| done.revision.id.clone());
    output.commit = committed.map(CommitOutput::from);
    output.vectors = fill(&ws, Effort::All)?;
    let held = ws.hold()?;
    for base in &output.bases {
        note_reindexed(&ws, &held, base)?;
    }
    Ok(())
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Reindex>(&["reindex"], Effect::Writes, Shape::One, "gik reindex").reaching_out();
