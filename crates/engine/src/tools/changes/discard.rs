//! `gik changes discard`: forgets proposed changes.

use gik_base::{ErrorCode, Failure, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::proposals::Desk;
use crate::tool::Runs;
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Forget a proposed change; no file is touched
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The ids, or the beginnings of them
    #[arg(value_name = "ID", required_unless_present = "all")]
    pub ids: Vec<String>,
    /// Forget all of them
    #[arg(long, conflicts_with = "ids")]
    pub all: bool,
}

/// What was forgotten.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The ids.
    pub discarded: Vec<String>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let changes = count(self.discarded.len() as u64, "proposed change", "proposed changes");
        let ids: Vec<String> =
            self.discarded.iter().map(|id| view.paint(Style::Name, id)).collect();
        view.line(format!("Forgot {changes} {}", ids.join(" ")));
    }
}

struct Discard;

impl Runs for Discard {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let desk = Desk::of(&ws)?;
        if args.ids.is_empty() && !args.all {
            return Err(Failure::new(ErrorCode::ArgumentInvalid, "no id is given")
                .hint("`--all` forgets all proposed changes"));
        }
        let held = desk.hold()?;
        let mut ids = Vec::new();
        for id in &args.ids {
            ids.push(desk.shelf.resolve(id)?);
        }
        if args.all {
            let (proposals, damaged) = desk.shelf.list()?;
            ids.extend(proposals.into_iter().map(|proposal| proposal.id).chain(damaged));
        }
        for id in &ids {
            desk.shelf.remove(&held, id)?;
        }
        Ok(Output { discarded: ids })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Discard>(
    &["changes", "discard"],
    Effect::Writes,
    Shape::One,
    "gik changes discard 3f2a91c0",
)
.destroying()
.for_people();
