//! What tells the vectors of one model from those of any other, and what a chunk is to a model.

use std::path::Path;

use gik_base::{FileKey, FileStat, Result, hash};
use gik_contract::ModelInfo;
use gik_models::{
    BUILTIN_DIMENSION, ENCODER_ARITHMETIC, Embedder as _, Library, Model, ModelName, Provider,
};
use gik_store::EmbeddingModel;

use super::EmbeddingConfig;

/// So much of a chunk says what it is about.
const MOST_BYTES: usize = 2_000;
/// How passages are made; another way gives other vectors.
const PASSAGES_OF_TABLES: &str = "p1";
const PASSAGES: &str = "p2";

impl EmbeddingConfig {
    /// What the model reads of a chunk: how it begins. A table reads the name of the file as well, which often says what
    /// it is about; other models do not, so that what is known of a text holds under any name.
    pub(crate) fn passage(&self, key: &FileKey, text: &str) -> String {
        let beginning = &text[..text.floor_char_boundary(MOST_BYTES)];
        if self.is_table() { format!("{key}\n{beginning}") } else { beginning.to_owned() }
    }

    /// What tells the vectors of the model from those of any other. `None` where that cannot be known without asking a
    /// server or reading files that are not there.
    pub(crate) fn identity(
        &self,
        home: Option<&Path>,
        known: Option<&ModelInfo>,
    ) -> Result<Option<EmbeddingModel>> {
        let is_known = |info: &&ModelInfo| {
            info.provider == self.provider.as_str() && info.model_id == self.model_id
        };
        let stored = known.filter(is_known).and_then(|info| usize::try_from(info.dimension).ok());
        let (weights, dimension) = if self.is_builtin() {
            (String::new(), Some(BUILTIN_DIMENSION))
        } else if !self.provider.is_local() {
            (String::new(), self.dimension.or(stored))
        } else {
            match self.weights(home)? {
                Some((weights, dimension)) => (weights, dimension.or(self.dimension).or(stored)),
                None => return Ok(None),
            }
        };
        Ok(dimension.map(|dimension| self.named(&weights, dimension)))
    }

    /// The same for the model that was opened.
    pub(crate) fn identity_of(&self, home: Option<&Path>, model: &Model) -> Result<EmbeddingModel> {
        let weights = if self.is_builtin() || !self.provider.is_local() {
            String::new()
        } else {
            self.weights(home)?.map(|(weights, _)| weights).unwrap_or_default()
        };
        Ok(self.named(&weights, model.dimension()))
    }

    fn named(&self, weights: &str, dimension: usize) -> EmbeddingModel {
        let passages = if self.is_table() { PASSAGES_OF_TABLES } else { PASSAGES };
        let mut fingerprint = passages.to_owned();
        if self.provider == Provider::Candle {
            fingerprint = format!("{fingerprint}-{ENCODER_ARITHMETIC}");
        }
        if !weights.is_empty() {
            fingerprint = format!("{fingerprint}-{weights}");
        }
        if let Some(tokens) = self.max_tokens.filter(|_| !self.is_table()) {
            fingerprint = format!("{fingerprint}-{tokens}");
        }
        // Servers give the same name to different weights.
        if let Some(endpoint) = self.endpoint.as_ref().filter(|_| !self.provider.is_local()) {
            let server = hash::fast64(endpoint.trim_end_matches('/').as_bytes());
            fingerprint = format!("{fingerprint}-{server:016x}");
        }
        EmbeddingModel {
            provider: self.provider.as_str().to_owned(),
            id: self.model_id.clone(),
            fingerprint,
            dimension,
        }
    }

    /// The revision of the weights, and the dimension where it is written down.
    fn weights(&self, home: Option<&Path>) -> Result<Option<(String, Option<usize>)>> {
        if self.local_path.is_none()
            && let Some(home) = home
            && let Some(installed) = Library::at(home).find(&ModelName::parse(&self.model_id)?)?
        {
            let dimension = installed.manifest.dimension.and_then(|n| usize::try_from(n).ok());
            return Ok(Some((installed.manifest.revision, dimension)));
        }
        let folder = match &self.local_path {
            Some(path) => self.folder_at(path),
            None => self.folder_of_library(home),
        };
        let Ok(folder) = folder else { return Ok(None) };
        // Nobody wrote down what is in the folder; hashing it would take longer than a question may.
        let stat = FileStat::at(&folder.join("model.safetensors"))?;
        Ok(stat.map(|stat| (format!("{}.{}", stat.size, stat.mtime_ns), None)))
    }
}
