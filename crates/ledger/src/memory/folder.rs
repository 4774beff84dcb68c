//! Where memory entries are kept: a folder of a branch, or the global one, with the same files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::fs::Durability;
use gik_base::{Cancel, ErrorCode, Failure, Result, clock};
use gik_contract::{MemoryConfig, MemoryEntry, MemoryStats, Timestamp};

use crate::jsonl;
use crate::memory::MemoryMetrics;
use crate::recovery::{self, Recovery};
use crate::root::{Kind, Root};
use crate::{Held, Transaction};

/// A folder with `sources.jsonl`, `archive.jsonl`, `config.json` and `stats.json`. Need not exist.
#[derive(Debug, Clone)]
pub struct MemoryBase {
    dir: PathBuf,
    /// `None` for the global one.
    branch: Option<String>,
}

impl MemoryBase {
    /// The memory of the user, in `<gik_home>/memory`.
    pub fn global(gik_home: &Path) -> Self {
        Self { dir: gik_home.join("memory"), branch: None }
    }

    pub(crate) fn of_branch(dir: PathBuf, branch: &str) -> Self {
        Self { dir, branch: Some(branch.to_owned()) }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The branch it belongs to; `None` for the global one.
    pub fn branch(&self) -> Option<&str> {
        self.branch.as_deref()
    }

    /// The entries.
    pub fn sources_path(&self) -> PathBuf {
        self.dir.join("sources.jsonl")
    }

    /// The archived entries.
    pub fn archive_path(&self) -> PathBuf {
        self.dir.join("archive.jsonl")
    }

    /// The pruning policy.
    pub fn config_path(&self) -> PathBuf {
        self.dir.join("config.json")
    }

    /// The entries counted.
    pub fn stats_path(&self) -> PathBuf {
        self.dir.join("stats.json")
    }

    /// The entries, oldest line first.
    pub fn entries(&self) -> Result<Vec<MemoryEntry>> {
        jsonl::read_lines(&self.sources_path())
    }

    /// The archived entries, oldest line first.
    pub fn archived(&self) -> Result<Vec<MemoryEntry>> {
        jsonl::read_lines(&self.archive_path())
    }

    /// The config; the empty one where there is no file.
    pub fn config(&self) -> Result<MemoryConfig> {
        Ok(jsonl::read_json(&self.config_path())?.unwrap_or_default())
    }

    /// The counts as last written; `None` where there is no file.
    pub fn stats(&self) -> Result<Option<MemoryStats>> {
        jsonl::read_json(&self.stats_path())
    }

    /// The entries measured anew.
    pub fn metrics(&self) -> Result<MemoryMetrics> {
        Ok(MemoryMetrics::of(&self.entries()?, self.archived()?.len() as u64))
    }

    /// Takes the lock of the global memory and finishes what a killed process left undone. The memory of a branch
    /// changes under the lock of its workspace.
    pub fn lock(&self, patience: Duration, cancel: &Cancel) -> Result<Held> {
        self.require_global()?;
        let mut held = Held::acquire(&self.dir, patience, cancel)?;
        let recovery = self.recover(&held)?;
        held.note_recovered(recovery.actions);
        Ok(held)
    }

    /// Makes the global memory whole.
    pub fn recover(&self, held: &Held) -> Result<Recovery> {
        self.require_global()?;
        recovery::recover(self.root(), held)
    }

    /// Starts a change of the global memory. The memory of a branch changes in a transaction of the branch.
    pub fn transaction<'a>(&'a self, held: &'a Held) -> Result<Transaction<'a>> {
        self.require_global()?;
        Ok(Transaction::new(self.root(), "", held))
    }

    fn root(&self) -> Root<'_> {
        Root { dir: &self.dir, kind: Kind::Memory }
    }

    fn require_global(&self) -> Result<()> {
        match &self.branch {
            None => Ok(()),
            Some(branch) => Err(Failure::new(
                ErrorCode::Internal,
                format!("the memory of branch `{branch}` changes with its branch"),
            )),
        }
    }
}

impl Transaction<'_> {
    /// Replaces the entries of a memory folder, and the counts. Vectors are not counted here; who has them replaces
    /// `stats.json` after this with [`memory_stats`].
    pub fn set_memory(&self, memory: &MemoryBase, entries: &[MemoryEntry]) -> Result<()> {
        let stats = memory_stats(entries.len() as u64, 0, 0, clock::now());
        let files = [memory.sources_path(), memory.archive_path()];
        let lines = jsonl::to_lines_like(&[&files[0], &files[1]], entries)?;
        self.replace_in(&memory.sources_path(), lines, Durability::Synced)?;
        self.replace_in(&memory.stats_path(), jsonl::to_json(&stats)?, Durability::Cached)
    }

    /// Replaces the archived entries of a memory folder.
    pub fn set_memory_archive(&self, memory: &MemoryBase, archived: &[MemoryEntry]) -> Result<()> {
        let files = [memory.sources_path(), memory.archive_path()];
        let lines = jsonl::to_lines_like(&[&files[0], &files[1]], archived)?;
        self.replace_in(&memory.archive_path(), lines, Durability::Synced)
    }

    /// Replaces the config of a memory folder.
    pub fn set_memory_config(&self, memory: &MemoryBase, config: &MemoryConfig) -> Result<()> {
        self.replace_in(&memory.config_path(), jsonl::to_json(config)?, Durability::Synced)
    }
}

/// The counts of a memory folder, as `stats.json` holds them: an entry is a file and a chunk.
pub fn memory_stats(entries: u64, vectors: u64, failed: u64, now: Timestamp) -> MemoryStats {
    MemoryStats {
        base: "memory".to_owned(),
        chunk_count: entries,
        file_count: entries,
        vector_count: vectors,
        failed_count: failed,
        last_updated: now,
    }
}
