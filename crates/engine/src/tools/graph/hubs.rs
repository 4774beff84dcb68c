//! `gik graph hubs`: what most others name.

use gik_base::Result;
use gik_contract::ask::FreshnessState;
use gik_graph::EdgeKind;
use gik_graph::walk::{Direction, Selection, degrees};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shown::NodeView;
use super::{edge_kinds, with_graph};
use crate::answer::Missing;
use crate::kg::{between_files, whole};
use crate::symbols::warn_if_stale;
use crate::tool::{Runs, rows_of};
use crate::view::Cell;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// List the files or symbols that most others name
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Files instead of symbols
    #[arg(long)]
    pub files: bool,
    /// Only edges of these kinds [default: calls, uses, imports, exports, extends, implements]
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<String>,
    /// Count candidates too: names that may mean something else
    #[arg(long)]
    pub candidates: bool,
    /// How many at most [default: 20]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: Option<u32>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// The hubs.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Those that most others name first.
    pub hubs: Vec<Hub>,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// One of them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hub {
    /// What it is.
    #[serde(flatten)]
    pub node: NodeView,
    /// How many others name it.
    pub incoming: u32,
    /// How many others it names.
    pub outgoing: u32,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.hubs.is_empty() {
            view.line("Nothing found.");
            return;
        }
        let rows: Vec<Vec<Cell>> = self
            .hubs
            .iter()
            .map(|hub| {
                let line = hub.node.line.map_or_else(String::new, |line| format!(":{line}"));
                let name = if hub.node.line.is_some() { hub.node.name.as_str() } else { "" };
                vec![
                    Cell::number(hub.incoming),
                    Cell::number(hub.outgoing),
                    Cell::styled(Style::Faint, &hub.node.kind),
                    Cell::styled(Style::Name, format!("{}{line}", hub.node.path)),
                    Cell::text(name),
                ]
            })
            .collect();
        view.table(&["named by", "names", "kind", "place", "name"], &rows);
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.hubs)
    }

    fn found(&self) -> bool {
        !self.hubs.is_empty()
    }
}

/// Edges that say that one thing needs another.
pub(super) const NEEDS: &[EdgeKind] = &[
    EdgeKind::Calls,
    EdgeKind::Uses,
    EdgeKind::Imports,
    EdgeKind::Exports,
    EdgeKind::Extends,
    EdgeKind::Implements,
];

struct Hubs;

impl Runs for Hubs {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let mut kinds = edge_kinds(&args.kinds)?;
        if kinds.is_empty() {
            kinds = NEEDS.to_vec();
        }
        with_graph(ctx, Missing::unless(args.no_init), |graph| {
            let mut selection = Selection::new(Direction::Both, &kinds);
            selection.with_candidates = args.candidates;
            let mut all = whole(graph.snapshot)?;
            if args.files {
                all = between_files(&all, &selection);
            }
            let limit = args.limit.map_or(20, |limit| limit as usize);
            let degrees = degrees(&all, &selection).into_iter();
            let wanted = degrees
                .filter(|degree| degree.node.symbol.is_none() == args.files && degree.incoming > 0);
            let mut hubs = Vec::new();
            for degree in wanted.take(limit) {
                hubs.push(Hub {
                    node: NodeView::of(&mut graph.catalog, degree.node)?,
                    incoming: degree.incoming,
                    outgoing: degree.outgoing,
                });
            }
            Ok(Output { hubs, freshness: graph.freshness })
        })
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Hubs>(&["graph", "hubs"], Effect::Reads, Shape::List, "gik graph hubs --files");
