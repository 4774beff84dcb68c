//! `gik search`: where something is; places first, one line each.

use std::ops::Range;

use gik_base::Result;
use gik_contract::RagChunk;
use gik_contract::ask::{SignalValue, WhyNot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{Missing, Question, answer, ensure_index};
use crate::conditions::Flags;
use crate::modes::Mode;
use crate::tool::{Runs, keep, rows_of, words};
use crate::tools::ask::{render_why_not, sum_of};
use crate::view::{Style, shorten};
use crate::{Context, Effect, Report, Shape, Tool, View, Written, bases, spared};

/// Find places: path, lines and the line that matches best, one result a line
///
/// Words count where they occur; "quoted words" must stand together; +word must occur; -word must not. Conditions:
/// path:src, lang:rust, kind:function, mode:code, base:docs, tag:adr, changed:<7d, author:ann, re:/lock\(/i; with - in
/// front they must not hold. Put a query with such signs in quotes: 'lock "no patience" -path:tests'. See docs/query.md.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// What to look for
    #[arg(required_unless_present_any = ["files", "languages", "kinds", "tags", "changed", "authors", "patterns"], value_name = "QUERY")]
    #[serde(deserialize_with = "words")]
    #[schemars(with = "String")]
    pub query: Vec<String>,
    /// Search only this base (code, docs, notes); may be repeated
    #[arg(long = "base", value_name = "BASE")]
    pub bases: Vec<String>,
    /// Search only files whose path matches, `!` in front excludes; may be repeated
    #[arg(long, visible_alias = "path", value_name = "GLOB")]
    pub files: Vec<String>,
    /// Search only files in this language; may be repeated
    #[arg(long = "lang", value_name = "LANGUAGE")]
    pub languages: Vec<String>,
    /// Search only code without its comments, prose, comments (extracted-prose) or records; all but records where no mode
    /// is given
    #[arg(long, value_enum, value_name = "MODE")]
    pub mode: Option<Mode>,
    /// Search only this kind of chunk: function, type, struct, doc, …; may be repeated
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<String>,
    /// Search only documents and memory with this tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Search only files that changed within this time (`<7d`), before it (`>7d`) or after a date (`>2026-01-31`)
    #[arg(long, value_name = "TIME")]
    pub changed: Vec<String>,
    /// Search only files that someone changed, by a part of the name or address in git's history; may be repeated
    #[arg(long = "author", value_name = "NAME")]
    pub authors: Vec<String>,
    /// Search only where this regular expression matches; may be repeated
    #[arg(short = 'e', long = "re", value_name = "REGEX")]
    pub patterns: Vec<String>,
    /// How many results at most [default: 20]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: Option<u32>,
    /// Print only the paths
    #[arg(short = 'l', long)]
    pub files_with_matches: bool,
    /// Print only the paths, each with the number of its places
    #[arg(short = 'c', long, conflicts_with = "files_with_matches")]
    pub count: bool,
    /// Print so many lines before and after each line, as far as its chunk reaches
    #[arg(short = 'C', long, value_name = "N")]
    pub context: Option<u32>,
    /// Tell for each place what made its score
    #[arg(long)]
    pub explain: bool,
    /// Tell why this file is not among the answers
    #[arg(long, value_name = "PATH")]
    pub why_not: Option<String>,
    /// Look at every text instead of the index: slow, and the same answer
    #[arg(long)]
    pub brute: bool,
    /// Where the reader is: what is near that place counts more
    #[arg(long, value_name = "FILE[:LINE]")]
    pub current: Option<String>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// `HEAD` of the branch.
    pub revision_id: String,
    /// The query as typed.
    pub query: String,
    /// The places, best first.
    pub results: Vec<Place>,
    /// Why a file is not among them, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<WhyNot>,
    #[serde(skip)]
    shown: Shown,
}

/// How places are shown to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// One line each, or as many as were asked for.
    Lines,
    /// Only their paths.
    Paths,
    /// Their paths, each with the number of its places.
    Counts,
}

/// One place.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub path: String,
    /// First line of the chunk.
    pub start_line: u64,
    /// Last line of the chunk.
    pub end_line: u64,
    /// The line that matches best.
    pub line: u64,
    /// Its text.
    pub text: String,
    /// The lines before it, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The lines after it, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// Qualified name or heading path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `function`, `struct`, `doc`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The base it comes from.
    pub base: String,
    /// Relevance; comparable within one answer.
    pub score: f64,
    /// The chunk's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_uid: Option<String>,
    /// Words of the query that occur in it.
    pub matched: Vec<String>,
    /// What made the score, where that was asked for: the values add up to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<SignalValue>,
}

impl Place {
    /// The best line of a chunk with so many lines around it.
    fn new(chunk: RagChunk, context: usize) -> Self {
        let (line, text) = best_line(&chunk);
        let lines: Vec<&str> = chunk.snippet.lines().collect();
        let at = usize::try_from(line - chunk.start_line).unwrap_or(usize::MAX).min(lines.len());
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let before = owned(&lines[at.saturating_sub(context)..at]);
        let rest = lines.get(at + 1..).unwrap_or_default();
        let after = owned(&rest[..context.min(rest.len())]);
        Self {
            path: chunk.path,
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            line,
            text,
            before,
            after,
            name: chunk.name,
            kind: chunk.kind,
            base: chunk.base,
            score: chunk.score,
            chunk_uid: chunk.chunk_uid,
            matched: chunk.matched,
            signals: chunk.signals,
        }
    }
}

