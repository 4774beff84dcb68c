//! `gik agents install`: tells coding agents about gik.

use gik_base::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Direction, Output, Request, run};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

/// Tell coding agents about gik: an entry among their MCP servers, a block in their instructions
///
/// Files are changed in place: comments, order, line ends and modes stay, links are followed. An entry `gik` that this
/// program did not write is left alone, and so is a file that cannot be read. A second time changes nothing.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Args {
    #[command(flatten)]
    request: Request,
}

struct Install;

impl Runs for Install {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        run(ctx, Direction::In, &args.request)
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Install>(
    &["agents", "install"],
    Effect::Writes,
    Shape::One,
    "gik agents install --dry-run",
)
.for_people();
