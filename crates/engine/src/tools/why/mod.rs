//! `gik why`: who wrote these lines, when and why? Read from git, line by line, for the file as it is now.

mod place;

use std::ops::Range;
use std::path::Path;

use gik_base::{ErrorCode, Failure, Result, fs};
use gik_contract::Timestamp;
use gik_discover::history::{Origin, Repository, Traced};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::place::Place;
use crate::history::{moment, no_history};
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// How many commits are told where no limit is given.
const DEFAULT_LIMIT: usize = 5;

/// Tell who wrote lines of a file, when and why
///
/// Read from git for the file as it is now, through renames. First come the commits that the lines are from, then
/// those that wrote what stood there before.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// A file, or lines of it: src/main.rs, src/main.rs:12, src/main.rs:12-20
    #[arg(value_name = "FILE[:LINE[-LINE]]")]
    pub place: String,
    /// How many commits at most [default: 5]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: Option<u32>,
}

/// The commits behind some lines.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Workspace-relative path.
    pub path: String,
    /// First line that was asked for, from 1.
    pub start_line: u32,
    /// Last line that was asked for.
    pub end_line: u32,
    /// The commits: those that wrote the lines, then those that wrote what stood there before; newest first.
    pub commits: Vec<Reason>,
    /// How many commits there are, shown or not, as far as was looked.
    pub total: u64,
    /// Lines that no commit has.
    pub uncommitted: Vec<Lines>,
    /// Lines that are older than what was looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub older: Vec<Lines>,
    /// Whether the last commit has the file, under this name or another.
    pub is_committed: bool,
    /// Whether the clone has only the newest part of the history: the oldest commit then stands for all before it.
    pub is_shallow: bool,
}

/// A commit and what it did to the lines.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// Its full id.
    pub commit: String,
    /// Who wrote it.
    pub author: String,
    /// The address of the author.
    pub mail: String,
    /// When it was written.
    pub time: Timestamp,
    /// The first line of its message.
    pub subject: String,
    /// The rest of its message.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub body: String,
    /// Lines of the file that it wrote.
    pub lines: Vec<Lines>,
    /// Lines of the file in whose place it wrote what was replaced since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Lines>,
    /// The path that the file had in it, where that was another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_then: Option<String>,
}

/// A range of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Lines {
    /// The first, from 1.
    pub start_line: u32,
    /// The last.
    pub end_line: u32,
}

impl std::fmt::Display for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.start_line, self.end_line) {
            (first, last) if first == last => write!(f, "{first}"),
            (first, last) => write!(f, "{first}-{last}"),
        }
    }
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if !self.is_committed {
            let path = view.paint(Style::Name, &self.path);
            view.line(format!("{path} is not in the last commit."));
            return;
        }
        for reason in &self.commits {
            render_reason(reason, view);
            view.blank();
        }
        if !self.uncommitted.is_empty() {
            let lines = view.paint(Style::Number, listed(&self.uncommitted));
            let note = view.paint(Style::Warning, "not committed yet:");
            view.line(format!("{note} {lines}"));
        }
        if !self.older.is_empty() {
            let note = format!("older than what was looked at: {}", listed(&self.older));
            let note = view.paint(Style::Faint, note);
            view.line(note);
        }
        let left = self.total - self.commits.len() as u64;
        if left > 0 {
            let note = format!("{} more; `--limit N` shows more", count(left, "commit", "commits"));
            let note = view.paint(Style::Faint, note);
            view.line(note);
        }
        if self.is_shallow {
            view.hint(
                "this clone has only the newest commits; `git fetch --unshallow` gets the others",
            );
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.commits)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.commits, rows)
    }
}