/// The first line with the most words of the query.
fn best_line(chunk: &RagChunk) -> (u64, String) {
    let mut best = (chunk.start_line, "", 0usize);
    for (number, line) in (chunk.start_line..).zip(chunk.snippet.lines()) {
        let mut words = std::collections::BTreeSet::new();
        gik_index::analyze(line, &mut |term, _| {
            if let Some(at) = chunk.matched.iter().position(|wanted| wanted == term) {
                words.insert(at);
            }
        });
        if words.len() > best.2 || (best.1.trim().is_empty() && best.2 == 0) {
            best = (number, line, words.len());
        }
    }
    (best.0, best.1.trim().to_owned())
}

/// Lines around a place, as `grep` writes them.
fn render_around(view: &mut View, place: &Place, lines: &[String], first: u64) {
    for (number, line) in (first..).zip(lines) {
        let path = view.paint(Style::Faint, &place.path);
        let number = view.paint(Style::Faint, number);
        let line = view.marked(line, &place.matched);
        view.line(format!("{path}-{number}- {line}"));
    }
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.shown != Shown::Lines {
            let mut counts: Vec<(&Place, usize)> = Vec::new();
            for place in &self.results {
                match counts.iter_mut().find(|(known, _)| known.path == place.path) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((place, 1)),
                }
            }
            for (place, count) in counts {
                let path = view.place(&place.path, place.line);
                let count = view.paint(Style::Number, count);
                view.line(if self.shown == Shown::Paths {
                    path
                } else {
                    format!("{path}:{count}")
                });
            }
            return;
        }
        let is_wide = self.results.iter().any(|it| !it.before.is_empty() || !it.after.is_empty());
        for (at, place) in self.results.iter().enumerate() {
            if is_wide && at > 0 {
                view.line("--");
            }
            render_around(view, place, &place.before, place.line - place.before.len() as u64);
            let path = view.place(&place.path, place.line);
            let line = view.paint(Style::Number, place.line);
            let room = view.width().saturating_sub(place.path.len() + 8).max(30);
            let text = view.marked(&shorten(&place.text, room), &place.matched);
            view.line(format!("{path}:{line}: {text}"));
            render_around(view, place, &place.after, place.line + 1);
            if let Some(sum) = sum_of(&place.signals) {
                let sum = view.paint(Style::Faint, format!("  {:.2} = {sum}", place.score));
                view.line(sum);
            }
        }
        if let Some(why_not) = &self.why_not {
            render_why_not(why_not, view);
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.results)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.results, rows)
    }

    fn found(&self) -> bool {
        !self.results.is_empty()
    }

    fn written(&self, written: Written) -> Option<String> {
        let line = |place: &Place| match written {
            Written::Markdown => {
                let Place { path, line, text, .. } = place;
                format!("- [{path}:{line}](<{path}#L{line}>) `{}`\n", text.replace('`', "'"))
            },
            Written::Compact => format!("{}:{} {}\n", place.path, place.line, place.text),
        };
        Some(self.results.iter().map(line).collect())
    }
}

pub(crate) struct Search;

impl Runs for Search {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let text = args.query.join(" ");
        let flags = Flags {
            bases: &args.bases,
            files: &args.files,
            languages: &args.languages,
            mode: args.mode,
            kinds: &args.kinds,
            tags: &args.tags,
            changed: &args.changed,
            authors: &args.authors,
            patterns: &args.patterns,
        };
        let question = Question::new(text, &flags, bases::FILE_BASES)?;
        ensure_index(&ws, Missing::unless(args.no_init))?;
        let question = Question {
            limit: args.limit.map_or(if args.count { 1000 } else { 20 }, |limit| limit as usize),
            per_file: if args.count { usize::MAX } else { 3 },
            with_signals: args.explain,
            weights: ws.settings.ranking.weights(),
            brute: args.brute,
            current: ws.current(args.current.as_deref())?,
            why_not: args.why_not,
            ..question
        };
        let bundle = answer(&ws, &question)?;
        let output = Output {
            revision_id: bundle.revision_id,
            query: bundle.question,
            why_not: bundle.why_not,
            results: (bundle.rag_chunks.into_iter())
                .map(|chunk| Place::new(chunk, args.context.unwrap_or(0) as usize))
                .collect(),
            shown: match (args.files_with_matches, args.count) {
                (true, _) => Shown::Paths,
                (false, true) => Shown::Counts,
                (false, false) => Shown::Lines,
            },
        };
        let places = output.results.iter();
        let places = places.map(|place| (place.path.as_str(), place.line, place.text.as_str()));
        spared::lines(&ws, "search", &output, places);
        Ok(output)
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Search>(
    &["search"],
    Effect::Reads,
    Shape::List,
    "gik search \"lock patience\" --lang rust",
);
