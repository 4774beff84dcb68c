//! `gik graph orphans`: what nothing names, as far as is known.

use gik_base::Result;
use gik_contract::ask::FreshnessState;
use gik_graph::walk::{Direction, Selection, unreached};
use gik_graph::{EdgeKind, Node};
use gik_parse::language_by_id;
use gik_retrieve::signals::is_noise_file;
use gik_store::FileState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::hubs::NEEDS;
use super::shown::NodeView;
use super::{Opened, with_graph};
use crate::answer::Missing;
use crate::kg::{between_files, node_kind, whole};
use crate::symbols::{Asked, FileFilter, Pattern, references, warn_if_stale};
use crate::tool::{Runs, rows_of};
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// List what no other file or symbol names
///
/// Functions, types and modules that no edge leads to, outside of tests and examples. What the name alone says is told
/// with each: a use that could not be tied to a definition may mean it all the same.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Files that no other file needs, instead of symbols
    #[arg(long)]
    pub files: bool,
    /// Public symbols as well: who uses a library is not in its repository
    #[arg(long)]
    pub public: bool,
    /// How many at most [default: 50]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub limit: Option<u32>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// What nothing names.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// By path and line.
    pub orphans: Vec<Orphan>,
    /// How many there are, shown or not.
    pub total: u64,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// One of them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Orphan {
    /// What it is.
    #[serde(flatten)]
    pub node: NodeView,
    /// How often its name is used somewhere without being tied to a definition. Absent for files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses_by_name: Option<u64>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for orphan in &self.orphans {
            let told = orphan.node.told(view);
            let kind = view.paint(Style::Faint, &orphan.node.kind);
            let uses = match orphan.uses_by_name {
                None | Some(0) => String::new(),
                Some(n) => {
                    let uses = count(n, "use", "uses");
                    view.paint(Style::Warning, format!("  {uses} of the name, not resolved"))
                },
            };
            view.line(format!("{told}  {kind}{uses}"));
        }
        let shown = self.orphans.len() as u64;
        let more = if shown < self.total {
            format!(", {shown} shown (`--limit N`)")
        } else {
            String::new()
        };
        let note = format!(
            "{} without an edge that leads there{more}",
            count(self.total, "node", "nodes")
        );
        let note = view.paint(Style::Faint, note);
        view.line(note);
        if self.total == 0 {
            view.hint("`--public` looks at what is public as well");
        }
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.orphans)
    }

    fn found(&self) -> bool {
        self.total > 0
    }
}

struct Orphans;

impl Runs for Orphans {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        with_graph(ctx, Missing::unless(args.no_init), |graph| {
            let mut kinds = NEEDS.to_vec();
            kinds.push(EdgeKind::Tests);
            let selection = Selection::new(Direction::Both, &kinds);
            let mut all = whole(graph.snapshot)?;
            if args.files {
                all = between_files(&all, &selection);
            }
            let nodes = nodes(graph, &args)?;
            let lonely = unreached(&all, &nodes, &selection);
            let total = lonely.len() as u64;
            let limit = args.limit.map_or(50, |limit| limit as usize);
            let mut orphans = Vec::new();
            for node in lonely.into_iter().take(limit) {
                ctx.cancel.check()?;
                let uses_by_name = match node.symbol {
                    Some(symbol) => Some(uses_by_name(graph, node.file, symbol)?),
                    None => None,
                };
                let node = NodeView::of(&mut graph.catalog, node)?;
                orphans.push(Orphan { node, uses_by_name });
            }
            Ok(Output { orphans, total, freshness: graph.freshness })
        })
    }
}

/// All nodes that somebody should name: no tests, no examples, no entry points.
fn nodes(graph: &mut Opened<'_>, args: &Args) -> Result<Vec<Node>> {
    const ENTRIES: [&str; 6] = ["main", "init", "__main__", "__init__", "constructor", "default"];
    let mut nodes = Vec::new();
    for (place, file) in (0..).zip(graph.catalog.files()) {
        let has_structure = language_by_id(&file.language).is_some_and(|it| it.has_references());
        if file.state != FileState::Indexed || is_noise_file(file) || !has_structure {
            continue;
        }
        if args.files {
            nodes.push(Node::file(place));
            continue;
        }
        for (at, row) in (0..).zip(graph.catalog.symbols(place)?.rows.iter()) {
            let is_public = row.visibility.as_deref() == Some("public");
            let is_entry = ENTRIES.contains(&row.name.as_str()) || row.name.starts_with("test");
            if node_kind(&row.kind).is_some() && !is_entry && (args.public || !is_public) {
                nodes.push(Node::symbol(place, at));
            }
        }
    }
    Ok(nodes)
}

fn uses_by_name(graph: &mut Opened<'_>, file: u32, symbol: u32) -> Result<u64> {
    let known = graph.catalog.symbols(file)?;
    let Some(row) = known.rows.get(symbol as usize) else { return Ok(0) };
    let pattern = Pattern { name: row.name.clone(), containers: Vec::new() };
    let files = FileFilter::new(Vec::new(), &[])?;
    let asked = Asked { pattern: &pattern, roles: Vec::new(), files };
    Ok(references(graph.ws, graph.snapshot, &asked)?.references.len() as u64)
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Orphans>(&["graph", "orphans"], Effect::Reads, Shape::List, "gik graph orphans");
