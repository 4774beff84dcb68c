//! What is on disk while a change is being applied, so that a killed process leaves nothing half done.
//!
//! 1. `.guided/changes/journal.json` names every file, the hashes of what was there and shall be, and the folders that
//!    are made. It is synced before anything else happens.
//! 2. Folders are made. Beside each file `.ID-N.new.gik-tmp` gets the new text, synced, and `.ID-N.old.gik-tmp` becomes
//!    a second name of the old file.
//! 3. Each file is looked at once more; then the new one is renamed over it, or it is removed. Folders are synced.
//! 4. The journal is replaced by one that says `done`. **This is the commit point.**
//! 5. The second names are removed, then the journal.
//!
//! A journal that is found by the holder of the lock is unfinished: one that says `applying` is taken back, from the
//! second names; one that says `done` goes on with step 5. Both can be repeated. What somebody else changed in between
//! stays as they left it, and is told.
//!
//! A journal may come with a folder from someone else: its names go through the same checks as those of proposals, and
//! it can only take away what has the hash it names.

use std::path::{Path, PathBuf};

use gik_base::{Context as _, ErrorCode, Failure, Result, fs, hash};
use serde::{Deserialize, Serialize};

use crate::content::{Content, Proposal};
use crate::place::Site;
use crate::step;

const NAME: &str = "journal.json";
const VERSION: u32 = 1;
/// A longer file is not a journal.
const MOST_BYTES: u64 = 4 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Applying,
    Done,
}

/// A change that is being applied.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Journal {
    version: u32,
    pub(crate) id: String,
    pub(crate) state: State,
    pub(crate) files: Vec<File>,
    /// Folders that are made, outermost first.
    pub(crate) folders: Vec<String>,
}

/// One of its files, with the sha256 of what was there and of what shall be.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// What is at a path now.
#[derive(Debug, PartialEq, Eq)]
enum Now {
    Nothing,
    File(String),
    Other,
}

impl Journal {
    /// The journal of a proposal.
    pub(crate) fn of(site: &Site, proposal: &Proposal) -> Result<Self> {
        let mut folders = Vec::new();
        for change in proposal.changes.iter().filter(|change| change.after.is_some()) {
            let slashes = change.path.match_indices('/').map(|(at, _)| &change.path[..at]);
            for folder in slashes {
                if site.metadata(folder)?.is_none() && !folders.iter().any(|it| it == folder) {
                    folders.push(folder.to_owned());
                }
            }
        }
        let sha256 = |content: &Option<Content>| content.as_ref().map(Content::sha256);
        let files = proposal.changes.iter().map(|change| File {
            path: change.path.clone(),
            before: sha256(&change.before),
            after: sha256(&change.after),
        });
        let (version, id) = (VERSION, proposal.id.clone());
        Ok(Self { version, id, state: State::Applying, files: files.collect(), folders })
    }

    /// The journal in a folder; `None` where there is none.
    pub(crate) fn find(dir: &Path, site: &Site) -> Result<Option<Self>> {
        let path = dir.join(NAME);
        let Some(metadata) = fs::symlink_metadata_if_present(&path)? else { return Ok(None) };
        let damaged = |why: &str| {
            let message = format!("`{}` {why}", path.display());
            Failure::new(ErrorCode::ContractInvalid, message)
                .hint("a change was being applied; look at your files, then remove that file")
        };
        if !metadata.is_file() || metadata.len() > MOST_BYTES {
            return Err(damaged("is not a journal"));
        }
        let journal: Self =
            serde_json::from_slice(&fs::read(&path)?).map_err(|_| damaged("cannot be read"))?;
        let is_id = journal.id.len() == 16 && journal.id.bytes().all(|it| it.is_ascii_hexdigit());
        if journal.version != VERSION || !is_id {
            return Err(damaged("was written by another version"));
        }
        let names = journal.files.iter().map(|file| &file.path).chain(&journal.folders);
        for name in names {
            let checked = if site.metadata(name)?.is_some_and(|it| it.is_dir()) {
                site.check(&format!("{name}/x"))
            } else {
                site.check(name)
            };
            checked.map_err(|failure| {
                damaged("names a file that may not be changed").caused_by(failure)
            })?;
        }
        Ok(Some(journal))
    }

