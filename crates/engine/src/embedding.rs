//! Which model computes the vectors of a base, and where is it?
//!
//! Where nothing is configured it is the table inside the program. A configured model that is not there is a failure
//! that names the command to get it: nothing else ever takes its place.

pub(crate) mod cache;
mod compatibility;
mod identity;
pub(crate) mod tables;

pub use compatibility::Compatibility;
pub(crate) use compatibility::{BaseModel, read_info};

use std::path::{Path, PathBuf};

use gik_base::{Cancel, ErrorCode, Failure, Result, env};
use gik_contract::ModelKind;
use gik_models::library::pull::refuse_offline;
use gik_models::{
    BUILTIN_NAME, Embedder as _, Library, Model, ModelName, Options, Provider, Remote,
    RemoteOptions,
};

use crate::settings::{EmbeddingOverride, Settings};

/// The model that the data contract names where a local encoder is wanted and none is named.
const USUAL_ENCODER: &str = "sentence-transformers/all-MiniLM-L6-v2";
/// Where the data contract keeps encoders that the user put there by hand.
const BY_HAND: &str = "models/embeddings";

/// Which model computes the vectors of a base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingConfig {
    /// What runs it.
    pub provider: Provider,
    /// Its name.
    pub model_id: String,
    /// The numbers of a vector, where anyone said so.
    pub dimension: Option<usize>,
    /// Tokens of a text that are looked at.
    pub max_tokens: Option<usize>,
    /// The folder of its files, where it is not that of the library.
    pub local_path: Option<String>,
    /// Its server.
    pub endpoint: Option<String>,
    /// The variable that holds the key for the server.
    pub api_key_env: Option<String>,
}

impl EmbeddingConfig {
    /// The model of a base.
    pub fn of(settings: &Settings, base: &str) -> Result<Self> {
        let embeddings = &settings.embeddings;
        match embeddings.bases.get(base) {
            Some(own) => Self::resolved(&merged(own, &embeddings.default)),
            None => Self::resolved(&embeddings.default),
        }
    }

    /// The model of all bases that name none of their own.
    pub fn of_default(settings: &Settings) -> Result<Self> {
        Self::resolved(&settings.embeddings.default)
    }

    fn resolved(said: &EmbeddingOverride) -> Result<Self> {
        let is_builtin = |id: &String| id == BUILTIN_NAME;
        let provider = match (&said.provider, &said.model_id) {
            (Some(name), _) => Provider::from_name(name).ok_or_else(|| {
                Failure::new(ErrorCode::Internal, format!("there is no provider `{name}`"))
            })?,
            (None, None) if said.local_path.is_none() => Provider::Static,
            (None, Some(id)) if is_builtin(id) => Provider::Static,
            (None, _) => Provider::Candle,
        };
        let model_id = match (&said.model_id, provider) {
            (Some(id), _) => id.clone(),
            (None, Provider::Static) => BUILTIN_NAME.to_owned(),
            (None, Provider::Candle) => USUAL_ENCODER.to_owned(),
            (None, Provider::Ollama | Provider::OpenAi) => {
                let message =
                    format!("the provider `{}` needs the name of a model", provider.as_str());
                return Err(Failure::new(ErrorCode::ConfigInvalid, message)
                    .hint("set `embeddings.default.model_id`, or that of the base"));
            },
        };
        Ok(Self {
            provider,
            model_id,
            dimension: said.dimension,
            max_tokens: said.max_tokens,
            local_path: said.local_path.clone(),
            endpoint: said.endpoint.clone(),
            api_key_env: said.api_key_env.clone(),
        })
    }

    /// The table inside the program.
    pub fn builtin() -> Self {
        Self {
            provider: Provider::Static,
            model_id: BUILTIN_NAME.to_owned(),
            dimension: None,
            max_tokens: None,
            local_path: None,
            endpoint: None,
            api_key_env: None,
        }
    }

    /// Whether it is a table of tokens, for which a text costs next to nothing.
    pub fn is_table(&self) -> bool {
        self.provider == Provider::Static
    }

    /// Whether it is the table inside the program.
    pub fn is_builtin(&self) -> bool {
        self.provider == Provider::Static
            && self.model_id == BUILTIN_NAME
            && self.local_path.is_none()
    }

    /// Opens the model. `home` is the folder of the user.
    pub fn open(&self, home: Option<&Path>, cancel: &Cancel) -> Result<Model> {
        let model = match self.provider {
            Provider::Static if self.is_builtin() => Model::builtin()?,
            Provider::Static | Provider::Candle => self.open_local(home)?,
            Provider::Ollama | Provider::OpenAi => self.open_remote(cancel)?,
        };
        match self.dimension {
            Some(dimension) if dimension != model.dimension() => {
                let found = model.dimension();
                let message = format!(
                    "model `{}` has {found} dimensions, and the config says {dimension}",
                    self.model_id
                );
                Err(Failure::new(ErrorCode::ConfigInvalid, message)
                    .hint(format!("set `dimension` to {found} beside its `model_id`")))
            },
            _ => Ok(model),
        }
    }

