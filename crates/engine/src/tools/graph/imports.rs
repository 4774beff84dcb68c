//! `gik graph imports`: what a file imports.

use gik_base::Result;
use gik_graph::EdgeKind;
use gik_graph::walk::{Direction, Selection};
use schemars::JsonSchema;
use serde::Deserialize;

use super::near::{self, Asked};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

/// List what a file imports or hands on
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// A path, FILE:LINE, a name (open), a qualified name (Store::open) or an id
    #[arg(value_name = "NODE")]
    pub node: String,
    /// How many steps to go at most [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: Option<u32>,
    /// How many nodes at most [default: 500]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: Option<u32>,
    /// How many neighbours of one node at most [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub fan_out: Option<u32>,
    /// Leave out candidates: names that may mean something else
    #[arg(long)]
    pub facts: bool,
    /// How long to look at most, in milliseconds [default: 2000]
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u32>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

struct Imports;

impl Runs for Imports {
    type Args = Args;
    type Output = near::Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<near::Output> {
        let mut selection =
            Selection::new(Direction::Forward, &[EdgeKind::Imports, EdgeKind::Exports]);
        selection.with_candidates = !args.facts;
        near::run(
            ctx,
            Asked {
                node: args.node,
                selection,
                words: ("import", "imports"),
                with_unresolved: false,
                with_contents: false,
                depth: args.depth,
                limit: args.limit,
                fan_out: args.fan_out,
                timeout_ms: args.timeout_ms,
                no_init: args.no_init,
            },
        )
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Imports>(
    &["graph", "imports"],
    Effect::Reads,
    Shape::List,
    "gik graph imports src/store.rs",
);
