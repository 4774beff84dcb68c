//! One change of a branch: whole files and at most one revision, all of it or nothing.
//!
//! The order of the steps and what each kill leaves is in `journal.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use gik_base::fs::{self, Durability, TEMPORARY_SUFFIX};
use gik_base::{ErrorCode, Failure, FileKey, Result, clock, ids};
use gik_contract::{Extra, PendingSource, Revision, RevisionOperation, Timestamp};

use crate::held::Held;
use crate::journal::{self, Journal, NewRevision, Patch, Replacement};
use crate::root::{self, Kind, Root};
use crate::{disk, jsonl, recovery, staging};

/// Collects a change; nothing is visible before [`Transaction::commit`], and dropping it changes nothing.
#[derive(Debug)]
#[must_use = "a transaction that is not committed changes nothing"]
pub struct Transaction<'a> {
    root: Root<'a>,
    branch: &'a str,
    held: &'a Held,
    /// Part of the names of all temporary files; random, so that no name is ever used twice (J3).
    stem: String,
    /// Behind a lock that is held for a moment only: several threads may write large files at once.
    gathered: Mutex<Gathered>,
    revision: Option<Draft>,
    origin: Option<Origin>,
    in_place: bool,
    time: Timestamp,
}

/// What was asked for so far.
#[derive(Debug, Default)]
struct Gathered {
    changes: BTreeMap<String, Change>,
    patches: Vec<Patch>,
    /// Folders that got a new folder and have to be synced for it.
    extended: BTreeSet<PathBuf>,
    refused: Option<Failure>,
}

/// New content of a file.
#[derive(Debug)]
struct Change {
    content: Content,
    durability: Durability,
}

#[derive(Debug)]
enum Content {
    Bytes(Vec<u8>),
    /// In its temporary file already, with its length.
    Written(u64),
}

#[derive(Debug)]
struct Draft {
    id: String,
    message: String,
    git_commit: Option<String>,
    operations: Vec<RevisionOperation>,
    extra: Extra,
}

/// Where the timeline of a new branch starts.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) timeline: Vec<u8>,
    pub(crate) parent: String,
}

impl<'a> Transaction<'a> {
    pub(crate) fn new(root: Root<'a>, branch: &'a str, held: &'a Held) -> Self {
        held.begin_transaction();
        let mut stem = ids::new_uuid().replace('-', "");
        stem.truncate(12);
        Self {
            root,
            branch,
            held,
            stem,
            gathered: Mutex::default(),
            revision: None,
            origin: None,
            in_place: false,
            time: clock::now(),
        }
    }

    /// The time that its revision will have.
    pub fn time(&self) -> Timestamp {
        self.time
    }

    /// Replaces a file, named relative to the branch folder. The last replacement of a file counts.
    pub fn replace(&self, path: impl AsRef<Path>, bytes: Vec<u8>, durability: Durability) {
        if let Some(target) = self.target(path.as_ref()) {
            self.put(target, Change { content: Content::Bytes(bytes), durability });
        }
    }

    /// Replaces a file with what `write` writes, without holding it in memory. A failure of another kind passes
    /// through `io::Error::other` unchanged.
    pub fn replace_with(
        &self,
        path: impl AsRef<Path>,
        durability: Durability,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        let Some(target) = self.target(path.as_ref()) else {
            let refused = self.gathered().refused.take();
            return Err(refused.unwrap_or_else(|| refusal(path.as_ref())));
        };
        let temporary = self.temporary(&target);
        self.make_parent(&temporary)?;
        // Known from here on, so that a failure below removes the file.
        self.put(target.clone(), Change { content: Content::Written(0), durability });
        let written = stream(&temporary, durability, write);
        match written {
            Ok(length) => {
                self.put(target, Change { content: Content::Written(length), durability });
                Ok(())
            },
            Err(failure) => {
                self.gathered().changes.remove(&target);
                drop(disk::remove(&temporary));
                Err(failure)
            },
        }
    }

    /// Puts text in the place of as many bytes in a derived file of that length, in place: readers may see a part of
    /// it for a moment.
    pub fn patch(&self, path: impl AsRef<Path>, at: u64, text: String, bytes: u64) {
        if let Some(to) = self.target(path.as_ref()) {
            self.gathered().patches.push(Patch { to, at, text, bytes });
        }
    }

    /// Replaces a file named by its whole path.
    pub(crate) fn replace_in(
        &self,
        path: &Path,
        bytes: Vec<u8>,
        durability: Durability,
    ) -> Result<()> {
        let name = path.strip_prefix(self.root.dir).map_err(|_| refusal(path))?;
        self.replace(name, bytes, durability);
        Ok(())
    }

