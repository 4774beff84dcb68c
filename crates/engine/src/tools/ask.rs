//! `gik ask`: a question in words, answered with evidence from the files as they are now.

use gik_base::{Result, clock};
use gik_contract::ask::{BudgetUse, CommitEvent, SignalValue, WhyNot};
use gik_contract::{AskContextBundle, AskLogEntry, Extra, RagChunk};
use gik_index::Searcher;
use gik_retrieve::snippet;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answer::{Missing, Question, answer, ensure_index, is_stale};
use crate::conditions::Flags;
use crate::detail::Detail;
use crate::likeness::Example;
use crate::modes::Mode;
use crate::symbols::current_store;
use crate::tool::{Runs, words};
use crate::view::{Style, count};
use crate::{
    Context, Effect, Report, Shape, Tool, View, Workspace, Written, bases, spared, written,
};

/// Ask a question; the answer is evidence: files, lines and memory, best first
///
/// Words count where they occur; "quoted words" must stand together; +word must occur; -word must not. Conditions:
/// path:src, lang:rust, kind:function, mode:code, base:docs, tag:adr, changed:<7d, author:ann, re:/lock\(/i; with - in
/// front they must not hold. Put a question with such signs in quotes: 'lock "no patience" -path:tests'. See docs/query.md.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The question
    #[arg(required_unless_present_any = ["files", "languages", "kinds", "tags", "changed", "authors", "patterns", "like"], value_name = "QUESTION")]
    #[serde(deserialize_with = "words")]
    #[schemars(with = "String")]
    pub question: Vec<String>,
    /// Ask only this base (code, docs, memory, notes); may be repeated
    #[arg(long = "base", value_name = "BASE")]
    pub bases: Vec<String>,
    /// Ask only files whose path matches, `!` in front excludes; may be repeated
    #[arg(long, visible_alias = "path", value_name = "GLOB")]
    pub files: Vec<String>,
    /// Ask only files in this language; may be repeated
    #[arg(long = "lang", value_name = "LANGUAGE")]
    pub languages: Vec<String>,
    /// Ask only code without its comments, prose, comments (extracted-prose) or records; all but records where no mode
    /// is given
    #[arg(long, value_enum, value_name = "MODE")]
    pub mode: Option<Mode>,
    /// Ask only this kind of chunk: function, type, struct, doc, …; may be repeated
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<String>,
    /// Ask only documents and memory with this tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Ask only files that changed within this time (`<7d`), before it (`>7d`) or after a date (`>2026-01-31`)
    #[arg(long, value_name = "TIME")]
    pub changed: Vec<String>,
    /// Ask only files that someone changed, by a part of the name or address in git's history; may be repeated
    #[arg(long = "author", value_name = "NAME")]
    pub authors: Vec<String>,
    /// Ask only where this regular expression matches; may be repeated
    #[arg(short = 'e', long = "re", value_name = "REGEX")]
    pub patterns: Vec<String>,
    /// How many pieces of evidence at most; `ask.top_k` of the config where it is not given
    #[arg(short = 'k', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    #[schemars(range(min = 1, max = 1000))]
    pub top_k: Option<u32>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
    /// Tell for each piece of evidence what made its score
    #[arg(long)]
    pub explain: bool,
    /// Tell why this file is not among the answers
    #[arg(long, value_name = "PATH")]
    pub why_not: Option<String>,
    /// Look at every text instead of the index: slow, and the same answer
    #[arg(long)]
    pub brute: bool,
    /// Ask for what is like the chunk at this place, and for the words of the question, if there are any
    #[arg(long, value_name = "FILE:LINE")]
    pub like: Option<String>,
    /// How much of each piece of evidence: locations, signatures or bodies [default: bodies]
    #[arg(long, value_enum, value_name = "DETAIL")]
    pub detail: Option<Detail>,
    /// How many tokens the answer may take: what does not fit is shortened to signatures, then to locations, then left
    /// out
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<u64>,
    /// Where the reader is: what is near that place counts more
    #[arg(long, value_name = "FILE[:LINE]")]
    pub current: Option<String>,
    /// Tell in the answer how long each step took
    #[arg(long)]
    pub timings: bool,
}

