//! `gik config set`: changes one value of a config file and keeps the rest of it.

use std::path::PathBuf;

use gik_base::{ErrorCode, Failure, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::show::unknown;
use super::{Layers, layer_of};
use crate::settings::document::{Layer, read_bytes, text_of, wrong_value};
use crate::settings::edit::set_value;
use crate::settings::key::{Key, Named, Status, find};
use crate::settings::{Problem, Severity, Value, short_path};
use crate::tool::Runs;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Change one value of a config file
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The key, such as `indexing.threads`
    #[arg(value_name = "KEY")]
    pub key: String,
    /// The value; a list is written `[a, b]` or `a,b`
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub value: String,
    /// Change your own file, for all projects, instead of the project's
    #[arg(long)]
    pub global: bool,
}

/// What `config set` did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The file.
    pub file: String,
    /// The key in snake_case.
    pub key: String,
    /// The value.
    pub value: Value,
    /// Whether the file is another than before.
    pub changed: bool,
    /// Whether the value is ignored until the workspace is trusted.
    pub needs_trust: bool,
    /// Whether the key has no effect in this version.
    pub reserved: bool,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let key = view.paint(Style::Name, &self.key);
        let value = view.plain(&self.value);
        let file = view.paint(Style::Name, short_path(self.file.as_ref()));
        if self.changed {
            view.line(format!("{key} is {value} in {file}"));
        } else {
            view.line(format!("{key} was {value} in {file} already"));
        }
        if self.needs_trust {
            view.hint("the value is ignored until you run `gik config trust`");
        }
        if self.reserved {
            view.hint("the key has no effect in this version");
        }
    }
}

struct Set;

impl Runs for Set {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        set(&Layers::of(ctx)?, &args)
    }
}

pub(super) fn set(layers: &Layers, args: &Args) -> Result<Output> {
    let (key, name) = key_named(&args.key)?;
    let value = key.kind.read_text(&args.value).map_err(|complaint| {
        let failure = Failure::new(ErrorCode::ArgumentInvalid, wrong_value(&name, &complaint));
        match complaint.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    })?;
    let layer = layer_of(args.global);
    let file = layers.file(layer)?;
    let (_, changed) = set_values(layers, layer, &[(name.clone(), value.clone())])?;
    let after = read_bytes(&file)?.unwrap_or_default();
    Ok(Output {
        file: file.to_string_lossy().into_owned(),
        key: name,
        changed,
        needs_trust: layer == Layer::Project
            && key.needs_trust_for(&value)
            && !layers.trust()?.covers(&after),
        reserved: key.status == Status::Reserved,
        value,
    })
}

/// Sets values in the file of a layer in one step. Gives the file and whether it is another than before.
pub(in crate::tools) fn set_values(
    layers: &Layers,
    layer: Layer,
    values: &[(String, Value)],
) -> Result<(PathBuf, bool)> {
    let file = layers.file(layer)?;
    let _lock = layers.lock()?;
    let before = read_bytes(&file)?.unwrap_or_default();
    let mut after = before.clone();
    for (name, value) in values {
        after = edited(&after, name, value).map_err(|(line, message, hint)| {
            let (severity, key) = (Severity::Error, Some(name.clone()));
            Problem { severity, at: layer.at(&file, line), key, message, hint }.into_failure()
        })?;
    }
    let changed = after != before;
    if changed {
        layers.write(layer, &after)?;
    }
    Ok((file, changed))
}

fn key_named(written: &str) -> Result<(&'static Key, String)> {
    match find(written) {
        Named::Key(key, name) => Ok((key, name)),
        Named::Group(group) => {
            let message = format!("`{group}` is a group of keys");
            Err(Failure::new(ErrorCode::ArgumentInvalid, message)
                .hint(format!("`gik config show {group}` lists them")))
        },
        Named::Unknown => Err(unknown(written)),
    }
}

/// The bytes of the file with the value set, or the line that stands in the way, why, and what to do.
fn edited(
    before: &[u8],
    name: &str,
    value: &Value,
) -> std::result::Result<Vec<u8>, (usize, String, Option<String>)> {
    let text = text_of(before).map_err(|line| (line, "not valid UTF-8".to_owned(), None))?;
    let mark = &before[..before.len() - text.len()];
    let text =
        set_value(text, name, value).map_err(|error| (error.line, error.message, error.hint))?;
    Ok([mark, text.as_bytes()].concat())
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Set>(
    &["config", "set"],
    Effect::Writes,
    Shape::One,
    "gik config set indexing.max_file_bytes 8388608",
)
.for_people();
