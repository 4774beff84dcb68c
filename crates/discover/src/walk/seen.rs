//! What did an earlier walk see? The folders it listed and the names it took, so that the next walk need not list a
//! folder whose time did not change.
//!
//! A copy of what the file system says, kept in a file of its own without waiting for the disk: one that is missing or
//! damaged costs a full walk.
//!
//! ```text
//! magic u64 · checksum of the rest u64 · built-in rules and version u64
//! opt repository · opt excludes · n · n × (path · 0 | 1 stat) · n · n × (repository · u8) · n · n × (marker · u8)
//! n · n × (key · mtime · ctime · inode · device · settled u8)                            folders, sorted
//! n · n × (folder · key)                                                                files, sorted
//! path = text; key = shared u8 · text; text = length · bytes; stat = size u64 · mtime i64 · inode u64
//! ```
//!
//! What is near one another is alike: a key has its first `shared` bytes from the key before, and the four numbers of a
//! folder are steps from those of the folder before, zigzag. Numbers without a width are varints, the others
//! little-endian.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gik_base::fs::{self, Durability};
use gik_base::{FileKey, FileStat, FolderStat, Result, hash, shared_start};

use crate::builtin::{BUILTIN_RULES, NEVER_WALKED};
use crate::rules::Grounds;

/// A folder whose names were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// The text of its key; empty for the root.
    pub(crate) key: String,
    pub(crate) stat: FolderStat,
    /// Whether its time tells if a name came or went since.
    pub(crate) is_settled: bool,
}

/// A name that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Its folder, as a place in the list of folders.
    pub(crate) folder: u32,
    pub(crate) key: FileKey,
}

/// What a walk over a whole workspace saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub(crate) grounds: Grounds,
    /// Sorted by key, so that a folder comes after the one it lies in.
    pub(crate) folders: Vec<Listed>,
    /// Sorted by key.
    pub(crate) files: Vec<Taken>,
}

const MAGIC: u64 = u64::from_le_bytes(*b"gikseen2");
const HEADER_BYTES: usize = 16;

/// What decides over names without any file saying so.
fn builtin() -> u64 {
    let mut rules = hash::Fast64::default();
    rules.update(env!("CARGO_PKG_VERSION").as_bytes());
    for name in NEVER_WALKED.iter().chain(BUILTIN_RULES.iter().map(|rule| &rule.pattern)) {
        rules.update(name.as_bytes());
        rules.update(b"\n");
    }
    for marker in BUILTIN_RULES.iter().filter_map(|rule| rule.marker) {
        rules.update(marker.as_bytes());
    }
    rules.finish()
}

impl Seen {
    /// What is written at a path; `None` where there is nothing of use.
    pub fn read(path: &Path) -> Option<Self> {
        Self::from_bytes(&fs::read_if_present(path).ok()??)
    }

    /// Puts it in place of what was there.
    pub fn write(&self, path: &Path) -> Result<()> {
        // Replacing a file makes some file systems wait for the disk; taking the old one away first does not.
        fs::remove_file_if_present(path)?;
        fs::write_atomic(path, &self.to_bytes(), Durability::Cached)
    }

