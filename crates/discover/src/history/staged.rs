//! What differs from the last commit: in the index of git, or in the working tree?

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use gik_base::{ErrorCode, Failure, FileStat, Result, fs};

use super::Repository;
use super::lines::{LineNumbers, hunks};
use crate::git;
use crate::objects::{EntryKind, Kind, ObjectId, Objects, entries};

/// A longer index is not read.
const MOST_INDEX_BYTES: u64 = 1 << 30;
/// So many folders of a tree are looked into at most: trees can be made that unfold without end.
const MOST_FOLDERS: usize = 200_000;
const DEEPEST_FOLDER: usize = 256;

/// A file that is not what the last commit has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncommitted {
    /// Its key in the workspace.
    pub key: String,
    /// What the last commit has; none for a new file.
    pub old: Option<Vec<u8>>,
    /// What is there now; none for a file that was removed.
    pub new: Option<Vec<u8>>,
    /// Lines that were replaced and the lines in their place, counted from 0.
    pub hunks: Vec<(Range<usize>, Range<usize>)>,
}

/// Against what the last commit is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// What `git add` put there for the next commit.
    Index,
    /// The files as they are; those that git does not know are left out.
    Files,
}

impl Repository {
    /// All files that differ from the last commit, by key.
    pub fn uncommitted(&self, against: Against) -> Result<Vec<Uncommitted>> {
        let committed = self.committed();
        let staged = read_index(&self.index, self.head.n_bytes())?;
        let mut paths: Vec<&Vec<u8>> = committed.keys().chain(staged.keys()).collect();
        paths.sort_unstable();
        paths.dedup();
        let mut found = Vec::new();
        for path in paths {
            let Some(key) = self.key_of(path) else { continue };
            let (before, entry) = (committed.get(path), staged.get(path));
            let is_same_id = entry.map(|entry| entry.id) == before.copied();
            let new = match against {
                Against::Index if is_same_id => continue,
                Against::Index => entry.and_then(|entry| self.blob(&entry.id)),
                Against::Files => {
                    let at = self.root.join(super::bytes_to_path(path));
                    let stat = FileStat::at(&at)?;
                    let is_as = |entry: &Entry, stat: &FileStat| {
                        is_same_id && entry.is_as(stat) && entry.is_settled(&self.index)
                    };
                    if stat.as_ref().zip(entry).is_some_and(|(stat, entry)| is_as(entry, stat)) {
                        continue;
                    }
                    stat.and_then(|_| fs::read(&at).ok())
                },
            };
            let old = before.and_then(|id| self.blob(id));
            if old != new {
                found.push(Uncommitted::new(key, old, new));
            }
        }
        found.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(found)
    }

    fn blob(&self, id: &ObjectId) -> Option<Vec<u8>> {
        self.objects.read(id, Kind::Blob).map(|bytes| bytes.to_vec())
    }

    /// All files of the last commit.
    fn committed(&self) -> BTreeMap<Vec<u8>, ObjectId> {
        let mut files = BTreeMap::new();
        let Some(commit) = self.commit(&self.head) else { return files };
        let mut open = vec![(Vec::new(), commit.tree, 0)];
        for _ in 0..MOST_FOLDERS {
            let Some((path, tree, depth)) = open.pop() else { break };
            list(&self.objects, &path, &tree, depth, &mut open, &mut files);
        }
        files
    }
}

fn list(
    objects: &Objects,
    path: &[u8],
    tree: &ObjectId,
    depth: usize,
    open: &mut Vec<(Vec<u8>, ObjectId, usize)>,
    files: &mut BTreeMap<Vec<u8>, ObjectId>,
) {
    let Some(bytes) = objects.read(tree, Kind::Tree) else { return };
    for entry in entries(&bytes, tree.n_bytes()) {
        let mut below = path.to_vec();
        if !below.is_empty() {
            below.push(b'/');
        }
        below.extend_from_slice(entry.name);
        match entry.kind {
            EntryKind::Folder if depth < DEEPEST_FOLDER => open.push((below, entry.id, depth + 1)),
            EntryKind::File => drop(files.insert(below, entry.id)),
            EntryKind::Folder | EntryKind::Other => {},
        }
    }
}

