//! The backends that ship, by the name that `meta.json` gives them.

use std::path::{Path, PathBuf};

use gik_base::{ErrorCode, Failure, Result, fs};

use super::lancedb::{self, LanceDb, LanceDbChange};
use super::mmap::{self, MmapChange, MmapIndex};
use super::simple_file::{self, SimpleFile, SimpleFileChange};
use super::sqlite_vec::{self, SqliteVec, SqliteVecChange};
use super::{Extent, Place, VectorChange, VectorIndex};

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
    /// A table of LanceDB. Known by its name also to programs that were built without it.
    LanceDb,
}

impl Backend {
    /// Every backend that this program was built with.
    pub const ALL: &'static [Self] = if lancedb::IS_BUILT_IN {
        &Self::KNOWN
    } else {
        &[Self::Mmap, Self::SimpleFile, Self::SqliteVec]
    };

    const KNOWN: [Self; 4] = [Self::Mmap, Self::SimpleFile, Self::SqliteVec, Self::LanceDb];

    /// The name in `meta.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mmap => "other:mmap",
            Self::SimpleFile => "simple_file",
            Self::SqliteVec => "other:sqlite_vec",
            Self::LanceDb => "lancedb",
        }
    }

    /// The backend of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::KNOWN.into_iter().find(|backend| backend.as_str() == name)
    }

    /// Why this program cannot use the backend, where it was built without it.
    pub fn refusal(self) -> Option<Failure> {
        (!Self::ALL.contains(&self)).then(absence)
    }

    /// Opens what is in the folder, as far as the extent says that it counts.
    pub fn open(
        self,
        place: &Place,
        dimension: usize,
        extent: &Extent,
    ) -> Result<Box<dyn VectorIndex>> {
        let dir = place.dir.as_path();
        Ok(match self {
            Self::Mmap => Box::new(MmapIndex::open(dir, dimension, extent)?),
            Self::SimpleFile => Box::new(SimpleFile::open(dir, dimension, extent)?),
            Self::SqliteVec => Box::new(SqliteVec::open(dir, dimension, extent)?),
            Self::LanceDb => Box::new(LanceDb::open(place, dimension, extent)?),
        })
    }

    /// Starts a change of what is in the folder.
    pub fn change(
        self,
        place: &Place,
        dimension: usize,
        extent: Extent,
    ) -> Result<Box<dyn VectorChange>> {
        let dir = place.dir.as_path();
        fs::create_dir_all(dir)?;
        Ok(match self {
            Self::Mmap => Box::new(MmapChange::open(dir, dimension, extent)?),
            Self::SimpleFile => Box::new(SimpleFileChange::open(dir, dimension, extent)?),
            Self::SqliteVec => Box::new(SqliteVecChange::open(dir, dimension, extent)?),
            Self::LanceDb => Box::new(LanceDbChange::open(place, dimension, extent)?),
        })
    }

    /// The extent of an index that starts empty and leaves the files of the extent before as they are, if it can.
    pub(super) fn fresh(self, before: &Extent) -> Extent {
        match self {
            Self::Mmap => mmap::fresh(before),
            Self::SimpleFile => simple_file::fresh(),
            Self::SqliteVec => sqlite_vec::fresh(),
            Self::LanceDb => lancedb::fresh(),
        }
    }

    /// The files that an extent tells of, if an index that starts empty leaves them as they are.
    pub(super) fn left_behind(self, dir: &Path, before: &Extent) -> Vec<PathBuf> {
        match self {
            Self::Mmap => mmap::files(dir, before),
            Self::SimpleFile | Self::SqliteVec | Self::LanceDb => Vec::new(),
        }
    }

    /// Whether a file of the folder is one that this backend makes.
    pub(super) fn makes(self, name: &str) -> bool {
        match self {
            Self::Mmap => mmap::is_ours(name),
            Self::SimpleFile => name == simple_file::FILE,
            Self::SqliteVec => sqlite_vec::is_ours(name),
            Self::LanceDb => name == lancedb::FOLDER,
        }
    }
}

/// What is said of `lancedb` where it was not built in.
pub(super) fn absence() -> Failure {
    let message = "the backend `lancedb` for vectors is not part of this program, which was built without the feature `lancedb`";
    Failure::new(ErrorCode::ConfigInvalid, message)
        .hint("build it with `cargo build --release --features lancedb`")
}

/// Removes the files of all backends and `meta.json`.
pub(crate) fn remove_files(dir: &Path) -> Result<()> {
    for path in fs::list_dir(dir)? {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let is_ours = name == super::table::META_FILE
            || name.ends_with(fs::TEMPORARY_SUFFIX)
            || Backend::KNOWN.iter().any(|backend| backend.makes(&name));
        if is_ours {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Removes a file or a folder; that there is none is fine.
pub(super) fn remove(path: &Path) -> Result<()> {
    match fs::symlink_metadata_if_present(path)? {
        Some(found) if found.is_dir() => fs::remove_dir_all_if_present(path),
        _ => fs::remove_file_if_present(path),
    }
}
