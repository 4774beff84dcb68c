//! `gik config trust`: shows what the project's config asks for, and accepts it.

use gik_base::{ErrorCode, Failure, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Layers;
use crate::settings::document::{Layer, read_bytes, read_document};
use crate::settings::key::NeedsTrust;
use crate::settings::{Value, failure_of, record_trust, revoke_trust, short_path};
use crate::tool::Runs;
use crate::view::{Cell, Style};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Accept what the project's config asks for, as the file is now
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Take it back
    #[arg(long)]
    pub revoke: bool,
}

/// What is trusted.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The workspace.
    pub workspace: String,
    /// Its config file.
    pub file: String,
    /// Whether the file is trusted now.
    pub trusted: bool,
    /// Whether that is a change.
    pub changed: bool,
    /// The sha256 of the file as it was trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_sha256: Option<String>,
    /// What the file sets that needs trust.
    pub values: Vec<Trusted>,
}

/// A value that needs trust.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trusted {
    /// The key in snake_case.
    pub key: String,
    /// The value.
    pub value: Value,
    /// The line, from 1.
    pub line: usize,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let file = view.paint(Style::Name, short_path(self.file.as_ref()));
        match (self.trusted, self.changed) {
            (false, true) => view.line(format!("{file} is no longer trusted")),
            (false, false) => view.line(format!("{file} was not trusted")),
            (true, _) if self.values.is_empty() => {
                view.line(format!("{file} is trusted; nothing in it needs that"));
            },
            (true, _) => {
                view.line(format!("{file} is trusted to set"));
                let rows: Vec<Vec<Cell>> = self
                    .values
                    .iter()
                    .map(|value| {
                        vec![
                            Cell::number(value.line),
                            Cell::styled(Style::Name, &value.key),
                            Cell::text(&value.value),
                        ]
                    })
                    .collect();
                view.table(&["line", "key", "value"], &rows);
                view.hint("when the file changes it has to be trusted again");
            },
        }
    }
}

struct TrustConfig;

impl Runs for TrustConfig {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let layers = Layers::of(ctx)?;
        if args.revoke { revoke(&layers) } else { trust(&layers) }
    }
}

pub(super) fn trust(layers: &Layers) -> Result<Output> {
    let file = &layers.paths.project;
    let Some(bytes) = read_bytes(file)? else {
        let message = format!("there is no `{}` to trust", file.display());
        return Err(Failure::new(ErrorCode::PathMissing, message)
            .hint("a workspace without a config file needs no trust"));
    };
    // The bytes that are shown are the bytes that are trusted.
    let document = read_document(&bytes, file, Layer::Project);
    if let Some(failure) = failure_of(&document.problems) {
        return Err(failure);
    }
    let values = document
        .assignments
        .into_iter()
        .filter(|set| set.key.needs_trust_for(&set.value))
        .filter(|set| {
            !matches!(set.key.needs_trust, NeedsTrust::UserOnly | NeedsTrust::UserFileOnly)
        })
        .map(|set| Trusted {
            line: set.origin.file_and_line().map_or(0, |(_, line)| line),
            key: set.name,
            value: set.value,
        })
        .collect();
    let changed = !layers.trust()?.covers(&bytes);
    let sha256 = record_trust(layers.home()?, &layers.root, &bytes, &layers.cancel)?;
    Ok(Output { changed, config_sha256: Some(sha256), values, ..output(layers, Standing::Trusted) })
}

pub(super) fn revoke(layers: &Layers) -> Result<Output> {
    let changed = revoke_trust(layers.home()?, &layers.root, &layers.cancel)?;
    Ok(Output { changed, ..output(layers, Standing::Untrusted) })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Trusted,
    Untrusted,
}

fn output(layers: &Layers, standing: Standing) -> Output {
    Output {
        workspace: layers.root.to_string_lossy().into_owned(),
        file: layers.paths.project.to_string_lossy().into_owned(),
        trusted: standing == Standing::Trusted,
        changed: false,
        config_sha256: None,
        values: Vec::new(),
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<TrustConfig>(&["config", "trust"], Effect::Writes, Shape::One, "gik config trust")
        .for_people();
