//! `gik agents install`: tells coding agents about gik.

use gik_base::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Direction, Output, Request, run};
use crate::agents::Scope;
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

/// Tell coding agents about gik: an entry among their MCP servers, a block in their instructions
///
/// Files are changed in place: comments, order, line ends and modes stay, links are followed. An entry `gik` that this
/// program did not write is left alone, and so is a file that cannot be read. A second time changes nothing.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Which, comma-separated or repeated; `all` for every known one [default: those that are in use here]
    #[arg(long = "agent", value_name = "AGENT")]
    #[serde(alias = "agent")]
    pub agents: Vec<String>,
    /// Whose files [default: user]
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<Scope>,
    /// Leave the instructions of the agents alone
    #[arg(long)]
    pub no_instructions: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
}

struct Install;

impl Runs for Install {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let request = Request {
            direction: Direction::In,
            agents: args.agents,
            scope: args.scope.unwrap_or_default(),
            instructions: !args.no_instructions,
            dry_run: args.dry_run,
            yes: args.yes,
        };
        run(ctx, &request)
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
