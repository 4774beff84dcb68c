//! `staging/pending.jsonl` and `staging/summary.json`: what was added and what became of it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Extra, Timestamp};

/// One line of `pending.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingSource {
    /// A UUID.
    pub id: String,
    /// The knowledge branch.
    pub branch: String,
    /// `code`, `docs`, `memory`, `kg` or `notes`.
    pub base: String,
    /// What the uri points at.
    pub kind: SourceKind,
    /// Workspace-relative path, or url.
    pub uri: String,
    /// When it was added.
    pub added_at: Timestamp,
    /// How far it is.
    pub status: SourceStatus,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Open for more; `{"operation":"remove"}` marks a removal, `{"select":"inferred"}` a folder whose files are shared
    /// out between bases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Extra>,
    /// Fields of later versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl PendingSource {
    /// Whether this entry takes the source out of the knowledge instead of putting it in.
    pub fn is_removal(&self) -> bool {
        self.metadata
            .as_ref()
            .and_then(|data| data.get("operation"))
            .and_then(|value| value.as_str())
            == Some("remove")
    }

    /// Whether each file of the folder or archive goes to the base that fits it. Such a source has an entry per base.
    pub fn is_inferred(&self) -> bool {
        self.metadata.as_ref().and_then(|data| data.get("select")).and_then(|value| value.as_str())
            == Some("inferred")
    }

    /// The metadata that says so.
    pub fn inferred_metadata() -> Extra {
        Extra::from_iter([("select".to_owned(), "inferred".into())])
    }

    /// The metadata that marks a removal.
    pub fn removal_metadata() -> Extra {
        Extra::from_iter([("operation".to_owned(), "remove".into())])
    }
}

/// What a source is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum SourceKind {
    /// One file.
    FilePath,
    /// A folder and all below it.
    Directory,
    /// A page on the web.
    Url,
    /// An archive whose members are sources.
    Archive,
    /// Anything else.
    Other,
}

impl SourceKind {
    /// The name in the file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FilePath => "filePath",
            Self::Directory => "directory",
            Self::Url => "url",
            Self::Archive => "archive",
            Self::Other => "other",
        }
    }
}

/// How far a source is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum SourceStatus {
    /// Waits for a commit.
    Pending,
    /// A commit is at work on it.
    Processing,
    /// Part of the knowledge.
    Indexed,
    /// Could not be read; `lastError` says why.
    Failed,
}

impl SourceStatus {
    /// The name in the file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Processing => "processing",
            Self::Indexed => "indexed",
            Self::Failed => "failed",
        }
    }
}

/// `summary.json`: `pending.jsonl` counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StagingSummary {
    /// Sources that are `pending` or `processing`.
    pub pending_count: u64,
    /// Sources that are `indexed`.
    pub indexed_count: u64,
    /// Sources that are `failed`.
    pub failed_count: u64,
    /// Pending sources per base.
    pub by_base: BTreeMap<String, u64>,
    /// When it was counted.
    pub last_updated_at: Timestamp,
}
