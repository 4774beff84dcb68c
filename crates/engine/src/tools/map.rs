//! `gik map`: the declarations that matter most, within a budget, for whoever does not know the project yet.

use std::collections::BTreeMap;

use gik_base::Result;
use gik_contract::ask::FreshnessState;
use gik_graph::rank::rank;
use gik_graph::{EdgeKind, Memory, Node};
use gik_retrieve::signals::is_noise_file;
use gik_store::FileState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::graph::{Opened, with_graph};
use crate::answer::Missing;
use crate::kg::{node_kind, whole};
use crate::symbols::{qualified, warn_if_stale};
use crate::tokens::Tokens;
use crate::tool::{Runs, rows_of};
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, Written};

/// Show the declarations that matter most, grouped by file, within a budget of tokens
///
/// Symbols are ranked by who names them (PageRank), seen from the files in focus where some are named.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Files or symbols to look from; may be repeated
    #[arg(long, value_name = "NODE")]
    pub focus: Vec<String>,
    /// How many tokens at most, counted as in packs [default: 1000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub budget: Option<u32>,
    /// Tests, examples and generated files as well
    #[arg(long)]
    pub all: bool,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// The map.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Files, the one with the most important symbol first.
    pub files: Vec<MappedFile>,
    /// The budget, in tokens.
    pub budget: u64,
    /// What counts tokens, by the name that packs give it.
    pub tokenizer: String,
    /// What the map takes of it; never more.
    pub used: u64,
    /// Symbols that did not fit.
    pub left_out: u64,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// The declarations of one file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MappedFile {
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub path: String,
    /// In the order of the lines.
    pub symbols: Vec<MappedSymbol>,
}

/// A declaration.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MappedSymbol {
    /// The name with what it stands in.
    pub name: String,
    /// `function`, `struct`, …
    pub kind: String,
    /// The line, from 1.
    pub line: u32,
    /// The declaration without its body.
    pub signature: String,
    /// Its share of all importance, 0 to 1.
    pub rank: f64,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for file in &self.files {
            let path = view.paint(Style::Name, &file.path);
            view.line(format!("{path}:"));
            for symbol in &file.symbols {
                let line = view.paint(Style::Number, format!("{:>5}", symbol.line));
                let signature = view.plain(&symbol.signature);
                view.line(format!("{line}  {signature}"));
            }
        }
        if self.files.is_empty() {
            view.line("Nothing found.");
        }
        let left = match self.left_out {
            0 => String::new(),
            n => format!("; {} left out (`--budget TOKENS`)", count(n, "symbol", "symbols")),
        };
        let note = format!("{} of {} tokens{left}", self.used, self.budget);
        let note = view.paint(Style::Faint, note);
        view.line(note);
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.files)
    }

    fn found(&self) -> bool {
        !self.files.is_empty()
    }

    fn written(&self, _: Written) -> Option<String> {
        Some(self.files.iter().map(MappedFile::text).collect())
    }
}

impl MappedFile {
    /// As it is counted and written.
    fn text(&self) -> String {
        let lines = self.symbols.iter().map(|symbol| line_of(symbol.line, &symbol.signature));
        [heading_of(&self.path)].into_iter().chain(lines).collect()
    }
}

fn heading_of(path: &str) -> String {
    format!("{path}:\n")
}

fn line_of(line: u32, signature: &str) -> String {
    format!("{line:>5}  {signature}\n")
}

/// Longer declarations are cut.
const SIGNATURE_MAX: usize = 200;

struct Map;

