//! `gik pack`: a bundle of context for a question or a thing, within a budget, the same for everyone who asks.

use std::collections::BTreeMap;

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::pack::{
    ContextPack, Direction, EdgeType, EvidenceKind, Intent, OrderBy, SeedMode, SeedProvider,
    Strictness, TieBreaker,
};
use gik_pack::{Draft, markdown};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{Missing, is_stale};
use crate::packing::{Packed, Wanted, pack, storage};
use crate::tool::{Runs, words};
use crate::view::{Cell, Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, Written, spared};

/// Make a context pack: what belongs to a question or a thing, within a budget, with reasons
///
/// The same index and the same request give the same bytes on every machine. `--md` prints it for a prompt, `--json` as
/// data. See docs/packs.md.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The question
    #[arg(value_name = "QUERY")]
    #[serde(deserialize_with = "words")]
    #[schemars(with = "String")]
    pub query: Vec<String>,
    /// The question, as an option
    #[arg(long = "query", value_name = "QUERY", hide = true, conflicts_with = "query")]
    pub question: Option<String>,
    /// What it is about: a symbol, a file, a chunk or FILE:LINE; symbol:…, file:… and chunk:… leave no doubt
    #[arg(long, value_name = "SYMBOL|FILE|CHUNK")]
    pub focus: Option<String>,
    /// Where the reader is: the text around it first, then declarations, then what was found
    #[arg(long, value_name = "FILE:LINE")]
    pub here: Option<String>,
    /// What it is for: answer, summarize, refactor, debug, impact or contract [default: answer]
    #[arg(long, value_parser = named::<Intent>, value_name = "INTENT")]
    pub intent: Option<Intent>,
    /// Which texts are asked: code, prose or mixed [default: mixed]
    #[arg(long, value_parser = named::<SeedMode>, value_name = "MODE")]
    pub mode: Option<SeedMode>,
    /// What finds the seeds: sparse (words), ann (vectors) or hybrid [default: hybrid]
    #[arg(long, value_parser = named::<SeedProvider>, value_name = "PROVIDER")]
    pub provider: Option<SeedProvider>,
    /// How many tokens the pack may take as Markdown [default: 8000]
    #[arg(long, value_name = "N")]
    pub budget_tokens: Option<u64>,
    /// How many characters it may take as Markdown [default: 200000; at most 2000000]
    #[arg(long, value_name = "N")]
    pub budget_chars: Option<u64>,
    /// How many items it may have [default: 80; at most 250]
    #[arg(long, value_name = "N")]
    pub max_items: Option<u64>,
    /// How many items each section may have [default: 25; at most 80]
    #[arg(long, value_name = "N")]
    pub max_items_per_section: Option<u64>,
    /// How many bytes the text of an item may have [default: 4096; at most 64000]
    #[arg(long, value_name = "N")]
    pub max_bytes_per_item: Option<u64>,
    /// How many edges the graph is followed [default: 2; at most 4]
    #[arg(long, value_name = "N")]
    pub hops: Option<u32>,
    /// Which edges are followed: call, usage, import, export, dataflow [default: call,usage,import]
    #[arg(long, value_parser = named::<EdgeType>, value_delimiter = ',', value_name = "TYPES")]
    pub edges: Option<Vec<EdgeType>>,
    /// Which way: out (callees), in (callers) or both [default: both]
    #[arg(long, value_parser = named::<Direction>, value_name = "DIRECTION")]
    pub direction: Option<Direction>,
    /// Leave out what only stands in the same file
    #[arg(long)]
    pub no_same_file: bool,
    /// Follow imports, also where `--edges` does not name them; false leaves them out
    #[arg(long, value_name = "BOOL")]
    pub imports: Option<bool>,
    /// The same for exports
    #[arg(long, value_name = "BOOL")]
    pub exports: Option<bool>,
    /// The same for the flow of values
    #[arg(long, value_name = "BOOL")]
    pub dataflow: Option<bool>,
    /// What happens where evidence is missing: strict, warn or loose [default: warn]
    #[arg(long, value_parser = named::<Strictness>, value_name = "STRICTNESS")]
    pub strictness: Option<Strictness>,
    /// With `--strictness strict`, leave out what no evidence leads to
    #[arg(long)]
    pub require_evidence: bool,
    /// What counts as evidence: callsite, identifier, importStmt, span, tooling [default: all]
    #[arg(long, value_parser = named::<EvidenceKind>, value_delimiter = ',', value_name = "KINDS")]
    pub evidence: Option<Vec<EvidenceKind>>,
    /// What comes first: hybridScore, seedScore, graphDistance or graphEvidence [default: hybridScore]
    #[arg(long, value_parser = named::<OrderBy>, value_name = "ORDER")]
    pub order: Option<OrderBy>,
    /// What decides between equals: fileRelPath, startLine, chunkUid, symbolId [default: in this order]
    #[arg(long, value_parser = named::<TieBreaker>, value_delimiter = ',', value_name = "KEYS")]
    pub tie_breakers: Vec<TieBreaker>,
    /// Tell people what came in by which rule, what did not and why; data always has it
    #[arg(long)]
    pub explain: bool,
    /// Leave the explanation out of the data
    #[arg(long, conflicts_with = "explain")]
    pub no_explain: bool,
    /// Print Markdown for a prompt, as `--format md`
    #[arg(long)]
    pub md: bool,
    /// Keep the pack and print its id
    #[arg(long)]
    pub write: bool,
    /// Print a pack that was kept, by its id
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["query", "question", "focus", "here", "write"])]
    pub read: Option<String>,
    /// The id for `--read`, as an option
    #[arg(long, value_name = "ID", hide = true, conflicts_with_all = ["query", "question", "focus", "here", "write"])]
    pub pack_id: Option<String>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
    /// Tell how long each step took
    #[arg(long)]
    pub timings: bool,
}

