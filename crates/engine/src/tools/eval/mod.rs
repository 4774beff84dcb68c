//! `gik eval`: how good are the answers to questions whose answers are known?
//!
//! `labels` reads the questions, `from_git` makes them, `measure` counts, `compare` tells whether one run is better than
//! another, `tune` looks for better weights.

mod asking;
mod compare;
mod from_git;
mod labels;
mod measure;
mod tune;

use std::path::PathBuf;

use gik_base::{ErrorCode, Failure, Result, fs};
use gik_retrieve::signals::Weights;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{Answering, Fresh, Missing, ensure_index};
use crate::settings::Value;
use crate::settings::document::Layer;
use crate::tool::Runs;
use crate::tools::config::Layers;
use crate::tools::config::set::set_values;
use crate::view::{Cell, Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

use asking::outcome;
use compare::Comparison;
use from_git::FromGit;
use measure::{Measures, Outcome};
use tune::{Trial, Tuning};

/// Measure the answers to questions whose answers are known
///
/// The questions are lines of JSON: {"query", "relevant": [paths], "secondary": [paths], "id", "category"}; the first
/// two are needed. Looked at are the first 10 pieces of evidence. With --json the result can be kept and compared.
///
/// With --from-git the questions are subjects of commits, and the files that a commit changed, as far as they still
/// exist, are the answer; the files are those of today. Subjects that name a file and files that repeat a subject are
/// left out.
///
/// With --tune the weights of the ranking are chosen anew by one half of the questions and tried on the other, both
/// ways. Only where the questions gain that the weights were not chosen by, they are written to the project's config.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The file with the questions
    #[arg(
        value_name = "FILE",
        required_unless_present_any = ["compare", "from_git"],
        conflicts_with_all = ["compare", "from_git"]
    )]
    pub file: Option<PathBuf>,
    /// Make the questions from the history of git
    #[arg(long, conflicts_with = "compare")]
    pub from_git: bool,
    /// How many questions are made at most, from the newest commits [default: 200]
    #[arg(long, value_name = "N", requires = "from_git", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    #[schemars(range(min = 1, max = 10_000))]
    pub limit: Option<u32>,
    /// Look for better weights, and write them to the config where they help held-out questions
    #[arg(long, conflicts_with_all = ["compare", "without"])]
    pub tune: bool,
    /// With --tune: tell the weights and write nothing
    #[arg(long, requires = "tune")]
    pub dry_run: bool,
    /// Leave out a signal of the ranking, to see what it brings: opening, meaning, reranker, path, named, recent,
    /// together, definition, noise, docs, file or again; may be repeated
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
    /// What the questions were made from, where they come from the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_git: Option<FromGit>,
    /// What looking for better weights brought, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Tuning>,
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
        if let Some(from_git) = &self.from_git {
            let left_out: Vec<String> =
                from_git.left_out.iter().map(|(reason, n)| format!("{n} {reason}")).collect();
            let note =
                format!("of {} commits; left out: {}", from_git.commits, left_out.join(", "));
            let note = view.paint(Style::Faint, note);
            view.line(note);
        }
        if let Some(tuning) = &self.tuning {
            view.blank();
            tuning.render(view);
        }
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
        let ws = ctx.open()?;
        let labelled = match &args.file {
            Some(file) => Some(labels::read(file)?),
            None if args.from_git => None,
            None => {
                let message = "there is no file of questions";
                return Err(Failure::new(ErrorCode::ArgumentInvalid, message)
                    .hint("name one: `gik eval questions.jsonl`"));
            },
        };
        let mut weights = weights(ws.settings.ranking.weights(), &args.without)?;
        ensure_index(&ws, Missing::unless(args.no_init))?;
        let fresh = Fresh::of(&ws)?;
        let (labelled, from_git) = match labelled {
            Some(labelled) => (labelled, None),
            None => {
                // A commit would be found by what it did to the history.
                (weights.recent, weights.together) = (0.0, 0.0);
                let most = args.limit.map_or(DEFAULT_LIMIT, |limit| limit as usize);
                let (labelled, info) = from_git::make(&ws, most)?;
                (labelled, Some(info))
            },
        };
        // All questions are put to one state of the index, and none waits for a look at the files.
        let snapshot = fresh.store.snapshot()?;
        let index = Answering::open(&ws, &fresh, &snapshot)?;
        let (mut results, mut trials) = (Vec::with_capacity(labelled.len()), Vec::new());
        for label in &labelled {
            ctx.cancel.check()?;
            let (result, candidates) = outcome(&ws, &index, label, weights, args.tune)?;
            results.push(result);
            trials.extend(candidates.map(|candidates| Trial { label: label.clone(), candidates }));
        }
        let mut output = of_results(results);
        if args.tune {
            let fixed: &[&str] = if from_git.is_some() { &["recent", "together"] } else { &[] };
            let mut tuning = Tuning::of(&trials, weights, fixed)?;
            if !args.dry_run && !tuning.weights.is_empty() {
                tuning.file = Some(write_down(ctx, &tuning)?);
            }
            output.tuning = Some(tuning);
        }
        (output.without, output.each, output.from_git) = (args.without, args.each, from_git);
        ctx.progress
            .inform(&format!("{} asked", count(labelled.len() as u64, "question", "questions")));
        Ok(output)
    }
}

/// How many questions are made from the history where no limit is given.
const DEFAULT_LIMIT: usize = 200;

/// Puts the weights into the config of the project, which they were chosen for.
fn write_down(ctx: &Context<'_>, tuning: &Tuning) -> Result<String> {
    let values: Vec<(String, Value)> = (tuning.weights.iter())
        .map(|(name, hundredths)| (format!("ranking.weights.{name}"), Value::Integer(*hundredths)))
        .collect();
    let (file, _) = set_values(&Layers::of(ctx)?, Layer::Project, &values)?;
    Ok(file.to_string_lossy().into_owned())
}

fn weights(all: Weights, without: &[String]) -> Result<Weights> {
    without.iter().try_fold(all, |weights, name| {
        weights.without(name).ok_or_else(|| {
            Failure::new(ErrorCode::ArgumentInvalid, format!("there is no signal `{name}`"))
                .hint(format!("signals are {}", Weights::names().collect::<Vec<_>>().join(", ")))
        })
    })
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
    Output {
        without: Vec::new(),
        from_git: None,
        tuning: None,
        all,
        categories,
        results,
        comparison: None,
        each: false,
    }
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
    Effect::Writes,
    Shape::One,
    "gik eval questions.jsonl --without meaning",
)
.for_people();