    /// Replaces the sources of the branch, and the summary that counts them.
    pub fn set_pending(&self, pending: &[PendingSource]) -> Result<()> {
        let summary = staging::summarize(pending, clock::now());
        let lines = jsonl::to_lines_like(&[&self.root.dir.join(root::PENDING)], pending)?;
        self.replace(root::PENDING, lines, Durability::Synced);
        self.replace(root::SUMMARY, jsonl::to_json(&summary)?, Durability::Cached);
        Ok(())
    }

    /// Adds a revision on top of HEAD and gives the id it will have. A second call replaces the first.
    pub fn revision(
        &mut self,
        message: impl Into<String>,
        git_commit: Option<String>,
        operations: Vec<RevisionOperation>,
    ) -> String {
        self.revision_with(message, git_commit, operations, Extra::new())
    }

    /// As [`Transaction::revision`], with fields of the caller's.
    pub fn revision_with(
        &mut self,
        message: impl Into<String>,
        git_commit: Option<String>,
        operations: Vec<RevisionOperation>,
        extra: Extra,
    ) -> String {
        let id = ids::new_uuid();
        self.revision =
            Some(Draft { id: id.clone(), message: message.into(), git_commit, operations, extra });
        id
    }

    /// Starts the timeline with another one, for a branch made from a branch.
    pub(crate) fn start_from(&mut self, origin: Origin) {
        self.origin = Some(origin);
    }

    /// Makes the change. Gives the new revision, where there is one.
    ///
    /// A failure leaves the old state, with one exception: when the disk fails after the change was recorded, the
    /// failure says so and the next writer finishes it.
    pub fn commit(mut self) -> Result<Option<Revision>> {
        let refused = self.gathered().refused.take();
        if let Some(refused) = refused {
            return Err(refused);
        }
        self.held.check_covers(self.root.dir)?;
        if self.is_empty() {
            return Ok(None);
        }
        recovery::refuse_unfinished(self.root)?;
        recovery::settle(self.root)?;
        let revision = self.new_revision()?;
        let journal = self.prepare(revision.as_ref())?;
        let root = self.root;
        journal
            .publish(root, || self.in_place = true)
            .and_then(|()| journal.finish(root))
            .map_err(|failure| self.explain(failure))?;
        Ok(revision)
    }

    fn is_empty(&self) -> bool {
        let gathered = self.gathered();
        gathered.changes.is_empty() && gathered.patches.is_empty() && self.revision.is_none()
    }

    fn gathered(&self) -> MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn explain(&self, failure: Failure) -> Failure {
        if self.in_place {
            failure.hint("the change is recorded; the next command that writes finishes it")
        } else {
            failure
        }
    }

    fn new_revision(&mut self) -> Result<Option<Revision>> {
        let Some(draft) = self.revision.take() else { return Ok(None) };
        if self.root.kind != Kind::Branch {
            return Err(Failure::new(
                ErrorCode::Internal,
                format!("`{}` has no timeline", self.root.dir.display()),
            ));
        }
        let parent_id = match &self.origin {
            Some(origin) => Some(origin.parent.clone()),
            None => self.root.head_id()?,
        };
        Ok(Some(Revision {
            id: draft.id,
            parent_id,
            branch: self.branch.to_owned(),
            git_commit: draft.git_commit,
            timestamp: self.time,
            message: draft.message,
            operations: draft.operations,
            extra: draft.extra,
        }))
    }

    /// Step 1: all new content is beside its target and on the disk.
    fn prepare(&mut self, revision: Option<&Revision>) -> Result<Journal> {
        let timeline_length = match self.origin.take() {
            Some(origin) => {
                let length = origin.timeline.len() as u64;
                let change = Change {
                    content: Content::Bytes(origin.timeline),
                    durability: Durability::Synced,
                };
                self.put(root::TIMELINE.to_owned(), change);
                length
            },
            None => match fs::symlink_metadata_if_present(&self.root.timeline())? {
                Some(metadata) => metadata.len(),
                None => 0,
            },
        };
        let new_revision = match revision {
            Some(revision) => {
                let line = jsonl::to_lines([revision])?;
                let change = Change {
                    content: Content::Bytes(format!("{}\n", revision.id).into_bytes()),
                    // The journal has all it takes to write it again.
                    durability: Durability::Cached,
                };
                self.put(root::HEAD.to_owned(), change);
                Some(NewRevision {
                    id: revision.id.clone(),
                    line: String::from_utf8_lossy(line.trim_ascii_end()).into_owned(),
                    timeline_length,
                    head: self.temporary_name(root::HEAD),
                })
            },
            None => None,
        };

        let mut replacements = Vec::new();
        let mut folders = BTreeSet::new();
        let targets: Vec<String> = self.gathered().changes.keys().cloned().collect();
        for target in targets {
            let (bytes, durability) = self.write(&target)?;
            // HEAD has its own step, after the timeline (J4), which can do without the temporary file.
            if target == root::HEAD {
                continue;
            }
            let synced = durability == Durability::Synced;
            if synced && let Some(parent) = self.temporary(&target).parent() {
                folders.insert(parent.to_owned());
            }
            let from = self.temporary_name(&target);
            replacements.push(Replacement { from, to: target, bytes, synced });
        }
        folders.append(&mut self.gathered().extended);
        for folder in &folders {
            disk::sync_dir(folder)?;
        }
        let patches = std::mem::take(&mut self.gathered().patches);
        Ok(Journal { version: journal::VERSION, patches, replacements, revision: new_revision })
    }

