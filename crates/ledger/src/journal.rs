//! How does a commit survive a crash? A change becomes one indivisible step through a journal.
//!
//! A change replaces whole files and adds at most one revision. The writer holds the lock and does this:
//!
//! 1. Every new content is written to `<target>.<change>.gik-tmp` beside its target, the new HEAD as well; what
//!    cannot be derived again is synced, and so are the folders that now hold the names.
//! 2. `journal.json` is written to a temporary file, synced and renamed. **The rename is the commit point.**
//! 3. The temporary files are renamed over their targets; patches are written in place; the revision's line is appended
//!    to `timeline.jsonl` and synced; HEAD is renamed; the folders are synced.
//! 4. `journal.json` is removed.
//!
//! | stopped during | what is on disk | what the next writer does |
//! |---|---|---|
//! | 1 | the old state, stray temporary files | removes the temporary files |
//! | 2, before the rename | the same, and a stray journal | the same |
//! | 2, after it, or 3 | the journal and a part of the new state | repeats step 3, which is idempotent, then 4 |
//! | 4 | the new state, with or without the journal | nothing, or step 3 without effect, then 4 |
//!
//! # Format
//!
//! ```json
//! {
//!   "version": 2,
//!   "patches": [{"to": "bases/code/sources.jsonl", "at": 65536, "text": "{…}\n", "bytes": 1048576}],
//!   "replacements": [
//!     {"from": "staging/pending.jsonl.5f0c2a9e.gik-tmp", "to": "staging/pending.jsonl", "bytes": 812, "synced": true}
//!   ],
//!   "revision": {
//!     "id": "a1b2c3d4-…",
//!     "line": "{\"id\":\"a1b2c3d4-…\",…}",
//!     "timelineLength": 4096,
//!     "head": "HEAD.5f0c2a9e.gik-tmp"
//!   }
//! }
//! ```
//!
//! Paths are relative to the folder of the journal, with `/`. `timelineLength` is the length of the timeline before
//! the line, after the replacements. A patch puts as many bytes as it takes away into a file of that many bytes; it is
//! for derived files that are too large to be written anew for a few lines.
//!
//! # Invariants
//!
//! - J1. Targets change only while a journal that names them is in place.
//! - J2. When the journal appears, all it names is complete and, where it says so, on the disk.
//! - J3. A name in a journal is never used again: a journal that reappears after a power cut finds nothing to do, or
//!   patches what it patched before, since a later change would have taken its place.
//! - J4. HEAD moves after the timeline has its revision, so HEAD always names a revision in the timeline.
//! - J5. The journal goes last, after all it names is in place and on the disk.
//! - J6. Only the holder of the lock looks at a journal; one that is there when the lock is taken is unfinished.
//! - J7. A journal never leads out of its folder: the folder may come from someone else.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gik_base::fs::Durability;
use gik_base::{Context as _, ErrorCode, Failure, FileKey, Result, fs};
use serde::{Deserialize, Serialize};

use crate::root::Root;
use crate::tail::{self, Offset};
use crate::{disk, jsonl};

pub(crate) const VERSION: u64 = 2;

/// An unfinished change; private to this crate, gone when no writer is at work.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Journal {
    pub(crate) version: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) patches: Vec<Patch>,
    pub(crate) replacements: Vec<Replacement>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) revision: Option<NewRevision>,
}

/// A file that takes the place of another.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Replacement {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) bytes: u64,
    pub(crate) synced: bool,
}

/// Lines that take the place of as many bytes in a derived file.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Patch {
    pub(crate) to: String,
    pub(crate) at: u64,
    pub(crate) text: String,
    /// The length of the file, before and after.
    pub(crate) bytes: u64,
}

/// The line to append and the HEAD to set.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewRevision {
    pub(crate) id: String,
    pub(crate) line: String,
    pub(crate) timeline_length: u64,
    pub(crate) head: String,
}

/// What is found under the journal's name.
#[derive(Debug)]
pub(crate) enum Found {
    Nothing,
    Unfinished(Journal),
    /// Not a journal; the text says why.
    Damaged(String),
}

