//! What does the history of a git repository say: its commits, the files each changed, and which commit a line comes
//! from? Reads the objects of git; runs no program, and so none that a repository could name.
//!
//! [`Repository`] reads; [`Kept`] is what is kept of it between commands.

mod blame;
mod changes;
mod commit;
mod kept;
pub mod lines;
mod staged;

use std::collections::{BTreeSet, BinaryHeap};
use std::path::{Path, PathBuf};

use gik_base::collections::HashSet;
use gik_base::{Cancel, FileKey, Result, hash};

use crate::git::{self, GitDirs, Head};
use crate::objects::{Kind, Objects};

pub use crate::objects::ObjectId;
pub use blame::{Origin, Traced};
pub use commit::Commit;
pub use kept::{Kept, PastCommit};
pub use staged::{Against, Uncommitted};

use changes::Difference;

/// A commit with more changed files than this is a move of everything and says nothing of any of them.
const MOST_CHANGES: usize = 400;

/// A longer list of the commits where a history was cut off is not read.
const MOST_SHALLOW_BYTES: u64 = 1 << 20;

/// A git repository with a commit.
#[derive(Debug)]
pub struct Repository {
    objects: Objects,
    head: ObjectId,
    /// Where the history was cut off when it was fetched.
    shallow: BTreeSet<ObjectId>,
    /// The folder of the workspace within the working tree.
    within: PathBuf,
    /// The working tree.
    root: PathBuf,
    /// What the next commit will have.
    index: PathBuf,
}

/// The newest commit of the repository that a folder belongs to; `None` without git or without a commit.
pub fn head_of(start: &Path) -> Result<Option<ObjectId>> {
    Ok(find(start)?.map(|(_, _, head)| head))
}

/// Where the history of the repository that a folder belongs to was cut off, as [`Repository::shallow_mark`] tells it.
pub fn shallow_mark_of(start: &Path) -> Result<u64> {
    let Some((_, dirs, _)) = find(start)? else { return Ok(0) };
    Ok(mark_of(&shallow_of(&dirs)?))
}

fn shallow_of(dirs: &GitDirs) -> Result<BTreeSet<ObjectId>> {
    let list = git::read_bounded(&dirs.common.join("shallow"), MOST_SHALLOW_BYTES)?;
    let list = list.unwrap_or_default();
    Ok(String::from_utf8_lossy(&list).lines().filter_map(ObjectId::from_hex).collect())
}

fn mark_of(shallow: &BTreeSet<ObjectId>) -> u64 {
    if shallow.is_empty() {
        return 0;
    }
    let ids: Vec<&[u8]> = shallow.iter().map(ObjectId::as_bytes).collect();
    hash::fast64(&ids.concat()).max(1)
}

fn find(start: &Path) -> Result<Option<(PathBuf, GitDirs, ObjectId)>> {
    for folder in start.ancestors() {
        let Some(dirs) = git::git_dirs(folder)? else { continue };
        let id = match dirs.head()? {
            Some(Head::Ref(name)) => dirs.commit_of(&name)?,
            Some(Head::Commit(id)) => Some(id),
            None => None,
        };
        return Ok(id
            .and_then(|id| ObjectId::from_hex(&id))
            .map(|id| (folder.to_owned(), dirs, id)));
    }
    Ok(None)
}

/// The files that a commit changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The files, by their keys in the workspace; those outside of it are left out.
    pub files: Vec<Change>,
    /// Whether so many files were changed that they are not told.
    pub is_bulk: bool,
}

/// A file that a commit changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its key after the commit, or before it where it was removed.
    pub key: String,
    /// Its key before, where the commit moved it unchanged.
    pub from: Option<String>,
}

impl Repository {
    /// The repository that a workspace belongs to; `None` without git or without a commit.
    pub fn open(workspace: &Path) -> Result<Option<Self>> {
        let Some((root, dirs, head)) = find(workspace)? else { return Ok(None) };
        let within = workspace.strip_prefix(&root).unwrap_or(Path::new("")).to_owned();
        let objects = Objects::open(&dirs.common, head.n_bytes())?;
        let shallow = shallow_of(&dirs)?;
        let index = staged::index_of(&dirs.own);
        Ok(Some(Self { objects, head, shallow, within, root, index }))
    }

    /// The commit that is checked out.
    pub fn head(&self) -> ObjectId {
        self.head
    }

