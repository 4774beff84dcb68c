//! The write path: from what changed on disk to the next generation of the index.
//!
//! [`pipeline`] is one linear function of named steps. Each step is a file; [`Step`] names them for progress,
//! timings and benches.

mod archive;
mod build_state;
mod capsules;
mod difference;
mod embed;
mod kept;
mod memory;
mod model_info;
mod passes;
pub mod pipeline;
mod prepare;
mod recent;
mod refresh;
mod rewrite;
mod scan;
mod sources;
#[cfg(test)]
mod tests;
mod together;
mod write;

pub(crate) use archive::ARCHIVE_CODE;
pub use difference::Difference;
pub(crate) use difference::{Indexed, Look, difference, known_modes};
pub(crate) use embed::{Effort, fill, had_vectors};
pub(crate) use kept::kept_pages;
pub(crate) use model_info::note_reindexed;
pub(crate) use pipeline::{Done, run_and_keep, run_but_for_names};
pub use pipeline::{LostPages, Outcome, Request, SourceResult, run};
pub(crate) use recent::Recent;
pub(crate) use refresh::refresh_while;
pub use refresh::{Refreshed, refresh};
pub(crate) use rewrite::reembed;
pub(crate) use scan::scan;
pub(crate) use together::look_together;

/// The steps of the write path, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// What changed on disk.
    Discover,
    /// Bytes, hash, text.
    Read,
    /// Chunks and symbols.
    Parse,
    /// Words.
    Analyze,
    /// The next generation.
    Commit,
}

impl Step {
    /// The name in progress lines and timings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Discover => "discover",
            Self::Read => "read",
            Self::Parse => "parse",
            Self::Analyze => "analyze",
            Self::Commit => "commit",
        }
    }
}
