//! Every type that is written to disk or leaves the process, and the table of error codes.
//!
//! Types, constructors and order only: no IO, no logic. Field names and casing follow the data contract to the
//! letter, because other programs read these files. Files that cannot be derived again keep what they do not know:
//! unknown fields live in `extra`, unknown operations in [`RevisionOperation::Unknown`], and both are written back.
//! `samples/v1` holds one frozen file per format; a change that cannot read them is a breaking change.

pub mod ask;
pub mod base;
pub mod build;
mod codes;
pub mod kg;
pub mod memory;
pub mod model;
pub mod pack;
#[cfg(test)]
mod samples;
pub mod schema;
pub mod stack;
pub mod staging;
pub mod timeline;
pub mod vectors;

pub use ask::{AnswerLogEntry, AskContextBundle, AskLogEntry, RagChunk};
pub use base::{BaseSourceEntry, BaseStats};
pub use build::{BuildState, IndexState};
pub use codes::ErrorCode;
pub use kg::{AskKgResult, KgEdge, KgEdgeKind, KgNode, KgNodeKind, KgStats};
pub use memory::{
    MemoryConfig, MemoryEntry, MemoryPruningPolicy, MemoryScope, MemorySource, MemoryStats,
};
pub use model::{ModelFile, ModelKind, ModelManifest, ModelSource, ModelSourceKind};
pub use pack::{ContextPack, ContextPacksMeta, PackRequest};
pub use stack::{StackDependencyEntry, StackFileEntry, StackFileKind, StackStats, StackTechEntry};
pub use staging::{PendingSource, SourceKind, SourceStatus, StagingSummary};
pub use timeline::{Revision, RevisionOperation};
pub use vectors::{ModelInfo, VectorIndexMeta, VectorInsert, VectorPayload};

pub use jiff::Timestamp;

/// Fields of a record that this version does not know; kept and written back.
pub type Extra = serde_json::Map<String, serde_json::Value>;
