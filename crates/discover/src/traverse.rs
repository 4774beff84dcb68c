//! The walk itself: folders are handed out to threads, each keeps what it found, and all of it is put together once.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use gik_base::collections::HashSet;
use gik_base::fs::{self, DirEntry, FileType};
use gik_base::parallel::{beside, joined};
use gik_base::{Cancel, ErrorCode, Failure, FileKey, FileStat, FolderStat, Result};

use crate::rules::{Judgement, Layer, Present, Rules, Standing};
use crate::skip::{SkipReason, Skipped};
use crate::walk::{Explain, Found, Listed, WalkOptions, Walked, too_large};

/// A folder to look into. `layer` holds the rules of its parent, or its own where `path` is the root.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// The text of its key; empty for the root.
    pub(crate) key: String,
    pub(crate) layer: Arc<Layer>,
    pub(crate) standing: Standing,
}

/// What a walk is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Files,
    /// The files, and what it takes to find them again without listing every folder.
    FilesAndListed,
    /// The folders that are entered. Files are not looked at, which is most of the work.
    Folders,
}

/// What one worker found.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) walked: Walked,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) listed: Vec<Listed>,
    /// Folders that were met and not entered, because they are known.
    pub(crate) met: Vec<String>,
    /// Whether a folder that is left out was looked into.
    pub(crate) has_reached: bool,
}

/// One walk over a set of folders.
#[derive(Debug)]
pub(crate) struct Traversal<'a> {
    root: &'a Path,
    rules: &'a Rules,
    options: &'a WalkOptions,
    cancel: &'a Cancel,
    wanted: Wanted,
    /// Folders to leave alone.
    known: HashSet<&'a str>,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: Vec<Folder>,
    /// Folders that are waiting or being looked into; the walk is over at zero.
    open: usize,
    idle_workers: usize,
    failure: Option<Failure>,
}

