//! `gik model use`: makes a model the one that computes embeddings.

use gik_base::{ErrorCode, Failure, Result};
use gik_models::{BUILTIN_DIMENSION, BUILTIN_NAME, ModelName, Provider};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{base_named, home, library, provider_of, settings};
use crate::embedding::{EmbeddingConfig, not_an_embedder};
use crate::settings::document::Layer;
use crate::settings::{Value, short_path};
use crate::tool::Runs;
use crate::tools::config::Layers;
use crate::tools::config::set::set_values;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Make a model the one that computes embeddings
///
/// The choice is written to your own config: provider, name and dimension.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The name, as `gik model list` shows it
    #[arg(value_name = "NAME")]
    pub name: String,
    /// For this base alone
    #[arg(long, value_name = "BASE")]
    pub base: Option<String>,
    /// Write to the project's config instead, for everyone who works on it
    #[arg(long)]
    pub project: bool,
}

/// What `model use` did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The name.
    pub model_id: String,
    /// What runs it.
    pub provider: String,
    /// The numbers of a vector.
    pub dimension: u64,
    /// The base it is for; all of them where it is `null`.
    pub base: Option<String>,
    /// The file that was written to.
    pub file: String,
    /// Whether the file is another than before.
    pub changed: bool,
    /// The model that holds all the same, because something stronger says so.
    pub overruled_by: Option<String>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let name = view.paint(Style::Name, &self.model_id);
        let target =
            self.base.as_ref().map_or("all bases".to_owned(), |base| format!("base `{base}`"));
        let file = view.paint(Style::Name, short_path(self.file.as_ref()));
        let verb = if self.changed { "is now" } else { "was already" };
        view.line(format!("{name} {verb} the model of {target} in {file}"));
        if let Some(other) = &self.overruled_by {
            view.hint(format!(
                "`{other}` is used here all the same: `gik config show embeddings --origin` tells why"
            ));
        }
    }
}

struct Use;

impl Runs for Use {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let name = ModelName::parse(&args.name)?;
        let base = args.base.as_deref().map(base_named).transpose()?;
        let (model_id, provider, dimension) = usable(&name)?;
        let layers = if args.project { Layers::of(ctx)? } else { Layers::of_user(ctx, home()?) };
        let layer = if args.project { Layer::Project } else { Layer::Global };
        let group =
            base.map_or("embeddings.default".to_owned(), |base| format!("embeddings.bases.{base}"));
        refuse_path(&layers, layer, &group)?;
        let values = [
            (format!("{group}.provider"), Value::Text(provider.as_str().to_owned())),
            (format!("{group}.model_id"), Value::Text(model_id.clone())),
            (format!("{group}.dimension"), Value::Integer(dimension)),
        ];
        let (file, changed) = set_values(&layers, layer, &values)?;
        let settings = settings(ctx)?.settings;
        let now = match base {
            Some(base) => EmbeddingConfig::of(&settings, base)?,
            None => EmbeddingConfig::of_default(&settings)?,
        };
        let holds =
            now.provider == provider && now.model_id == model_id && now.local_path.is_none();
        Ok(Output {
            model_id,
            provider: provider.as_str().to_owned(),
            dimension,
            base: base.map(str::to_owned),
            file: file.to_string_lossy().into_owned(),
            changed,
            overruled_by: (!holds).then_some(now.model_id),
        })
    }
}

/// Name, provider and dimension of a model that can make vectors.
fn usable(name: &ModelName) -> Result<(String, Provider, u64)> {
    if name.as_str() == BUILTIN_NAME {
        return Ok((name.to_string(), Provider::Static, BUILTIN_DIMENSION as u64));
    }
    let installed = library()?.get(name, None)?;
    match (provider_of(installed.manifest.kind), installed.manifest.dimension) {
        (Some(provider), Some(dimension)) => Ok((installed.manifest.model_id, provider, dimension)),
        _ => Err(not_an_embedder(name, installed.manifest.kind)),
    }
}

/// A folder named in the same file would win over the model of the library.
fn refuse_path(layers: &Layers, layer: Layer, group: &str) -> Result<()> {
    let key = format!("{group}.local_path");
    let file = layers.file(layer)?;
    let document = crate::settings::read_file(&file, layer, None)?;
    let Some(set) = document.assignments.iter().find(|set| set.name == key) else { return Ok(()) };
    let line = set.origin.file_and_line().map_or(0, |(_, line)| line);
    let message = format!("{}:{line}: `{key}` names a folder, which would win", file.display());
    Err(Failure::new(ErrorCode::ConfigInvalid, message).hint("take that line out and run it again"))
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Use>(
    &["model", "use"],
    Effect::Writes,
    Shape::One,
    "gik model use gik-static-256-v1",
)
.for_people();
