//! `gik graph neighbors`: what is near a node, along edges of any kind.

use gik_base::Result;
use gik_graph::walk::Direction;
use schemars::JsonSchema;
use serde::Deserialize;

use super::edge_kinds_with_history;
use super::near::{self, Reach, Sought};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

/// List what is connected with a file or symbol, whichever way
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// A path, FILE:LINE, a name (open), a qualified name (Store::open) or an id
    #[arg(value_name = "NODE")]
    pub node: String,
    /// Only edges of these kinds (calls, uses, imports, exports, extends, implements, contains, dataflow, tests, mentions; together for files that commits change together)
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<String>,
    /// Which way to follow edges [default: both]
    #[arg(long, value_enum, value_name = "WAY")]
    pub direction: Option<Way>,
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

/// Which way edges are followed.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Way {
    /// To what the node names.
    Out,
    /// To who names the node.
    In,
    /// Both.
    #[default]
    Both,
}

impl From<Way> for Direction {
    fn from(way: Way) -> Self {
        match way {
            Way::Out => Self::Forward,
            Way::In => Self::Backward,
            Way::Both => Self::Both,
        }
    }
}

struct Neighbors;

impl Runs for Neighbors {
    type Args = Args;
    type Output = near::Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<near::Output> {
        let sought = Sought {
            direction: args.direction.unwrap_or_default().into(),
            kinds: &edge_kinds_with_history(&args.kinds)?,
            words: ("neighbour", "neighbours"),
            with_unresolved: false,
            with_contents: false,
        };
        let Args { node, depth, limit, fan_out, facts, timeout_ms, no_init, .. } = args;
        let reach = Reach { node, depth, limit, fan_out, facts, timeout_ms, no_init };
        near::run(ctx, reach, &sought)
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Neighbors>(
    &["graph", "neighbors"],
    Effect::Reads,
    Shape::List,
    "gik graph neighbors src/store.rs --kind imports,calls --depth 2",
);
