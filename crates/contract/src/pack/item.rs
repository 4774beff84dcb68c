//! What a section holds: a piece of text, where it stands, how good it is and why it is there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EdgeType, EvidenceKind};

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextItem {
    /// Whether it stands for a symbol or for a chunk.
    pub kind: ItemKind,
    /// The symbol, for symbols.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<String>,
    /// The chunk that holds its text.
    pub chunk_uid: String,
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub file_rel_path: String,
    /// Where all of it stands, in UTF-16 code units of the file.
    pub range: Utf16Range,
    /// The lines of all of it.
    pub lines: Lines,
    /// Language id; empty where it is not known.
    pub language_id: String,
    /// Its declaration, heading or first line.
    pub title: String,
    /// Its text, or the beginning of it.
    pub excerpt: Excerpt,
    /// How good it is.
    pub scores: Scores,
    /// Why it is there.
    pub why: Why,
}

/// What an item stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ItemKind {
    /// A part of a file.
    Chunk,
    /// The definition of a symbol.
    Symbol,
}

/// A half-open range in UTF-16 code units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Utf16Range {
    /// The first one.
    pub start: u64,
    /// Behind the last one.
    pub end: u64,
}

/// Lines from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lines {
    /// The first one.
    pub start: u32,
    /// The last one.
    pub end: u32,
}

/// A text, or the beginning of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Excerpt {
    /// What the file says from the start of the range on, sign by sign.
    pub text: String,
    /// Whether there is more of it.
    pub truncated: bool,
    /// What cut it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncation: Option<Truncation>,
}

/// What cut a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Truncation {
    /// So many bytes were allowed.
    pub max_bytes: u64,
    /// By what.
    pub reason: CutBy,
}

/// What cut a text.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum CutBy {
    /// The budget of each item.
    MaxBytesPerItem,
    /// The rule of its section: seeds after the first and signatures are short.
    MinimalExcerpt,
    /// The characters of the pack.
    MaxTotalChars,
    /// The tokens of the pack.
    MaxTotalTokens,
}

/// How good an item is; four decimals.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scores {
    /// What retrieval says, 1 for the best; 0 where it did not find it.
    pub seed_score: f64,
    /// So many edges from the nearest seed.
    pub graph_distance: u32,
    /// How sure the edges of the path are.
    pub evidence_score: f64,
    /// All together.
    pub hybrid_score: f64,
}

/// Why an item is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Why {
    /// The rule that brought it.
    pub rule: String,
    /// The edges from a seed to it.
    pub path: Vec<PathStep>,
    /// What shows that the edges are there.
    pub evidence: Vec<EvidenceNote>,
}

/// One edge of a path, in the direction of the edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PathStep {
    /// What it is.
    pub edge_type: EdgeType,
    /// Who calls, imports, names: a symbol or a file.
    pub from: String,
    /// Who is called, imported, named.
    pub to: String,
    /// The place that shows it, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_id: Option<String>,
}

/// What shows that an edge is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceNote {
    /// What it is.
    pub kind: EvidenceKind,
    /// Path, line and column, each from 1, columns in UTF-16 code units.
    pub evidence_id: String,
    /// How sure the edge is, from 0 to 1.
    pub confidence: f64,
}
