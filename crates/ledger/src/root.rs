//! A folder whose changes go through a journal: a branch, or the global memory.

use std::path::{Path, PathBuf};

use gik_base::{Result, fs};

/// The file that names an unfinished change.
pub(crate) const JOURNAL: &str = "journal.json";
/// The newest revision of a branch.
pub(crate) const HEAD: &str = "HEAD";
/// The revisions of a branch.
pub(crate) const TIMELINE: &str = "timeline.jsonl";
/// The sources of a branch.
pub(crate) const PENDING: &str = "staging/pending.jsonl";
/// [`PENDING`] counted.
pub(crate) const SUMMARY: &str = "staging/summary.json";

/// What a folder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A branch, with HEAD and a timeline.
    Branch,
    /// A memory folder that belongs to no branch.
    Memory,
}

/// A folder and what it holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Root<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) kind: Kind,
}

impl Root<'_> {
    pub(crate) fn journal(self) -> PathBuf {
        self.dir.join(JOURNAL)
    }

    pub(crate) fn head(self) -> PathBuf {
        self.dir.join(HEAD)
    }

    pub(crate) fn timeline(self) -> PathBuf {
        self.dir.join(TIMELINE)
    }

    /// The text of HEAD; `None` where there is none.
    pub(crate) fn head_id(self) -> Result<Option<String>> {
        let Some(bytes) = fs::read_if_present(&self.head())? else { return Ok(None) };
        let text = String::from_utf8_lossy(&bytes);
        let id = text.trim();
        Ok((!id.is_empty()).then(|| id.to_owned()))
    }

    /// The JSONL files that cannot be derived again.
    pub(crate) fn truth_lines(self) -> &'static [&'static str] {
        match self.kind {
            Kind::Branch => {
                &[TIMELINE, PENDING, "bases/memory/sources.jsonl", "bases/memory/archive.jsonl"]
            },
            Kind::Memory => &["sources.jsonl", "archive.jsonl"],
        }
    }
}