    /// Whether the workspace is the whole working tree, and not a folder of it.
    pub fn is_whole(&self) -> bool {
        self.within.as_os_str().is_empty()
    }

    /// Whether the history was cut off when it was fetched.
    pub fn is_shallow(&self) -> bool {
        !self.shallow.is_empty()
    }

    /// A number that changes when the history is cut off elsewhere, and is 0 where it is whole.
    pub fn shallow_mark(&self) -> u64 {
        mark_of(&self.shallow)
    }

    /// A commit; `None` where it is not there. One where the history was cut off has no parents.
    pub fn commit(&self, id: &ObjectId) -> Option<Commit> {
        let mut commit = Commit::parse(*id, &self.objects.read(id, Kind::Commit)?)?;
        if self.shallow.contains(id) {
            commit.parents.clear();
        }
        Some(commit)
    }

    /// Commits that lead to the one checked out, newest first, without those that are known and what is behind them;
    /// `most` at most. Of their messages as much is told as [`Kept`] keeps.
    pub fn commits(
        &self,
        is_known: &dyn Fn(&ObjectId) -> bool,
        most: usize,
        cancel: &Cancel,
    ) -> Result<Vec<Commit>> {
        let mut seen: HashSet<ObjectId> = HashSet::default();
        let mut open: BinaryHeap<(i64, ObjectId)> = BinaryHeap::new();
        let mut waiting = std::collections::BTreeMap::new();
        let mut found = Vec::new();
        let mut next = vec![self.head];
        loop {
            for id in next.drain(..) {
                if is_known(&id) || !seen.insert(id) {
                    continue;
                }
                if let Some(mut commit) = self.commit(&id) {
                    commit.message = commit::cut(&commit.message, kept::MESSAGE_BYTES).to_owned();
                    open.push((commit.committed, id));
                    waiting.insert(id, commit);
                }
            }
            let Some((_, id)) = open.pop().filter(|_| found.len() < most) else { return Ok(found) };
            cancel.check()?;
            if let Some(commit) = waiting.remove(&id) {
                next.extend(&commit.parents);
                found.push(commit);
            }
        }
    }

    /// The files that a commit changed. A merge changes none: those it brings were changed by others.
    pub fn changes(&self, commit: &Commit) -> Changes {
        let parent = match commit.parents.as_slice() {
            [] => None,
            [parent] => match self.commit(parent) {
                Some(parent) => Some(parent.tree),
                None => return Changes { files: Vec::new(), is_bulk: true },
            },
            _ => return Changes::default(),
        };
        let found = Difference::of(&self.objects, parent, Some(commit.tree), MOST_CHANGES);
        // Where the history begins or was cut off, everything is new.
        if found.is_cut || self.shallow.contains(&commit.id) {
            return Changes { files: Vec::new(), is_bulk: true };
        }
        let mut files = Vec::new();
        let mut moved = BTreeSet::new();
        for (path, id) in &found.added {
            let from = found.moved_from(id).map(|(from, _)| from);
            moved.extend(from);
            let from = from.and_then(|from| self.key_of(from));
            files.extend(self.key_of(path).map(|key| Change { key, from }));
        }
        let others = found.removed.iter().filter(|(path, _)| !moved.contains(path));
        for (path, _) in found.modified.iter().chain(others) {
            files.extend(self.key_of(path).map(|key| Change { key, from: None }));
        }
        files.sort_by(|a, b| a.key.cmp(&b.key));
        Changes { files, is_bulk: false }
    }

    /// The key in the workspace of a path in the repository; `None` where it lies outside.
    fn key_of(&self, path: &[u8]) -> Option<String> {
        let path = bytes_to_path(path);
        let inside = path.strip_prefix(&self.within).ok()?;
        Some(FileKey::from_relative(inside)?.as_str().to_owned())
    }

    /// The path in the repository of a key in the workspace.
    fn path_of(&self, key: &FileKey) -> Vec<u8> {
        path_to_bytes(&key.to_path(&self.within))
    }
}

#[cfg(unix)]
fn bytes_to_path(path: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(path))
}

#[cfg(unix)]
fn path_to_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
fn bytes_to_path(path: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(path).into_owned())
}

#[cfg(not(unix))]
fn path_to_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}

#[cfg(test)]
mod tests;
