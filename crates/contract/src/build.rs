//! `index_state.json` and `build_state.json`: how far the index of a branch is, and what it was built from.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// `index_state.json`: what can be asked of the index now. Readers look here before they rely on a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IndexState {
    /// The version of this format.
    pub schema_version: String,
    /// When it was written.
    pub generated_at: Timestamp,
    /// The build that this is the state of.
    pub build_id: String,
    /// Modes that are indexed.
    pub modes: Vec<String>,
    /// `stage1` (words), `stage2` (structure), `stage3` (vectors), `stage4` (full-text table for SQL).
    pub stages: BTreeMap<String, StageState>,
}

/// How far one stage is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StageState {
    /// Whether its results are there.
    pub state: Readiness,
    /// Files that have passed it.
    pub files: u64,
    /// Files that have to.
    pub total: u64,
}

/// Whether the results of a stage are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Readiness {
    /// Nothing was begun.
    Pending,
    /// For some of the files.
    Running,
    /// For all files.
    Ready,
}

/// `build_state.json`: what the index is built from, and how far the build is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuildState {
    /// The version of this format.
    pub schema_version: String,
    /// The version of what decides over the content of the index.
    pub signature_version: u32,
    /// From the commit and the rules of the build; `noscm` stands for the commit where there is none.
    pub build_id: String,
    /// When the build began.
    pub created_at: Timestamp,
    /// When this was written.
    pub updated_at: Timestamp,
    /// The stage that is being built, or the last one when all are.
    pub stage: String,
    /// The program.
    pub tool: ToolVersion,
    /// Where the files come from.
    pub repo: RepoState,
    /// Files done and to do, by stage.
    pub progress: BTreeMap<String, StageState>,
}

/// The program that built an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolVersion {
    /// Its version.
    pub version: String,
}

/// What version control says of the files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RepoState {
    /// Who keeps the history: `git`, `jj` or `none`.
    pub provider: String,
    /// What is checked out; `null` without version control.
    pub head: Option<RepoHead>,
}

/// What is checked out. Only the fields of the provider are there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepoHead {
    /// The commit, in git.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<String>,
    /// The operation, in jj.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<String>,
    /// The branch, or the workspace in jj.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}
