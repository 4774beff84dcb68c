//! `gik memory restore`: brings archived entries back.

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::{MemoryEntry, RevisionOperation};
use gik_ledger::MemoryBase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::names::{find_id, label, missing, short_id};
use super::{Change, Place, change};
use crate::tool::{Runs, rows_of};
use crate::tools::log::MEMORY_RESTORE;
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace};

/// Bring archived entries back
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Ids, or at least four characters of their start; `mem-` may be left out
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// Restore from the archive of the global memory
    #[arg(long)]
    pub global: bool,
}

/// The entries that are back.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// As they are now.
    pub restored: Vec<MemoryEntry>,
    /// The new revision; null for global memory, which has no timeline.
    pub revision_id: Option<String>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for entry in &self.restored {
            let id = view.paint(Style::Name, short_id(&entry.id));
            let text = view.plain(label(entry));
            view.line(format!("Restored {id}: {text}"));
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.restored)
    }
}

struct Restore;

impl Runs for Restore {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        if args.ids.is_empty() {
            return Err(Failure::new(ErrorCode::ArgumentInvalid, "no id is given")
                .hint("`gik memory list --archived` lists the archived entries"));
        }
        let place = if args.global { Place::Global } else { Place::Branch };
        let (revision_id, restored) = change(&ws, place, |memory| {
            let mut archived = memory.archived()?;
            let restored = take(&ws, memory, &mut archived, &args.ids)?;
            let mut entries = memory.entries()?;
            entries.retain(|entry| restored.iter().all(|back| back.id != entry.id));
            entries.extend(restored.iter().cloned());
            let ids: Vec<&str> = restored.iter().map(|entry| entry.id.as_str()).collect();
            let change = Change {
                entries,
                archived: Some(archived),
                message: format!(
                    "Restore {}",
                    count(ids.len() as u64, "memory entry", "memory entries")
                ),
                operation: RevisionOperation::Custom {
                    name: MEMORY_RESTORE.to_owned(),
                    data: Some(json!({ "count": ids.len(), "ids": ids })),
                },
            };
            Ok((Some(change), restored))
        })?;
        Ok(Output { restored, revision_id })
    }
}

/// Takes the entries out of the archive, in the order they were typed; all of them or none.
fn take(
    ws: &Workspace<'_>,
    memory: &MemoryBase,
    archived: &mut Vec<MemoryEntry>,
    ids: &[String],
) -> Result<Vec<MemoryEntry>> {
    let mut places: Vec<usize> = Vec::with_capacity(ids.len());
    for typed in ids {
        match find_id(archived, typed)? {
            // The same entry twice is meant once.
            Some(at) if places.contains(&at) => {},
            Some(at) => places.push(at),
            None => return Err(not_archived(ws, memory, typed)),
        }
    }
    let taken: Vec<MemoryEntry> = places.iter().map(|&at| archived[at].clone()).collect();
    archived.retain(|entry| taken.iter().all(|back| back.id != entry.id));
    Ok(taken)
}

/// Where the entry is instead, if anywhere.
fn not_archived(ws: &Workspace<'_>, memory: &MemoryBase, typed: &str) -> Failure {
    let is_in = |entries: Result<Vec<MemoryEntry>>| {
        entries.is_ok_and(|entries| find_id(&entries, typed).is_ok_and(|at| at.is_some()))
    };
    if is_in(memory.entries()) {
        return Failure::new(
            ErrorCode::MemoryMissing,
            format!("memory entry `{typed}` is not archived"),
        )
        .hint("there is nothing to restore");
    }
    let mut failure = missing(typed);
    for name in ws.knowledge.branches().unwrap_or_default() {
        if memory.branch() != Some(&name) && is_in(ws.knowledge.branch(&name).memory().archived()) {
            failure = failure.hint(format!(
                "branch `{name}` has it: `gik memory restore {typed} --branch {name}`"
            ));
        }
    }
    if memory.branch().is_some()
        && ws.global_memory().is_some_and(|global| is_in(global.archived()))
    {
        failure = failure
            .hint(format!("the global memory has it: `gik memory restore {typed} --global`"));
    }
    failure
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Restore>(
    &["memory", "restore"],
    Effect::Writes,
    Shape::List,
    "gik memory restore mem-a1b2c3d4",
);
