//! `gik model show`: what one model is, where it came from, and its files.

use gik_base::Result;
use gik_contract::{ModelFile, ModelSource, Timestamp};
use gik_models::{BUILTIN_NAME, ModelName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{InUse, Listed, library};
use crate::tool::Runs;
use crate::view::{Cell, Style, human_bytes};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Show what a model is, where it came from and which files it has
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The revision; the active one where none is given
    #[arg(long, value_name = "REVISION")]
    pub revision: Option<String>,
}

/// What a model is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// What lists show.
    #[serde(flatten)]
    pub model: Listed,
    /// Where its files came from.
    pub source: Option<ModelSource>,
    /// The oldest version of GIK that can use it.
    pub min_gik_version: Option<String>,
    /// When it was made ready for use.
    pub created_at: Option<Timestamp>,
    /// Where its files are.
    pub folder: Option<String>,
    /// Its files.
    pub files: Vec<ModelFile>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let model = &self.model;
        view.heading(&model.model_id);
        let text = |value: Option<&String>| view.plain(value.map_or("-", String::as_str));
        let dimension = model.dimension.map_or("-".to_owned(), |number| number.to_string());
        let users =
            if model.used_by.is_empty() { "-".to_owned() } else { model.used_by.join(", ") };
        let mut pairs = vec![
            ("kind", model.kind.as_str().to_owned()),
            ("provider", text(model.provider.as_ref())),
            ("dimensions", dimension),
            ("numbers", text(model.quantization.as_ref())),
            ("license", text(model.license.as_ref())),
            ("used by", users),
            ("size", model.size()),
        ];
        if let Some(source) = &self.source {
            pairs.push(("revision", text(model.revision.as_ref())));
            pairs.push(("source", view.plain(&source.location)));
            pairs.push(("folder", text(self.folder.as_ref())));
        }
        view.pairs(&pairs);
        if self.files.is_empty() {
            return;
        }
        view.blank();
        let rows: Vec<Vec<Cell>> = self
            .files
            .iter()
            .map(|file| {
                vec![
                    Cell::styled(Style::Name, &file.path),
                    Cell::number(human_bytes(file.size)),
                    Cell::text(&file.sha256),
                ]
            })
            .collect();
        view.table(&["file", "size", "sha256"], &rows);
    }
}

struct Show;

impl Runs for Show {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let (name, in_use) = (ModelName::parse(&args.name)?, InUse::of(ctx)?);
        if name.as_str() == BUILTIN_NAME {
            return Ok(Output {
                model: Listed::builtin(&in_use),
                source: None,
                min_gik_version: None,
                created_at: None,
                folder: None,
                files: Vec::new(),
            });
        }
        let installed = library()?.get(&name, args.revision.as_deref())?;
        Ok(Output {
            model: Listed::of(&installed, &in_use),
            source: Some(installed.manifest.source),
            min_gik_version: Some(installed.manifest.min_gik_version),
            created_at: Some(installed.manifest.created_at),
            folder: Some(installed.folder.display().to_string()),
            files: installed.manifest.files,
        })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Show>(
    &["model", "show"],
    Effect::Reads,
    Shape::One,
    "gik model show gik-static-256-v1",
);
