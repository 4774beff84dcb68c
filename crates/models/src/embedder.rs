//! What every embedder offers, and the closed list of those that ship.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use gik_base::{Cancel, Context as _, ErrorCode, Result, fs};
use serde_json::Value;

use crate::encoder::{Encoder, Options};
use crate::kept::kept_or_opened;
use crate::remote::Remote;
use crate::static_model::{BUILTIN_NAME, StaticModel};

/// Who makes the vectors, by the names of the data contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provider {
    /// A table of tokens.
    Static,
    /// The local transformer; the contract calls it so whatever runs it.
    Candle,
    /// A server that speaks the API of Ollama.
    Ollama,
    /// A server that speaks the API of OpenAI.
    OpenAi,
}

impl Provider {
    /// The provider of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Static, Self::Candle, Self::Ollama, Self::OpenAi];
        all.into_iter().find(|provider| provider.as_str() == name)
    }

    /// Whether texts stay on this machine.
    pub fn is_local(self) -> bool {
        matches!(self, Self::Static | Self::Candle)
    }

    /// The name in config and `model-info.json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Candle => "candle",
            Self::Ollama => "ollama",
            Self::OpenAi => "openai",
        }
    }
}

/// Which model made a vector. Vectors of different models cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelId {
    /// Who makes the vectors.
    pub provider: Provider,
    /// The name among the models of the provider.
    pub name: String,
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider.as_str(), self.name)
    }
}

/// What a text is to the search; some models put different words before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// What is looked for.
    Query,
    /// What is found.
    Passage,
}

/// Vectors of one dimension, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    dimension: usize,
    values: Vec<f32>,
}

impl Vectors {
    pub(crate) fn zeros(count: usize, dimension: usize) -> Self {
        Self { dimension, values: vec![0.0; count * dimension] }
    }

    /// Vectors of so many numbers each, one after the other.
    pub fn of(dimension: usize, values: Vec<f32>) -> Self {
        Self { dimension, values }
    }

    /// The numbers of one vector.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len() / self.dimension.max(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The vectors in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f32> {
        self.values.chunks_exact(self.dimension.max(1))
    }

    /// The vector at a place below [`Self::len`].
    pub fn row(&self, at: usize) -> &[f32] {
        &self.values[at * self.dimension..(at + 1) * self.dimension]
    }

    pub(crate) fn row_mut(&mut self, at: usize) -> &mut [f32] {
        &mut self.values[at * self.dimension..(at + 1) * self.dimension]
    }
}

/// Text → vector.
pub trait Embedder: Send + Sync {
    /// Which model this is.
    fn id(&self) -> &ModelId;
    /// The numbers of a vector.
    fn dimension(&self) -> usize;
    /// A vector for each text, in order. It depends on the text and its kind alone.
    fn embed(&self, texts: &[&str], kind: TextKind, cancel: &Cancel) -> Result<Vectors>;
}

/// The embedders that ship.
#[derive(Debug)]
pub enum Model {
    /// A table of tokens.
    Static(Arc<StaticModel>),
    /// A transformer.
    Encoder(Arc<Encoder>),
    /// A server.
    Remote(Box<Remote>),
}

impl Model {
    /// The model inside the program.
    pub fn builtin() -> Result<Self> {
        static OPENED: OnceLock<Arc<StaticModel>> = OnceLock::new();
        if let Some(opened) = OPENED.get() {
            return Ok(Self::Static(Arc::clone(opened)));
        }
        let opened = Arc::new(StaticModel::builtin()?);
        Ok(Self::Static(Arc::clone(OPENED.get_or_init(|| opened))))
    }

    /// Whether this is the model inside the program.
    pub fn is_builtin(&self) -> bool {
        self.id().provider == Provider::Static && self.id().name == BUILTIN_NAME
    }

    /// The model of a folder; its `config.json` tells what kind it is.
    pub fn open(folder: &Path, name: &str, options: Options) -> Result<Self> {
        if Self::is_static(folder)? {
            let open = || StaticModel::open(folder, name);
            return Ok(Self::Static(kept_or_opened(folder, name, options, open)?));
        }
        let open = || Encoder::open(folder, name, options);
        Ok(Self::Encoder(kept_or_opened(folder, name, options, open)?))
    }

    /// Whether the `config.json` of a folder is that of a table of tokens.
    pub(crate) fn is_static(folder: &Path) -> Result<bool> {
        let path = folder.join("config.json");
        let config: Value = serde_json::from_slice(&fs::read(&path)?)
            .context(ErrorCode::ModelInvalid, || format!("`{}` is no JSON", path.display()))?;
        Ok(config["model_type"] == "model2vec")
    }

    fn embedder(&self) -> &dyn Embedder {
        match self {
            Self::Static(model) => &**model,
            Self::Encoder(model) => &**model,
            Self::Remote(model) => &**model,
        }
    }
}

impl Embedder for Model {
    fn id(&self) -> &ModelId {
        self.embedder().id()
    }

    fn dimension(&self) -> usize {
        self.embedder().dimension()
    }

    fn embed(&self, texts: &[&str], kind: TextKind, cancel: &Cancel) -> Result<Vectors> {
        self.embedder().embed(texts, kind, cancel)
    }
}

/// Scales a vector to length one; nothing stays nothing.
pub(crate) fn to_unit_length(vector: &mut [f32]) {
    let square: f32 = vector.iter().map(|value| value * value).sum();
    if square > 0.0 {
        let length = square.sqrt();
        vector.iter_mut().for_each(|value| *value /= length);
    }
}
