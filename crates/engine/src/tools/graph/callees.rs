//! `gik graph callees`: what a symbol calls.

use gik_base::Result;
use gik_graph::EdgeKind;
use gik_graph::walk::Direction;
use schemars::JsonSchema;
use serde::Deserialize;

use super::near::{self, Reach, Sought};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

/// List what a symbol or a file calls
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Args {
    #[command(flatten)]
    reach: Reach,
}

struct Callees;

impl Runs for Callees {
    type Args = Args;
    type Output = near::Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<near::Output> {
        let sought = Sought {
            direction: Direction::Forward,
            kinds: &[EdgeKind::Calls],
            words: ("callee", "callees"),
            with_unresolved: false,
            with_contents: true,
        };
        near::run(ctx, args.reach, &sought)
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Callees>(
    &["graph", "callees"],
    Effect::Reads,
    Shape::List,
    "gik graph callees Store::open",
);
