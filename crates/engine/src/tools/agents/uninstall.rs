//! `gik agents uninstall`: takes out of coding agents what was put in.

use gik_base::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Direction, Output, Request, run};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

/// Take out of coding agents what `gik agents install` put in
///
/// What was put in is cut out exactly where it is still as it was written; a file that was made for it goes when nothing
/// else is in it. An entry `gik` that this program did not write is left alone.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Args {
    #[command(flatten)]
    request: Request,
}

struct Uninstall;

impl Runs for Uninstall {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        run(ctx, Direction::Out, &args.request)
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Uninstall>(
    &["agents", "uninstall"],
    Effect::Writes,
    Shape::One,
    "gik agents uninstall --agent cursor",
)
.for_people();
