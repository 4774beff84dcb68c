//! `gik model list`: the models there are, what each is, and which are in use.

use std::ops::Range;

use gik_base::Result;
use gik_models::Library;
use gik_models::library::Contents;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{InUse, Listed, home, short_revision};
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Cell, Style, human_bytes};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// List the models on this machine
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {}

/// The models on this machine.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Where they are kept.
    pub folder: String,
    /// What all of it takes on the disk, unfinished downloads too.
    pub total_bytes: u64,
    /// Every model and revision, the one inside the program first.
    pub models: Vec<Listed>,
    /// Downloads that can go on.
    pub unfinished: Vec<Unfinished>,
    /// Folders whose manifest cannot be read.
    pub broken: Vec<Broken>,
    /// Models that the settings ask for and that are not there.
    pub missing: Vec<String>,
}

/// A download that can go on.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unfinished {
    /// The name.
    pub model_id: String,
    /// The revision.
    pub revision: String,
    /// The bytes that are there.
    pub bytes: u64,
}

/// A folder whose manifest cannot be read.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Broken {
    /// The folder.
    pub folder: String,
    /// Why.
    pub reason: String,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let rows: Vec<Vec<Cell>> = self
            .models
            .iter()
            .map(|model| {
                let revision = model.revision.as_deref().map_or("-", short_revision);
                let used = match (model.active, model.used_by.is_empty()) {
                    (false, _) => "not active".to_owned(),
                    (true, true) => "-".to_owned(),
                    (true, false) => model.used_by.join(", "),
                };
                vec![
                    Cell::styled(Style::Name, &model.model_id),
                    Cell::text(model.kind.as_str()),
                    Cell::number(
                        model.dimension.map_or("-".to_owned(), |number| number.to_string()),
                    ),
                    Cell::number(model.size()),
                    Cell::text(revision),
                    Cell::text(used),
                ]
            })
            .collect();
        view.table(&["model", "kind", "dimensions", "size", "revision", "used by"], &rows);
        for unfinished in &self.unfinished {
            let (name, bytes) = (&unfinished.model_id, human_bytes(unfinished.bytes));
            let name = view.paint(Style::Name, name);
            view.line(format!("{name}: not complete, {bytes} are there"));
        }
        for broken in &self.broken {
            let label = view.paint(Style::Bad, "broken:");
            let reason = view.plain(&broken.reason);
            view.line(format!("{label} {reason}"));
        }
        if self.total_bytes > 0 {
            let folder = view.paint(Style::Name, &self.folder);
            view.line(format!("{} in {folder}", human_bytes(self.total_bytes)));
        }
        for name in &self.missing {
            view.hint(format!("`{name}` is configured and not here: `gik model pull {name}`"));
        }
        if let Some(unfinished) = self.unfinished.first() {
            view.hint(format!("`gik model pull {}` goes on with it", unfinished.model_id));
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.models)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.models, rows)
    }
}

struct List;

impl Runs for List {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, _args: Args) -> Result<Output> {
        let (home, in_use) = (home()?, InUse::of(ctx)?);
        let library = Library::at(&home);
        let Contents { installed, unfinished, broken } = library.contents()?;
        let mut models = vec![Listed::builtin(&in_use)];
        models.extend(installed.iter().map(|installed| Listed::of(installed, &in_use)));
        let unfinished: Vec<Unfinished> = unfinished
            .into_iter()
            .map(|unfinished| Unfinished {
                model_id: unfinished.name.to_string(),
                revision: unfinished.revision,
                bytes: unfinished.bytes,
            })
            .collect();
        let total_bytes = models.iter().map(|model| model.bytes).sum::<u64>()
            + unfinished.iter().map(|unfinished| unfinished.bytes).sum::<u64>();
        let mut missing: Vec<String> = in_use
            .0
            .iter()
            .map(|(_, config)| config)
            .filter(|config| !config.is_here(&home))
            .map(|config| config.model_id.clone())
            .collect();
        missing.sort();
        missing.dedup();
        let broken = broken
            .into_iter()
            .map(|(folder, reason)| Broken { folder: folder.display().to_string(), reason })
            .collect();
        let folder = library.folder().display().to_string();
        Ok(Output { folder, total_bytes, models, unfinished, broken, missing })
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<List>(&["model", "list"], Effect::Reads, Shape::List, "gik model list");
