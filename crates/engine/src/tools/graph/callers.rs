//! `gik graph callers`: who calls a symbol, and which calls of its name are tied to nothing.

use gik_base::Result;
use gik_graph::EdgeKind;
use gik_graph::walk::Direction;
use schemars::JsonSchema;
use serde::Deserialize;

use super::near::{self, Reach, Sought};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

/// List who calls a symbol, with how that is known
///
/// Calls whose name could not be tied to a definition are counted, so that none found does not mean that there is none.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Args {
    #[command(flatten)]
    reach: Reach,
}

struct Callers;

impl Runs for Callers {
    type Args = Args;
    type Output = near::Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<near::Output> {
        let sought = Sought {
            direction: Direction::Backward,
            kinds: &[EdgeKind::Calls],
            words: ("caller", "callers"),
            with_unresolved: true,
            with_contents: true,
        };
        near::run(ctx, args.reach, &sought)
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Callers>(
    &["graph", "callers"],
    Effect::Reads,
    Shape::List,
    "gik graph callers Store::open --depth 2",
);