impl<'a> Traversal<'a> {
    pub(crate) fn new(
        root: &'a Path,
        rules: &'a Rules,
        options: &'a WalkOptions,
        cancel: &'a Cancel,
    ) -> Self {
        Self {
            root,
            rules,
            options,
            cancel,
            wanted: Wanted::Files,
            known: HashSet::default(),
            queue: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    pub(crate) fn wanting(self, wanted: Wanted) -> Self {
        Self { wanted, ..self }
    }

    pub(crate) fn leaving_alone(self, known: HashSet<&'a str>) -> Self {
        Self { known, ..self }
    }

    /// Walks the folders and adds what is found, as one sorted run of files per worker.
    pub(crate) fn run(self, folders: Vec<Folder>, all: &mut Part) -> Result<()> {
        if folders.is_empty() {
            return Ok(());
        }
        {
            let mut queue = self.lock();
            queue.open = folders.len();
            queue.waiting = folders;
        }
        std::thread::scope(|scope| {
            let workers: Vec<_> =
                (1..self.options.threads).map(|_| beside(scope, || self.work())).collect();
            let mut parts = vec![self.work()];
            parts.extend(workers.into_iter().map(joined));
            for part in parts {
                all.walked.files.extend(part.walked.files);
                all.walked.skipped.extend(part.walked.skipped);
                all.folders.extend(part.folders);
                all.listed.extend(part.listed);
                all.met.extend(part.met);
                all.has_reached |= part.has_reached;
            }
        });
        self.cancel.check()?;
        match self.lock().failure.take() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    fn work(&self) -> Part {
        let mut found = Part::default();
        let mut inner = Vec::new();
        while let Some(folder) = self.next_folder() {
            let done = Done { traversal: self };
            if !self.cancel.is_cancelled()
                && let Err(failure) = self.look_into(folder, &mut inner, &mut found)
            {
                self.lock().failure.get_or_insert(failure);
            }
            self.add(&mut inner);
            drop(done);
        }
        found.walked.files.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        found
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_folder(&self) -> Option<Folder> {
        let mut queue = self.lock();
        loop {
            if let Some(folder) = queue.waiting.pop() {
                return Some(folder);
            }
            if queue.open == 0 {
                return None;
            }
            queue.idle_workers += 1;
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.idle_workers -= 1;
        }
    }

    fn add(&self, inner: &mut Vec<Folder>) {
        if inner.is_empty() {
            return;
        }
        let mut queue = self.lock();
        queue.open += inner.len();
        queue.waiting.append(inner);
        if queue.idle_workers > 0 {
            self.changed.notify_all();
        }
    }

    fn look_into(&self, folder: Folder, inner: &mut Vec<Folder>, found: &mut Part) -> Result<()> {
        if self.wanted == Wanted::FilesAndListed {
            // Taken before the names are read: what comes or goes meanwhile leaves a later time.
            let stat = FolderStat::at(&folder.path).unwrap_or_default();
            found.listed.push(Listed { key: folder.key.clone(), stat, is_settled: true });
            found.has_reached |= !matches!(folder.standing, Standing::Open);
        }
        let (entries, present) = match list(&folder.path) {
            Ok(listed) => listed,
            Err(failure) => {
                // It may be readable again without its parent's time telling.
                if let Some(listed) = found.listed.last_mut() {
                    listed.is_settled = false;
                }
                // A folder that went away while we walked is simply not there.
                if failure.code() != ErrorCode::PathMissing {
                    let reason = unreadable(&failure);
                    let key = FileKey::from_text(folder.key);
                    found.walked.skipped.push(Skipped { key, reason });
                }
                return Ok(());
            },
        };
        let layer = if folder.key.is_empty() {
            Arc::clone(&folder.layer)
        } else {
            self.rules.enter(&folder.layer, &folder.path, present)?
        };
        let here = Here { folder: &folder, layer: &layer };
        let mut path = folder.path.clone();
        for entry in entries {
            path.push(&entry.name);
            self.look_at(&here, &path, entry, inner, found);
            path.pop();
        }
        if self.wanted == Wanted::Folders {
            found.folders.push(folder.path);
        }
        Ok(())
    }

    fn look_at(
        &self,
        here: &Here<'_>,
        path: &Path,
        entry: Entry,
        inner: &mut Vec<Folder>,
        found: &mut Part,
    ) {
        let is_dir = entry.file_type.is_dir();
        let explain = self.options.explain == Explain::WithSkipped;
        if !is_dir && !entry.file_type.is_file() && !explain {
            return;
        }
        if !is_dir && self.wanted == Wanted::Folders {
            return;
        }
        let standing = &here.folder.standing;
        let judgement = self.rules.judge(here.layer, standing, path, &entry.name, is_dir);
        let standing = match judgement {
            Judgement::Take(_) | Judgement::Force(_) => Standing::Open,
            Judgement::Reach(cause) => cause.standing(),
            Judgement::Skip(cause) => {
                if explain {
                    let key = self.key(here.folder, path, &entry.name);
                    found.walked.skipped.push(Skipped { key, reason: cause.reason() });
                }
                return;
            },
        };
        let key = self.key(here.folder, path, &entry.name);
        if is_dir {
            let layer = Arc::clone(here.layer);
            let key = key.as_str().to_owned();
            if self.known.contains(key.as_str()) {
                found.met.push(key);
                return;
            }
            inner.push(Folder { path: path.to_owned(), key, layer, standing });
        } else if let Some(reason) = kind_reason(entry.file_type) {
            found.walked.skipped.push(Skipped { key, reason });
        } else {
            let metadata = match entry.entry.metadata() {
                Ok(metadata) => metadata,
                Err(error) => {
                    // A file that went away while we walked is simply not there.
                    if error.kind() != ErrorKind::NotFound {
                        let reason = SkipReason::Unreadable(error.to_string());
                        found.walked.skipped.push(Skipped { key, reason });
                    }
                    return;
                },
            };
            let stat = FileStat::of(&metadata);
            match too_large(stat.size, self.options.max_file_bytes) {
                Some(reason) => found.walked.skipped.push(Skipped { key, reason }),
                None => found.walked.files.push(Found { key, stat }),
            }
        }
    }

    /// The key of a name in a folder; names that are not UTF-8, and all below them, are encoded as a whole.
    fn key(&self, folder: &Folder, path: &Path, name: &OsStr) -> FileKey {
        let encoded_root = FileKey::ENCODED.trim_end_matches('/');
        match name.to_str() {
            Some(name) if folder.key.is_empty() && name != encoded_root => FileKey::from_text(name),
            Some(name) if !folder.key.is_empty() && !folder.key.starts_with(encoded_root) => {
                let mut text = String::with_capacity(folder.key.len() + 1 + name.len());
                text.push_str(&folder.key);
                text.push('/');
                text.push_str(name);
                FileKey::from_text(text)
            },
            _ => path
                .strip_prefix(self.root)
                .ok()
                .and_then(FileKey::from_relative)
                .unwrap_or_default(),
        }
    }
}

struct Here<'a> {
    folder: &'a Folder,
    layer: &'a Arc<Layer>,
}

struct Entry {
    name: OsString,
    file_type: FileType,
    entry: DirEntry,
}

/// Counts a folder as done even if looking into it panicked, so that no other worker waits for it forever.
struct Done<'a, 'b> {
    traversal: &'a Traversal<'b>,
}

impl Drop for Done<'_, '_> {
    fn drop(&mut self) {
        let mut queue = self.traversal.lock();
        queue.open -= 1;
        if queue.open == 0 {
            self.traversal.changed.notify_all();
        }
    }
}

fn list(folder: &Path) -> Result<(Vec<Entry>, Present)> {
    let mut present = Present::default();
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry.map_err(|error| fs::failure("list", folder, error))?;
        let name = entry.file_name();
        present.note(&name);
        if let Ok(file_type) = entry.file_type() {
            entries.push(Entry { name, file_type, entry });
        }
    }
    Ok((entries, present))
}

/// Why something that is no folder is not taken, by its kind alone.
pub(crate) fn kind_reason(file_type: FileType) -> Option<SkipReason> {
    if file_type.is_symlink() {
        Some(SkipReason::SymbolicLink)
    } else if file_type.is_file() {
        None
    } else {
        Some(SkipReason::NotAFile)
    }
}

/// The system's words for why something cannot be read.
pub(crate) fn unreadable(failure: &Failure) -> SkipReason {
    let words = failure.causes().into_iter().next();
    SkipReason::Unreadable(words.unwrap_or_else(|| failure.message().to_owned()))
}
