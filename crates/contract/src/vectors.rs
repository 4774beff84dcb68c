//! `bases/<base>/model-info.json` and `bases/<base>/index/`: what made the vectors of a base, and how they are kept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Extra, Timestamp};

/// `model-info.json`: the model that made the vectors of a base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelInfo {
    /// `static`, `candle`, `ollama`, …
    pub provider: String,
    /// The model.
    pub model_id: String,
    /// How many numbers a vector has.
    pub dimension: u64,
    /// When the base was first indexed with it.
    pub created_at: Timestamp,
    /// When all vectors were last made anew.
    pub last_reindexed_at: Option<Timestamp>,
}

/// `index/meta.json`: how the vectors of a base are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VectorIndexMeta {
    /// `simple_file`, `lancedb` or `other:<id>`.
    pub backend: String,
    /// `cosine`, `dot` or `l2`.
    pub metric: String,
    /// How many numbers a vector has.
    pub dimension: u64,
    /// The base.
    pub base: String,
    /// `static`, `candle`, `ollama`, …
    pub embedding_provider: String,
    /// The model.
    pub embedding_model_id: String,
    /// When the index was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// One line of `index/records.jsonl` of the backend `simple_file`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VectorInsert {
    /// The row id of the chunk; unique in the file.
    pub id: u64,
    /// As many numbers as `meta.json` says.
    pub embedding: Vec<f32>,
    /// The chunk's id and file, and what questions are filtered by.
    pub payload: VectorPayload,
}

/// What a record says of its chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VectorPayload {
    /// The chunk's id (`ck:…`), the same on every machine.
    pub chunk_id: String,
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub file: String,
    /// The row id of the file.
    #[serde(default)]
    pub file_id: u32,
    /// Base and mode of the chunk as bits.
    #[serde(default)]
    pub labels: u32,
    /// Of path, content and model, in hexadecimal: a record counts only for the text it was made from.
    #[serde(default)]
    pub check: String,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Extra,
}
