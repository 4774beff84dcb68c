//! `gik model …`: the models on this machine. Here is what the commands share: the library, who uses which model, and how
//! models are named to people.

pub mod add;
pub mod gc;
pub mod list;
pub mod pull;
pub mod rm;
pub mod show;
pub mod use_model;
pub mod verify;

use std::path::PathBuf;

use gik_base::{ErrorCode, Failure, Result, env};
use gik_contract::ModelKind;
use gik_models::library::Installed;
use gik_models::{BUILTIN_DIMENSION, BUILTIN_NAME, Library, ModelName, Provider};
use schemars::JsonSchema;
use serde::Serialize;

use crate::embedding::EmbeddingConfig;
use crate::settings::{LayerPaths, Loaded, Trust, load};
use crate::view::{Style, human_bytes};
use crate::{Context, View, bases};

/// The folder of the user.
fn home() -> Result<PathBuf> {
    env::gik_home().ok_or_else(|| {
        Failure::new(ErrorCode::ConfigInvalid, "there is no home folder to keep models in")
            .hint(format!("set `{}` to a folder of yours", env::GIK_HOME))
    })
}

fn library() -> Result<Library> {
    Ok(Library::at(&home()?))
}

/// The settings at hand; outside any workspace those of the user alone.
fn settings(ctx: &Context<'_>) -> Result<Loaded> {
    if let Ok(root) = ctx.root() {
        return ctx.settings(&root);
    }
    let global = env::gik_home().map(|home| home.join("config.yaml"));
    let paths = LayerPaths { global, project: PathBuf::new() };
    let environment = env::vars_with_prefix(env::GIK_CONFIG_PREFIX);
    load(&paths, Trust::default(), &environment, &ctx.options.set)
}

/// Which models the settings ask for: the default one first, then those of bases that have their own.
#[derive(Debug)]
struct InUse(Vec<(String, EmbeddingConfig)>);

impl InUse {
    fn of(ctx: &Context<'_>) -> Result<Self> {
        let settings = settings(ctx)?.settings;
        let mut all = vec![("default".to_owned(), EmbeddingConfig::of_default(&settings)?)];
        for base in settings.embeddings.bases.keys() {
            all.push((base.clone(), EmbeddingConfig::of(&settings, base)?));
        }
        Ok(Self(all))
    }

    /// Who uses a model: `default`, or the names of bases.
    fn users_of(&self, model_id: &str) -> Vec<String> {
        let uses = |config: &EmbeddingConfig| {
            config.provider.is_local()
                && config.local_path.is_none()
                && config.model_id.eq_ignore_ascii_case(model_id)
        };
        self.0.iter().filter(|(_, config)| uses(config)).map(|(user, _)| user.clone()).collect()
    }
}

/// A model as lists show it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// The name, as config and commands use it.
    pub model_id: String,
    /// `encoder`, `static` or `gguf`.
    pub kind: ModelKind,
    /// What config calls the one that runs it; `null` where nothing here does.
    pub provider: Option<String>,
    /// The numbers of a vector; `null` where it makes none.
    pub dimension: Option<u64>,
    /// How its numbers are stored.
    pub quantization: Option<String>,
    /// What its card says.
    pub license: Option<String>,
    /// The revision; `null` for the one inside the program.
    pub revision: Option<String>,
    /// Whether its name means this revision.
    pub active: bool,
    /// The bytes it takes on the disk.
    pub bytes: u64,
    /// Who uses it by the settings at hand: `default`, or the names of bases.
    pub used_by: Vec<String>,
}

impl Listed {
    fn builtin(in_use: &InUse) -> Self {
        Self {
            model_id: BUILTIN_NAME.to_owned(),
            kind: ModelKind::Static,
            provider: Some(Provider::Static.as_str().to_owned()),
            dimension: Some(BUILTIN_DIMENSION as u64),
            quantization: Some("I8".to_owned()),
            license: Some("apache-2.0".to_owned()),
            revision: None,
            active: true,
            bytes: 0,
            used_by: in_use.users_of(BUILTIN_NAME),
        }
    }

    fn of(installed: &Installed, in_use: &InUse) -> Self {
        let manifest = &installed.manifest;
        let used_by =
            if installed.active { in_use.users_of(&manifest.model_id) } else { Vec::new() };
        Self {
            model_id: manifest.model_id.clone(),
            kind: manifest.kind,
            provider: provider_of(manifest.kind).map(|provider| provider.as_str().to_owned()),
            dimension: manifest.dimension,
            quantization: manifest.quantization.clone(),
            license: manifest.license.clone(),
            revision: Some(manifest.revision.clone()),
            active: installed.active,
            bytes: installed.total_bytes(),
            used_by,
        }
    }

    fn size(&self) -> String {
        if self.revision.is_none() { "built in".to_owned() } else { human_bytes(self.bytes) }
    }
}

/// What runs a model of that kind.
fn provider_of(kind: ModelKind) -> Option<Provider> {
    match kind {
        ModelKind::Static => Some(Provider::Static),
        ModelKind::Encoder => Some(Provider::Candle),
        ModelKind::Reranker | ModelKind::Gguf => None,
    }
}

/// A model that came into the library, told in one line.
fn told(view: &View, model: &Listed) -> String {
    let name = view.paint(Style::Name, &model.model_id);
    let kind = model.kind.as_str();
    let dimension = model.dimension.map(|dimension| format!(", {dimension} dimensions"));
    format!("{name}: {kind}{}, {}", dimension.unwrap_or_default(), model.size())
}

/// What to type next, now that a model is there.
fn next_step(view: &mut View, model: &Listed) {
    if model.kind == ModelKind::Reranker {
        let name = &model.model_id;
        view.hint(format!(
            "`gik config set ranking.reranker.model_id {name} --global` lets it rank answers"
        ));
    } else if model.provider.is_some() && model.used_by.is_empty() {
        view.hint(format!("`gik model use {}` makes it the one for embeddings", model.model_id));
    }
}

/// The first digits of a commit; names of local revisions as they are.
fn short_revision(revision: &str) -> &str {
    let is_commit =
        revision.len() >= 40 && revision.bytes().take(40).all(|b| b.is_ascii_hexdigit());
    if is_commit { &revision[..8] } else { revision }
}

/// Fails for the model that is a part of the program.
fn refuse_builtin(name: &ModelName, what: &str) -> Result<()> {
    if name.as_str() != BUILTIN_NAME {
        return Ok(());
    }
    let message = format!("`{name}` is a part of gik and cannot be {what}");
    Err(Failure::new(ErrorCode::ArgumentInvalid, message)
        .hint(format!("`gik model use {name}` makes it the one for embeddings")))
}

/// The base of that name.
fn base_named(name: &str) -> Result<&'static str> {
    bases::checked(name, bases::ALL)
}
