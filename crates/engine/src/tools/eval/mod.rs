//! `gik eval`: how good are the answers to questions whose answers are known?
//!
//! `labels` reads the questions, `measure` counts, `compare` tells whether one run is better than another.

mod compare;
mod labels;
mod measure;

use std::path::PathBuf;
use std::time::Instant;

use gik_base::{ErrorCode, Failure, Result, fs};
use gik_retrieve::signals::Weights;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{Missing, Question, answer, ensure_index, rounded};
use crate::tool::Runs;
use crate::view::{Cell, Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, bases};

use compare::Comparison;
use labels::Labelled;
use measure::{DEPTH, Measures, Outcome};

/// Measure the answers to questions whose answers are known
///
/// The questions are lines of JSON: {"query", "relevant": [paths], "secondary": [paths], "id", "category"}; the first
/// two are needed. Looked at are the first 10 pieces of evidence. With --json the result can be kept and compared.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The file with the questions
    #[arg(value_name = "FILE", required_unless_present = "compare", conflicts_with = "compare")]
    pub file: Option<PathBuf>,
    /// Leave out a signal of the ranking, to see what it brings: meaning, path, named, recent, together, definition,
    /// noise, docs, file or again; may be repeated
    #[arg(long, value_name = "SIGNAL")]
    pub without: Vec<String>,
    /// Show every question, not only the averages
    #[arg(long)]
    pub each: bool,
    /// Compare two results that were kept: what changed, and could it be chance?
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"])]
    pub compare: Vec<PathBuf>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// What was measured.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Signals that were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// Over all questions.
    pub all: Measures,
    /// By category, in the order of their names.
    pub categories: Vec<Category>,
    /// By question, in their order.
    pub results: Vec<Outcome>,
    /// Against an earlier result, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// Whether every question is shown.
    #[serde(skip)]
    each: bool,
}

/// The questions of one category.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Category {
    /// Its name.
    pub name: String,
    /// What was measured.
    #[serde(flatten)]
    pub measures: Measures,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.each {
            for result in &self.results {
                let ndcg = view.paint(Style::Number, format!("{:.2}", result.ndcg));
                let id = view.paint(Style::Name, &result.id);
                let query = view.plain(&result.query);
                view.line(format!("{ndcg}  {id}  {query}"));
            }
            view.blank();
        }
        let row = |name: &str, measures: &Measures| {
            vec![
                Cell::text(name),
                Cell::number(measures.queries),
                Cell::number(format!("{:.3}", measures.ndcg)),
                Cell::number(format!("{:.3}", measures.mrr)),
                Cell::number(format!("{:.0} %", measures.hit1 * 100.0)),
                Cell::number(format!("{:.0} %", measures.hit5 * 100.0)),
                Cell::number(format!("{:.0} %", measures.hit10 * 100.0)),
                Cell::number(format!("{:.0}", measures.tokens_to_target)),
                Cell::number(format!("{:.1}", measures.p50_ms)),
                Cell::number(format!("{:.1}", measures.p95_ms)),
            ]
        };
        let mut rows: Vec<Vec<Cell>> = (self.categories.iter())
            .map(|category| row(&category.name, &category.measures))
            .collect();
        rows.push(row("all", &self.all));
        view.table(
            &[
                "",
                "questions",
                "NDCG@10",
                "MRR",
                "hit@1",
                "hit@5",
                "hit@10",
                "tokens",
                "p50 ms",
                "p95 ms",
            ],
            &rows,
        );
        if let Some(comparison) = &self.comparison {
            view.blank();
            comparison.render(view);
        }
    }
}

struct Eval;

impl Runs for Eval {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        if let [before, after] = args.compare.as_slice() {
            let (before, after) = (kept(before)?, kept(after)?);
            let comparison = Comparison::of(&before.results, &after.results);
            return Ok(Output { comparison: Some(comparison), each: args.each, ..after });
        }
        let weights = weights(&args.without)?;
        let Some(file) = &args.file else {
            return Err(Failure::new(ErrorCode::ArgumentInvalid, "there is no file of questions")
                .hint("name one: `gik eval questions.jsonl`"));
        };
        let labelled = labels::read(file)?;
        let ws = ctx.open()?;
        ensure_index(&ws, Missing::unless(args.no_init))?;
        let mut results = Vec::with_capacity(labelled.len());
        for label in &labelled {
            ctx.cancel.check()?;
            results.push(outcome(&ws, label, weights)?);
        }
        let mut output = of_results(results);
        (output.without, output.each) = (args.without, args.each);
        ctx.progress
            .inform(&format!("{} asked", count(labelled.len() as u64, "question", "questions")));
        Ok(output)
    }
}

fn weights(without: &[String]) -> Result<Weights> {
    without.iter().try_fold(Weights::default(), |weights, name| {
        weights.without(name).ok_or_else(|| {
            Failure::new(ErrorCode::ArgumentInvalid, format!("there is no signal `{name}`"))
                .hint(format!("signals are {}", Weights::NAMES.join(", ")))
        })
    })
}

/// Asks one question as `gik ask` would and looks where the targets came.
fn outcome(ws: &Workspace<'_>, label: &Labelled, weights: Weights) -> Result<Outcome> {
    let question = Question {
        text: label.query.clone(),
        bases: bases::FILE_BASES.to_vec(),
        languages: Vec::new(),
        globs: Vec::new(),
        mode: None,
        limit: DEPTH,
        per_file: 2,
        max_lines: ws.settings.ask.max_snippet_lines,
        may_soften: true,
        with_timings: false,
        with_signals: false,
        weights,
    };
    let started = Instant::now();
    let bundle = answer(ws, &question).map_err(|failure| {
        let code = failure.code();
        Failure::new(code, format!("question `{}`: {failure}", label.id))
    })?;
    let ms = started.elapsed().as_secs_f64() * 1e3;
    Ok(measure::outcome(label, &bundle.rag_chunks, rounded(ms)))
}

fn of_results(results: Vec<Outcome>) -> Output {
    let mut names: Vec<&str> = results.iter().map(|result| result.category.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let categories = names
        .iter()
        .filter(|name| !name.is_empty())
        .map(|name| Category {
            name: (*name).to_owned(),
            measures: Measures::of(results.iter().filter(|result| result.category == **name)),
        })
        .collect();
    let all = Measures::of(results.iter());
    Output { without: Vec::new(), all, categories, results, comparison: None, each: false }
}

/// A result that was kept with `--json`.
fn kept(path: &std::path::Path) -> Result<Output> {
    serde_json::from_slice(&fs::read(path)?).map_err(|error| {
        let message = format!("`{}` is no result of `gik eval --json`: {error}", path.display());
        Failure::new(ErrorCode::ArgumentInvalid, message)
            .hint("make one: `gik eval questions.jsonl --json > after.json`")
    })
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Eval>(
    &["eval"],
    Effect::Reads,
    Shape::One,
    "gik eval questions.jsonl --without meaning",
);
