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

    /// As [`FileStat::of`], with the time of the last change of any kind: of bytes, of permissions.
    #[cfg(unix)]
    pub fn of_any_change(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let ctime_ns =
            metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec());
        let stat = Self::of(metadata);
        Self { mtime_ns: stat.mtime_ns.max(ctime_ns), ..stat }
    }

    /// As [`FileStat::of`], with the time of the last change of any kind: of bytes, of permissions.
    #[cfg(not(unix))]
    pub fn of_any_change(metadata: &Metadata) -> Self {
        Self::of(metadata)
    }

    /// That of a path, or `None` where there is nothing; links are not followed.
    pub fn at(path: &Path) -> Result<Option<Self>> {
        Ok(fs::symlink_metadata_if_present(path)?.as_ref().map(Self::of))
    }
}

/// What the system knows of a folder. Equal means that the same names are in it, short of a race, on file systems
/// where [`FolderStat::can_be_trusted`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FolderStat {
    /// The time a name last came or went, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// The time it or its permissions last changed.
    pub ctime_ns: i64,
    /// The inode number.
    pub inode: u64,
    /// The file system it is on.
    pub device: u64,
}

impl FolderStat {
    /// That of a path; `None` where there is no folder or nothing is known of it. Links are not followed.
    #[cfg(unix)]
    pub fn at(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = std::fs::symlink_metadata(path).ok().filter(Metadata::is_dir)?;
        let ns = |s: i64, ns: i64| s.saturating_mul(1_000_000_000).saturating_add(ns);
        Some(Self {
            mtime_ns: ns(metadata.mtime(), metadata.mtime_nsec()),
            ctime_ns: ns(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
            device: metadata.dev(),
        })
    }

    /// That of a path; `None` where there is no folder or nothing is known of it. Links are not followed.
    #[cfg(not(unix))]
    pub fn at(_path: &Path) -> Option<Self> {
        None
    }

    /// Whether the file system at `path` is one that gives a folder a new time whenever a name comes or goes. Some
    /// that reach over a network or into another system do not, or do so late.
    #[cfg(target_os = "linux")]
    pub fn can_be_trusted(path: &Path) -> bool {
        // btrfs, ext, f2fs, overlayfs, tmpfs, xfs, zfs: the numbers of statfs(2).
        const KNOWN: [rustix::fs::FsWord; 7] =
            [0x9123_683e, 0xef53, 0xf2f5_2010, 0x794c_7630, 0x0102_1994, 0x5846_5342, 0x2fc1_2fc1];
        rustix::fs::statfs(path).is_ok_and(|found| KNOWN.contains(&found.f_type))
    }

    /// Whether the file system at `path` is one that gives a folder a new time whenever a name comes or goes.
    /// Nobody has looked on this system yet.
    #[cfg(not(target_os = "linux"))]
    pub fn can_be_trusted(_path: &Path) -> bool {
        false
    }
}
