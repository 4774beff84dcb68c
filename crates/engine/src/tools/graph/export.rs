//! `gik graph export`: the graph, or a part of it, for other programs and for the eye.

use std::collections::{BTreeMap, BTreeSet};

use gik_base::Result;
use gik_graph::export::{dot, graphml, mermaid, svg};
use gik_graph::rank::rank;
use gik_graph::walk::{Direction, Selection, nearby};
use gik_graph::{Edge, Memory, Node};
use gik_store::FileState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shown::{EdgeView, NodeView, cuts};
use super::{Opened, edge_kinds, limits, patience, with_graph};
use crate::answer::Missing;
use crate::kg::{between_files, drawing, whole};
use crate::tool::Runs;
use crate::view::count;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Write the graph, or what is around a node, as JSON, DOT, Mermaid, SVG or GraphML
///
/// Without a node, files and what connects them are written; `--symbols` goes into files. Where there is more than the
/// limit, what matters most is kept, and a comment says so.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// What to start from: a path, FILE:LINE, a name, a qualified name or an id; all where it is left out
    #[arg(value_name = "NODE")]
    pub node: Option<String>,
    /// The format [default: json]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Symbols as well as files
    #[arg(long)]
    pub symbols: bool,
    /// Only edges of these kinds (calls, uses, imports, exports, extends, implements, contains, dataflow, tests, mentions)
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<String>,
    /// How many steps from the node at most [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: Option<u32>,
    /// How many nodes at most [default: 500]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub limit: Option<u32>,
    /// Leave out candidates: names that may mean something else
    #[arg(long)]
    pub facts: bool,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// How a graph is written.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// Nodes and edges as data.
    #[default]
    Json,
    /// For Graphviz.
    Dot,
    /// For Mermaid.
    Mermaid,
    /// A picture.
    Svg,
    /// For yEd, Gephi, NetworkX.
    Graphml,
}

/// The graph.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// How it is written.
    pub format: Format,
    /// The nodes, where the format is `json`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeView>,
    /// The edges, where the format is `json`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<EdgeView>,
    /// The document, in any other format.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub document: String,
    /// Limits that were hit; empty where it is whole.
    pub cut: Vec<String>,
    #[serde(skip)]
    #[schemars(skip)]
    n_nodes: usize,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.format == Format::Json {
            let text = serde_json::to_string_pretty(self).unwrap_or_default();
            view.line(text);
        } else {
            for line in self.document.lines() {
                view.line(line);
            }
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        None
    }

    fn found(&self) -> bool {
        self.n_nodes > 0
    }
}

struct Export;

impl Runs for Export {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let kinds = edge_kinds(&args.kinds)?;
        with_graph(ctx, Missing::unless(args.no_init), |graph| {
            let mut selection = Selection::new(Direction::Both, &kinds);
            selection.with_candidates = !args.facts;
            let format = args.format.unwrap_or_default();
            let (nodes, edges, cut) = match &args.node {
                Some(node) => around(ctx, graph, node, &args, &selection)?,
                None => all(graph, &args, &selection)?,
            };
            let mut output = Output {
                format,
                nodes: Vec::new(),
                edges: Vec::new(),
                document: String::new(),
                n_nodes: nodes.len(),
                cut,
            };
            if format == Format::Json {
                for node in nodes {
                    output.nodes.push(NodeView::of(&mut graph.catalog, node)?);
                }
                for edge in &edges {
                    output.edges.push(EdgeView::of(&mut graph.catalog, edge)?);
                }
                return Ok(output);
            }
            let note = output.cut.iter().map(|cut| format!("not all: {cut}"));
            let note = note.collect::<Vec<_>>().join("; ");
            let drawn = drawing(&mut graph.catalog, &nodes, &edges, note)?;
            output.document = match format {
                Format::Dot => dot(&drawn),
                Format::Mermaid => mermaid(&drawn),
                Format::Svg => svg(&drawn),
                Format::Graphml | Format::Json => graphml(&drawn),
            };
            Ok(output)
        })
    }
}

type Part = (Vec<Node>, Vec<Edge>, Vec<String>);

/// What is around a node.
fn around(
    ctx: &Context<'_>,
    graph: &mut Opened<'_>,
    node: &str,
    args: &Args,
    selection: &Selection,
) -> Result<Part> {
    let start = graph.catalog.meant(node)?.nodes;
    let limits = limits(args.depth, 2, None, args.limit);
    let mut edges = graph.edges();
    let found = nearby(&mut edges, &start, selection, limits, &mut patience(ctx, None))?;
    let mut nodes: Vec<Node> = found.nodes.iter().map(|reached| reached.node).collect();
    nodes.sort_unstable();
    Ok((nodes, found.edges, cuts(found.cut, limits.depth, limits.nodes)))
}

/// All files, or all files and symbols; those that matter most where there are too many.
fn all(graph: &Opened<'_>, args: &Args, selection: &Selection) -> Result<Part> {
    let mut whole = whole(graph.snapshot)?;
    if !args.symbols {
        whole = between_files(&whole, selection);
    }
    let mut nodes: BTreeSet<Node> = BTreeSet::new();
    for (place, file) in (0..).zip(graph.catalog.files()) {
        if file.state == FileState::Indexed {
            nodes.insert(Node::file(place));
        }
    }
    let taken = whole.edges().iter().filter(|edge| selection.takes(edge));
    let edges: Vec<Edge> = taken.cloned().collect();
    nodes.extend(edges.iter().flat_map(|edge| [edge.from, edge.to]));
    let nodes: Vec<Node> = nodes.into_iter().collect();
    let limit = args.limit.unwrap_or(500) as usize;
    if nodes.len() <= limit {
        return Ok((nodes, edges, Vec::new()));
    }
    let ranked = rank(&Memory::new(edges.clone()), &nodes, &BTreeMap::new());
    let mut kept: Vec<Node> = ranked.into_iter().take(limit).map(|rank| rank.node).collect();
    kept.sort_unstable();
    let is_kept = |node: &Node| kept.binary_search(node).is_ok();
    let edges = edges.into_iter().filter(|edge| is_kept(&edge.from) && is_kept(&edge.to)).collect();
    let cut = format!("{limit} of {}", count(nodes.len() as u64, "node", "nodes"));
    Ok((kept, edges, vec![cut]))
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Export>(
    &["graph", "export"],
    Effect::Reads,
    Shape::One,
    "gik graph export src/store.rs --format svg > store.svg",
);
