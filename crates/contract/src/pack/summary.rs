//! What a pack says of what it does not show: an outline of a file, a folder or the project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An outline, made from declarations and the first sentences of their documentation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackSummary {
    /// What it is about.
    pub level: SummaryLevel,
    /// The file or the folder, `.` for the project.
    pub path: String,
    /// Its lines.
    pub text: String,
    /// Whether a budget left lines out.
    pub truncated: bool,
}

/// What a summary is about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum SummaryLevel {
    /// All of it.
    Project,
    /// The files beside that of the reader.
    Folder,
    /// The declarations of the file that the reader is in.
    File,
}