fn render_reason(reason: &Reason, view: &mut View) {
    let id = view.paint(Style::Name, reason.commit.get(..10).unwrap_or(&reason.commit));
    let day = reason.time.strftime("%Y-%m-%d").to_string();
    let who = view.plain(&reason.author);
    let subject = view.paint(Style::Heading, &reason.subject);
    view.line(format!("{id}  {day}  {who}  {subject}"));
    for line in reason.body.lines() {
        let line = view.plain(line);
        view.line(format!("    {line}"));
    }
    let mut what = Vec::new();
    if !reason.lines.is_empty() {
        what.push(format!("wrote {}", listed(&reason.lines)));
    }
    if !reason.replaced.is_empty() {
        what.push(format!("wrote what stood at {} before", listed(&reason.replaced)));
    }
    if let Some(path) = &reason.path_then {
        what.push(format!("as {path}"));
    }
    let what = view.paint(Style::Faint, what.join(", "));
    view.line(what);
}

fn listed(lines: &[Lines]) -> String {
    let word =
        if matches!(lines, [one] if one.start_line == one.end_line) { "line" } else { "lines" };
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    format!("{word} {}", lines.join(", "))
}

struct Why;

impl Runs for Why {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let root = ctx.root()?;
        let key_of = |typed: &str| gik_discover::key_of(&root, &ctx.cwd, Path::new(typed));
        let has_file = |typed: &str| key_of(typed).is_ok_and(|key| fs::exists(&key.to_path(&root)));
        let place = Place::parse(&args.place, &has_file)?;
        let key = key_of(place.path)?;
        let path = key.to_path(&root);
        if fs::metadata(&path)?.is_dir() {
            return Err(Failure::new(ErrorCode::ArgumentInvalid, format!("`{key}` is a folder"))
                .hint("name a file, or lines of it: `gik why src/main.rs:12`"));
        }
        let text = fs::read(&path)?;
        let n_lines =
            text.strip_suffix(b"\n").unwrap_or(&text).split(|byte| *byte == b'\n').count();
        let last = if text.is_empty() { 0 } else { u32::try_from(n_lines).unwrap_or(u32::MAX) };
        let (start_line, end_line) = place.lines.unwrap_or((1, last));
        if end_line > last && place.lines.is_some() {
            let message = format!("`{}` has {}", place.path, count(last.into(), "line", "lines"));
            return Err(Failure::new(ErrorCode::ArgumentInvalid, message));
        }
        let repository = Repository::open(&root)?.ok_or_else(|| no_history(&root))?;
        let limit = args.limit.map_or(DEFAULT_LIMIT, |limit| limit as usize);
        let traced = repository.trace(&key, &text, start_line..=end_line, limit, &ctx.cancel)?;
        let Traced { mut origins, uncommitted, older, is_known } = traced;
        // What the lines are from says more than what was there before; the order is kept among equals.
        origins.sort_by_key(|origin| origin.lines.is_empty());
        let total = origins.len() as u64;
        let reason = |origin: Origin| Reason {
            commit: origin.commit.id.to_string(),
            subject: origin.commit.subject().to_owned(),
            body: origin.commit.body().to_owned(),
            time: moment(origin.commit.authored),
            author: origin.commit.author,
            mail: origin.commit.mail,
            lines: ranges(&origin.lines),
            replaced: ranges(&origin.replaced),
            path_then: origin.key.filter(|path| path != key.as_str()),
        };
        Ok(Output {
            path: key.as_str().to_owned(),
            start_line,
            end_line,
            commits: origins.into_iter().take(limit).map(reason).collect(),
            total,
            uncommitted: ranges(&uncommitted),
            older: ranges(&older),
            is_committed: is_known,
            is_shallow: repository.is_shallow(),
        })
    }
}

/// Rising numbers as ranges.
fn ranges(lines: &[u32]) -> Vec<Lines> {
    let chunks = lines.chunk_by(|one, next| one + 1 == *next);
    let ends = chunks.filter_map(|chunk| Some((*chunk.first()?, *chunk.last()?)));
    ends.map(|(start_line, end_line)| Lines { start_line, end_line }).collect()
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Why>(&["why"], Effect::Reads, Shape::List, "gik why src/main.rs:12-20");
