//! Where the vectors of a base are kept, and which of them are nearest to a question.
//!
//! A backend keeps files in `bases/<base>/index/`. What of them counts is its [`Extent`], which the database holds: a
//! change writes and syncs files first, and counts when the transaction that names the new extent commits. On top of
//! that an answer is believed only when the row of its chunk names it and both carry the same check (`check`), so what a
//! killed writer or a foreign hand left in the files is missing at worst, never wrong.

mod backend;
mod check;
mod extension;
#[cfg_attr(not(feature = "lancedb"), path = "lancedb/absent.rs")]
mod lancedb;
mod mmap;
mod model;
mod place;
mod reading;
mod simple_file;
mod sqlite_vec;
mod table;
mod writing;

pub use backend::Backend;
pub use model::EmbeddingModel;
pub use place::{Location, Place, Tables};
pub use reading::{ChunkOfVector, Coverage};
pub use writing::{VectorRow, VectorTarget};

pub(crate) use backend::remove_files;
pub(crate) use place::Bases;
pub(crate) use reading::{OpenedBases, files_without, verify};
pub(crate) use table::{copy_files, remove_all};

use std::fmt;
use std::path::PathBuf;

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::{Extra, VectorPayload};
use gik_index::vectors::{Kernels, Metric};
use gik_index::{ChunkNo, FileNo, Tombstones};

/// The longest vectors that are kept.
const MAX_DIMENSION: usize = 1 << 14;

/// What a filter may look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowMeta {
    /// The chunk.
    pub chunk: ChunkNo,
    /// The file it is part of.
    pub file: FileNo,
    /// The bits that the words of the chunk carry as well.
    pub labels: u32,
}

/// A vector to be kept.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// What filters see.
    pub meta: RowMeta,
    /// Of path, content and model.
    pub check: u64,
    /// The stable id of the chunk.
    pub uid: &'a str,
    /// The name of the file.
    pub path: &'a str,
    /// The numbers.
    pub vector: &'a [f32],
}

impl Entry<'_> {
    /// What a record of the data contract says of the chunk.
    fn payload(&self) -> VectorPayload {
        VectorPayload {
            chunk_id: self.uid.to_owned(),
            file: self.path.to_owned(),
            file_id: self.meta.file.0,
            labels: self.meta.labels,
            check: format!("{:016x}", self.check),
            extra: Extra::new(),
        }
    }
}

/// What is asked.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// What the answers should be near to.
    pub vector: &'a [f32],
    /// How many answers at most.
    pub k: usize,
    /// What near means.
    pub metric: Metric,
    /// Which rows count.
    pub filter: &'a dyn Fn(RowMeta) -> bool,
}

impl fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { vector, k, metric, filter: _ } = self;
        f.debug_struct("Question")
            .field("dimension", &vector.len())
            .field("k", k)
            .field("metric", metric)
            .finish_non_exhaustive()
    }
}

/// An answer of a backend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// The chunk.
    pub chunk: ChunkNo,
    /// Where the backend keeps it.
    pub place: u32,
    /// Of path, content and model, as it was put in.
    pub check: u64,
    /// Larger is nearer.
    pub score: f32,
}

/// Which part of a backend's files counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extent {
    /// In the words of the backend; empty before the first change.
    pub state: String,
    /// Places that no longer count.
    pub dead: Tombstones,
}

/// Reading the vectors of a base.
pub trait VectorIndex: fmt::Debug {
    /// The nearest living rows that pass the filter, nearest first, ties by chunk.
    fn nearest(&self, question: &Question<'_>) -> Result<Vec<Found>>;

    /// The numbers at the place, if it holds that chunk, living and undamaged.
    fn vector(&self, chunk: ChunkNo, place: u32, check: u64) -> Result<Option<Vec<f32>>>;

    /// The same for several at once.
    fn vectors(&self, wanted: &[(ChunkNo, u32, u64)]) -> Result<Vec<Option<Vec<f32>>>> {
        wanted.iter().map(|&(chunk, place, check)| self.vector(chunk, place, check)).collect()
    }

    /// Whether the place holds that chunk, living and undamaged.
    fn holds(&self, chunk: ChunkNo, place: u32, check: u64) -> Result<bool>;

    /// Whether the files are those that the extent tells of, as far as that can be seen without reading them all.
    fn is_whole(&self) -> bool;

    /// Why nothing can be asked at the moment, where the files are on another machine.
    fn unreachable(&self) -> Option<Failure> {
        None
    }
}

/// Changing the vectors of a base.
pub trait VectorChange: fmt::Debug {
    /// The vectors before the change.
    fn before(&self) -> &dyn VectorIndex;

    /// Adds a vector and returns its place. One of the same chunk that is there must have been removed.
    fn put(&mut self, entry: &Entry<'_>) -> Result<u32>;

    /// Lets a place no longer count.
    fn remove(&mut self, place: u32);

    /// Writes and syncs everything. It counts once the extent is the one that is opened.
    fn finish(self: Box<Self>) -> Result<Finished>;
}

/// What a change did.
#[derive(Debug, Default)]
pub struct Finished {
    /// What counts from now on.
    pub extent: Extent,
    /// Rows that have another place than before: chunk, old and new place.
    pub moved: Vec<(ChunkNo, u32, u32)>,
    /// Files that are of no use once the extent counts.
    pub obsolete: Vec<PathBuf>,
    /// What else is to be done then.
    pub later: Option<Later>,
}

/// Work that waits until a change counts. That it fails does no harm: the next change does it.
pub struct Later(pub Box<dyn FnOnce() -> Result<()>>);

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Later")
    }
}

/// The length of a vector; fails on one that cannot be compared.
pub(crate) fn norm_of(vector: &[f32], dimension: usize) -> Result<f32> {
    if vector.len() != dimension {
        return Err(invalid(format!(
            "a vector has {} numbers where the vectors of the base have {dimension}",
            vector.len()
        )));
    }
    if let Some(at) = vector.iter().position(|number| !number.is_finite()) {
        return Err(invalid(format!("number {at} of a vector is {}", vector[at])));
    }
    let norm = Kernels::best().norm(vector);
    if norm.is_finite() {
        Ok(norm)
    } else {
        Err(invalid("a vector is too long to be measured".to_owned()))
    }
}

pub(crate) fn invalid(message: String) -> Failure {
    Failure::new(ErrorCode::VectorInvalid, message).hint(
        "the model is broken, or the vectors of the base are of another one: run `gik reindex`",
    )
}

#[cfg(test)]
mod tests;
