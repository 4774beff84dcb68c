//! `gik memory …`: what people and agents want remembered. Here is how a memory folder is changed, and what the
//! commands share for showing entries.

pub mod add;
pub mod list;
pub mod metrics;
mod names;
pub mod prune;
pub mod restore;
pub mod search;
pub mod show;
#[cfg(test)]
mod tests;

use std::time::Duration;

use gik_base::{ErrorCode, Failure, Result, env};
use gik_contract::{MemoryEntry, RevisionOperation};
use gik_ledger::{MemoryBase, Transaction};

use self::names::{label, short_id};
use crate::view::{Cell, Style};
use crate::{View, Workspace};

/// Entries as a table.
fn table(view: &mut View, entries: &[MemoryEntry]) {
    let rows: Vec<Vec<Cell>> = entries
        .iter()
        .map(|entry| {
            vec![
                Cell::styled(Style::Name, short_id(&entry.id)),
                Cell::text(entry.created_at.strftime("%Y-%m-%d")),
                Cell::text(entry.scope.as_str()),
                Cell::text(entry.source.as_str()),
                Cell::text(entry.tags.join(",")),
                Cell::text(label(entry)),
            ]
        })
        .collect();
    view.table(&["id", "when", "scope", "source", "tags", "title or text"], &rows);
}

/// Adds the lines of a text, indented.
fn indented(view: &mut View, text: &str) {
    for line in text.lines() {
        let line = view.plain(line);
        view.line(format!("  {line}"));
    }
}

/// Which folder a command changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// That of the branch at hand; each change is a revision.
    Branch,
    /// The user's own, which has no timeline.
    Global,
}

impl Place {
    fn folder(self, ws: &Workspace<'_>) -> Result<MemoryBase> {
        match self {
            Self::Branch => Ok(ws.branch.memory()),
            Self::Global => ws.global_memory().ok_or_else(|| {
                Failure::new(ErrorCode::ConfigInvalid, "there is no home folder for global memory")
                    .hint(format!("set `{}` to a folder of yours", env::GIK_HOME))
            }),
        }
    }
}

/// What becomes of a memory folder.
#[derive(Debug)]
struct Change {
    entries: Vec<MemoryEntry>,
    /// `None` leaves the archive as it is.
    archived: Option<Vec<MemoryEntry>>,
    message: String,
    operation: RevisionOperation,
}

/// Changes a folder in one step under its lock. `decide` reads while the lock is held and says what to do, if anything.
/// Gives the id of the new revision, where there is one, and what `decide` gave.
fn change<T>(
    ws: &Workspace<'_>,
    place: Place,
    decide: impl FnOnce(&MemoryBase) -> Result<(Option<Change>, T)>,
) -> Result<(Option<String>, T)> {
    let memory = place.folder(ws)?;
    match place {
        Place::Branch => {
            let held = ws.hold()?;
            let (change, told) = decide(&memory)?;
            let Some(change) = change else { return Ok((None, told)) };
            let mut transaction = ws.branch.transaction(&held);
            put(&transaction, &memory, &change)?;
            transaction.revision(change.message, ws.scm.head.clone(), vec![change.operation]);
            Ok((transaction.commit()?.map(|revision| revision.id), told))
        },
        Place::Global => {
            let patience = Duration::from_secs(ws.settings.lock.patience_seconds);
            let held = memory.lock(patience, &ws.ctx.cancel)?;
            for action in held.recovered() {
                ws.ctx.progress.warn(action);
            }
            let (change, told) = decide(&memory)?;
            if let Some(change) = change {
                let transaction = memory.transaction(&held)?;
                put(&transaction, &memory, &change)?;
                transaction.commit()?;
            }
            Ok((None, told))
        },
    }
}

fn put(transaction: &Transaction<'_>, memory: &MemoryBase, change: &Change) -> Result<()> {
    transaction.set_memory(memory, &change.entries)?;
    if let Some(archived) = &change.archived {
        transaction.set_memory_archive(memory, archived)?;
    }
    Ok(())
}