/// Looks for an unfinished change.
pub(crate) fn find(root: Root<'_>) -> Result<Found> {
    let Some(bytes) = fs::read_if_present(&root.journal())? else { return Ok(Found::Nothing) };
    let version = serde_json::from_slice::<serde_json::Value>(&bytes)
        .ok()
        .and_then(|value| value.get("version").and_then(serde_json::Value::as_u64));
    if version.is_some_and(|version| version > VERSION) {
        return Err(Failure::new(
            ErrorCode::StoreNewer,
            format!("`{}` was written by a newer version", root.journal().display()),
        )
        .hint("run any writing command of that version once, or update this one"));
    }
    Ok(match serde_json::from_slice::<Journal>(&bytes) {
        Ok(journal) => match journal.check_paths(root)? {
            None => Found::Unfinished(journal),
            Some(problem) => Found::Damaged(problem),
        },
        Err(error) => Found::Damaged(error.to_string()),
    })
}

impl Journal {
    /// Steps 2 to 4 have their order from here; the caller has done step 1. Once the journal is in place the change
    /// is made, whatever happens after: `in_place` is called at that moment.
    pub(crate) fn publish(&self, root: Root<'_>, in_place: impl FnOnce()) -> Result<()> {
        let bytes = serde_json::to_vec(self)
            .context(ErrorCode::Internal, || "cannot write the journal".to_owned())?;
        let path = root.journal();
        let temporary = fs::temporary_beside(&path);
        let named = disk::write_new(&temporary, &bytes, Durability::Synced)
            .and_then(|()| disk::rename(&temporary, &path));
        if let Err(failure) = named {
            // The first failure is the one to tell; what stays behind is swept by the next writer.
            drop(disk::remove(&temporary));
            return Err(failure);
        }
        in_place();
        disk::sync_dir(root.dir)
    }

    /// Steps 3 and 4. Idempotent; gives what was out of the ordinary.
    pub(crate) fn finish(&self, root: Root<'_>) -> Result<Vec<String>> {
        let mut notes = Vec::new();
        let mut folders = BTreeSet::from([root.dir.to_owned()]);
        for replacement in &self.replacements {
            notes.extend(replacement.apply(root)?);
            if replacement.synced
                && let Some(parent) = path_of(root, &replacement.to).parent()
            {
                folders.insert(parent.to_owned());
            }
        }
        for patch in &self.patches {
            notes.extend(patch.apply(root)?);
        }
        if let Some(revision) = &self.revision {
            notes.extend(revision.append(root)?);
            revision.set_head(root)?;
        }
        for folder in &folders {
            disk::sync_dir(folder)?;
        }
        disk::remove(&root.journal())?;
        Ok(notes)
    }

    /// Invariant J7: the first name that leads out of the folder, also through a link, as a sentence.
    fn check_paths(&self, root: Root<'_>) -> Result<Option<String>> {
        let heads = self.revision.iter().map(|revision| &revision.head);
        let names = self.replacements.iter().flat_map(|change| [&change.from, &change.to]);
        let patched = self.patches.iter().map(|patch| &patch.to);
        for name in names.chain(heads).chain(patched) {
            let key = FileKey::from_relative(Path::new(name));
            if name.is_empty() || key.is_none_or(|key| key.as_str() != name) {
                return Ok(Some(format!("`{name}` is not a path below the folder")));
            }
            let parents = Path::new(name).ancestors().skip(1);
            for parent in parents.filter(|parent| !parent.as_os_str().is_empty()) {
                let found = fs::symlink_metadata_if_present(&root.dir.join(parent))?;
                if found.is_some_and(|metadata| !metadata.is_dir()) {
                    return Ok(Some(format!("`{}` is not a folder", parent.display())));
                }
            }
        }
        Ok(None)
    }
}