impl Report for AskContextBundle {
    fn render(&self, view: &mut View) {
        for event in &self.memory_events {
            let label = view.paint(Style::Heading, "memory");
            let id = view.paint(Style::Name, &event.id);
            let title = view.plain(event.title.as_deref().unwrap_or_default());
            view.line(format!("{label} {id} {title}"));
            for line in event.text.lines() {
                let line = view.plain(line);
                view.line(format!("  {line}"));
            }
            view.blank();
        }
        for event in &self.commit_events {
            render_commit(event, view);
            view.blank();
        }
        for chunk in &self.rag_chunks {
            render_chunk(chunk, view);
            view.blank();
        }
        if let Some(why_not) = &self.why_not {
            render_why_not(why_not, view);
        }
        if !self.found() {
            view.line("Nothing found.");
            view.hint("fewer or other words may help; `gik stats` tells what is indexed");
            return;
        }
        let remembered = match self.memory_events.len() as u64 {
            0 => String::new(),
            n => format!("{}, ", count(n, "memory entry", "memory entries")),
        };
        let committed = match self.commit_events.len() as u64 {
            0 => String::new(),
            n => format!("{}, ", count(n, "commit", "commits")),
        };
        let mut note = format!(
            "{remembered}{committed}{}, {} searched",
            count(self.rag_chunks.len() as u64, "piece of evidence", "pieces of evidence"),
            count(self.coverage.files, "file", "files"),
        );
        if is_stale(self.freshness.state) {
            note.push_str("; the index may be behind the files");
        } else if self.freshness.ahead_of_revision {
            note.push_str("; the files are ahead of the last commit");
        }
        let note = view.paint(Style::Faint, note);
        view.line(note);
        if let Some(budget) = &self.budget {
            let shortened = match budget.shortened {
                0 => String::new(),
                n => format!(", {n} shortened"),
            };
            let left_out = written::left_out(budget);
            let left_out = left_out.map(|places| format!("; left out: {places}"));
            let left_out = left_out.unwrap_or_default();
            let BudgetUse { used, tokens, .. } = budget;
            let note = format!("{used} of {tokens} tokens used{shortened}{left_out}");
            let note = view.paint(Style::Faint, note);
            view.line(note);
        }
    }

    fn found(&self) -> bool {
        !self.rag_chunks.is_empty()
            || !self.memory_events.is_empty()
            || !self.commit_events.is_empty()
    }

    fn written(&self, written: Written) -> Option<String> {
        Some(written::bundle(self, written))
    }
}

/// Lines of a commit message that are shown to a person, besides its subject.
const SHOWN_BODY: usize = 8;

/// A heading with who and when, then the message.
fn render_commit(event: &CommitEvent, view: &mut View) {
    let label = view.paint(Style::Heading, "commit");
    let id = view.paint(Style::Name, event.id.get(..10).unwrap_or(&event.id));
    let day = event.time.strftime("%Y-%m-%d").to_string();
    let who = view.plain(&event.author);
    let subject = view.plain(&event.subject);
    view.line(format!("{label} {id} {day} {who}: {subject}"));
    let body = event.body.as_deref().unwrap_or_default();
    for line in body.lines().take(SHOWN_BODY) {
        let line = view.plain(line);
        view.line(format!("  {line}"));
    }
}

/// A file, why it is not there, and what made its score.
pub(super) fn render_why_not(why_not: &WhyNot, view: &mut View) {
    let path = view.paint(Style::Name, &why_not.path);
    let reason = view.plain(&why_not.reason);
    view.line(format!("{path}: {reason}"));
    if let (Some(score), Some(sum)) = (why_not.score, sum_of(&why_not.signals)) {
        let sum = view.paint(Style::Faint, format!("  {score:.2} = {sum}"));
        view.line(sum);
    }
}

/// Lines of a piece of evidence that are shown to a person; programs get more.
const SHOWN_LINES: usize = 14;

/// A heading with the place, then the numbered lines with the words of the question marked.
pub(crate) fn render_chunk(chunk: &RagChunk, view: &mut View) {
    let place = view.place(&chunk.path, chunk.start_line);
    let lines = view.paint(Style::Number, format!("{}-{}", chunk.start_line, chunk.end_line));
    let name =
        chunk.name.as_deref().map(|name| view.paint(Style::Heading, name)).unwrap_or_default();
    let score = view.paint(Style::Faint, format!("{:.2}", chunk.score));
    view.line(format!("{place}:{lines}  {name}  {score}"));
    if let Some(sum) = sum_of(&chunk.signals) {
        let sum = view.paint(Style::Faint, sum);
        view.line(sum);
    }
    if chunk.detail.is_some() {
        for line in chunk.snippet.lines() {
            let line = view.marked(line, &chunk.matched);
            view.line(format!("  {line}"));
        }
        return;
    }
    let shown = snippet(&chunk.snippet, chunk.start_line, &chunk.matched, SHOWN_LINES);
    let widest = shown.end_line.to_string().len();
    for (number, line) in (shown.start_line..).zip(shown.text.lines()) {
        let number = view.paint(Style::Faint, format!("{number:>widest$}"));
        let line = view.marked(line, &chunk.matched);
        view.line(format!("{number}  {line}"));
    }
    if chunk.truncated || shown.truncated {
        let more = view.paint(Style::Faint, "…");
        view.line(format!("{:>widest$}  {more}", ""));
    }
}

