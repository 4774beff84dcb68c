//! The backend `lancedb` of a program that was built without the feature `lancedb`: what it keeps counts as missing, and
//! using it fails with the name of the feature.

use gik_base::Result;
use gik_index::{ChunkNo, Tombstones};

use super::backend::absence;
use super::{Entry, Extent, Finished, Found, Place, Question, VectorChange, VectorIndex, norm_of};

/// The folder of the table.
pub(super) const FOLDER: &str = "vectors.lance";

pub(super) const IS_BUILT_IN: bool = false;

/// An empty index.
pub(super) fn fresh() -> Extent {
    Extent { state: "1 fresh".to_owned(), dead: Tombstones::default() }
}

/// A table that cannot be read.
#[derive(Debug)]
pub(super) struct LanceDb {
    dimension: usize,
}

impl LanceDb {
    #[expect(clippy::unnecessary_wraps, reason = "its twin can fail")]
    pub(super) fn open(_: &Place, dimension: usize, _: &Extent) -> Result<Self> {
        Ok(Self { dimension })
    }
}

impl VectorIndex for LanceDb {
    fn nearest(&self, question: &Question<'_>) -> Result<Vec<Found>> {
        norm_of(question.vector, self.dimension).map(|_| Vec::new())
    }

    fn vector(&self, _: ChunkNo, _: u32, _: u64) -> Result<Option<Vec<f32>>> {
        Ok(None)
    }

    fn holds(&self, _: ChunkNo, _: u32, _: u64) -> Result<bool> {
        Ok(false)
    }

    fn is_whole(&self) -> bool {
        false
    }
}

/// There is no change that could be made.
#[derive(Debug)]
pub(super) enum LanceDbChange {}

impl LanceDbChange {
    pub(super) fn open(_: &Place, _: usize, _: Extent) -> Result<Self> {
        Err(absence())
    }
}

impl VectorChange for LanceDbChange {
    fn before(&self) -> &dyn VectorIndex {
        match *self {}
    }

    fn put(&mut self, _: &Entry<'_>) -> Result<u32> {
        match *self {}
    }

    fn remove(&mut self, _: u32) {
        match *self {}
    }

    fn finish(self: Box<Self>) -> Result<Finished> {
        match *self {}
    }
}
