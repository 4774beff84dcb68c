//! What is kept of a history between commands: commits with their files, newest first, and files with their commits.
//!
//! Derived from git and bounded. One file that is written as a whole, mapped, and read at the places that are asked for;
//! one that is missing or damaged costs reading the history again. Every read is bounded by the bytes that are there;
//! what is read as a whole, to be written again, is checked as a whole.
//!
//! ```text
//! magic u64 · checksum of the rest of the header u64 · length of the file u64 · place of the paths u64
//! checksum of what follows the header u64 · where the history was cut off u64
//! commits u32 · paths u32 · bytes of an id u32 · 1 where not all commits are here u32 · head 32 bytes
//! n × place of a commit u64 · n × number of a commit u32, by id · n × commit
//! n × place of a path u64 · n × path
//! commit = id · committed i64 · authored i64 · 1 bulk u32 · n · n × parent · author · mail · message · n · n × path u32
//! path   = text · n · n × commit u32, newest first
//! text   = length u32 · bytes; n = u32; all numbers little-endian
//! ```

mod bytes;
mod join;

use std::path::Path;

use gik_base::fs::{self, Durability};
use gik_base::mmap::Bytes;
use gik_base::{Result, hash};

use self::bytes::{Input, to_bytes};
pub(super) use self::join::MESSAGE_BYTES;
use super::{ObjectId, Repository, commit};

const MAGIC: u64 = u64::from_le_bytes(*b"gikpast2");
const HEADER_BYTES: usize = 96;
const CHECKED_FROM: usize = 16;

/// A commit as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastCommit {
    /// Its name.
    pub id: ObjectId,
    /// What it was made from.
    pub parents: Vec<ObjectId>,
    /// Who wrote it.
    pub author: String,
    /// The address of the author.
    pub mail: String,
    /// When it was written, in seconds since 1970.
    pub authored: i64,
    /// When it was put into the history.
    pub committed: i64,
    /// Why.
    pub message: String,
    /// The files it changed, by the keys that they have today, sorted.
    pub files: Vec<String>,
    /// Whether it changed so many that they are not told.
    pub is_bulk: bool,
}

impl PastCommit {
    /// The first line of the message.
    pub fn subject(&self) -> &str {
        commit::subject(&self.message)
    }

    /// The message without its first line.
    pub fn body(&self) -> &str {
        commit::body(&self.message)
    }
}

/// The kept history of a repository.
#[derive(Debug)]
pub struct Kept {
    bytes: Bytes,
    head: ObjectId,
    n_commits: usize,
    n_paths: usize,
    paths: usize,
    is_cut: bool,
    checksum: u64,
    shallow: u64,
}

impl Kept {
    /// The history that is kept at a path; `None` where there is none of use.
    pub fn open(path: &Path) -> Option<Self> {
        if !fs::exists(path) {
            return None;
        }
        Self::from_bytes(Bytes::map(path).ok()?)
    }

    fn from_bytes(bytes: Bytes) -> Option<Self> {
        let header = bytes.get(..HEADER_BYTES)?;
        let mut input = Input(header);
        let [magic, checksum, length, paths] =
            [input.u64()?, input.u64()?, input.u64()?, input.u64()?];
        if magic != MAGIC
            || checksum != hash::fast64(&header[CHECKED_FROM..])
            || length != bytes.len() as u64
        {
            return None;
        }
        let [content, shallow] = [input.u64()?, input.u64()?];
        let [n_commits, n_paths, id_bytes, cut] =
            [input.u32()?, input.u32()?, input.u32()?, input.u32()?];
        let head = ObjectId::from_bytes(input.0.get(..id_bytes as usize)?)?;
        Some(Self {
            head,
            n_commits: n_commits as usize,
            n_paths: n_paths as usize,
            paths: usize::try_from(paths).ok()?,
            is_cut: cut != 0,
            checksum: content,
            shallow,
            bytes,
        })
    }

    /// The commit that was checked out.
    pub fn head(&self) -> ObjectId {
        self.head
    }

    /// How many commits there are.
    pub fn n_commits(&self) -> usize {
        self.n_commits
    }

