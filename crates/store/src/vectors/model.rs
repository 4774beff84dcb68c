//! Which model made a vector?

/// A model as the database knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingModel {
    /// `static`, `candle`, `ollama`, …
    pub provider: String,
    /// The model, as the configuration names it.
    pub id: String,
    /// Of everything else that its vectors depend on: the weights, how passages are made. May be empty.
    pub fingerprint: String,
    /// How many numbers a vector has.
    pub dimension: usize,
}

impl EmbeddingModel {
    /// The name in `embedding_models`. Vectors of models of different names are never compared.
    pub fn name(&self) -> String {
        let Self { provider, id, fingerprint, dimension } = self;
        let separator = if fingerprint.is_empty() { "" } else { "@" };
        format!("{provider}:{id}-{dimension}{separator}{fingerprint}")
    }
}
