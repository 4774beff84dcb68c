//! How a history is written, and how numbers and texts are read from it again.

use std::collections::BTreeMap;

use gik_base::hash;

use super::{CHECKED_FROM, HEADER_BYTES, MAGIC, PastCommit};
use crate::objects::ObjectId;

/// The bytes of a history.
pub(super) fn to_bytes(
    head: ObjectId,
    shallow: u64,
    commits: &[PastCommit],
    is_cut: bool,
) -> Vec<u8> {
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
    header.u64(hash::fast64(&bytes[HEADER_BYTES..]));
    header.u64(shallow);
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

/// What is left to read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input<'b>(pub(super) &'b [u8]);

impl<'b> Input<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(super) fn id(&mut self, n_bytes: usize) -> Option<ObjectId> {
        ObjectId::from_bytes(self.take(n_bytes)?)
    }

    pub(super) fn text(&mut self) -> Option<&'b str> {
        let length = self.u32()? as usize;
        std::str::from_utf8(self.take(length)?).ok()
    }

    pub(super) fn many<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let count = self.u32()?;
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(one(self)?);
        }
        Some(all)
    }
}