    /// Whether something was left unfinished; a look at one name.
    pub(crate) fn is_there(dir: &Path) -> Result<bool> {
        Ok(fs::symlink_metadata_if_present(&dir.join(NAME))?.is_some())
    }

    /// Steps 1 and 4.
    pub(crate) fn write(&mut self, dir: &Path, state: State) -> Result<()> {
        self.state = state;
        let bytes = serde_json::to_vec(self)
            .context(ErrorCode::Internal, || "cannot write the journal".to_owned())?;
        step::write_atomic(&dir.join(NAME), &bytes)
    }

    /// Where the new text of a file waits.
    pub(crate) fn new_name(&self, site: &Site, at: usize) -> PathBuf {
        self.beside(site, at, "new")
    }

    /// The second name of the old file.
    pub(crate) fn old_name(&self, site: &Site, at: usize) -> PathBuf {
        self.beside(site, at, "old")
    }

    fn beside(&self, site: &Site, at: usize, what: &str) -> PathBuf {
        let name = format!(".{}-{at}.{what}{}", self.id, fs::TEMPORARY_SUFFIX);
        site.path(&self.files[at].path).with_file_name(name)
    }

    /// Puts every file back as it was. Gives what could not be.
    pub(crate) fn undo(&self, site: &Site) -> Result<Vec<String>> {
        let mut left = Vec::new();
        for (at, file) in self.files.iter().enumerate() {
            let (now, path) = (now_at(site, &file.path)?, site.path(&file.path));
            let is = |wanted: &Option<String>| match wanted {
                Some(sha256) => now == Now::File(sha256.clone()),
                None => now == Now::Nothing,
            };
            if is(&file.before)
                && (file.before.is_none() || !self.is_second_name_newer(site, at)?)
            {
                continue;
            }
            let old = self.old_name(site, at);
            if !is(&file.after) {
                left.push(format!("`{}` changed meanwhile and stays as it is", file.path));
            } else if file.before.is_none() {
                step::remove(&path)?;
                step::sync_beside(&path)?;
            } else if fs::symlink_metadata_if_present(&old)?.is_some_and(|it| it.is_file()) {
                step::rename(&old, &path)?;
                step::sync_beside(&path)?;
            } else {
                left.push(format!("`{}` cannot be put back: its old text is gone", file.path));
            }
        }
        Ok(left)
    }

    /// Whether the file has its old text and yet is not the old file, because only permissions differ.
    fn is_second_name_newer(&self, site: &Site, at: usize) -> Result<bool> {
        let file = &self.files[at];
        if file.before != file.after {
            return Ok(false);
        }
        Ok(fs::symlink_metadata_if_present(&self.old_name(site, at))?.is_some())
    }

    /// Step 5, after `undo` with the folders that were made.
    pub(crate) fn clean(&self, site: &Site, dir: &Path) -> Result<()> {
        for at in 0..self.files.len() {
            step::remove(&self.new_name(site, at))?;
            step::remove(&self.old_name(site, at))?;
        }
        if self.state == State::Applying {
            for folder in self.folders.iter().rev() {
                step::remove_dir(&site.path(folder))?;
            }
        }
        step::remove(&dir.join(NAME))?;
        step::sync_beside(&dir.join(NAME))
    }
}

fn now_at(site: &Site, path: &str) -> Result<Now> {
    let Some(metadata) = site.metadata(path)? else { return Ok(Now::Nothing) };
    if !metadata.is_file() {
        return Ok(Now::Other);
    }
    Ok(Now::File(hash::sha256_hex(&fs::read(&site.path(path))?)))
}
