//! `gik status`: what is tracked, what changed, what waits. Changes nothing.

use std::collections::BTreeMap;

use gik_base::{ErrorCode, Result};
use gik_contract::{KgStats, PendingSource, SourceStatus};
use gik_discover::Changes;
use gik_ledger::Tracking;
use gik_store::{Access, FileState, Snapshot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::embedding::{BaseModel, Compatibility};
use crate::ingest::{Difference, Indexed, Look, difference};
use crate::tool::Runs;
use crate::view::{Cell, Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, commit, kg, signature};

/// Show what is tracked, what changed since it was indexed and what waits for a commit
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {}

/// The state of the branch.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The knowledge branch.
    pub branch: String,
    /// Whether it is the branch that is checked out.
    pub is_checked_out: bool,
    /// The newest revision.
    pub revision_id: String,
    /// Its message.
    pub message: String,
    /// Whether the index holds something that no revision names yet, or the files changed.
    pub ahead_of_revision: bool,
    /// Sources that wait for a commit.
    pub pending: Vec<PendingSource>,
    /// Sources that failed.
    pub failed: Vec<PendingSource>,
    /// Files that changed since they were indexed.
    pub modified: Vec<String>,
    /// Files that are new below a tracked folder.
    pub new: Vec<String>,
    /// Files that are gone.
    pub deleted: Vec<String>,
    /// Files whose words can be searched and whose structure is not read yet.
    pub unfinished: u64,
    /// Files per base.
    pub bases: BTreeMap<String, u64>,
    /// The vectors of each base that has chunks.
    pub vectors: BTreeMap<String, BaseVectors>,
    /// Nodes and edges of the knowledge graph, as the last commit wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<KgStats>,
    /// Files left out per reason.
    pub skipped: BTreeMap<String, u64>,
}

/// The vectors of a base.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BaseVectors {
    /// What runs the model that the config names.
    pub provider: String,
    /// The model that the config names.
    pub model_id: String,
    /// How vectors are kept, as in `meta.json`.
    pub backend: String,
    /// Chunks of the base.
    pub chunks: u64,
    /// Those with a vector of the model.
    pub vectors: u64,
    /// Whether the vectors that are there fit the config.
    pub compatibility: Compatibility,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let branch = view.paint(Style::Name, &self.branch);
        let id = view.paint(Style::Name, self.revision_id.get(..8).unwrap_or(&self.revision_id));
        let message = view.plain(self.message.lines().next().unwrap_or_default());
        view.line(format!("On branch {branch}, revision {id}: {message}"));
        if !self.is_checked_out {
            view.line("The working tree has another branch; the files are not compared.");
        }
        let bases: Vec<String> = self
            .bases
            .iter()
            .map(|(base, files)| format!("{base} {}", count(*files, "file", "files")))
            .collect();
        view.line(format!(
            "indexed: {}",
            if bases.is_empty() { "nothing".to_owned() } else { bases.join(", ") }
        ));
        for (base, vectors) in &self.vectors {
            let name = view.plain(&vectors.model_id);
            let BaseVectors { vectors, chunks, .. } = vectors;
            view.line(format!("vectors of {base}: {vectors} of {chunks} ({name})"));
        }
        if let Some(graph) = &self.graph {
            let nodes = count(graph.node_count, "node", "nodes");
            view.line(format!("graph: {nodes}, {}", count(graph.edge_count, "edge", "edges")));
        }
        let lacks_some = |vectors: &BaseVectors| {
            vectors.vectors < vectors.chunks && !vectors.compatibility.needs_reindex()
        };
        if self.vectors.values().any(lacks_some) {
            view.hint("`gik index` makes those that are missing");
        }
        if self.unfinished > 0 {
            let files = count(self.unfinished, "file", "files");
            view.line(format!("The structure of {files} is not read yet."));
            view.hint("`gik index` goes on with them");
        }
        self.render_sources(view);
        self.render_changes(view);
        if self.bases.is_empty() && self.pending.is_empty() {
            view.hint("`gik index` indexes the workspace; `gik add SOURCE` stages a part of it");
        }
    }
}

impl Output {
    fn render_sources(&self, view: &mut View) {
        let rows = |sources: &[PendingSource]| -> Vec<Vec<Cell>> {
            sources
                .iter()
                .map(|source| {
                    let what = if source.is_removal() { "remove" } else { "add" };
                    let style = if source.status == SourceStatus::Failed {
                        Style::Bad
                    } else {
                        Style::Good
                    };
                    vec![
                        Cell::styled(
                            style,
                            if source.status == SourceStatus::Failed { "failed" } else { what },
                        ),
                        Cell::styled(Style::Name, &source.uri),
                        Cell::text(&source.base),
                        Cell::sentence(source.last_error.as_deref().unwrap_or_default()),
                    ]
                })
                .collect()
        };
        if !self.pending.is_empty() {
            view.blank();
            view.heading("Waiting for a commit");
            view.table(&["", "source", "base", ""], &rows(&self.pending));
            view.hint("run `gik commit` to index them");
        }
        if !self.failed.is_empty() {
            view.blank();
            view.heading("Failed");
            view.table(&["", "source", "base", "reason"], &rows(&self.failed));
            view.hint("`gik add SOURCE` tries again");
        }
    }

