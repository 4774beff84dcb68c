//! `bases/memory/`: what people and agents want remembered, and when it may be forgotten.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Extra, Timestamp};

/// One line of `bases/memory/sources.jsonl` and `archive.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryEntry {
    /// `mem-` and twelve hexadecimal digits of a hash.
    pub id: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Where it is visible.
    pub scope: MemoryScope,
    /// What it is.
    pub source: MemorySource,
    /// A short summary of at most [`MemoryEntry::MAX_TITLE_CHARS`] characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The content.
    pub text: String,
    /// Free words, sorted, each once.
    pub tags: Vec<String>,
    /// The branch it belongs to, when the scope is `branch`.
    #[serde(default)]
    pub branch: Option<String>,
    /// The revision that was `HEAD` when it was written.
    #[serde(default)]
    pub origin_revision: Option<String>,
    /// 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub importance: Option<f64>,
    /// Fields of later versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl MemoryEntry {
    /// The longest title.
    pub const MAX_TITLE_CHARS: usize = 100;
}

/// Where an entry is visible.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum MemoryScope {
    /// On every branch of the workspace.
    Project,
    /// On its own branch only.
    Branch,
    /// In every workspace of the user.
    Global,
}

impl MemoryScope {
    /// Every scope.
    pub const ALL: &'static [Self] = &[Self::Project, Self::Branch, Self::Global];

    /// The name in the file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Branch => "branch",
            Self::Global => "global",
        }
    }
}

/// What an entry is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum MemorySource {
    /// Written by a person.
    ManualNote,
    /// Something decided.
    Decision,
    /// Something seen.
    Observation,
    /// A pointer to something elsewhere.
    ExternalReference,
    /// Written by a program.
    AgentGenerated,
    /// Taken from a commit.
    CommitContext,
}

impl MemorySource {
    /// Every source.
    pub const ALL: &'static [Self] = &[
        Self::ManualNote,
        Self::Decision,
        Self::Observation,
        Self::ExternalReference,
        Self::AgentGenerated,
        Self::CommitContext,
    ];

    /// The name in the file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ManualNote => "manualNote",
            Self::Decision => "decision",
            Self::Observation => "observation",
            Self::ExternalReference => "externalReference",
            Self::AgentGenerated => "agentGenerated",
            Self::CommitContext => "commitContext",
        }
    }
}

/// `bases/memory/stats.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryStats {
    /// Always `memory`.
    pub base: String,
    /// Entries.
    pub chunk_count: u64,
    /// The same: an entry is a file and a chunk.
    pub file_count: u64,
    /// Vectors in the index.
    pub vector_count: u64,
    /// Entries that could not be embedded.
    pub failed_count: u64,
    /// When it was counted.
    pub last_updated: Timestamp,
}

/// `bases/memory/config.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryConfig {
    /// When entries may be forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pruning_policy: Option<MemoryPruningPolicy>,
    /// Fields of later versions.
    #[serde(flatten)]
    pub extra: Extra,
}

/// When entries may be forgotten: any rule that applies is enough.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryPruningPolicy {
    /// Keep at most that many; the oldest go first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_entries: Option<u64>,
    /// Keep at most that many estimated tokens; the oldest go first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_estimated_tokens: Option<u64>,
    /// Older ones go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_age_days: Option<u64>,
    /// Entries with one of these tags go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obsolete_tags: Option<Vec<String>>,
    /// What happens to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<PruneMode>,
    /// Fields of later versions.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What happens to pruned entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PruneMode {
    /// Removed for good.
    Delete,
    /// Moved to `archive.jsonl`, from where they can be restored.
    #[default]
    Archive,
}