    /// Whether there are older commits than those here.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Where the history was cut off when it was fetched, as [`super::Repository::shallow_mark`] tells it.
    pub fn shallow_mark(&self) -> u64 {
        self.shallow
    }

    /// Whether every byte is as it was written.
    pub fn is_intact(&self) -> bool {
        self.bytes.get(HEADER_BYTES..).is_some_and(|rest| hash::fast64(rest) == self.checksum)
    }

    /// The commit with a number, the newest being 0.
    pub fn commit(&self, number: usize) -> Option<PastCommit> {
        let mut input = self.at(self.u64_at(HEADER_BYTES, number, self.n_commits)?)?;
        let id = input.id(self.head.n_bytes())?;
        let committed = input.u64()?.cast_signed();
        let authored = input.u64()?.cast_signed();
        let is_bulk = input.u32()? != 0;
        let parents = input.many(|input| input.id(self.head.n_bytes()))?;
        let (author, mail, message) = (input.text()?, input.text()?, input.text()?);
        let files = input.many(|input| self.path(input.u32()? as usize).map(|(key, _)| key))?;
        let files = files.into_iter().map(str::to_owned).collect();
        let [author, mail, message] = [author, mail, message].map(str::to_owned);
        Some(PastCommit { id, parents, author, mail, authored, committed, message, files, is_bulk })
    }

    /// When a commit was put into the history.
    pub fn committed(&self, number: usize) -> Option<i64> {
        let mut input = self.at(self.u64_at(HEADER_BYTES, number, self.n_commits)?)?;
        input.id(self.head.n_bytes())?;
        Some(input.u64()?.cast_signed())
    }

    /// The number of a commit by the first bytes of its name ([`ObjectId::short`]).
    pub fn number_of(&self, short: u64) -> Option<usize> {
        let by_id = HEADER_BYTES + 8 * self.n_commits;
        let (mut low, mut high) = (0, self.n_commits);
        while low < high {
            let middle = usize::midpoint(low, high);
            let mut input = self.at(by_id + 4 * middle)?;
            let number = input.u32()? as usize;
            let mut commit = self.at(self.u64_at(HEADER_BYTES, number, self.n_commits)?)?;
            match commit.id(self.head.n_bytes())?.short().cmp(&short) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(number),
            }
        }
        None
    }

    /// The numbers of the commits that changed a file, newest first; empty where none is known.
    pub fn commits_of(&self, key: &str) -> Vec<u32> {
        let (mut low, mut high) = (0, self.n_paths);
        while low < high {
            let middle = usize::midpoint(low, high);
            let Some((known, mut rest)) = self.path(middle) else { break };
            match known.cmp(key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return rest.many(Input::u32).unwrap_or_default(),
            }
        }
        Vec::new()
    }

    /// Every commit, newest first; `None` where anything is damaged.
    pub fn commits(&self) -> Option<Vec<PastCommit>> {
        if !self.is_intact() {
            return None;
        }
        (0..self.n_commits).map(|number| self.commit(number)).collect()
    }

    fn path(&self, number: usize) -> Option<(&str, Input<'_>)> {
        let mut input = self.at(self.u64_at(self.paths, number, self.n_paths)?)?;
        Some((input.text()?, input))
    }

    /// A number of a table, as a place.
    fn u64_at(&self, table: usize, at: usize, count: usize) -> Option<usize> {
        if at >= count {
            return None;
        }
        usize::try_from(self.at(table.checked_add(8 * at)?)?.u64()?).ok()
    }

    fn at(&self, place: usize) -> Option<Input<'_>> {
        self.bytes.get(place..).map(Input)
    }

    /// Puts the history of a repository in place of what is kept at a path. The commits come newest first.
    pub fn write(
        path: &Path,
        repository: &Repository,
        commits: &[PastCommit],
        is_cut: bool,
    ) -> Result<()> {
        let bytes = to_bytes(repository.head(), repository.shallow_mark(), commits, is_cut);
        fs::write_atomic(path, &bytes, Durability::Cached)
    }
}