    fn render_changes(&self, view: &mut View) {
        let changes = [
            ("modified", Style::Warning, &self.modified),
            ("new", Style::Good, &self.new),
            ("deleted", Style::Bad, &self.deleted),
        ];
        if changes.iter().all(|(_, _, files)| files.is_empty()) {
            if self.is_checked_out {
                view.line(if self.ahead_of_revision {
                    "The index follows the files; it is ahead of the last commit."
                } else {
                    "Nothing changed since the last commit."
                });
            }
            return;
        }
        view.blank();
        view.heading("Changed files");
        const SHOWN: usize = 20;
        for (word, style, files) in changes {
            for file in files.iter().take(SHOWN) {
                let label = view.paint(style, format!("{word:>8}"));
                let name = view.plain(file);
                view.line(format!("{label}  {name}"));
            }
            if files.len() > SHOWN {
                view.line(format!("{:>8}  … and {} more", "", files.len() - SHOWN));
            }
        }
        view.hint("questions see these changes at once; `gik commit` names them in the timeline");
    }
}

struct Status;

impl Runs for Status {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, _args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let sources = ws.branch.pending()?;
        let tracking = Tracking::from_entries(&sources);
        let mut output = Output {
            branch: ws.branch.name().to_owned(),
            is_checked_out: ws.follows_files(),
            ..Output::default()
        };
        let other = || {
            list_truth(&ws, sources, &mut output)?;
            list_indexed(&ws, &mut output)
        };
        match Look::new(&ws, &tracking).beside(other) {
            Ok((looked, indexed)) => {
                let difference = difference(&ws, &tracking, looked, indexed, None);
                list_difference(&ws, &difference, &mut output);
            },
            // Nothing has been indexed yet.
            Err(failure) if failure.code() == ErrorCode::NoIndexedBase => {},
            Err(failure) => return Err(failure),
        }
        Ok(output)
    }
}

/// What the ledger says.
fn list_truth(ws: &Workspace<'_>, sources: Vec<PendingSource>, output: &mut Output) -> Result<()> {
    let head = ws.head_revision()?;
    output.revision_id = head.id;
    output.message = head.message;
    output.graph = kg::stats(ws);
    for source in sources {
        match source.status {
            SourceStatus::Pending | SourceStatus::Processing => output.pending.push(source),
            SourceStatus::Failed => output.failed.push(source),
            SourceStatus::Indexed => {},
        }
    }
    Ok(())
}

fn list_difference(ws: &Workspace<'_>, difference: &Difference, output: &mut Output) {
    output.unfinished =
        (difference.unfinished.len() + difference.unfinished_pages().count()) as u64;
    if ws.follows_files() {
        list_changes(ws, difference, output);
    }
    output.ahead_of_revision |=
        !output.modified.is_empty() || !output.new.is_empty() || !output.deleted.is_empty();
}

/// Everything that the index alone can tell, of one generation.
fn list_indexed(ws: &Workspace<'_>, output: &mut Output) -> Result<Indexed> {
    let store = ws.store(Access::ReadOnly)?;
    let snapshot = store.snapshot()?;
    let indexed = Indexed::of(ws, &snapshot)?;
    // Counted here because the list is at hand; the database would read all of it again.
    let mut chunks: BTreeMap<&str, u64> = BTreeMap::new();
    let mut bases: BTreeMap<&str, u64> = BTreeMap::new();
    for file in &indexed.files {
        match &file.state {
            FileState::Indexed => {
                *bases.entry(&file.base).or_default() += 1;
                *chunks.entry(&file.base).or_default() += u64::from(file.n_chunks);
            },
            FileState::Skipped { code, .. } => {
                *output.skipped.entry(code.clone()).or_default() += 1;
            },
        }
    }
    output.bases = bases.into_iter().map(|(base, n_files)| (base.to_owned(), n_files)).collect();
    list_vectors(ws, &snapshot, &chunks, output)?;
    output.ahead_of_revision = match commit::last_signed(ws)? {
        Some(signed) => commit::is_ahead(&signed, &signature::of(&indexed.files)),
        None => !indexed.files.is_empty(),
    };
    Ok(indexed)
}

fn list_vectors(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    chunks: &BTreeMap<&str, u64>,
    output: &mut Output,
) -> Result<()> {
    for base in output.bases.keys() {
        let found = BaseModel::of(ws, snapshot, base)?;
        if let Some(warning) = found.warning() {
            ws.ctx.progress.warn(&warning);
        }
        let vectors = match &found.model {
            Some(model) if !found.compatibility.needs_reindex() => {
                snapshot.n_vectors(base, model)?
            },
            _ => 0,
        };
        let vectors = BaseVectors {
            provider: found.config.provider.as_str().to_owned(),
            model_id: found.config.model_id,
            backend: found.kept_by.unwrap_or(found.backend).as_str().to_owned(),
            chunks: chunks.get(base.as_str()).copied().unwrap_or_default(),
            vectors,
            compatibility: found.compatibility,
        };
        output.vectors.insert(base.clone(), vectors);
    }
    Ok(())
}

fn list_changes(ws: &Workspace<'_>, difference: &Difference, output: &mut Output) {
    let Changes { suspect, added, gone, .. } = &difference.changes;
    for &at in suspect {
        let found = &difference.found[at];
        // Times may change without the bytes.
        if difference.is_really_changed(&ws.root, found) {
            output.modified.push(found.key.as_str().to_owned());
        }
    }
    output.new.extend(added.iter().map(|&at| difference.found[at].key.as_str().to_owned()));
    output.deleted.extend(gone.iter().map(|&at| difference.known[at].key.as_str().to_owned()));
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Status>(&["status"], Effect::Reads, Shape::One, "gik status --json");
