//! `gik agents uninstall`: takes out of coding agents what was put in.

use gik_base::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Direction, Output, Request, run};
use crate::agents::Scope;
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

/// Take out of coding agents what `gik agents install` put in
///
/// What was put in is cut out exactly where it is still as it was written; a file that was made for it goes when nothing
/// else is in it. An entry `gik` that this program did not write is left alone.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Which, comma-separated or repeated; `all` for every known one [default: those that have it]
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

struct Uninstall;

impl Runs for Uninstall {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let request = Request {
            direction: Direction::Out,
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
pub const TOOL: Tool = Tool::new::<Uninstall>(
    &["agents", "uninstall"],
    Effect::Writes,
    Shape::One,
    "gik agents uninstall --agent cursor",
)
.for_people();
