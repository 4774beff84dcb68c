//! A pack of git: many objects in one file, and the index that says where each of them is.
//!
//! Both are written once under another name and renamed into place; git only ever removes them. The layout is that of
//! `gitformat-pack(5)`, version 2 of both.

use std::path::Path;

use flate2::{Decompress, FlushDecompress, Status};
use gik_base::mmap::Bytes;

use super::{Kind, ObjectId};
use crate::git::is_file;

const INDEX_MAGIC: [u8; 8] = [0xff, b't', b'O', b'c', 0, 0, 0, 2];
const FANOUT: usize = 256;

/// One pack with its index.
#[derive(Debug)]
pub(super) struct Pack {
    index: Bytes,
    data: Bytes,
    n_objects: usize,
    id_bytes: usize,
}

/// What stands at a place of a pack.
#[derive(Debug)]
pub(super) enum Entry {
    /// An object as it is.
    Whole(Kind, Vec<u8>),
    /// The difference from the object at another place.
    AfterPlace(u64, Vec<u8>),
    /// The difference from an object by its name.
    AfterId(ObjectId, Vec<u8>),
}

impl Pack {
    /// Opens a pack by the path of its index; `None` where it is of another kind, or half of it is missing.
    pub(super) fn open(index: &Path, id_bytes: usize) -> Option<Self> {
        let data = index.with_extension("pack");
        if !is_file(index) || !is_file(&data) {
            return None;
        }
        let (Ok(index), Ok(data)) = (Bytes::map(index), Bytes::map(&data)) else { return None };
        let starts_well = index.starts_with(&INDEX_MAGIC) && data.starts_with(b"PACK\0\0\0\x02");
        let mut pack = Self { index, data, n_objects: 0, id_bytes };
        pack.n_objects = pack.fan(FANOUT - 1).unwrap_or(0);
        let tables = pack.n_objects.saturating_mul(id_bytes + 8);
        let least = INDEX_MAGIC.len() + 4 * FANOUT + 2 * id_bytes;
        (starts_well && pack.index.len() >= least.saturating_add(tables)).then_some(pack)
    }

    /// Where an object starts.
    pub(super) fn place_of(&self, id: &ObjectId) -> Option<u64> {
        if id.n_bytes() != self.id_bytes {
            return None;
        }
        let first = usize::from(*id.as_bytes().first()?);
        let mut low = if first == 0 { 0 } else { self.fan(first - 1)? };
        let mut high = self.fan(first)?.min(self.n_objects);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.id_at(middle)?.cmp(id.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.place_at(middle),
            }
        }
        None
    }

    /// What stands at a place; `None` where that makes no sense or has more than `most` bytes.
    pub(super) fn entry(&self, place: u64, most: usize) -> Option<Entry> {
        let mut input = self.data.get(usize::try_from(place).ok()?..)?;
        let (kind, size) = header(&mut input)?;
        if size > most {
            return None;
        }
        Some(match kind {
            6 => {
                let back = distance(&mut input)?;
                Entry::AfterPlace(
                    place.checked_sub(back).filter(|_| back > 0)?,
                    inflate(input, size)?,
                )
            },
            7 => {
                let base = ObjectId::from_bytes(input.get(..self.id_bytes)?)?;
                Entry::AfterId(base, inflate(&input[self.id_bytes..], size)?)
            },
            _ => Entry::Whole(Kind::from_number(kind)?, inflate(input, size)?),
        })
    }

    fn fan(&self, at: usize) -> Option<usize> {
        self.number(INDEX_MAGIC.len() + 4 * at)
    }

    fn id_at(&self, at: usize) -> Option<&[u8]> {
        let start = INDEX_MAGIC.len() + 4 * FANOUT + at * self.id_bytes;
        self.index.get(start..start + self.id_bytes)
    }

    fn place_at(&self, at: usize) -> Option<u64> {
        let offsets = INDEX_MAGIC.len() + 4 * FANOUT + self.n_objects * (self.id_bytes + 4);
        let small = self.number(offsets + 4 * at)?;
        if small & 0x8000_0000 == 0 {
            return Some(small as u64);
        }
        // Beyond two gigabytes the place is in a table of its own.
        let wide = offsets + 4 * self.n_objects + 8 * (small & 0x7fff_ffff);
        Some(u64::from_be_bytes(self.index.get(wide..wide + 8)?.try_into().ok()?))
    }

    fn number(&self, at: usize) -> Option<usize> {
        let bytes: [u8; 4] = self.index.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    }
}

/// Kind and size of an entry.
fn header(input: &mut &[u8]) -> Option<(u8, usize)> {
    let (&first, mut rest) = input.split_first()?;
    let (mut size, mut shift, mut byte) = (usize::from(first & 15), 4, first);
    while byte & 0x80 != 0 {
        let (&next, after) = rest.split_first()?;
        if shift > 50 {
            return None;
        }
        size |= usize::from(next & 0x7f) << shift;
        (shift, byte, rest) = (shift + 7, next, after);
    }
    *input = rest;
    Some((first >> 4 & 7, size))
}

/// How far back the base of a difference is.
fn distance(input: &mut &[u8]) -> Option<u64> {
    let (&first, mut rest) = input.split_first()?;
    let (mut value, mut byte) = (u64::from(first & 0x7f), first);
    while byte & 0x80 != 0 {
        let (&next, after) = rest.split_first()?;
        value = value.checked_add(1)?.checked_mul(128)? | u64::from(next & 0x7f);
        (byte, rest) = (next, after);
    }
    *input = rest;
    Some(value)
}

/// Unpacks a stream of zlib that has exactly so many bytes; the caller bounds them.
pub(super) fn inflate(input: &[u8], size: usize) -> Option<Vec<u8>> {
    // One byte more, so that a stream that is too long is seen to be.
    let mut bytes = Vec::with_capacity(size + 1);
    let status = Decompress::new(true).decompress_vec(input, &mut bytes, FlushDecompress::Finish);
    (matches!(status, Ok(Status::StreamEnd)) && bytes.len() == size).then_some(bytes)
}