/// `words 0.61 + path 0.60 - docs 0.36`: what made a score; `None` where that was not asked for.
pub(super) fn sum_of(signals: &[SignalValue]) -> Option<String> {
    let parts = signals.iter().enumerate().map(|(at, SignalValue { name, value })| {
        let sign = match (at, *value < 0.0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        format!("{sign}{name} {:.2}", value.abs())
    });
    let sum: String = parts.collect();
    Some(sum).filter(|sum| !sum.is_empty())
}

/// The question for what is like a chunk, apart from the chunk itself: its most telling words, and what it means.
fn like(
    ws: &Workspace<'_>,
    question: &Question,
    place: &str,
    flags: &Flags<'_>,
) -> Result<Question> {
    let (store, _) = current_store(ws, Missing::Refuse)?;
    let snapshot = store.snapshot()?;
    let example = Example::at(ws, &snapshot, place)?;
    let segments = snapshot.segments().iter().map(|row| (&row.segment, &row.tombstones));
    let words = example.telling_words(&Searcher::new(segments))?;
    let passage = example.passage(ws)?;
    Ok(Question {
        meant: Some(format!("{} {passage}", question.query.text()).trim().to_owned()),
        except: Some(example.chunk.id),
        ..Question::with_words(question.text.clone(), &words.join(" "), flags, bases::ALL)?
    })
}

pub(crate) struct Ask;

impl Runs for Ask {
    type Args = Args;
    type Output = AskContextBundle;

    fn run(ctx: &Context<'_>, args: Args) -> Result<AskContextBundle> {
        let ws = ctx.open()?;
        let text = args.question.join(" ");
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
        // A malformed question is told before a long first indexing, not after it.
        let question = match &args.like {
            None => Question::new(text, &flags, bases::ALL)?,
            Some(_) => Question::with_words(text, "", &flags, bases::ALL)?,
        };
        ensure_index(&ws, Missing::unless(args.no_init))?;
        let question = match &args.like {
            None => question,
            Some(place) => like(&ws, &question, place, &flags)?,
        };
        let question = Question {
            limit: args.top_k.map_or(ws.settings.ask.top_k, |k| k as usize),
            max_lines: ws.settings.ask.max_snippet_lines,
            may_soften: true,
            with_timings: args.timings,
            with_signals: args.explain,
            with_graph: true,
            weights: ws.settings.ranking.weights(),
            brute: args.brute,
            current: ws.current(args.current.as_deref())?,
            why_not: args.why_not,
            detail: args.detail.unwrap_or_default(),
            budget: args.budget,
            ..question
        };
        let bundle = answer(&ws, &question)?;
        if ws.settings.ask.log {
            let with_text = bundle.rag_chunks.iter().filter(|chunk| !chunk.snippet.is_empty());
            let files = spared::lengths(&ws, with_text.map(|chunk| chunk.path.as_str()));
            let entry = AskLogEntry {
                timestamp: clock::now(),
                branch: ws.branch.name().to_owned(),
                question: bundle.question.clone(),
                bases: bundle.bases.clone(),
                total_hits: bundle.rag_chunks.len() as u64,
                bundle_path: None,
                answer_bytes: spared::length(&bundle),
                files_bytes: Some(files.iter().sum()),
                files: Some(files.len() as u64),
                extra: Extra::new(),
            };
            // An answer is worth more than its log line: a read-only tree or a full disk does not take it away.
            if let Err(failure) = ws.knowledge.ask_log().append(&entry) {
                ctx.progress.warn(&format!("the question was not logged: {failure}"));
            }
        }
        Ok(bundle)
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Ask>(
    &["ask"],
    Effect::Reads,
    Shape::One,
    "gik ask \"where are private addresses refused?\"",
);