    /// Writes a change to its temporary file, unless it is there already.
    fn write(&self, target: &str) -> Result<(u64, Durability)> {
        let temporary = self.temporary(target);
        let (bytes, durability) = {
            let mut gathered = self.gathered();
            let Some(change) = gathered.changes.get_mut(target) else {
                return Ok((0, Durability::Cached));
            };
            let bytes = match &mut change.content {
                Content::Written(length) => return Ok((*length, change.durability)),
                Content::Bytes(bytes) => std::mem::take(bytes),
            };
            change.content = Content::Written(bytes.len() as u64);
            (bytes, change.durability)
        };
        self.make_parent(&temporary)?;
        disk::write_new(&temporary, &bytes, durability)?;
        Ok((bytes.len() as u64, durability))
    }

    fn make_parent(&self, path: &Path) -> Result<()> {
        let Some(parent) = path.parent() else { return Ok(()) };
        if fs::exists(parent) {
            return Ok(());
        }
        let mut missing = parent;
        while let Some(above) = missing.parent() {
            self.gathered().extended.insert(above.to_owned());
            if fs::exists(above) {
                break;
            }
            missing = above;
        }
        disk::create_dir_all(parent)
    }

    fn put(&self, target: String, change: Change) {
        let temporary = self.temporary(&target);
        let in_memory = matches!(change.content, Content::Bytes(_));
        let previous = self.gathered().changes.insert(target, change);
        if in_memory && previous.is_some_and(|old| matches!(old.content, Content::Written(_))) {
            // Nobody would remove it if this transaction is dropped; the next sweep does if this fails.
            drop(disk::remove(&temporary));
        }
    }

    /// The name of a target; what is not the caller's to replace is remembered and refused at the commit.
    fn target(&self, path: &Path) -> Option<String> {
        let protected = [root::HEAD, root::TIMELINE, root::JOURNAL, ""];
        let key = FileKey::from_relative(path)
            .filter(|key| !protected.contains(&key.as_str()))
            .filter(|key| !key.as_str().starts_with(FileKey::ENCODED));
        if key.is_none() {
            self.gathered().refused.get_or_insert_with(|| refusal(path));
        }
        key.map(|key| key.as_str().to_owned())
    }

    fn temporary(&self, target: &str) -> PathBuf {
        self.root.dir.join(self.temporary_name(target))
    }

    fn temporary_name(&self, target: &str) -> String {
        format!("{target}.{}{TEMPORARY_SUFFIX}", self.stem)
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        self.held.end_transaction();
        if self.in_place {
            // The journal names the temporary files that are left.
            return;
        }
        for (target, change) in &self.gathered().changes {
            if matches!(change.content, Content::Written(_)) {
                // What cannot be removed now is swept by the next writer.
                drop(disk::remove(&self.temporary(target)));
            }
        }
    }
}

fn refusal(path: &Path) -> Failure {
    Failure::new(
        ErrorCode::Internal,
        format!("`{}` is not a file that a transaction may replace", path.display()),
    )
}

/// Writes a temporary file as a stream; gives its length.
fn stream(
    temporary: &Path,
    durability: Durability,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<u64> {
    let explain = |error: io::Error| match error.downcast::<Failure>() {
        Ok(failure) => failure,
        Err(error) => fs::failure("write", temporary, error),
    };
    let mut out = BufWriter::with_capacity(1 << 16, disk::create(temporary)?);
    write(&mut out).and_then(|()| out.flush()).map_err(explain)?;
    let file = out.into_inner().map_err(|error| explain(error.into_error()))?;
    if durability == Durability::Synced {
        disk::sync_file(temporary, &file)?;
    }
    Ok(file.metadata().map_err(explain)?.len())
}
