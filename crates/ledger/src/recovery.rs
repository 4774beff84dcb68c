//! What a writer does before it trusts what it finds: finish, repair, sweep.
//!
//! Idempotent, and safe to be killed at any step. Needs the lock.

use std::path::{Path, PathBuf};

use gik_base::fs::{self, Durability, TEMPORARY_SUFFIX};
use gik_base::{ErrorCode, Failure, Result};

use crate::held::Held;
use crate::journal::{self, Found};
use crate::root::{JOURNAL, Kind, Root};
use crate::{counts, disk, tail};

/// What had to be done to make a branch whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// One sentence each, without a final period; empty when everything was whole.
    pub actions: Vec<String>,
}

/// Finishes an unfinished change, repairs torn ends and HEAD, removes stray temporary files.
pub(crate) fn recover(root: Root<'_>, held: &Held) -> Result<Recovery> {
    held.check_covers(root.dir)?;
    let mut actions = Vec::new();
    let strays = match journal::find(root)? {
        Found::Nothing => Strays::Remove,
        Found::Unfinished(journal) => {
            actions.push(match &journal.revision {
                Some(revision) => format!("finished the interrupted revision {}", revision.id),
                None => "finished an interrupted change".to_owned(),
            });
            actions.extend(journal.finish(root)?);
            Strays::Remove
        },
        Found::Damaged(problem) => {
            // The temporary files may be all that is left of a change, so they are kept, and before the journal is.
            actions.push(format!("set aside a damaged `{JOURNAL}` ({problem})"));
            Strays::SetAside
        },
    };
    if !held.has_open_transactions() {
        sweep(root.dir, strays, &mut actions)?;
    }
    if strays == Strays::SetAside {
        disk::rename(&root.journal(), &tail::aside(&root.journal()))?;
    }
    actions.extend(settle(root)?);
    Ok(Recovery { actions })
}

/// Fails when a change is unfinished: only a failed commit under the same lock leaves that, and what was read since
/// may be out of date.
pub(crate) fn refuse_unfinished(root: Root<'_>) -> Result<()> {
    if !fs::exists(&root.journal()) {
        return Ok(());
    }
    Err(Failure::new(
        ErrorCode::Io,
        format!("the last change in `{}` is recorded but not finished", root.dir.display()),
    )
    .hint("run the command again: it finishes that change first; nothing is lost"))
}

/// Repairs what is wrong without a journal: torn ends, counts that are missing or behind, and a HEAD that names no revision.
pub(crate) fn settle(root: Root<'_>) -> Result<Vec<String>> {
    let mut actions = Vec::new();
    let mut repaired = Vec::new();
    for name in root.truth_lines() {
        if let Some(action) = tail::repair(&root.dir.join(name), name)? {
            actions.push(action);
            repaired.push(*name);
        }
    }
    counts::restore(root, &repaired)?;
    if root.kind == Kind::Branch {
        actions.extend(repair_head(root)?);
    }
    Ok(actions)
}

fn repair_head(root: Root<'_>) -> Result<Option<String>> {
    let head = root.head_id()?;
    if head.is_some() && head == journal::newest_id(root)? {
        return Ok(None);
    }
    let ids = journal::timeline_ids(root)?;
    let Some(newest) = ids.last() else { return Ok(None) };
    if head.as_ref().is_some_and(|head| ids.contains(head)) {
        return Ok(None);
    }
    let temporary = fs::temporary_beside(&root.head());
    disk::write_new(&temporary, format!("{newest}\n").as_bytes(), Durability::Synced)?;
    disk::rename(&temporary, &root.head())?;
    disk::sync_dir(root.dir)?;
    let what = if head.is_none() { "was missing" } else { "named no revision" };
    Ok(Some(format!("HEAD {what}: set it to the newest revision {newest}")))
}

/// What happens to temporary files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strays {
    Remove,
    SetAside,
}

fn sweep(dir: &Path, strays: Strays, actions: &mut Vec<String>) -> Result<()> {
    let found = stray_files(dir)?;
    if found.is_empty() {
        return Ok(());
    }
    for path in &found {
        match strays {
            Strays::Remove => disk::remove(path)?,
            Strays::SetAside => disk::rename(path, &tail::aside(path))?,
        }
    }
    let what = match strays {
        Strays::Remove => "removed",
        Strays::SetAside => "set aside",
    };
    actions.push(format!("{what} {} temporary file(s) of a stopped process", found.len()));
    Ok(())
}

/// Temporary files in a folder and below; links are not followed.
pub(crate) fn stray_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for path in fs::list_dir(&dir)? {
            let Some(metadata) = fs::symlink_metadata_if_present(&path)? else { continue };
            if metadata.is_dir() {
                open.push(path);
            } else if path.to_str().is_some_and(|name| name.ends_with(TEMPORARY_SUFFIX)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
