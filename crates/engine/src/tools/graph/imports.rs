//! `gik graph imports`: what a file imports.

use gik_base::Result;
use gik_graph::EdgeKind;
use gik_graph::walk::Direction;
use schemars::JsonSchema;
use serde::Deserialize;

use super::near::{self, Reach, Sought};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

/// List what a file imports or hands on
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Args {
    #[command(flatten)]
    reach: Reach,
}

struct Imports;

impl Runs for Imports {
    type Args = Args;
    type Output = near::Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<near::Output> {
        let sought = Sought {
            direction: Direction::Forward,
            kinds: &[EdgeKind::Imports, EdgeKind::Exports],
            words: ("import", "imports"),
            with_unresolved: false,
            with_contents: false,
        };
        near::run(ctx, args.reach, &sought)
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Imports>(
    &["graph", "imports"],
    Effect::Reads,
    Shape::List,
    "gik graph imports src/store.rs",
);
