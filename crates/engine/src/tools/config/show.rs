//! `gik config show`: the values that hold, and where each comes from.

use gik_base::{ErrorCode, Failure, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::Layers;
use crate::settings::key::{Named, find, suggest};
use crate::settings::{Loaded, Origin, Value, Valued, load};
use crate::tool::{Runs, rows_of};
use crate::view::{Cell, Style};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Show the settings that hold
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Show this key alone, or the keys of this group
    #[arg(value_name = "KEY")]
    pub key: Option<String>,
    /// Also show where each value comes from and what it wins over
    #[arg(long)]
    pub origin: bool,
}

/// The settings that hold.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The values, by key.
    pub values: Vec<Setting>,
    #[serde(skip)]
    layout: Layout,
}

/// How much is shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// The value alone, for scripts.
    Bare,
    Values,
    Origins,
}

/// One setting.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Setting {
    /// The key in snake_case.
    pub key: String,
    /// The value that holds.
    pub value: Value,
    /// Where it was set.
    pub origin: Place,
    /// The values it wins over, the strongest first.
    pub shadowed: Vec<Shadowed>,
}

/// A value that another one wins over.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shadowed {
    /// The value.
    pub value: Value,
    /// Where it was set.
    pub origin: Place,
}

/// Where a value was set.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// `default`, `global`, `project`, `environment` or `flag`.
    pub layer: String,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The environment variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// The place as people read it.
    #[serde(skip)]
    pub shown: String,
}

impl From<&Origin> for Place {
    fn from(origin: &Origin) -> Self {
        let (file, line) = origin.file_and_line().unzip();
        let variable = match origin {
            Origin::Environment { variable } => Some(variable.clone()),
            Origin::Default | Origin::Global { .. } | Origin::Project { .. } | Origin::Flag => None,
        };
        Self {
            layer: origin.layer().to_owned(),
            file: file.map(|file| file.to_string_lossy().into_owned()),
            line,
            variable,
            shown: origin.to_string(),
        }
    }
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        match self.layout {
            Layout::Bare => {
                for setting in &self.values {
                    let value = view.plain(&setting.value);
                    view.line(value);
                }
            },
            Layout::Values => {
                let rows: Vec<Vec<Cell>> = self
                    .values
                    .iter()
                    .map(|setting| vec![key_cell(&setting.key), Cell::text(&setting.value)])
                    .collect();
                view.table(&["key", "value"], &rows);
            },
            Layout::Origins => {
                let mut rows = Vec::new();
                for setting in &self.values {
                    let shown = Cell::styled(Style::Faint, &setting.origin.shown);
                    rows.push(vec![key_cell(&setting.key), Cell::text(&setting.value), shown]);
                    for weaker in &setting.shadowed {
                        let shown = format!("({})", weaker.origin.shown);
                        rows.push(vec![
                            Cell::text(""),
                            Cell::styled(Style::Faint, format!("({})", weaker.value)),
                            Cell::styled(Style::Faint, shown),
                        ]);
                    }
                }
                view.table(&["key", "value", "origin"], &rows);
            },
        }
    }

    fn rows(&self) -> Option<Vec<Json>> {
        rows_of(&self.values)
    }

    fn found(&self) -> bool {
        !self.values.is_empty()
    }
}

fn key_cell(key: &str) -> Cell {
    Cell::styled(Style::Name, key)
}

struct Show;

impl Runs for Show {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let layers = Layers::of(ctx)?;
        let loaded = load(&layers.paths, layers.trust()?, &layers.environment, &layers.flags)?;
        for warning in &loaded.warnings {
            ctx.progress.warn(&warning.message);
        }
        show(loaded, args)
    }
}

pub(super) fn show(loaded: Loaded, args: Args) -> Result<Output> {
    let named = args.key.as_deref().map(known_name).transpose()?;
    let values = loaded
        .values
        .into_iter()
        .filter(|(key, _)| match &named {
            None => true,
            Some(Wanted::Key(name)) => key == name,
            Some(Wanted::Group(group)) => {
                key.strip_prefix(group.as_str()).is_some_and(|rest| rest.starts_with('.'))
            },
        })
        .map(|(key, valued)| setting(key, &valued))
        .collect();
    let layout = match named {
        _ if args.origin => Layout::Origins,
        Some(Wanted::Key(_)) => Layout::Bare,
        Some(Wanted::Group(_)) | None => Layout::Values,
    };
    Ok(Output { values, layout })
}

enum Wanted {
    Key(String),
    Group(String),
}

fn known_name(written: &str) -> Result<Wanted> {
    match find(written) {
        Named::Key(_, name) => Ok(Wanted::Key(name)),
        Named::Group(name) => Ok(Wanted::Group(name)),
        Named::Unknown => Err(unknown(written)),
    }
}

/// The failure of an argument that names no key.
pub(super) fn unknown(written: &str) -> Failure {
    let failure =
        Failure::new(ErrorCode::ArgumentInvalid, format!("`{written}` is not a known key"));
    match suggest(written) {
        Some(name) => failure.hint(format!("did you mean `{name}`?")),
        None => failure.hint("`gik config show` lists the keys"),
    }
}

fn setting(key: String, valued: &Valued) -> Setting {
    let shadowed = valued
        .shadowed
        .iter()
        .map(|(origin, value)| Shadowed { value: value.clone(), origin: origin.into() })
        .collect();
    Setting { key, value: valued.value.clone(), origin: (&valued.origin).into(), shadowed }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Show>(&["config", "show"], Effect::Reads, Shape::List, "gik config show --origin");