impl Replacement {
    fn apply(&self, root: Root<'_>) -> Result<Option<String>> {
        let from = path_of(root, &self.from);
        let Some(found) = fs::symlink_metadata_if_present(&from)? else {
            // Renamed before the writer was stopped.
            return Ok(None);
        };
        let to = path_of(root, &self.to);
        if found.len() == self.bytes {
            disk::rename(&from, &to)?;
            return Ok(None);
        }
        // Left to the system and cut by a power cut, or damaged from outside: the old content is the better one.
        if self.synced {
            disk::rename(&from, &tail::aside(&to))?;
            return Ok(Some(format!("moved a damaged new `{0}` to `{0}.torn`", self.to)));
        }
        disk::remove(&from)?;
        Ok(Some(format!("dropped an incomplete new `{}`; it is derived again", self.to)))
    }
}

impl Patch {
    fn apply(&self, root: Root<'_>) -> Result<Option<String>> {
        let path = path_of(root, &self.to);
        let found = fs::symlink_metadata_if_present(&path)?;
        let end = self.at.checked_add(self.text.len() as u64);
        if !found.is_some_and(|found| found.is_file() && found.len() == self.bytes)
            || end.is_none_or(|end| end > self.bytes)
        {
            // Without it, nobody takes it for what it should be.
            disk::remove(&path)?;
            return Ok(Some(format!("removed `{}`, another file; it is derived again", self.to)));
        }
        disk::overwrite(&path, self.at, self.text.as_bytes())?;
        Ok(None)
    }
}

impl NewRevision {
    /// Makes the timeline end with the line, whatever part of it is there already.
    fn append(&self, root: Root<'_>) -> Result<Option<String>> {
        let path = root.timeline();
        let line = [self.line.as_bytes(), b"\n"].concat();
        let (length, end) = tail::read_from(&path, Offset::Start(self.timeline_length))?
            .unwrap_or_else(|| (0, Vec::new()));
        if length >= self.timeline_length
            && let Some(rest) = line.strip_prefix(end.as_slice())
        {
            // Nothing, a torn part or all of the line is there. An empty rest is still synced.
            disk::append(&path, rest, Durability::Synced)?;
            return Ok(None);
        }
        // Someone else cut or extended the file.
        let note = tail::repair(&path, crate::root::TIMELINE)?;
        if !timeline_ids(root)?.contains(&self.id) {
            disk::append(&path, &line, Durability::Synced)?;
        }
        Ok(note)
    }

    fn set_head(&self, root: Root<'_>) -> Result<()> {
        let temporary = path_of(root, &self.head);
        let wanted = format!("{}\n", self.id).into_bytes();
        if fs::read_if_present(&root.head())?.as_ref() == Some(&wanted) {
            return disk::remove(&temporary);
        }
        if fs::read_if_present(&temporary)?.as_ref() != Some(&wanted) {
            disk::write_new(&temporary, &wanted, Durability::Synced)?;
        }
        disk::rename(&temporary, &root.head())
    }
}

#[derive(Deserialize)]
struct OnlyId {
    id: String,
}

/// The ids in a timeline, oldest first; lines that cannot be understood are passed over.
pub(crate) fn timeline_ids(root: Root<'_>) -> Result<Vec<String>> {
    let bytes = fs::read_if_present(&root.timeline())?.unwrap_or_default();
    Ok(jsonl::lines(&bytes)
        .filter_map(|line| line.parse::<OnlyId>().ok())
        .map(|revision| revision.id)
        .collect())
}

/// The id on the last line of a timeline, without reading the rest; `None` where that does not tell.
pub(crate) fn newest_id(root: Root<'_>) -> Result<Option<String>> {
    const ENOUGH: u64 = 1 << 16;
    let Some((_, end)) = tail::read_from(&root.timeline(), Offset::BeforeEnd(ENOUGH))? else {
        return Ok(None);
    };
    let last = jsonl::lines(&end).last();
    Ok(last.and_then(|line| line.parse::<OnlyId>().ok()).map(|revision| revision.id))
}

fn path_of(root: Root<'_>, name: &str) -> PathBuf {
    root.dir.join(name)
}
