//! The derived index of one branch: files, chunks and symbols in SQLite, words in lexical segments and
//! vectors in files beside it.
//!
//! Invariants
//! 1. Only this crate opens the database.
//! 2. SQLite's commit is the moment of truth. Segment files are complete before the transaction that names them
//!    commits, and are removed only after the transaction that forgets them has.
//! 3. A file is replaced as a whole: its chunks, symbols and words move in one transaction.
//! 4. A [`Snapshot`] is one generation: it never sees half a commit, whatever writers do meanwhile.
//! 5. Vector files grow behind what counts and are synced before the transaction that counts more of them commits.
//! 6. Everything here can be derived again. Damage is told as `store-broken`; the cure is to remove and rebuild.

mod deflate;
mod edges;
mod facts;
mod failure;
mod file_list;
mod fts;
mod graph;
mod lent;
mod lexical;
mod looked;
mod packed;
mod rows;
mod schema;
mod signature;
mod snapshot;
mod store;
mod symbols;
mod vector_cache;
mod vectors;
mod writer;

pub use edges::{EdgeRow, FileGraph};
pub use facts::{Capsule, Declaration, Facts, ReferenceRow, ScopeRow};
pub use graph::GraphFile;
pub use lent::keep_connections_open;
pub use lexical::SegmentRow;
pub use looked::Looked;
pub use rows::{
    ChunkRecord, ChunkRow, Count, FileOrigin, FileRecord, FileRow, FileState, RemoteState, Stage,
    SymbolRow, Unprojected,
};
pub use signature::Signature;
pub use snapshot::Snapshot;
pub use store::{Access, Store};
pub use symbols::SymbolPlace;
pub use vector_cache::{CacheSize, VectorCache};
pub use vectors::{
    Backend, ChunkOfVector, Coverage, EmbeddingModel, Entry, Extent, Finished, Found, Later,
    Location, Place, Question, RowMeta, Tables, VectorChange, VectorIndex, VectorRow, VectorTarget,
};
pub use writer::Writer;

#[cfg(test)]
mod tests;
