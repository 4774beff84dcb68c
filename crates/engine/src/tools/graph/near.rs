//! What callers, callees, imports, importers and neighbours have in common: a walk from some nodes, told as a list.

use gik_base::Result;
use gik_contract::ask::FreshnessState;
use gik_graph::EdgeKind;
use gik_graph::walk::{Cut, Direction, Selection, nearby};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shown::{EdgeView, NodeView, cuts, render_cuts};
use super::unresolved::{Unresolved, unresolved};
use super::{limits, patience, with_graph};
use crate::answer::Missing;
use crate::symbols::warn_if_stale;
use crate::tool::rows_of;
use crate::view::{Style, count};
use crate::{Context, Report, View};

// No documentation: it would take the place of what a tool says of itself.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Reach {
    /// A path, FILE:LINE, a name (open), a qualified name (Store::open) or an id
    #[arg(value_name = "NODE")]
    pub(super) node: String,
    /// How many steps to go at most [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) depth: Option<u32>,
    /// How many nodes at most [default: 500]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) limit: Option<u32>,
    /// How many neighbours of one node at most [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) fan_out: Option<u32>,
    /// Leave out candidates: names that may mean something else
    #[arg(long)]
    pub(super) facts: bool,
    /// How long to look at most, in milliseconds [default: 2000]
    #[arg(long, value_name = "MS")]
    pub(super) timeout_ms: Option<u32>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub(super) no_init: bool,
}

/// What is looked for from there.
pub(super) struct Sought<'k> {
    pub(super) direction: Direction,
    pub(super) kinds: &'k [EdgeKind],
    /// What is found, as one and as many.
    pub(super) words: (&'static str, &'static str),
    /// Whether call sites of the name that are tied to nothing are counted.
    pub(super) with_unresolved: bool,
    /// Whether the contents of a file count as the file.
    pub(super) with_contents: bool,
}

/// What is near a node.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The node as typed.
    pub node: String,
    /// What it may mean: one, or all definitions that share the name.
    pub roots: Vec<NodeView>,
    /// Nearest first, facts before candidates.
    pub matches: Vec<Match>,
    /// How many of them are facts.
    pub facts: u64,
    /// How many are candidates: the name may mean something else.
    pub candidates: u64,
    /// Call sites with this name that could not be tied to any definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<Unresolved>,
    /// Limits that were hit; empty where the answer is whole.
    pub cut: Vec<String>,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
    #[serde(skip)]
    #[schemars(skip)]
    words: (&'static str, &'static str),
}

/// Something near.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    /// What it is.
    #[serde(flatten)]
    pub node: NodeView,
    /// Steps from the node that was asked for.
    pub depth: u32,
    /// The edge that leads there.
    pub edge: EdgeView,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if let [_, _, ..] = self.roots.as_slice() {
            let note =
                format!("{} share this name:", count(self.roots.len() as u64, "node", "nodes"));
            let note = view.paint(Style::Faint, note);
            view.line(note);
            for root in &self.roots {
                let told = root.told(view);
                view.line(format!("  {told}"));
            }
        }
        for found in &self.matches {
            let indent = "  ".repeat(found.depth.saturating_sub(1) as usize);
            let told = found.node.told(view);
            let edge = view.paint(Style::Faint, found.edge.told());
            view.line(format!("{indent}{told}  {edge}"));
        }
        let note = view.paint(Style::Faint, self.summary());
        view.line(note);
        if let Some(unresolved) = &self.unresolved {
            unresolved.render(view);
        }
        render_cuts(&self.cut, view);
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.matches)
    }

    fn found(&self) -> bool {
        !self.matches.is_empty()
    }
}

impl Output {
    /// `2 callers; 1 candidate; 3 unresolved call sites with this name`.
    fn summary(&self) -> String {
        let mut parts = vec![count(self.facts, self.words.0, self.words.1)];
        if self.candidates > 0 {
            parts.push(count(self.candidates, "candidate", "candidates"));
        }
        if let Some(unresolved) = &self.unresolved {
            let sites = count(unresolved.total, "unresolved call site", "unresolved call sites");
            parts.push(format!("{sites} with this name"));
        }
        parts.join("; ")
    }
}

/// Walks and tells.
pub(super) fn run(ctx: &Context<'_>, asked: Reach, sought: &Sought<'_>) -> Result<Output> {
    let mut selection = Selection::new(sought.direction, sought.kinds);
    selection.with_candidates = !asked.facts;
    with_graph(ctx, Missing::unless(asked.no_init), |graph| {
        let meant = graph.catalog.meant(&asked.node)?;
        let mut start = meant.nodes.clone();
        if sought.with_contents {
            for node in meant.nodes.iter().filter(|node| node.symbol.is_none()) {
                let symbols = graph.catalog.symbols(node.file)?.rows.len();
                start.extend((0..).take(symbols).map(|at| gik_graph::Node::symbol(node.file, at)));
            }
        }
        let limits = limits(asked.depth, 1, asked.fan_out, asked.limit);
        // What was asked for is no part of what may be found.
        let own = u32::try_from(start.len()).unwrap_or(u32::MAX);
        let walk_limits =
            gik_graph::walk::Limits { nodes: limits.nodes.saturating_add(own), ..limits };
        let found = {
            let mut edges = graph.edges_along(sought.kinds)?;
            let mut patience = patience(ctx, asked.timeout_ms);
            nearby(&mut edges, &start, &selection, walk_limits, &mut patience)?
        };
        let mut matches = Vec::new();
        for reached in &found.nodes {
            let Some(edge) = &reached.via else { continue };
            matches.push(Match {
                node: NodeView::of(&mut graph.catalog, reached.node)?,
                depth: reached.depth,
                edge: EdgeView::of(&mut graph.catalog, edge)?,
            });
        }
        let unresolved = match meant.name.as_ref().filter(|_| sought.with_unresolved) {
            Some(pattern) => Some(unresolved(graph, pattern)?),
            None => None,
        };
        let facts = matches.iter().filter(|found| found.edge.is_fact()).count() as u64;
        let mut roots = Vec::new();
        for node in &meant.nodes {
            roots.push(NodeView::of(&mut graph.catalog, *node)?);
        }
        Ok(Output {
            node: asked.node,
            roots,
            facts,
            candidates: matches.len() as u64 - facts,
            matches,
            unresolved,
            // Whoever did not say how far asked for what is next.
            cut: cuts(
                Cut { depth: found.cut.depth && asked.depth.is_some(), ..found.cut },
                limits.depth,
                limits.nodes,
            ),
            freshness: graph.freshness,
            words: sought.words,
        })
    })
}
