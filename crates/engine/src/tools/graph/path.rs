//! `gik graph path`: how one thing leads to another.

use gik_base::Result;
use gik_contract::ask::FreshnessState;
use gik_graph::walk::{Limits, Selection, path};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::neighbors::Way;
use super::shown::{EdgeView, NodeView, cuts, render_cuts};
use super::{edge_kinds_with_history, patience, with_graph};
use crate::answer::Missing;
use crate::symbols::warn_if_stale;
use crate::tool::{Runs, rows_of};
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Show the shortest way from one file or symbol to another
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Where to start: a path, FILE:LINE, a name, a qualified name or an id
    #[arg(value_name = "FROM")]
    pub from: String,
    /// Where to end
    #[arg(value_name = "TO")]
    pub to: String,
    /// Only edges of these kinds (calls, uses, imports, exports, extends, implements, contains, dataflow, tests, mentions; together for files that commits change together)
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<String>,
    /// Which way to follow edges [default: out]
    #[arg(long, value_enum, value_name = "WAY")]
    pub direction: Option<Way>,
    /// How many steps at most [default: 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub depth: Option<u32>,
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

/// The way.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Where it starts, as typed.
    pub from: String,
    /// Where it ends, as typed.
    pub to: String,
    /// From start to end; empty where there is no way, or none was found within the limits.
    pub steps: Vec<Step>,
    /// Limits that were hit; with any, no way found does not mean that there is none.
    pub cut: Vec<String>,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// One node on the way.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// What it is.
    #[serde(flatten)]
    pub node: NodeView,
    /// The edge that leads to it; none for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<EdgeView>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for step in &self.steps {
            let told = step.node.told(view);
            match &step.edge {
                Some(edge) => {
                    let edge = view.paint(Style::Faint, edge.told());
                    view.line(format!("  {told}  {edge}"));
                },
                None => view.line(told),
            }
        }
        if self.found() {
            let steps = count(self.steps.len() as u64 - 1, "step", "steps");
            let note = view.paint(Style::Faint, steps);
            view.line(note);
        } else if self.cut.is_empty() {
            view.line("There is no way.");
            view.hint("`--direction both` follows edges either way");
        } else {
            view.line("No way was found within the limits.");
        }
        render_cuts(&self.cut, view);
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.steps)
    }

    fn found(&self) -> bool {
        !self.steps.is_empty()
    }
}

struct Path;

impl Runs for Path {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let kinds = edge_kinds_with_history(&args.kinds)?;
        with_graph(ctx, Missing::unless(args.no_init), |graph| {
            let from = graph.catalog.meant(&args.from)?.nodes;
            let to = graph.catalog.meant(&args.to)?.nodes;
            let way = args.direction.unwrap_or(Way::Out);
            let mut selection = Selection::new(way.into(), &kinds);
            selection.with_candidates = !args.facts;
            let depth = args.depth.unwrap_or(12);
            let limits = Limits { depth, fan_out: 5_000, nodes: 200_000 };
            let found = {
                let mut edges = graph.edges_along(&kinds)?;
                let mut patience = patience(ctx, args.timeout_ms);
                path(&mut edges, &from, &to, &selection, limits, &mut patience)?
            };
            let mut steps = Vec::new();
            for (node, edge) in found.steps.unwrap_or_default() {
                steps.push(Step {
                    node: NodeView::of(&mut graph.catalog, node)?,
                    edge: match edge {
                        Some(edge) => Some(EdgeView::of(&mut graph.catalog, &edge)?),
                        None => None,
                    },
                });
            }
            Ok(Output {
                from: args.from,
                to: args.to,
                steps,
                cut: cuts(found.cut, limits.depth, limits.nodes),
                freshness: graph.freshness,
            })
        })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Path>(
    &["graph", "path"],
    Effect::Reads,
    Shape::List,
    "gik graph path main Store::open",
);
