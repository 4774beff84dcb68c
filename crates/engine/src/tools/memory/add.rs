//! `gik memory add`: writes an entry.

use std::path::{Path, PathBuf};

use gik_base::collections::HashSet;
use gik_base::{Context as _, ErrorCode, Failure, Result, clock, fs};
use gik_contract::{MemoryEntry, MemoryScope, MemorySource, RevisionOperation};
use gik_ledger::MemoryBase;
use gik_ledger::memory::{MemoryDraft, new_entry};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::names::{label, scopes, short_id, sources, split_tags};
use super::{Change, Place, change};
use crate::sandbox::readable;
use crate::tool::Runs;
use crate::view::{Style, shorten};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, branching};

/// Longer texts are documents: they belong to a base that is cut into chunks.
const MAX_TEXT_BYTES: u64 = 1 << 20;

/// Remember something: a decision, a note, an observation
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// What to remember
    #[arg(value_name = "TEXT", required_unless_present = "file", conflicts_with = "file")]
    pub text: Option<String>,
    /// Take the text from this file inside the workspace
    #[arg(long, value_name = "PATH")]
    pub file: Option<PathBuf>,
    /// A short summary of at most 100 characters
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// Words to find it by; comma-separated or repeated
    #[arg(long = "tag", value_name = "TAG")]
    #[serde(alias = "tag")]
    pub tags: Vec<String>,
    /// Where it is visible: on all branches, on this one, or in all workspaces [default: project]
    #[arg(long, value_name = "SCOPE", value_parser = scopes(), ignore_case = true)]
    pub scope: Option<MemoryScope>,
    /// What it is [default: manualNote]
    #[arg(long, value_name = "SOURCE", value_parser = sources(), ignore_case = true)]
    pub source: Option<MemorySource>,
    /// How much it matters, from 0 to 1
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub importance: Option<f64>,
}

/// The new entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// As it was written.
    pub entry: MemoryEntry,
    /// The revision that added it; null for global memory, which has no timeline.
    pub revision_id: Option<String>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let id = view.paint(Style::Name, short_id(&self.entry.id));
        let text = view.plain(label(&self.entry));
        view.line(format!("Remembered {id}: {text}"));
    }
}

struct Add;

impl Runs for Add {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let text = text(&ws, &args)?;
        let scope = args.scope.unwrap_or(MemoryScope::Project);
        let mut draft = MemoryDraft {
            scope,
            source: args.source.unwrap_or(MemorySource::ManualNote),
            title: args.title,
            text,
            tags: split_tags(&args.tags),
            branch: Some(ws.branch.name().to_owned()),
            origin_revision: None,
            importance: args.importance,
        };
        // What is wrong is told before a workspace is initialised for it.
        new_entry(draft.clone(), &HashSet::default(), clock::now()).map_err(explained)?;
        let place = if scope == MemoryScope::Global { Place::Global } else { Place::Branch };
        if place == Place::Branch {
            ensure_initialized(&ws)?;
        }
        let (revision_id, entry) = change(&ws, place, |memory| {
            draft.origin_revision = ws.branch.head()?;
            let taken = taken_ids(&ws)?;
            let entry = new_entry(draft, &taken, clock::now()).map_err(explained)?;
            let mut entries = memory.entries()?;
            entries.push(entry.clone());
            let change = Change {
                entries,
                archived: None,
                message: message(&entry),
                operation: RevisionOperation::MemoryIngest { count: 1 },
            };
            Ok((Some(change), entry))
        })?;
        Ok(Output { entry, revision_id })
    }
}

fn text(ws: &Workspace<'_>, args: &Args) -> Result<String> {
    let text = match (&args.text, &args.file) {
        (Some(_), Some(_)) => {
            return Err(Failure::new(
                ErrorCode::ArgumentInvalid,
                "there is a text and a file; give one of them",
            ));
        },
        (Some(text), None) if text.trim() == "-" => {
            return Err(explained(Failure::new(ErrorCode::MemoryInvalid, "the text is only `-`")));
        },
        (Some(text), None) => text.clone(),
        (None, Some(file)) => read_text(ws, file)?,
        (None, None) => String::new(),
    };
    if text.len() as u64 > MAX_TEXT_BYTES {
        return Err(too_long());
    }
    Ok(text)
}

fn read_text(ws: &Workspace<'_>, file: &Path) -> Result<String> {
    let typed = file.to_string_lossy();
    if !fs::exists(&ws.key_of(file)?.to_path(&ws.root)) {
        return Err(Failure::new(
            ErrorCode::PathMissing,
            format!("there is no `{}`", file.display()),
        )
        .hint("paths are relative to the current folder"));
    }
    let path = readable(ws, &typed)?.to_path(&ws.root);
    if fs::metadata(&path)?.len() > MAX_TEXT_BYTES {
        return Err(too_long());
    }
    String::from_utf8(fs::read(&path)?)
        .context(ErrorCode::MemoryInvalid, || format!("`{}` is not UTF-8 text", file.display()))
}

fn too_long() -> Failure {
    Failure::new(ErrorCode::MemoryInvalid, "the text is longer than 1 MiB")
        .hint("`gik add FILE --base docs` indexes a document; remember what matters about it")
}

/// The failure with an example of an entry that is fine.
fn explained(failure: Failure) -> Failure {
    failure.hint(
        "an entry has a text, and may have a title of at most 100 characters and an importance from 0 to 1: \
         `gik memory add \"We use SQLite\" --title \"Storage\" --importance 0.8`",
    )
}

/// Memory may be the first thing that is known of a workspace.
fn ensure_initialized(ws: &Workspace<'_>) -> Result<()> {
    if ws.branch.is_initialized() || branching::start_branch(ws)? {
        return Ok(());
    }
    // A branch that is neither checked out nor known is a typing error.
    if !ws.follows_files() {
        return Err(ws.not_initialized());
    }
    let held = ws.hold()?;
    ws.knowledge.ensure_layout()?;
    match ws.branch.init(&held, "Init GIK", ws.scm.head.clone(), None) {
        Ok(_) => {
            let text =
                format!("no knowledge yet: started it in `{}`", ws.knowledge.dir().display());
            ws.ctx.progress.inform(&text);
            Ok(())
        },
        // Another process was faster.
        Err(failure) if failure.code() == ErrorCode::AlreadyInitialized => Ok(()),
        Err(failure) => Err(failure),
    }
}

/// The ids of all entries of the workspace and of the global folder, active and archived.
fn taken_ids(ws: &Workspace<'_>) -> Result<HashSet<String>> {
    let branches = ws.knowledge.branches()?;
    let mut folders: Vec<MemoryBase> =
        branches.iter().map(|name| ws.knowledge.branch(name).memory()).collect();
    folders.extend(ws.global_memory());
    let mut taken = HashSet::default();
    for folder in folders {
        taken.extend(folder.entries()?.into_iter().chain(folder.archived()?).map(|entry| entry.id));
    }
    Ok(taken)
}

/// The message of the revision: one short line.
fn message(entry: &MemoryEntry) -> String {
    format!("Remember {}", shorten(label(entry).trim(), 72))
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Add>(
    &["memory", "add"],
    Effect::Writes,
    Shape::One,
    "gik memory add \"We use SQLite: one file, no server\" --title Storage --source decision --tag architecture",
)
.called("remember");