/// One of the names of a contract.
fn named<T: DeserializeOwned>(typed: &str) -> Result<T, String> {
    serde_json::from_value(Value::String(typed.to_owned())).map_err(|error| {
        // `unknown variant …, expected one of …`
        error.to_string()
    })
}

/// A pack.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The pack itself.
    #[serde(flatten)]
    pub pack: ContextPack,
    /// How long each step took in milliseconds, where that was asked for; no part of what is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timings: Option<BTreeMap<String, f64>>,
    #[serde(skip)]
    is_kept: bool,
    #[serde(skip)]
    with_reasons: bool,
    #[serde(skip)]
    is_stale: bool,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let pack = &self.pack;
        if self.is_kept {
            view.line(&pack.pack_id);
            return;
        }
        for section in pack.sections.iter().filter(|section| !section.items.is_empty()) {
            view.heading(section.section.as_str());
            let rows: Vec<Vec<Cell>> = section
                .items
                .iter()
                .map(|item| {
                    let place = format!("{}:{}", item.file_rel_path, item.lines.start);
                    let score = format!("{:.2}", item.scores.hybrid_score);
                    vec![
                        Cell::number(score),
                        Cell::styled(Style::Name, place),
                        Cell::text(&item.title),
                    ]
                })
                .collect();
            view.table(&["score", "place", "title"], &rows);
            view.blank();
        }
        if self.with_reasons {
            render_reasons(pack, view);
        }
        if pack.stats.items == 0 {
            view.line("Nothing found.");
            view.hint("fewer or other words may help; `gik stats` tells what is indexed");
        } else {
            let dropped: u64 = pack.stats.dropped.values().sum();
            let left_out = match dropped {
                0 => String::new(),
                n => format!(", {n} left out"),
            };
            let (used, most) = (pack.stats.tokens, pack.budgets.limits.max_total_tokens);
            let items = count(pack.stats.items, "item", "items");
            let note = format!("{items}, {used} of {most} tokens{left_out}; {}", pack.pack_id);
            let note = view.paint(Style::Faint, note);
            view.line(note);
            view.hint("`--md` prints the pack for a prompt, `--explain` tells what was left out");
        }
        if self.is_stale {
            let note = view.paint(Style::Faint, "the index may be behind the files");
            view.line(note);
        }
        for (step, ms) in self.timings.iter().flatten() {
            let line = view.paint(Style::Faint, format!("{step} {ms:.1} ms"));
            view.line(line);
        }
    }

    fn found(&self) -> bool {
        self.pack.stats.items > 0
    }

    fn written(&self, written: Written) -> Option<String> {
        match written {
            Written::Markdown => Some(markdown::render(&self.pack)),
            Written::Compact => None,
        }
    }
}

