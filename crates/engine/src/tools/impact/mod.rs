//! `gik impact`: what may break when something changes, and which tests look at it.

mod changed;
mod tests_of;

use std::collections::BTreeMap;

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::ask::FreshnessState;
use gik_discover::history::Against;
use gik_graph::Node;
use gik_graph::walk::{Affected, Direction, Selection, impact};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::graph::shown::{EdgeView, NodeView, cuts, render_cuts};
use super::graph::{Opened, limits, patience, with_graph};
use crate::answer::Missing;
use crate::symbols::{Asked, FileFilter, Pattern, references, warn_if_stale};
use crate::tool::{Runs, rows_of};
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};
use changed::Changed;
use tests_of::is_test;

/// Show what may break when files or symbols change, which tests to run, and why
///
/// Without a target, what differs from the last commit of git is looked at (`--diff`).
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Paths, FILE:LINE, names (open), qualified names (Store::open) or ids
    #[arg(value_name = "TARGET")]
    pub targets: Vec<String>,
    /// What differs in the working tree from the last commit
    #[arg(long, conflicts_with_all = ["targets", "staged"])]
    pub diff: bool,
    /// What is staged for the next commit
    #[arg(long, conflicts_with = "targets")]
    pub staged: bool,
    /// How many steps to go at most [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: Option<u32>,
    /// How many nodes at most [default: 500]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: Option<u32>,
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

/// What may break.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// What changed.
    pub changed: Vec<NodeView>,
    /// Symbols that the last commit has and the files have not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Removed>,
    /// Files that differ and are not in the index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// What may break, nearest and surest first; tests are not among it.
    pub affected: Vec<Touched>,
    /// Tests that lead to what changed.
    pub tests: Vec<Touched>,
    /// Files of these tests, and of those that changed themselves.
    pub test_files: Vec<String>,
    /// Limits that were hit; empty where the answer is whole.
    pub cut: Vec<String>,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// A symbol that is gone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Removed {
    /// Its name with what it stood in.
    pub name: String,
    /// Its file.
    pub path: String,
    /// Uses of its name that are still there.
    pub uses_by_name: u64,
}

/// Something that a change may touch.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Touched {
    /// What it is.
    #[serde(flatten)]
    pub node: NodeView,
    /// Steps from what changed.
    pub depth: u32,
    /// 0 to 1; each step of the way takes its share.
    pub confidence: f64,
    /// Whether the way has a step that is one of several candidates.
    pub by_candidates: bool,
    /// Why: the way from here to what changed.
    pub way: Vec<EdgeView>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.changed.is_empty() && self.removed.is_empty() && self.unknown.is_empty() {
            view.line("Nothing differs from the last commit.");
            return;
        }
        const SHOWN: usize = 20;
        view.heading("Changed");
        for node in self.changed.iter().take(SHOWN) {
            let told = node.told(view);
            view.line(format!("  {told}"));
        }
        if self.changed.len() > SHOWN {
            view.line(format!("  … and {} more", self.changed.len() - SHOWN));
        }
        for removed in &self.removed {
            let name = view.plain(format!("{} {}", removed.path, removed.name));
            let uses = count(removed.uses_by_name, "use of its name is", "uses of its name are");
            let note = view.paint(Style::Warning, format!("removed; {uses} left"));
            view.line(format!("  {name}  {note}"));
        }
        for path in &self.unknown {
            let path = view.paint(Style::Name, path);
            let note = view.paint(Style::Faint, "not in the index");
            view.line(format!("  {path}  {note}"));
        }
        render_touched("May break", &self.affected, view);
        render_touched("Tests to run", &self.tests, view);
        if self.affected.is_empty() && self.tests.is_empty() {
            view.line("No edge leads to what changed, as far as is known.");
            if let Some(name) = self.changed.iter().find(|node| node.line.is_some()) {
                let name = crate::symbols::typed(&name.name);
                view.hint(format!("`gik graph callers {name}` counts calls that are not resolved"));
            }
        }
        render_cuts(&self.cut, view);
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        let mut rows = rows_of(&self.affected)?;
        rows.extend(rows_of(&self.tests)?);
        Some(rows)
    }

    fn found(&self) -> bool {
        !self.affected.is_empty() || !self.tests.is_empty()
    }
}

