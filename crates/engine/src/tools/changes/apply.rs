//! `gik changes apply`: a person looks at a proposed change and lets it happen.

use gik_base::{ErrorCode, Failure, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{File, files_of, show_files, shown_diff, summary};
use crate::proposals::Desk;
use crate::tool::Runs;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Apply a proposed change: all of its files or none
///
/// At a terminal the change is shown and you are asked.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The id, or the beginning of it
    #[arg(required = true, value_name = "ID")]
    pub id: String,
    /// Do not ask
    #[arg(short = 'y', long)]
    pub yes: bool,
}

/// What was done.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The id of the change.
    pub id: String,
    /// Whether the files are changed.
    pub applied: bool,
    /// The files.
    pub files: Vec<File>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let id = view.paint(Style::Name, &self.id);
        if self.applied {
            view.line(format!("Applied {id}: {}", summary(&self.files)));
            show_files(view, &self.files);
        } else {
            view.line(format!("Nothing was written; {id} waits as before."));
        }
    }

    fn found(&self) -> bool {
        self.applied
    }
}

struct Apply;

impl Runs for Apply {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let desk = Desk::of(&ws)?;
        let proposal = desk.shelf.find(&args.id)?;
        let (id, files) = (proposal.id.clone(), files_of(&proposal));
        if !args.yes {
            let shown = |styled: bool| shown_diff(&proposal, styled);
            match ctx.progress.ask(&shown, &format!("Apply {id} ({})?", summary(&files))) {
                Some(true) => {},
                Some(false) => return Ok(Output { id, applied: false, files }),
                None => {
                    return Err(Failure::new(
                        ErrorCode::ConfirmationRequired,
                        "nobody is at a terminal to be asked",
                    )
                    .hint(format!("`gik changes apply {id} --yes` does not ask")));
                },
            }
        }
        let held = desk.hold()?;
        // Another process may have applied or discarded it meanwhile. The id tells that it is what was shown.
        let proposal = desk.shelf.find(&id)?;
        desk.apply(&held, &proposal)?;
        Ok(Output { id, applied: true, files })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Apply>(
    &["changes", "apply"],
    Effect::Writes,
    Shape::One,
    "gik changes apply 3f2a91c0",
)
.destroying()
.for_people();
