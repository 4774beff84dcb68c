//! One branch: where its files are, and how they are read.
//!
//! Reading takes no lock and writes nothing. HEAD is read before the timeline, so that the revision it names is there
//! even while another process commits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::{Cancel, ErrorCode, Failure, Result, clock, fs};
use gik_contract::{PendingSource, Revision, StagingSummary};

use crate::held::Held;
use crate::memory::MemoryBase;
use crate::recovery::{self, Recovery};
use crate::root::{self, Kind, Root};
use crate::transaction::Transaction;
use crate::{encode_branch, jsonl, staging};

/// A branch of the knowledge repository. Need not exist.
#[derive(Debug, Clone)]
pub struct Branch {
    name: String,
    dir: PathBuf,
    knowledge: PathBuf,
}

impl Branch {
    pub(crate) fn new(knowledge: &Path, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            dir: knowledge.join(encode_branch(name)),
            knowledge: knowledge.to_owned(),
        }
    }

    /// The branch's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folder with all its files.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The file that names the newest revision.
    pub fn head_path(&self) -> PathBuf {
        self.dir.join(root::HEAD)
    }

    /// The revisions.
    pub fn timeline_path(&self) -> PathBuf {
        self.dir.join(root::TIMELINE)
    }

    /// The sources that were added and what became of them.
    pub fn pending_path(&self) -> PathBuf {
        self.dir.join(root::PENDING)
    }

    /// The sources counted.
    pub fn summary_path(&self) -> PathBuf {
        self.dir.join(root::SUMMARY)
    }

    /// What the workspace is made of.
    pub fn stack_dir(&self) -> PathBuf {
        self.dir.join("stack")
    }

    /// All bases.
    pub fn bases_dir(&self) -> PathBuf {
        self.dir.join("bases")
    }

    /// One base: `code`, `docs`, `memory`, `notes`.
    pub fn base_dir(&self, base: &str) -> PathBuf {
        self.bases_dir().join(base)
    }

    /// The chunks of a base.
    pub fn base_sources_path(&self, base: &str) -> PathBuf {
        self.base_dir(base).join("sources.jsonl")
    }

    /// The counts of a base.
    pub fn base_stats_path(&self, base: &str) -> PathBuf {
        self.base_dir(base).join("stats.json")
    }

    /// What made the vectors of a base.
    pub fn base_model_info_path(&self, base: &str) -> PathBuf {
        self.base_dir(base).join("model-info.json")
    }

    /// The knowledge graph.
    pub fn kg_dir(&self) -> PathBuf {
        self.dir.join("kg")
    }

    /// The database of derived data.
    pub fn index_db_path(&self) -> PathBuf {
        self.dir.join("index.sqlite")
    }

    /// The folders and names that the last walks saw.
    pub fn seen_path(&self) -> PathBuf {
        self.dir.join("index.folders")
    }

    /// How far the index is.
    pub fn index_state_path(&self) -> PathBuf {
        self.dir.join("index_state.json")
    }

    /// What the index is built from.
    pub fn build_state_path(&self) -> PathBuf {
        self.dir.join("build_state.json")
    }

    /// The inverted index.
    pub fn lexical_dir(&self) -> PathBuf {
        self.dir.join("lexical")
    }

    /// The memory entries of the branch.
    pub fn memory(&self) -> MemoryBase {
        MemoryBase::of_branch(self.base_dir("memory"), &self.name)
    }

    /// Whether the branch has a HEAD.
    pub fn is_initialized(&self) -> bool {
        fs::exists(&self.head_path())
    }

    /// Fails with a hint unless the branch has a HEAD.
    pub fn require_initialized(&self) -> Result<()> {
        if self.is_initialized() {
            return Ok(());
        }
        Err(Failure::new(
            ErrorCode::NotInitialized,
            format!("branch `{}` has no knowledge yet", self.name),
        )
        .hint("run `gik init`"))
    }

    /// The id of the newest revision; `None` before the first.
    pub fn head(&self) -> Result<Option<String>> {
        self.root().head_id()
    }

    /// The revisions, oldest first.
    pub fn timeline(&self) -> Result<Vec<Revision>> {
        jsonl::read_lines(&self.timeline_path())
    }

    /// The sources, in the order they were added.
    pub fn pending(&self) -> Result<Vec<PendingSource>> {
        jsonl::read_lines(&self.pending_path())
    }

    /// The sources counted; counted anew where the file is missing.
    pub fn summary(&self) -> Result<StagingSummary> {
        match jsonl::read_json(&self.summary_path())? {
            Some(summary) => Ok(summary),
            None => Ok(staging::summarize(&self.pending()?, clock::now())),
        }
    }

    /// Takes the lock of the workspace and makes this branch whole before anything is read for a change.
    pub fn lock(&self, patience: Duration, cancel: &Cancel) -> Result<Held> {
        let mut held = Held::acquire(&self.knowledge, patience, cancel)?;
        let recovery = self.recover(&held)?;
        held.note_recovered(recovery.actions);
        Ok(held)
    }

    /// Finishes an interrupted change, repairs torn ends and HEAD, removes stray temporary files.
    pub fn recover(&self, held: &Held) -> Result<Recovery> {
        recovery::recover(self.root(), held)
    }

    /// Starts a change. What it is based on must have been read while the lock was held.
    pub fn transaction<'a>(&'a self, held: &'a Held) -> Transaction<'a> {
        Transaction::new(self.root(), &self.name, held)
    }

    pub(crate) fn root(&self) -> Root<'_> {
        Root { dir: &self.dir, kind: Kind::Branch }
    }

    pub(crate) fn knowledge_dir(&self) -> &Path {
        &self.knowledge
    }
}
