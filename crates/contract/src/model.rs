//! `~/.gik/models/<name>/<revision>/manifest.json`: which files a model has, what they must be, where they came from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Extra, Timestamp};

/// `manifest.json` of one revision of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelManifest {
    /// The version of this format.
    pub schema_version: String,
    /// The name, as config and commands use it: `sentence-transformers/all-MiniLM-L6-v2`.
    pub model_id: String,
    /// The commit of the source, or `local-` and a hash of the files.
    pub revision: String,
    /// What it can do.
    pub kind: ModelKind,
    /// The numbers of a vector; `null` where it makes none.
    pub dimension: Option<u64>,
    /// How its numbers are stored: `F32`, `F16`, `Q4_K_M`; `null` where the files do not say.
    pub quantization: Option<String>,
    /// What the model's card says.
    pub license: Option<String>,
    /// Where the files came from.
    pub source: ModelSource,
    /// The oldest version of GIK that can use it.
    pub min_gik_version: String,
    /// When it was made ready for use.
    pub created_at: Timestamp,
    /// Every file, sorted by path.
    pub files: Vec<ModelFile>,
    /// Fields of later versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl ModelManifest {
    /// The version of the format that is written.
    pub const SCHEMA_VERSION: &'static str = "1.0.0";
}

/// What a model can do.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum ModelKind {
    /// A transformer that turns texts into vectors.
    Encoder,
    /// A table of tokens that turns texts into vectors.
    Static,
    /// A transformer that tells how well a passage answers a question.
    Reranker,
    /// A file for generators; it makes no vectors here.
    Gguf,
}

impl ModelKind {
    /// The name in the manifest.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Encoder => "encoder",
            Self::Static => "static",
            Self::Reranker => "reranker",
            Self::Gguf => "gguf",
        }
    }
}

/// Where the files of a model came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelSource {
    /// How they were taken.
    pub kind: ModelSourceKind,
    /// The endpoint with the name, or the path.
    pub location: String,
}

/// How the files of a model were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ModelSourceKind {
    /// From an endpoint that speaks the Hugging Face API.
    Hub,
    /// From a folder.
    Folder,
    /// A single file.
    File,
    /// From a wheel or another archive.
    Archive,
}

/// One file of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelFile {
    /// Below the folder of the revision, `/` between the parts.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// In lower-case hexadecimal.
    pub sha256: String,
}
