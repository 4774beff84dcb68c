//! The backends that ship, by the name that `meta.json` gives them.

use std::path::{Path, PathBuf};

use gik_base::{Result, fs};

use super::mmap::{self, MmapChange, MmapIndex};
use super::simple_file::{self, SimpleFile, SimpleFileChange};
use super::sqlite_vec::{self, SqliteVec, SqliteVecChange};
use super::{Extent, VectorChange, VectorIndex};

/// How vectors are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Backend {
    /// Flat files that are mapped: codes of one bit per number are scanned, the nearest compared exactly.
    #[default]
    Mmap,
    /// One JSON record per line, read into memory.
    SimpleFile,
    /// A table of the SQLite extension sqlite-vec.
    SqliteVec,
}

impl Backend {
    /// Every backend.
    pub const ALL: [Self; 3] = [Self::Mmap, Self::SimpleFile, Self::SqliteVec];

    /// The name in `meta.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mmap => "other:mmap",
            Self::SimpleFile => "simple_file",
            Self::SqliteVec => "other:sqlite_vec",
        }
    }

    /// The backend of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|backend| backend.as_str() == name)
    }

    /// Opens what is in the folder, as far as the extent says that it counts.
    pub fn open(
        self,
        dir: &Path,
        dimension: usize,
        extent: &Extent,
    ) -> Result<Box<dyn VectorIndex>> {
        Ok(match self {
            Self::Mmap => Box::new(MmapIndex::open(dir, dimension, extent)?),
            Self::SimpleFile => Box::new(SimpleFile::open(dir, dimension, extent)?),
            Self::SqliteVec => Box::new(SqliteVec::open(dir, dimension, extent)?),
        })
    }

    /// Starts a change of what is in the folder.
    pub fn change(
        self,
        dir: &Path,
        dimension: usize,
        extent: Extent,
    ) -> Result<Box<dyn VectorChange>> {
        fs::create_dir_all(dir)?;
        Ok(match self {
            Self::Mmap => Box::new(MmapChange::open(dir, dimension, extent)?),
            Self::SimpleFile => Box::new(SimpleFileChange::open(dir, dimension, extent)?),
            Self::SqliteVec => Box::new(SqliteVecChange::open(dir, dimension, extent)?),
        })
    }

    /// The extent of an index that starts empty and leaves the files of the extent before as they are, if it can.
    pub(super) fn fresh(self, before: &Extent) -> Extent {
        match self {
            Self::Mmap => mmap::fresh(before),
            Self::SimpleFile => simple_file::fresh(),
            Self::SqliteVec => sqlite_vec::fresh(),
        }
    }

    /// The files that an extent tells of, if an index that starts empty leaves them as they are.
    pub(super) fn left_behind(self, dir: &Path, before: &Extent) -> Vec<PathBuf> {
        match self {
            Self::Mmap => mmap::files(dir, before),
            Self::SimpleFile | Self::SqliteVec => Vec::new(),
        }
    }

    /// Whether a file of the folder is one that this backend makes.
    pub(super) fn makes(self, name: &str) -> bool {
        match self {
            Self::Mmap => mmap::is_ours(name),
            Self::SimpleFile => name == simple_file::FILE,
            Self::SqliteVec => sqlite_vec::is_ours(name),
        }
    }
}

/// Removes the files of all backends and `meta.json`.
pub(crate) fn remove_files(dir: &Path) -> Result<()> {
    for path in fs::list_dir(dir)? {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let is_ours = name == super::table::META_FILE
            || name.ends_with(fs::TEMPORARY_SUFFIX)
            || Backend::ALL.iter().any(|backend| backend.makes(&name));
        if is_ours {
            fs::remove_file_if_present(&path)?;
        }
    }
    Ok(())
}
