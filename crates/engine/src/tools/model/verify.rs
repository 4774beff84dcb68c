//! `gik model verify`: reads every file and compares it with the manifest.

use std::ops::Range;

use gik_base::Result;
use gik_models::ModelName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{library, refuse_builtin, short_revision};
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Style, count, human_bytes};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Check that the files of models are what they were
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The models; all of them where none is named
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Every model that was looked at.
    pub models: Vec<Verified>,
}

/// A model that was looked at.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    /// The name.
    pub model_id: String,
    /// The revision.
    pub revision: String,
    /// The bytes of its files.
    pub bytes: u64,
    /// The files that are not what they were; none where all is well.
    pub damaged: Vec<Damaged>,
    /// The command that brings its files back.
    #[serde(skip)]
    how_to_get: String,
}

/// A file that is not what it was.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Damaged {
    /// Its path.
    pub path: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for model in &self.models {
            let name = view.paint(Style::Name, &model.model_id);
            let revision = short_revision(&model.revision);
            if model.damaged.is_empty() {
                let good = view.paint(Style::Good, "intact");
                view.line(format!("{name} {revision}: {good}, {}", human_bytes(model.bytes)));
                continue;
            }
            let bad = view.paint(Style::Bad, "damaged");
            view.line(format!("{name} {revision}: {bad}"));
            for file in &model.damaged {
                let path = view.paint(Style::Name, &file.path);
                view.line(format!("  {path} {}", file.reason));
            }
            view.hint(&model.how_to_get);
        }
        if self.models.is_empty() {
            view.line("There are no models but the built-in one");
        } else {
            let models = count(self.models.len() as u64, "model", "models");
            view.line(format!("{models} checked"));
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.models)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.models, rows)
    }

    fn found(&self) -> bool {
        self.models.iter().all(|model| model.damaged.is_empty())
    }
}

struct Verify;

impl Runs for Verify {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let library = library()?;
        let mut installed = Vec::new();
        for name in &args.names {
            let name = ModelName::parse(name)?;
            refuse_builtin(&name, "damaged")?;
            installed.push(library.get(&name, None)?);
        }
        if args.names.is_empty() {
            installed = library.contents()?.installed;
        }
        let mut models = Vec::new();
        for installed in installed {
            let damaged = installed.verify(ctx.progress, &ctx.cancel)?;
            models.push(Verified {
                bytes: installed.total_bytes(),
                how_to_get: installed.how_to_get(),
                model_id: installed.manifest.model_id,
                revision: installed.manifest.revision,
                damaged: damaged
                    .into_iter()
                    .map(|file| Damaged {
                        path: file.path,
                        reason: file.damage.as_str().to_owned(),
                    })
                    .collect(),
            });
        }
        Ok(Output { models })
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Verify>(&["model", "verify"], Effect::Reads, Shape::List, "gik model verify");