impl Uncommitted {
    fn new(key: String, old: Option<Vec<u8>>, new: Option<Vec<u8>>) -> Self {
        let mut numbers = LineNumbers::default();
        let before = numbers.of(old.as_deref().unwrap_or_default());
        let after = numbers.of(new.as_deref().unwrap_or_default());
        let hunks = hunks(&before, &after).into_iter().map(|hunk| (hunk.old, hunk.new)).collect();
        Self { key, old, new, hunks }
    }
}

/// A file as the index of git has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    id: ObjectId,
    seconds: u32,
    nanoseconds: u32,
    size: u32,
}

impl Entry {
    /// Whether a file is the one that was looked at.
    fn is_as(&self, stat: &FileStat) -> bool {
        let time = i64::from(self.seconds) * 1_000_000_000 + i64::from(self.nanoseconds);
        stat.size & 0xffff_ffff == u64::from(self.size) && stat.mtime_ns == time
    }

    /// Whether the file was older than the index: one that changed in the same moment may have changed once more.
    fn is_settled(&self, index: &Path) -> bool {
        let time = i64::from(self.seconds) * 1_000_000_000 + i64::from(self.nanoseconds);
        FileStat::at(index).ok().flatten().is_some_and(|stat| time < stat.mtime_ns)
    }
}

/// The files of the index by path. An index that is not there has none.
fn read_index(path: &Path, id_bytes: usize) -> Result<BTreeMap<Vec<u8>, Entry>> {
    let bytes = git::read_bounded(path, MOST_INDEX_BYTES)?.unwrap_or_default();
    if bytes.is_empty() {
        return Ok(BTreeMap::new());
    }
    parse(&bytes, id_bytes).ok_or_else(|| {
        Failure::new(
            ErrorCode::HistoryMissing,
            format!("the index of git at `{}` cannot be read", path.display()),
        )
        .hint("`git status` writes it anew")
    })
}

/// Reads versions 2 to 4 of the format; what follows the entries is not needed.
fn parse(bytes: &[u8], id_bytes: usize) -> Option<BTreeMap<Vec<u8>, Entry>> {
    const FILE: u32 = 0o100_000;
    const KIND: u32 = 0o170_000;
    let word = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let version = word(4).filter(|version| (2..=4).contains(version))?;
    let mut files = BTreeMap::new();
    let mut name: Vec<u8> = Vec::new();
    let mut at = 12;
    for _ in 0..word(8)? {
        let start = at;
        let (seconds, nanoseconds) = (word(at + 8)?, word(at + 12)?);
        let (mode, size) = (word(at + 24)?, word(at + 36)?);
        let id = ObjectId::from_bytes(bytes.get(at + 40..at + 40 + id_bytes)?)?;
        at += 40 + id_bytes;
        let flags = u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?);
        at += 2;
        if version >= 3 && flags & 0x4000 != 0 {
            at += 2;
        }
        if version == 4 {
            let (cut, length) = offset(bytes.get(at..)?)?;
            at += length;
            name.truncate(name.len().checked_sub(cut)?);
        } else {
            name.clear();
        }
        let end = at + bytes.get(at..)?.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(&bytes[at..end]);
        at = if version == 4 { end + 1 } else { start + (end - start + 8) / 8 * 8 };
        // One that is being merged has several; none of them is what will be committed.
        let stage = flags >> 12 & 3;
        if mode & KIND == FILE && stage == 0 {
            files.insert(name.clone(), Entry { id, seconds, nanoseconds, size });
        }
    }
    Some(files)
}

/// A number as git packs offsets, and its length.
fn offset(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0usize;
    for (at, byte) in bytes.iter().enumerate().take(9) {
        value |= usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        value = value.checked_add(1)?.checked_mul(128)?;
    }
    None
}

/// Where the index of a repository is.
pub(super) fn index_of(own: &Path) -> PathBuf {
    own.join("index")
}
