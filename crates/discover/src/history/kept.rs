//! What is kept of a history between commands: commits with their files, newest first, and files with their commits.
//!
//! Derived from git and bounded. One file that is written as a whole, mapped, and read at the places that are asked for;
//! one that is missing or damaged costs reading the history again. Every read is bounded by the bytes that are there.
//!
//! ```text
//! magic u64 · checksum of the rest of the header u64 · length of the file u64 · place of the paths u64
//! commits u32 · paths u32 · bytes of an id u32 · 1 where not all commits are here u32 · head 32 bytes
//! n × place of a commit u64 · n × number of a commit u32, by id · n × commit
//! n × place of a path u64 · n × path
//! commit = id · committed i64 · authored i64 · 1 bulk u32 · n · n × parent · author · mail · message · n · n × path u32
//! path   = text · n · n × commit u32, newest first
//! text   = length u32 · bytes; n = u32; all numbers little-endian
//! ```

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::path::Path;

use gik_base::fs::{self, Durability};
use gik_base::mmap::Bytes;
use gik_base::{Result, hash};

use super::{Changes, Commit, ObjectId, commit};

const MAGIC: u64 = u64::from_le_bytes(*b"gikpast1");
const HEADER_BYTES: usize = 80;
const CHECKED_FROM: usize = 16;
/// What a message says beyond so many bytes is not kept.
const MESSAGE_BYTES: usize = 4096;

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
        let [n_commits, n_paths, id_bytes, cut] =
            [input.u32()?, input.u32()?, input.u32()?, input.u32()?];
        let head = ObjectId::from_bytes(input.0.get(..id_bytes as usize)?)?;
        Some(Self {
            head,
            n_commits: n_commits as usize,
            n_paths: n_paths as usize,
            paths: usize::try_from(paths).ok()?,
            is_cut: cut != 0,
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

    /// Every commit, newest first; `None` where one is damaged.
    pub fn commits(&self) -> Option<Vec<PastCommit>> {
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

    /// Puts a history in place of what is kept at a path. The commits come newest first.
    pub fn write(path: &Path, head: ObjectId, commits: &[PastCommit], is_cut: bool) -> Result<()> {
        fs::write_atomic(path, &to_bytes(head, commits, is_cut), Durability::Cached)
    }

    /// What was kept and what is new as one: only commits that lead to `head`, newest first, at most `most`, with the
    /// files under the names that they have today. Both lists come newest first.
    pub fn joined(
        kept: Vec<PastCommit>,
        new: Vec<(Commit, Changes)>,
        head: ObjectId,
        most: usize,
    ) -> (Vec<PastCommit>, bool) {
        let mut today: BTreeMap<String, String> = BTreeMap::new();
        let mut all = Vec::with_capacity(kept.len() + new.len());
        for (commit, changes) in new {
            let name = |key: &String| today.get(key).unwrap_or(key).clone();
            let mut files: Vec<String> =
                changes.files.iter().map(|change| name(&change.key)).collect();
            for change in &changes.files {
                if let Some(from) = &change.from {
                    let now = today.get(&change.key).unwrap_or(&change.key).clone();
                    today.insert(from.clone(), now);
                }
            }
            files.sort();
            files.dedup();
            all.push(PastCommit {
                id: commit.id,
                parents: commit.parents,
                author: commit.author,
                mail: commit.mail,
                authored: commit.authored,
                committed: commit.committed,
                message: cut(commit.message),
                files,
                is_bulk: changes.is_bulk,
            });
        }
        for mut commit in kept {
            if commit.files.iter().any(|file| today.contains_key(file)) {
                for file in &mut commit.files {
                    if let Some(now) = today.get(file) {
                        file.clone_from(now);
                    }
                }
                commit.files.sort();
                commit.files.dedup();
            }
            all.push(commit);
        }
        in_order(all, head, most)
    }
}

/// The commits that lead to `head` in the order in which [`super::Repository::commits`] gives them, and whether older
/// ones are missing. Times alone do not tell: many commits may have been made in one second.
fn in_order(all: Vec<PastCommit>, head: ObjectId, most: usize) -> (Vec<PastCommit>, bool) {
    let mut by_id: BTreeMap<ObjectId, PastCommit> =
        all.into_iter().map(|commit| (commit.id, commit)).collect();
    let mut reached = BTreeSet::new();
    let mut open = BinaryHeap::new();
    let (mut ordered, mut is_cut) = (Vec::new(), false);
    let mut next = vec![head];
    loop {
        for id in next.drain(..) {
            match by_id.get(&id) {
                Some(commit) if reached.insert(id) => open.push((commit.committed, id)),
                Some(_) => {},
                None => is_cut |= !reached.contains(&id),
            }
        }
        let Some((_, id)) = open.pop() else { return (ordered, is_cut) };
        if ordered.len() == most {
            return (ordered, true);
        }
        if let Some(commit) = by_id.remove(&id) {
            next.extend(&commit.parents);
            ordered.push(commit);
        }
    }
}

fn cut(mut message: String) -> String {
    if message.len() > MESSAGE_BYTES {
        message.truncate(message.floor_char_boundary(MESSAGE_BYTES));
    }
    message
}

fn to_bytes(head: ObjectId, commits: &[PastCommit], is_cut: bool) -> Vec<u8> {
    let mut by_path: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (number, commit) in (0u32..).zip(commits) {
        for file in &commit.files {
            by_path.entry(file).or_default().push(number);
        }
    }
    let numbers: BTreeMap<&str, u32> = by_path.keys().copied().zip(0u32..).collect();
    let mut by_id: Vec<u32> = (0u32..).take(commits.len()).collect();
    by_id.sort_by_key(|number| commits[*number as usize].id);

    let mut out = Output(vec![0; HEADER_BYTES]);
    let table = out.table(commits.len());
    for number in by_id {
        out.u32(number);
    }
    for (at, commit) in commits.iter().enumerate() {
        out.enter(table, at);
        out.0.extend(commit.id.as_bytes());
        out.u64(commit.committed.cast_unsigned());
        out.u64(commit.authored.cast_unsigned());
        out.u32(u32::from(commit.is_bulk));
        out.count(commit.parents.len());
        for parent in &commit.parents {
            out.0.extend(parent.as_bytes());
        }
        for text in [&commit.author, &commit.mail, &commit.message] {
            out.text(text);
        }
        out.count(commit.files.len());
        for file in &commit.files {
            out.u32(numbers.get(file.as_str()).copied().unwrap_or_default());
        }
    }
    let paths = out.table(by_path.len());
    for (at, (path, commits)) in by_path.iter().enumerate() {
        out.enter(paths, at);
        out.text(path);
        out.count(commits.len());
        for number in commits {
            out.u32(*number);
        }
    }

    let mut bytes = out.0;
    let mut header = Output(Vec::with_capacity(HEADER_BYTES));
    header.u64(MAGIC);
    header.u64(0);
    header.u64(bytes.len() as u64);
    header.u64(paths as u64);
    header.count(commits.len());
    header.count(by_path.len());
    header.count(head.n_bytes());
    header.u32(u32::from(is_cut));
    header.0.extend(head.as_bytes());
    header.0.resize(HEADER_BYTES, 0);
    let checksum = hash::fast64(&header.0[CHECKED_FROM..]);
    header.0[8..CHECKED_FROM].copy_from_slice(&checksum.to_le_bytes());
    bytes[..HEADER_BYTES].copy_from_slice(&header.0);
    bytes
}

struct Output(Vec<u8>);

impl Output {
    fn u32(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.u32(u32::try_from(count).unwrap_or(u32::MAX));
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend(text.as_bytes());
    }

    /// Room for so many places; gives where it starts.
    fn table(&mut self, count: usize) -> usize {
        let start = self.0.len();
        self.0.resize(start + 8 * count, 0);
        start
    }

    /// Notes in a table that its next entry starts here.
    fn enter(&mut self, table: usize, at: usize) {
        let here = (self.0.len() as u64).to_le_bytes();
        self.0[table + 8 * at..table + 8 * at + 8].copy_from_slice(&here);
    }
}

#[derive(Debug, Clone, Copy)]
struct Input<'b>(&'b [u8]);

impl<'b> Input<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn id(&mut self, n_bytes: usize) -> Option<ObjectId> {
        ObjectId::from_bytes(self.take(n_bytes)?)
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = self.u32()? as usize;
        std::str::from_utf8(self.take(length)?).ok()
    }

    fn many<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.u32()?;
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(one(self)?);
        }
        Some(all)
    }
}
