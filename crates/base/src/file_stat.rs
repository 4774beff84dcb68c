//! What the system knows of a file without opening it.

use std::fs::Metadata;
use std::path::Path;

use crate::{Result, fs};

/// Equal means unchanged, short of a race that the reader of times must rule out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileStat {
    /// The number of bytes.
    pub size: u64,
    /// The time of the last write, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// The inode number; 0 where there is none.
    pub inode: u64,
}

impl FileStat {
    /// The part of the metadata that tells whether a file changed.
    #[cfg(unix)]
    pub fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let mtime_ns =
            metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec());
        Self { size: metadata.len(), mtime_ns, inode: metadata.ino() }
    }

    /// The part of the metadata that tells whether a file changed.
    #[cfg(not(unix))]
    pub fn of(metadata: &Metadata) -> Self {
        let since = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
            .unwrap_or_default();
        let mtime_ns = i64::try_from(since.as_nanos()).unwrap_or(i64::MAX);
        Self { size: metadata.len(), mtime_ns, inode: 0 }
    }

    /// That of a path, or `None` where there is nothing; links are not followed.
    pub fn at(path: &Path) -> Result<Option<Self>> {
        Ok(fs::symlink_metadata_if_present(path)?.as_ref().map(Self::of))
    }
}
