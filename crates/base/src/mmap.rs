//! Read-only memory maps of files that are never changed in place.

#![expect(unsafe_code, reason = "mapping a file is unsafe in the type system")]

use std::ops::Deref;
use std::path::Path;

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
