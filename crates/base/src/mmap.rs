//! Read-only memory maps of files that are never changed in place, and what is read by parts where a map would fill the
//! memory.

#![expect(unsafe_code, reason = "mapping a file is unsafe in the type system")]

use std::io;
use std::ops::Deref;
use std::path::Path;

use crate::fs::File;
use crate::{Result, fs};

/// The bytes of a file: mapped, or owned where a map makes no sense.
#[derive(Debug)]
pub enum Bytes {
    /// A memory map.
    Mapped(memmap2::Mmap),
    /// Bytes in memory: empty files, and indexes that tests build.
    Owned(Vec<u8>),
}

impl Bytes {
    /// Maps a file that its writer replaces by rename, or changes in place only under a lock that the caller holds.
    pub fn map(path: &Path) -> Result<Self> {
        let file = fs::open(path)?;
        if fs::metadata(path)?.len() == 0 {
            return Ok(Self::Owned(Vec::new()));
        }
        // SAFETY: files opened through this function are written once under a temporary name, renamed into place and
        // only ever unlinked after that; those that are patched in place (`sources.jsonl`, `kg/`) are mapped and patched
        // under the writers' lock, one after the other. Git does the same with its packs. So the mapped pages do not change
        // under us.
        let map = unsafe { memmap2::Mmap::map(&file) };
        Ok(Self::Mapped(map.map_err(|error| fs::failure("map", path, error))?))
    }

    /// Maps the first bytes of a file that only grows: up to `length`, or fewer where it is shorter.
    pub fn map_first(path: &Path, length: u64) -> Result<Self> {
        let file = fs::open(path)?;
        let there = file.metadata().map_err(|error| fs::failure("look at", path, error))?.len();
        let Ok(length) = usize::try_from(there.min(length)) else { return Self::map(path) };
        if length == 0 {
            return Ok(Self::Owned(Vec::new()));
        }
        // SAFETY: the caller asks for bytes that were complete before anything named them. From then on the file is
        // written to behind them only, and is unlinked, never cut, when it is no longer wanted.
        let map = unsafe { memmap2::MmapOptions::new().len(length).map(&file) };
        Ok(Self::Mapped(map.map_err(|error| fs::failure("map", path, error))?))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// The first bytes of a file that only grows, to be read in parts here and there.
///
/// The system puts the surroundings of each byte that is looked at into a map, so that a few hundred small parts of a large
/// file come to be all of it; a large one is therefore read by calls, which cost about as much as a page that is new to a
/// map.
#[derive(Debug)]
pub enum Parts {
    /// All of them in one piece.
    Whole(Bytes),
    /// A file, and how many of its bytes count.
    File(File, u64),
}

impl Parts {
    /// Up to `length` bytes of a file, or fewer where it is shorter; mapped where there are no more than `most_mapped`.
    pub fn open(path: &Path, length: u64, most_mapped: u64) -> Result<Self> {
        if length <= most_mapped {
            return Bytes::map_first(path, length).map(Self::Whole);
        }
        let file = fs::open(path)?;
        let there = file.metadata().map_err(|error| fs::failure("look at", path, error))?.len();
        Ok(Self::File(file, there.min(length)))
    }

    /// How many bytes count.
    pub fn len(&self) -> u64 {
        match self {
            Self::Whole(bytes) => bytes.len() as u64,
            Self::File(_, length) => *length,
        }
    }

    /// Whether no bytes count.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// So many bytes from a place on, in `buffer` where they have to be read; `None` where there are not so many or they
    /// cannot be read.
    pub fn get<'b>(&'b self, at: u64, length: usize, buffer: &'b mut Vec<u8>) -> Option<&'b [u8]> {
        let end = at.checked_add(length as u64).filter(|end| *end <= self.len())?;
        match self {
            Self::Whole(bytes) => bytes.get(usize::try_from(at).ok()?..usize::try_from(end).ok()?),
            Self::File(file, _) => {
                buffer.resize(length, 0);
                read_exact_at(file, buffer, at).ok()?;
                Some(buffer)
            },
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                buffer = &mut buffer[n..];
                at += n as u64;
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {},
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_same_mapped_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, b"0123456789").unwrap();
        for (most_mapped, is_mapped) in [(8, true), (7, false)] {
            let parts = Parts::open(&path, 8, most_mapped).unwrap();
            assert_eq!(matches!(parts, Parts::Whole(_)), is_mapped);
            assert_eq!((parts.len(), parts.is_empty()), (8, false));
            let mut buffer = Vec::new();
            assert_eq!(parts.get(2, 3, &mut buffer), Some(&b"234"[..]));
            assert_eq!(parts.get(5, 3, &mut buffer), Some(&b"567"[..]));
            // What does not count is not read, be it there or not.
            assert_eq!(parts.get(6, 3, &mut buffer), None);
            assert_eq!(parts.get(u64::MAX, 3, &mut buffer), None);
        }
        for most_mapped in [0, 100] {
            assert_eq!(Parts::open(&path, 20, most_mapped).unwrap().len(), 10);
            let missing = Parts::open(&folder.path().join("other"), 20, most_mapped);
            assert_eq!(missing.unwrap_err().code(), crate::ErrorCode::PathMissing);
        }
    }
}
