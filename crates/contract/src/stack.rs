//! `stack/`: what the workspace is made of.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// One line of `stack/files.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StackFileEntry {
    /// Workspace-relative.
    pub path: String,
    /// Folder or file.
    pub kind: StackFileKind,
    /// Language ids, sorted; of all files below for a folder.
    pub languages: Vec<String>,
    /// Files below, for folders only.
    #[serde(default)]
    pub file_count: Option<u64>,
}

/// Folder or file.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum StackFileKind {
    /// A folder.
    Dir,
    /// A file.
    File,
}

/// One line of `stack/dependencies.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StackDependencyEntry {
    /// `cargo`, `npm`, …
    pub manager: String,
    /// The package.
    pub name: String,
    /// What the manifest asks for.
    pub version: String,
    /// `runtime`, `dev`, `build`, `optional`, `peer`, `test`.
    pub scope: String,
    /// Workspace-relative.
    pub manifest_path: String,
}

/// One line of `stack/tech.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StackTechEntry {
    /// `framework`, `database`, `service`, …
    pub kind: String,
    /// The name people use.
    pub name: String,
    /// What gave it away: `dependency:next`, `file:Dockerfile`.
    pub source: String,
    /// 0 to 1.
    pub confidence: f64,
}

/// `stack/stats.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StackStats {
    /// Files in the workspace.
    pub total_files: u64,
    /// Files per language.
    pub languages: BTreeMap<String, u64>,
    /// Package managers, sorted.
    pub managers: Vec<String>,
    /// When it was counted.
    pub generated_at: Timestamp,
}