fn render_touched(title: &str, touched: &[Touched], view: &mut View) {
    if touched.is_empty() {
        return;
    }
    view.blank();
    view.heading(format!("{title} ({})", touched.len()));
    for found in touched {
        let told = found.node.told(view);
        let maybe = if found.by_candidates { "maybe: " } else { "" };
        let why: Vec<String> = found.way.iter().map(EdgeView::told).collect();
        let why = view.paint(Style::Faint, format!("{maybe}{}", why.join(", then ")));
        view.line(format!("  {told}  {why}"));
    }
}

struct ImpactTool;

impl Runs for ImpactTool {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        if !args.targets.is_empty() && (args.diff || args.staged) {
            return Err(Failure::new(
                ErrorCode::ArgumentInvalid,
                "targets and `--diff` or `--staged` exclude each other",
            )
            .hint("name what changed, or let git tell it"));
        }
        with_graph(ctx, Missing::unless(args.no_init), |graph| {
            let changed = if args.staged {
                changed::uncommitted(graph, Against::Index)?
            } else if args.targets.is_empty() {
                changed::uncommitted(graph, Against::Files)?
            } else {
                changed::named(graph, &args.targets)?
            };
            answer(ctx, graph, &args, changed)
        })
    }
}

fn answer(
    ctx: &Context<'_>,
    graph: &mut Opened<'_>,
    args: &Args,
    changed: Changed,
) -> Result<Output> {
    let mut limits = limits(args.depth, 3, None, args.limit);
    let asked = limits;
    let nodes: Vec<Node> = changed.nodes.iter().copied().collect();
    limits.nodes = limits.nodes.saturating_add(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
    let mut selection = Selection::new(Direction::Backward, &[]);
    selection.with_candidates = !args.facts;
    let found = {
        let mut edges = graph.edges();
        impact(&mut edges, &nodes, &selection, limits, &mut patience(ctx, args.timeout_ms))?
    };
    let (mut affected, mut tests) = (Vec::new(), Vec::new());
    let mut test_files: BTreeMap<String, ()> = BTreeMap::new();
    for found in &found.affected {
        let touched = touched(graph, found)?;
        if is_test(&touched.node.path, &touched.node.name) {
            test_files.insert(touched.node.path.clone(), ());
            tests.push(touched);
        } else {
            affected.push(touched);
        }
    }
    let mut shown = Vec::new();
    for node in nodes {
        let node = NodeView::of(&mut graph.catalog, node)?;
        if is_test(&node.path, &node.name) {
            test_files.insert(node.path.clone(), ());
        }
        shown.push(node);
    }
    let mut removed = Vec::new();
    for (name, path) in changed.removed {
        let uses_by_name = uses_of(graph, &name)?;
        removed.push(Removed { name, path, uses_by_name });
    }
    Ok(Output {
        changed: shown,
        removed,
        unknown: changed.unknown,
        affected,
        tests,
        test_files: test_files.into_keys().collect(),
        cut: cuts(found.cut, asked.depth, asked.nodes),
        freshness: graph.freshness,
    })
}

fn touched(graph: &mut Opened<'_>, found: &Affected) -> Result<Touched> {
    let mut way = Vec::new();
    for edge in &found.way {
        way.push(EdgeView::of(&mut graph.catalog, edge)?);
    }
    Ok(Touched {
        node: NodeView::of(&mut graph.catalog, found.node)?,
        depth: found.depth,
        confidence: f64::from(found.confidence) / 100.0,
        by_candidates: found.by_candidates,
        way,
    })
}

fn uses_of(graph: &Opened<'_>, name: &str) -> Result<u64> {
    let pattern = Pattern::parse(name)?;
    let files = FileFilter::new(Vec::new(), &[])?;
    let asked = Asked { pattern: &pattern, roles: Vec::new(), files };
    Ok(references(graph.ws, graph.snapshot, &asked)?.references.len() as u64)
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<ImpactTool>(
    &["impact"],
    Effect::Reads,
    Shape::List,
    "gik impact Store::open --depth 2",
);