    fn open_local(&self, home: Option<&Path>) -> Result<Model> {
        let folder = match &self.local_path {
            Some(path) => self.folder_at(path)?,
            None => self.folder_of_library(home)?,
        };
        let options = Options { most_tokens: self.max_tokens, ..Options::default() };
        let model = Model::open(&folder, &self.model_id, options)?;
        let found = model.id().provider;
        if found != self.provider {
            let message = format!(
                "model `{}` is one of `{}`, and the config says `{}`",
                self.model_id,
                found.as_str(),
                self.provider.as_str()
            );
            return Err(Failure::new(ErrorCode::ConfigInvalid, message)
                .hint(format!("set `provider` to `{}` beside its `model_id`", found.as_str())));
        }
        Ok(model)
    }

    /// Whether its files are where they must be, for a model that has files.
    pub(crate) fn is_here(&self, home: &Path) -> bool {
        match (&self.local_path, self.provider) {
            (_, Provider::Ollama | Provider::OpenAi) => true,
            (Some(path), _) => self.folder_at(path).is_ok(),
            (None, _) => self.is_builtin() || self.folder_of_library(Some(home)).is_ok(),
        }
    }

    fn folder_at(&self, path: &str) -> Result<PathBuf> {
        let folder = match (path.strip_prefix("~/"), env::home_dir()) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(path),
        };
        if folder.is_absolute() && folder.join("config.json").is_file() {
            return Ok(folder);
        }
        let message =
            format!("model `{}` is not in `{}`, its `local_path`", self.model_id, folder.display());
        Err(Failure::new(ErrorCode::EmbeddingProviderUnavailable, message)
            .hint("put its files there and write the whole path, or take `local_path` out of the config")
            .hint(format!("`gik model pull {}` fetches it", self.model_id)))
    }

    fn folder_of_library(&self, home: Option<&Path>) -> Result<PathBuf> {
        let home = home.ok_or_else(|| self.missing())?;
        let name = ModelName::parse(&self.model_id)?;
        let Some(installed) = Library::at(home).find(&name)? else {
            let by_hand = home.join(BY_HAND).join(name.last_part());
            return if by_hand.join("config.json").is_file() {
                Ok(by_hand)
            } else {
                Err(self.missing())
            };
        };
        if !matches!(installed.manifest.kind, ModelKind::Static | ModelKind::Encoder) {
            return Err(not_an_embedder(&name, installed.manifest.kind));
        }
        if let Some(damaged) = installed.look()?.first() {
            let (path, what) = (&damaged.path, damaged.damage.as_str());
            let message = format!("file `{path}` of model `{name}` {what}");
            return Err(Failure::new(ErrorCode::EmbeddingProviderUnavailable, message)
                .hint(installed.how_to_get()));
        }
        Ok(installed.folder)
    }

    fn missing(&self) -> Failure {
        let message = format!("model `{}` is not on this machine", self.model_id);
        Failure::new(ErrorCode::EmbeddingProviderUnavailable, message)
            .hint(format!("run `gik model pull {}`", self.model_id))
            .hint("`gik config show embeddings --origin` shows where it is asked for")
    }

    fn open_remote(&self, cancel: &Cancel) -> Result<Model> {
        refuse_offline(&format!("model `{}`", self.model_id))?;
        let api_key = match &self.api_key_env {
            None => None,
            Some(name) => Some(env::secret(name).ok_or_else(|| {
                let message = format!("the variable `{name}` with the key is not set");
                Failure::new(ErrorCode::EmbeddingProviderUnavailable, message)
                    .hint("set it, or take `api_key_env` out of the config")
            })?),
        };
        let options = RemoteOptions {
            endpoint: self.endpoint.clone(),
            dimension: self.dimension,
            api_key,
            ..RemoteOptions::new(self.provider, &self.model_id)
        };
        Ok(Model::Remote(Box::new(Remote::open(options, cancel)?)))
    }
}

/// What is said when a model of another kind is asked for vectors.
pub(crate) fn not_an_embedder(name: &ModelName, kind: ModelKind) -> Failure {
    let (what, hint) = match kind {
        ModelKind::Reranker => (
            "a reranker, which makes no embeddings",
            format!("`gik config set ranking.reranker.model_id {name}` lets it rank answers"),
        ),
        ModelKind::Gguf | ModelKind::Encoder | ModelKind::Static => (
            "a GGUF file, which makes no embeddings here",
            "`gik model list` shows what each model is".to_owned(),
        ),
    };
    Failure::new(ErrorCode::ArgumentInvalid, format!("`{name}` is {what}")).hint(hint)
}

/// What is said of a base, filled up with what is said of all. What belongs to one model is not given to another.
fn merged(own: &EmbeddingOverride, all: &EmbeddingOverride) -> EmbeddingOverride {
    let has_model = own.provider.is_some() || own.model_id.is_some() || own.local_path.is_some();
    let same_provider = own.provider.is_none() || own.provider == all.provider;
    let model = if has_model { &EmbeddingOverride::default() } else { all };
    let server = if same_provider { all } else { &EmbeddingOverride::default() };
    EmbeddingOverride {
        provider: own.provider.clone().or_else(|| server.provider.clone()),
        model_id: own.model_id.clone().or_else(|| model.model_id.clone()),
        dimension: own.dimension.or(model.dimension),
        max_tokens: own.max_tokens.or(model.max_tokens),
        local_path: own.local_path.clone().or_else(|| model.local_path.clone()),
        endpoint: own.endpoint.clone().or_else(|| server.endpoint.clone()),
        api_key_env: own.api_key_env.clone().or_else(|| server.api_key_env.clone()),
    }
}

#[cfg(test)]
mod tests;
