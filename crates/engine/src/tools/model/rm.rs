//! `gik model rm`: removes a model with all its revisions.

use gik_base::{ErrorCode, Failure, Result};
use gik_models::{BUILTIN_NAME, ModelName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{InUse, library, refuse_builtin};
use crate::tool::Runs;
use crate::view::{Style, human_bytes};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Remove a model from this machine
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Remove it although the settings ask for it
    #[arg(long)]
    pub force: bool,
}

/// What `model rm` did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The name.
    pub model_id: String,
    /// The revisions that were removed.
    pub revisions: Vec<String>,
    /// The bytes that are free now.
    pub freed_bytes: u64,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let name = view.paint(Style::Name, &self.model_id);
        view.line(format!("Removed {name}: {} are free", human_bytes(self.freed_bytes)));
    }
}

struct Rm;

impl Runs for Rm {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let name = ModelName::parse(&args.name)?;
        refuse_builtin(&name, "removed")?;
        let users = InUse::of(ctx)?.users_of(name.as_str());
        if !users.is_empty() && !args.force {
            let message = format!("`{name}` is in use: {}", users.join(", "));
            return Err(Failure::new(ErrorCode::ArgumentInvalid, message)
                .hint(format!("`gik model use {BUILTIN_NAME}` goes back to the built-in one"))
                .hint("`--force` removes it all the same"));
        }
        let removed = library()?.remove(&name, ctx.progress, &ctx.cancel)?;
        if removed.is_empty() {
            let message = format!("there is no model `{name}` on this machine");
            return Err(Failure::new(ErrorCode::ModelMissing, message)
                .hint("`gik model list` lists the models there are"));
        }
        Ok(Output {
            model_id: name.to_string(),
            freed_bytes: removed.iter().map(|removed| removed.bytes).sum(),
            revisions: removed.into_iter().map(|removed| removed.revision).collect(),
        })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Rm>(
    &["model", "rm"],
    Effect::Writes,
    Shape::One,
    "gik model rm BAAI/bge-small-en-v1.5",
)
.for_people();
