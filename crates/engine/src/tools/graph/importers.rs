//! `gik graph importers`: who imports a file.

use gik_base::Result;
use gik_graph::EdgeKind;
use gik_graph::walk::Direction;
use schemars::JsonSchema;
use serde::Deserialize;

use super::near::{self, Reach, Sought};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

/// List who imports a file or a symbol of it
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Args {
    #[command(flatten)]
    reach: Reach,
}

struct Importers;

impl Runs for Importers {
    type Args = Args;
    type Output = near::Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<near::Output> {
        let sought = Sought {
            direction: Direction::Backward,
            kinds: &[EdgeKind::Imports, EdgeKind::Exports],
            words: ("importer", "importers"),
            with_unresolved: false,
            with_contents: true,
        };
        near::run(ctx, args.reach, &sought)
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Importers>(
    &["graph", "importers"],
    Effect::Reads,
    Shape::List,
    "gik graph importers src/store.rs",
);
