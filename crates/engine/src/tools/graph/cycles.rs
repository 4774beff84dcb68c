//! `gik graph cycles`: what leads back to itself.

use gik_base::Result;
use gik_contract::ask::FreshnessState;
use gik_graph::EdgeKind;
use gik_graph::walk::{Direction, Selection, circles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shown::{EdgeView, NodeView};
use super::with_graph;
use crate::answer::Missing;
use crate::kg::{between_files, whole};
use crate::symbols::warn_if_stale;
use crate::tool::{Runs, rows_of};
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// List groups of files or symbols that lead back to themselves
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Files that import each other, or functions that call each other [default: imports]
    #[arg(long, value_enum, value_name = "KIND")]
    pub kind: Option<Along>,
    /// Count candidates too: names that may mean something else
    #[arg(long)]
    pub candidates: bool,
    /// How many groups at most [default: 50]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: Option<u32>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// What circles are made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Along {
    /// Files that import files.
    #[default]
    Imports,
    /// Functions that call functions.
    Calls,
    /// Types that inherit from types.
    Extends,
}

/// The circles.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Largest first.
    pub cycles: Vec<Group>,
    /// How many there are, shown or not.
    pub total: u64,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// One group.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// All that lead to each other.
    pub nodes: Vec<NodeView>,
    /// One shortest way around.
    pub way: Vec<EdgeView>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for group in &self.cycles {
            let title = count(group.nodes.len() as u64, "node", "nodes");
            let title = view.paint(Style::Heading, format!("circle of {title}"));
            view.line(title);
            for node in &group.nodes {
                let told = node.told(view);
                view.line(format!("  {told}"));
            }
            for edge in &group.way {
                let names = view.plain(format!("{} -> {}", edge.from, edge.to));
                let told = view.paint(Style::Faint, edge.told());
                view.line(format!("    {names}  {told}"));
            }
        }
        let shown = self.cycles.len() as u64;
        let more = if shown < self.total { format!(", {shown} shown") } else { String::new() };
        let note = format!("{}{more}", count(self.total, "circle", "circles"));
        let note = view.paint(Style::Faint, note);
        view.line(note);
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.cycles)
    }

    fn found(&self) -> bool {
        self.total > 0
    }
}

struct Cycles;

impl Runs for Cycles {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        with_graph(ctx, Missing::unless(args.no_init), |graph| {
            let along = args.kind.unwrap_or_default();
            let kinds: &[EdgeKind] = match along {
                Along::Imports => &[EdgeKind::Imports, EdgeKind::Exports],
                Along::Calls => &[EdgeKind::Calls],
                Along::Extends => &[EdgeKind::Extends, EdgeKind::Implements],
            };
            let mut selection = Selection::new(Direction::Forward, kinds);
            selection.with_candidates = args.candidates;
            let mut all = whole(graph.snapshot)?;
            if along == Along::Imports {
                all = between_files(&all, &selection);
            }
            let found = circles(&all, &selection);
            let total = found.len() as u64;
            let limit = args.limit.map_or(50, |limit| limit as usize);
            let mut cycles = Vec::new();
            for circle in found.into_iter().take(limit) {
                let mut nodes = Vec::new();
                for node in circle.nodes {
                    nodes.push(NodeView::of(&mut graph.catalog, node)?);
                }
                let mut way = Vec::new();
                for edge in &circle.way {
                    way.push(EdgeView::of(&mut graph.catalog, edge)?);
                }
                cycles.push(Group { nodes, way });
            }
            Ok(Output { cycles, total, freshness: graph.freshness })
        })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Cycles>(
    &["graph", "cycles"],
    Effect::Reads,
    Shape::List,
    "gik graph cycles --kind calls",
);