/// What came in, what did not, and what is not known.
fn render_reasons(pack: &ContextPack, view: &mut View) {
    let Some(explain) = &pack.explain else { return };
    view.heading("why");
    for rule in &explain.included {
        let section = rule.section.as_str();
        view.line(format!("  {section}: {} by {}", rule.items, rule.rule));
    }
    for empty in &explain.empty_sections {
        let reason = view.plain(&empty.reason);
        view.line(format!("  {}: empty, {reason}", empty.section.as_str()));
    }
    for item in &explain.dropped {
        let place = view.plain(format!("{}:{}", item.file_rel_path, item.line));
        let detail = view.plain(&item.detail);
        view.line(format!("  left out: {place} ({}, {detail})", item.section.as_str()));
    }
    if explain.dropped_more > 0 {
        view.line(format!("  left out: {} more", explain.dropped_more));
    }
    for gap in &explain.gaps {
        let edge = view.plain(format!("{} → {}", gap.from, gap.to));
        view.line(format!("  not sure: {edge}, {}", gap.missing));
    }
    if explain.gaps_more > 0 {
        view.line(format!("  not sure: {} more", explain.gaps_more));
    }
    for note in &explain.notes {
        let note = view.plain(note);
        view.line(format!("  {note}"));
    }
    view.blank();
}

impl Args {
    fn into_wanted(self) -> Result<Wanted> {
        let query = self.question.unwrap_or_else(|| self.query.join(" "));
        let followed = [
            EdgeType::Call,
            EdgeType::Usage,
            EdgeType::Import,
            EdgeType::Export,
            EdgeType::Dataflow,
        ];
        if self.edges.iter().flatten().any(|edge| !followed.contains(edge)) {
            let message = "tests, documents and files have sections of their own";
            return Err(Failure::new(ErrorCode::ArgumentInvalid, message)
                .hint("edges are: call, usage, import, export, dataflow"));
        }
        Ok(Wanted {
            draft: Draft {
                query,
                seed_mode: self.mode,
                seed_provider: self.provider,
                intent: self.intent,
                max_hops: self.hops,
                edge_types: self.edges,
                direction: self.direction,
                include_same_file_neighbors: Some(!self.no_same_file),
                include_imports: self.imports,
                include_exports: self.exports,
                include_dataflow: self.dataflow,
                require_evidence: Some(self.require_evidence),
                evidence_kinds: self.evidence,
                max_total_chars: self.budget_chars,
                max_total_tokens: self.budget_tokens,
                max_items: self.max_items,
                max_items_per_section: self.max_items_per_section,
                max_bytes_per_item: self.max_bytes_per_item,
                primary: self.order,
                stable_tie_breakers: self.tie_breakers,
                strictness: self.strictness,
                include_explain: Some(!self.no_explain),
                ..Draft::default()
            },
            focus: self.focus,
            here: self.here,
        })
    }
}

struct Pack;

impl Runs for Pack {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let (with_reasons, with_timings, is_kept) = (args.explain, args.timings, args.write);
        if let Some(id) = args.pack_id.as_ref().or(args.read.as_ref()) {
            let id = id.trim();
            if id.is_empty() {
                let message = "`--read` needs the id of a pack";
                return Err(Failure::new(ErrorCode::ArgumentInvalid, message)
                    .hint("`gik pack … --write` keeps a pack and prints its id"));
            }
            let pack = storage::read(&ws, id)?;
            let timings = None;
            return Ok(Output { pack, timings, is_kept: false, with_reasons, is_stale: false });
        }
        let missing = Missing::unless(args.no_init);
        let Packed { pack, freshness, timings } = pack(&ws, args.into_wanted()?, missing)?;
        if is_kept {
            storage::write(&ws, &pack)?;
        }
        let items = pack.sections.iter().flat_map(|section| &section.items);
        spared::files(&ws, "pack", &pack, items.map(|item| item.file_rel_path.as_str()));
        Ok(Output {
            pack,
            timings: with_timings.then_some(timings),
            is_kept,
            with_reasons,
            is_stale: is_stale(freshness),
        })
    }
}

/// The row of the table. What is kept is derived and can be made again, so this reads.
pub const TOOL: Tool = Tool::new::<Pack>(
    &["pack"],
    Effect::Reads,
    Shape::One,
    "gik pack \"where are private addresses refused?\" --budget-tokens 4000 --md",
)
.also(&["context-pack"]);
