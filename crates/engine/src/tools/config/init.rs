//! `gik config init`: writes a config file with every key as a comment.

use gik_base::{ErrorCode, Failure, Result, fs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Layers, layer_of};
use crate::settings::short_path;
use crate::settings::template::template;
use crate::tool::Runs;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Write a config file with every key as a comment
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Write your own file, for all projects, instead of the project's
    #[arg(long)]
    pub global: bool,
    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,
}

/// What `config init` did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The file.
    pub file: String,
    /// Whether it took the place of another.
    pub replaced: bool,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let file = view.paint(Style::Name, short_path(self.file.as_ref()));
        let verb = if self.replaced { "Replaced" } else { "Wrote" };
        view.line(format!("{verb} {file}"));
        view.hint("every line is a comment; take away the `# ` of those you want to change");
    }
}

struct Init;

impl Runs for Init {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        init(&Layers::of(ctx)?, &args)
    }
}

pub(super) fn init(layers: &Layers, args: &Args) -> Result<Output> {
    let layer = layer_of(args.global);
    let file = layers.file(layer)?;
    let _lock = layers.lock()?;
    let replaced = fs::symlink_metadata_if_present(&file)?.is_some();
    if replaced && !args.force {
        let message = format!("`{}` is there already", file.display());
        return Err(Failure::new(ErrorCode::ArgumentInvalid, message)
            .hint("`--force` replaces it; `gik config set` changes one value of it"));
    }
    layers.write(layer, template(layer).as_bytes())?;
    Ok(Output { file: file.to_string_lossy().into_owned(), replaced })
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Init>(&["config", "init"], Effect::Writes, Shape::One, "gik config init --global")
        .for_people();
