//! `gik memory show`: one entry in full.

use gik_base::Result;
use gik_contract::MemoryEntry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::names::{find_id, missing};
use super::{indented, list};
use crate::tool::Runs;
use crate::tools::log::short;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Show one memory entry
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The id, or at least four characters of its start; `mem-` may be left out
    #[arg(required = true, value_name = "ID")]
    pub id: String,
}

/// One entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// As the file holds it.
    #[serde(flatten)]
    pub entry: MemoryEntry,
    /// Whether it is archived, and so in no answer.
    pub archived: bool,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let entry = &self.entry;
        let state = if self.archived {
            format!(" {}", view.paint(Style::Warning, "archived"))
        } else {
            String::new()
        };
        let mut pairs = vec![("id", format!("{}{state}", view.paint(Style::Name, &entry.id)))];
        if let Some(title) = &entry.title {
            pairs.push(("title", view.paint(Style::Heading, title)));
        }
        pairs.push((
            "scope",
            match &entry.branch {
                Some(branch) => view.plain(format!("{} {branch}", entry.scope.as_str())),
                None => view.plain(entry.scope.as_str()),
            },
        ));
        pairs.push(("source", view.plain(entry.source.as_str())));
        if !entry.tags.is_empty() {
            pairs.push(("tags", view.plain(entry.tags.join(", "))));
        }
        if let Some(importance) = entry.importance {
            pairs.push(("importance", view.plain(importance)));
        }
        pairs.push(("written", view.plain(entry.created_at)));
        if entry.updated_at != entry.created_at {
            pairs.push(("changed", view.plain(entry.updated_at)));
        }
        if let Some(revision) = &entry.origin_revision {
            pairs.push(("revision", view.plain(short(revision))));
        }
        view.pairs(&pairs);
        view.blank();
        indented(view, &entry.text);
    }
}

struct Show;

impl Runs for Show {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let mut entries = list::active(&ws)?;
        let active = entries.len();
        entries.extend(list::archived(&ws)?);
        let at = find_id(&entries, &args.id)?.ok_or_else(|| missing(&args.id))?;
        Ok(Output { entry: entries.swap_remove(at), archived: at >= active })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Show>(
    &["memory", "show"],
    Effect::Reads,
    Shape::One,
    "gik memory show mem-a1b2c3d4",
);
