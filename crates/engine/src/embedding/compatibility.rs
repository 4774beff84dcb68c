//! Do the vectors of a base fit the config? The rules are those of the data contract.

use gik_base::{ErrorCode, Failure, Result, env};
use gik_contract::{ModelInfo, VectorIndexMeta};
use gik_ledger::{Branch, jsonl};
use gik_store::{Backend, EmbeddingModel, Snapshot};
use schemars::JsonSchema;
use serde::Serialize;

use super::EmbeddingConfig;
use crate::Workspace;
use crate::settings::Settings;

/// Whether the vectors of a base fit the config.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Compatibility {
    /// They do.
    Compatible,
    /// There are none yet.
    MissingMeta,
    /// Another model made them: `gik reindex` is needed.
    EmbeddingMismatch,
    /// They are of another length: `gik reindex` is needed.
    DimensionMismatch,
    /// They are kept by another backend, and are read from there until the next `gik index` converts them.
    BackendMismatch,
}

impl Compatibility {
    /// Whether the vectors cannot be used.
    pub(crate) fn needs_reindex(self) -> bool {
        matches!(self, Self::EmbeddingMismatch | Self::DimensionMismatch)
    }
}

/// The model of a base, as the config and the index know it.
#[derive(Debug)]
pub(crate) struct BaseModel {
    pub(crate) base: String,
    pub(crate) config: EmbeddingConfig,
    pub(crate) backend: Backend,
    /// How the vectors there are are kept.
    pub(crate) kept_by: Option<Backend>,
    /// What the config asks for, as far as that is known without asking a server.
    pub(crate) model: Option<EmbeddingModel>,
    /// In words, what made the vectors there are.
    pub(crate) stored: Option<String>,
    pub(crate) compatibility: Compatibility,
}

impl BaseModel {
    /// Compares what is there with the config.
    pub(crate) fn of(ws: &Workspace<'_>, snapshot: &Snapshot<'_>, base: &str) -> Result<Self> {
        let config = EmbeddingConfig::of(&ws.settings, base)?;
        let backend = backend_of(&ws.settings, base)?;
        let info = read_info(&ws.branch, base);
        let model = config.identity(env::gik_home().as_deref(), info.as_ref())?;
        let (stored, kept_by) = (snapshot.vector_model(base)?, snapshot.vector_backend(base)?);
        let compatibility = match (&stored, &info) {
            (None, _) => Compatibility::MissingMeta,
            (Some(_), Some(info)) if !is_of(info, &config) => Compatibility::EmbeddingMismatch,
            (Some(stored), _) => {
                let meta = read_meta(&ws.branch, base);
                let dimension = model.as_ref().map(|model| model.dimension as u64);
                let is_other_length = |meta: &VectorIndexMeta| {
                    dimension.is_some_and(|dimension| dimension != meta.dimension)
                };
                if meta.as_ref().is_some_and(is_other_length) {
                    Compatibility::DimensionMismatch
                } else if model.as_ref().is_some_and(|model| model.name() != *stored) {
                    // The same name with other weights is another model.
                    Compatibility::EmbeddingMismatch
                } else if kept_by != Some(backend) {
                    Compatibility::BackendMismatch
                } else {
                    Compatibility::Compatible
                }
            },
        };
        let stored = stored.map(|name| match &info {
            Some(info) => format!("{}:{}", info.provider, info.model_id),
            None => name,
        });
        Ok(Self { base: base.to_owned(), config, backend, kept_by, model, stored, compatibility })
    }

    /// Whether the file is there that tells how vectors are kept.
    pub(crate) fn has_meta(&self, branch: &Branch) -> bool {
        read_meta(branch, &self.base).is_some()
    }

    /// What to tell a user whose vectors do not fit.
    pub(crate) fn warning(&self) -> Option<String> {
        let Self { base, config, stored, .. } = self;
        let stored = stored.as_deref().unwrap_or("another model");
        let wanted = format!("{}:{}", config.provider.as_str(), config.model_id);
        match self.compatibility {
            Compatibility::EmbeddingMismatch if stored == wanted => Some(format!(
                "the vectors of base `{base}` are of another version of `{wanted}`: `gik reindex` makes them anew"
            )),
            Compatibility::EmbeddingMismatch => Some(format!(
                "the vectors of base `{base}` are of `{stored}`, and the config names `{wanted}`: `gik reindex` makes them anew"
            )),
            Compatibility::DimensionMismatch => Some(format!(
                "the vectors of base `{base}` have another dimension than those of `{wanted}`: `gik reindex` makes them anew"
            )),
            Compatibility::Compatible
            | Compatibility::MissingMeta
            | Compatibility::BackendMismatch => None,
        }
    }
}

fn is_of(info: &ModelInfo, config: &EmbeddingConfig) -> bool {
    info.provider == config.provider.as_str() && info.model_id == config.model_id
}

/// `model-info.json` of a base. It is derived: one that cannot be read counts as missing.
pub(crate) fn read_info(branch: &Branch, base: &str) -> Option<ModelInfo> {
    jsonl::read_json(&branch.base_model_info_path(base)).unwrap_or(None)
}

fn read_meta(branch: &Branch, base: &str) -> Option<VectorIndexMeta> {
    jsonl::read_json(&branch.base_dir(base).join("index").join("meta.json")).unwrap_or(None)
}

/// How the vectors of a base are to be kept.
pub(crate) fn backend_of(settings: &Settings, base: &str) -> Result<Backend> {
    let indexes = &settings.indexes;
    let Some(name) = indexes.bases.get(base).or(indexes.backend.as_ref()) else {
        return Ok(Backend::default());
    };
    let known = Backend::from_name(name).or_else(|| Backend::from_name(&format!("other:{name}")));
    let failure = match known {
        None => {
            let message = format!("the backend `{name}` for vectors is not part of this program");
            Failure::new(ErrorCode::ConfigInvalid, message)
        },
        Some(backend) => match backend.refusal() {
            None => return Ok(backend),
            Some(failure) => failure,
        },
    };
    Err(failure
        .hint("set `indexes.default.backend` to `mmap`, `simple_file` or `sqlite_vec`")
        .hint("`gik config show indexes --origin` shows where it is asked for"))
}
