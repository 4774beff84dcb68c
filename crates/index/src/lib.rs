//! GIK's own lexical index: what does a text say, what does a query ask, and which chunks answer it best?
//!
//! Pure: bytes in, bytes out. The store keeps the segments on disk and tells which documents are dead.
//!
//! - [`analyze`] cuts text into terms; [`Document::analyze`] does it for a chunk, in any thread.
//! - [`SegmentWriter`], [`Segment`], [`merge`] and [`plan_merge`] keep the postings (format: [`mod@segment`]).
//! - [`Query::parse`] understands what was typed.
//! - [`mod@vectors`] finds the nearest vectors.
//! - [`Searcher`] finds the best chunks over several segments; [`rank_documents`] and [`Scan`] do so without any index.
//!
//! Same tree, same query, same answer: scores are sums of whole numbers over living documents only, so neither the
//! number of segments nor the history of updates can change them.

#![expect(
    clippy::cast_possible_truncation,
    reason = "document and term numbers are 32 bits wide by format; narrowing is bounded where it happens"
)]

mod analyzer;
mod bit_set;
mod bits;
mod document;
mod fields;
mod forms;
mod merge_policy;
mod narrowing;
mod query;
mod rank;
mod scan;
mod score;
mod search;
pub mod segment;
mod spelling;
mod stopwords;
mod terms;
mod tombstones;
mod varint;
pub mod vectors;

pub use analyzer::{ANALYZER_VERSION, analyze};
pub use document::{Analyzed, ChunkNo, Document, FileNo};
pub use fields::{Field, FieldSet};
pub use forms::Likeness;
pub use merge_policy::{SegmentSize, plan_merge};
pub use narrowing::{FileSet, Needs, WordRuns, has_plain_words};
pub use query::{Condition, ConditionName, Query};
pub use rank::{RankedDocument, rank_documents};
pub use scan::{Scan, Scanned};
pub use score::Score;
pub use search::{Hit, Prepared, Searcher};
pub use segment::{DocEntry, DocNo, Segment, SegmentWriter, merge};
pub use tombstones::Tombstones;

#[cfg(test)]
mod tests;