    pub(crate) fn folder_of(folders: &[Listed], key: &str) -> Option<u32> {
        let at = folders.binary_search_by(|folder| (*folder.key).cmp(parent_of(key))).ok()?;
        u32::try_from(at).ok()
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Output(Vec::with_capacity(64 * (self.folders.len() + self.files.len())));
        out.0.extend([0; HEADER_BYTES]);
        out.numbers([builtin()]);
        let Grounds { repository, global, files, repositories, markers } = &self.grounds;
        for path in [repository, global] {
            out.flag(path.is_some());
            out.path(path.as_deref().unwrap_or(Path::new("")));
        }
        out.number(files.len() as u64);
        for (path, stat) in files {
            out.path(path);
            out.flag(stat.is_some());
            let stat = stat.unwrap_or_default();
            out.numbers([stat.size, stat.mtime_ns.cast_unsigned(), stat.inode]);
        }
        for flags in [repositories, markers] {
            out.number(flags.len() as u64);
            for (path, &flag) in flags {
                out.path(path);
                out.flag(flag);
            }
        }
        out.number(self.folders.len() as u64);
        let (mut before, mut last) = ("", [0; 4]);
        for Listed { key, stat, is_settled } in &self.folders {
            out.key(before, key);
            let next = numbers_of(stat);
            for (next, last) in next.iter().zip(last) {
                out.number(zigzag(next.wrapping_sub(last)));
            }
            out.flag(*is_settled);
            (before, last) = (key, next);
        }
        out.number(self.files.len() as u64);
        let mut before = "";
        for Taken { folder, key } in &self.files {
            out.number(u64::from(*folder));
            out.key(before, key.as_str());
            before = key.as_str();
        }
        let mut bytes = out.0;
        let checksum = hash::fast64(&bytes[HEADER_BYTES..]);
        bytes[..8].copy_from_slice(&MAGIC.to_le_bytes());
        bytes[8..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut input = Input(bytes);
        let [magic, checksum] = input.numbers()?;
        if magic != MAGIC || checksum != hash::fast64(input.0) {
            return None;
        }
        if input.numbers()? != [builtin()] {
            return None;
        }
        let [repository, global] = [input.optional_path()?, input.optional_path()?];
        let ignore_files = input.many(|input| {
            let path = input.path()?;
            let is_there = input.flag()?;
            let [size, mtime, inode] = input.numbers()?;
            let stat = FileStat { size, mtime_ns: mtime.cast_signed(), inode };
            Some((path, is_there.then_some(stat)))
        })?;
        let [repositories, markers]: [BTreeMap<_, _>; 2] = [input.flags()?, input.flags()?];
        let (mut key, mut numbers) = (String::new(), [0_u64; 4]);
        let folders: Vec<Listed> = input.many(|input| {
            input.key(&mut key)?;
            for number in &mut numbers {
                *number = number.wrapping_add(unzigzag(input.number()?));
            }
            let [mtime_ns, ctime_ns, inode, device] = numbers;
            let [mtime_ns, ctime_ns] = [mtime_ns.cast_signed(), ctime_ns.cast_signed()];
            let stat = FolderStat { mtime_ns, ctime_ns, inode, device };
            let stays_inside = key.is_empty() || key.split('/').all(is_name);
            stays_inside.then_some(Listed { key: key.clone(), stat, is_settled: input.flag()? })
        })?;
        // The file may have come with the workspace: a file is where its key says, and a folder below another.
        if folders.first().is_none_or(|root| !root.key.is_empty())
            || !folders.is_sorted_by(|one, other| one.key < other.key)
        {
            return None;
        }
        let mut key = String::new();
        let files: Vec<Taken> = input.many(|input| {
            let folder = u32::try_from(input.number()?).ok()?;
            input.key(&mut key)?;
            let above = &folders.get(folder as usize)?.key;
            let is_in_it = name_below(above, &key).is_some_and(is_name);
            is_in_it.then(|| Taken { folder, key: FileKey::from_text(key.as_str()) })
        })?;
        let ignore_files = ignore_files.into_iter().collect();
        let grounds = Grounds { repository, global, files: ignore_files, repositories, markers };
        Some(Self { grounds, folders, files })
    }
}

/// The key of the folder that something is in.
fn parent_of(key: &str) -> &str {
    key.bytes().rposition(|byte| byte == b'/').map_or("", |at| &key[..at])
}

/// What a key adds to that of a folder.
fn name_below<'a>(folder: &str, key: &'a str) -> Option<&'a str> {
    if folder.is_empty() { Some(key) } else { key.strip_prefix(folder)?.strip_prefix('/') }
}

fn numbers_of(stat: &FolderStat) -> [u64; 4] {
    [stat.mtime_ns.cast_unsigned(), stat.ctime_ns.cast_unsigned(), stat.inode, stat.device]
}

/// A step up or down, so that small ones are small numbers.
fn zigzag(step: u64) -> u64 {
    (step << 1) ^ (step.cast_signed() >> 63).cast_unsigned()
}

fn unzigzag(number: u64) -> u64 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// Whether it is one part of a path that leads nowhere else.
fn is_name(part: &str) -> bool {
    !matches!(part, "" | "." | "..") && !part.bytes().any(|byte| byte == b'/')
}

struct Output(Vec<u8>);

impl Output {
    fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push((number & 0x7f) as u8);
    }

    fn flag(&mut self, flag: bool) {
        self.0.push(u8::from(flag));
    }

    fn numbers<const N: usize>(&mut self, numbers: [u64; N]) {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.0.extend(text);
    }

    fn key(&mut self, before: &str, key: &str) {
        let shared = shared_start(before, key);
        self.0.push(shared);
        self.text(&key.as_bytes()[shared.into()..]);
    }

    /// A path that is not UTF-8 becomes one that is not there, which costs a full walk.
    fn path(&mut self, path: &Path) {
        self.text(path.to_string_lossy().as_bytes());
    }
}

/// The bytes that were not read yet.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.take()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn numbers<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = u64::from_le_bytes(self.take()?);
        }
        Some(numbers)
    }

    fn flag(&mut self) -> Option<bool> {
        self.take::<1>().map(|[byte]| byte != 0)
    }

    fn text(&mut self) -> Option<&str> {
        let length = self.length()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    /// Puts a key in place of the one before.
    fn key(&mut self, key: &mut String) -> Option<()> {
        let [shared] = self.take()?;
        key.truncate(Some(shared.into()).filter(|shared| key.is_char_boundary(*shared))?);
        key.push_str(self.text()?);
        Some(())
    }

    fn path(&mut self) -> Option<PathBuf> {
        self.text().map(PathBuf::from)
    }

    fn optional_path(&mut self) -> Option<Option<PathBuf>> {
        let is_there = self.flag()?;
        let path = self.path()?;
        Some(is_there.then_some(path))
    }

    fn flags(&mut self) -> Option<BTreeMap<PathBuf, bool>> {
        let flags = self.many(|input| Some((input.path()?, input.flag()?)))?;
        Some(flags.into_iter().collect())
    }

    fn many<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.length()?;
        let mut all = Vec::with_capacity(count.min(1 << 20));
        for _ in 0..count {
            all.push(one(self)?);
        }
        Some(all)
    }
}