impl Runs for Map {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        with_graph(ctx, Missing::unless(args.no_init), |graph| {
            let budget = u64::from(args.budget.unwrap_or(1000));
            let nodes = symbols(graph, args.all)?;
            let seeds = seeds(graph, &args.focus, &nodes)?;
            let graph_of_symbols = graph_of_symbols(graph)?;
            let ranked = rank(&graph_of_symbols, &nodes, &seeds);
            let mut files: Vec<(u32, Vec<(u32, MappedSymbol)>)> = Vec::new();
            let tokens = Tokens::new()?;
            let mut used = 0;
            let mut left_out = 0;
            for found in ranked {
                // Nobody leads there, and where there is a focus, that is no part of what was asked.
                if found.share == 0 {
                    left_out += 1;
                    continue;
                }
                let Some(symbol) = mapped(graph, found.node, found.share)? else { continue };
                let at = files.iter().position(|(file, _)| *file == found.node.file);
                let mut cost = tokens.count(&line_of(symbol.line, &symbol.signature));
                if at.is_none() {
                    let path = graph.catalog.file(found.node.file)?.key.as_str();
                    cost += tokens.count(&heading_of(path));
                }
                if used + cost > budget {
                    left_out += 1;
                    continue;
                }
                used += cost;
                let at = at.unwrap_or_else(|| {
                    files.push((found.node.file, Vec::new()));
                    files.len() - 1
                });
                files[at].1.push((found.node.symbol.unwrap_or(0), symbol));
            }
            let mut mapped = Vec::new();
            for (file, mut symbols) in files {
                symbols.sort_by_key(|(place, _)| *place);
                mapped.push(MappedFile {
                    path: graph.catalog.file(file)?.key.as_str().to_owned(),
                    symbols: symbols.into_iter().map(|(_, symbol)| symbol).collect(),
                });
            }
            Ok(Output {
                files: mapped,
                budget,
                tokenizer: tokens.name().to_owned(),
                used,
                left_out,
                freshness: graph.freshness,
            })
        })
    }
}

/// All symbols that a map may show, sorted.
fn symbols(graph: &mut Opened<'_>, all: bool) -> Result<Vec<Node>> {
    let mut nodes = Vec::new();
    for (place, file) in (0..).zip(graph.catalog.files()) {
        if file.state != FileState::Indexed || (is_noise_file(file) && !all) {
            continue;
        }
        for (at, row) in (0..).zip(graph.catalog.symbols(place)?.rows.iter()) {
            if node_kind(&row.kind).is_some() {
                nodes.push(Node::symbol(place, at));
            }
        }
    }
    Ok(nodes)
}

/// Where walks start: at the symbols of what is in focus, and a little everywhere else.
fn seeds(graph: &mut Opened<'_>, focus: &[String], nodes: &[Node]) -> Result<BTreeMap<Node, u64>> {
    let mut seeds: BTreeMap<Node, u64> = BTreeMap::new();
    for typed in focus {
        for node in graph.catalog.meant(typed)?.nodes {
            let inside = nodes.iter().filter(|it| match node.symbol {
                Some(_) => **it == node,
                None => it.file == node.file,
            });
            seeds.extend(inside.map(|node| (*node, 1000)));
        }
    }
    if !seeds.is_empty() {
        for node in nodes {
            seeds.entry(*node).or_insert(1);
        }
    }
    Ok(seeds)
}

/// Edges between symbols that say who needs whom; what a file names, all its symbols may need.
fn graph_of_symbols(graph: &Opened<'_>) -> Result<Memory> {
    let whole = whole(graph.snapshot)?;
    let needs = |kind: EdgeKind| !matches!(kind, EdgeKind::Contains | EdgeKind::Dataflow);
    let edges = whole.edges().iter().filter(|edge| needs(edge.kind)).cloned();
    Ok(Memory::new(edges.collect()))
}

fn mapped(graph: &mut Opened<'_>, node: Node, share: u64) -> Result<Option<MappedSymbol>> {
    let Some(symbol) = node.symbol else { return Ok(None) };
    let language = graph.catalog.file(node.file)?.language.clone();
    let Some(row) = graph.catalog.symbols(node.file)?.rows.get(symbol as usize).cloned() else {
        return Ok(None);
    };
    // A file that changed meanwhile has no declarations that could be trusted.
    let Some(text) = graph.catalog.text(node.file)? else { return Ok(None) };
    let mut signature = row.signature.line(text, row.bytes.start);
    if signature.is_empty() {
        signature = format!("{} {}", row.kind, row.name);
    }
    signature.truncate(signature.floor_char_boundary(SIGNATURE_MAX));
    #[expect(clippy::cast_precision_loss, reason = "shares are below 2^53")]
    let part = share as f64 / gik_graph::rank::Rank::WHOLE as f64;
    Ok(Some(MappedSymbol {
        name: qualified(&row, &language),
        kind: row.kind,
        line: row.start.0,
        signature,
        rank: (part * 1e6).round() / 1e6,
    }))
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Map>(
    &["map"],
    Effect::Reads,
    Shape::List,
    "gik map --focus src/store.rs --budget 2000",
);
