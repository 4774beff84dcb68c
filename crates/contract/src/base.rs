//! `bases/<base>/`: the chunks of a base and their count.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Extra, Timestamp};

/// One line of `sources.jsonl` of `code`, `docs` and `notes`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BaseSourceEntry {
    /// The chunk's id (`ck:…`), the same on every machine.
    pub id: String,
    /// The base.
    pub base: String,
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub path: String,
    /// First line, counted from 1.
    pub start_line: u64,
    /// Last line.
    pub end_line: u64,
    /// The text; left out above a configured size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Language, kind, names; left out where the text is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Extra>,
}

/// `stats.json` of `code`, `docs` and `notes`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BaseStats {
    /// Chunks.
    pub chunk_count: u64,
    /// Files they come from.
    pub file_count: u64,
    /// When it was counted.
    pub last_updated: Timestamp,
}
