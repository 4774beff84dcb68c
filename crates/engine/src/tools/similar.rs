//! `gik similar`: which chunks say much the same as the one at a line?
//!
//! The most telling words of the chunk are a question of their own: words that are frequent in it and rare elsewhere.

use std::collections::BTreeSet;

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::ask::FreshnessState;
use gik_index::{ChunkNo, Hit, Query, Score, Searcher};
use gik_store::{ChunkRow, FileRow, FileState, Snapshot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{Missing, rounded};
use crate::modes::Mode;
use crate::projection::{chunk_uid, text_of};
use crate::symbols::{current_store, typed, warn_if_stale};
use crate::tool::{Runs, rows_of};
use crate::view::{Style, shorten};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace};

/// Find the chunks that are most like the one at a line
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// A file and a line of it, as src/main.rs:12
    #[arg(value_name = "FILE:LINE")]
    pub place: String,
    /// How many chunks at most [default: 10]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: Option<u32>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// The chunk that was meant and those like it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The chunk at the line.
    pub chunk: Piece,
    /// Its most telling words, the best first.
    pub words: Vec<String>,
    /// Other chunks, the most similar first.
    pub results: Vec<Similar>,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// A chunk.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Qualified name or heading path.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `function`, `struct`, `doc`, …
    pub kind: String,
    /// The chunk's id.
    pub chunk_uid: String,
}

/// A chunk that is like the one that was meant.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Similar {
    /// What it is and where.
    #[serde(flatten)]
    pub chunk: Piece,
    /// 1 where it has as much of the words as the chunk itself, 0 where it has none.
    pub similarity: f64,
    /// Whether its text is the very same.
    pub is_copy: bool,
    /// Words that both have.
    pub shared: Vec<String>,
}

impl Piece {
    fn new(chunk: ChunkRow, file: &FileRow) -> Self {
        Self {
            path: file.key.as_str().to_owned(),
            start_line: chunk.lines.0,
            end_line: chunk.lines.1,
            chunk_uid: chunk_uid(&chunk, &file.key),
            name: chunk.qualified,
            kind: chunk.kind,
        }
    }
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for found in &self.results {
            let path = view.paint(Style::Name, &found.chunk.path);
            let lines = format!("{}-{}", found.chunk.start_line, found.chunk.end_line);
            let lines = view.paint(Style::Number, lines);
            let likeness = if found.is_copy {
                "same text".to_owned()
            } else {
                format!("{:.2}", found.similarity)
            };
            let likeness = view.paint(Style::Good, format!("{likeness:>9}"));
            let name = view.paint(Style::Heading, &found.chunk.name);
            let words = shorten(&found.shared.join(" "), 60);
            let words = view.paint(Style::Faint, words);
            view.line(format!("{likeness}  {path}:{lines}  {name}  {words}"));
        }
        if self.results.is_empty() {
            view.line("Nothing found.");
            view.hint("`gik search WORDS` finds chunks by words of your own");
        }
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.results)
    }

    fn found(&self) -> bool {
        !self.results.is_empty()
    }
}

struct FindSimilar;

impl Runs for FindSimilar {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let (path, line) = place(&args.place)?;
        let missing = Missing::unless(args.no_init);
        let (store, freshness) = current_store(&ws, missing)?;
        let snapshot = store.snapshot()?;
        let (chunk, file) = chunk_at(&ws, &snapshot, path, line)?;
        let text = text_of(&ws, &snapshot, &file)?;
        let text =
            text.as_deref().and_then(|text| text.get(chunk.bytes.clone())).ok_or_else(|| {
                Failure::new(ErrorCode::Io, format!("`{path}` changed while it was looked at"))
                    .hint("run the command again")
            })?;

        let segments = snapshot.segments().iter().map(|row| (&row.segment, &row.tombstones));
        let searcher = Searcher::new(segments);
        let words = telling_words(&searcher, chunk.id, text)?;
        let query = Query::parse(&words.join(" "))?;
        let own = own_hit(&searcher, &query, chunk.id);
        // Records are many and alike; they are compared with each other only.
        let modes = own.map_or(0, |own| own.labels & Mode::labels(Some(Mode::All)));
        let modes = modes | Mode::labels(None);
        let limit = args.limit.map_or(10, |limit| limit as usize);
        let hits =
            searcher.search(&query, limit, &|doc| doc.chunk != chunk.id && doc.labels & modes != 0);
        let own_score = own.map_or(Score(0), |own| own.score);
        let mut results = Vec::with_capacity(hits.len());
        for hit in hits {
            let likeness = similarity(hit.score, own_score);
            if likeness < MIN_SIMILARITY {
                break;
            }
            let Some(other) = snapshot.chunk(hit.chunk)? else { continue };
            let Some(other_file) = snapshot.file(hit.file)? else { continue };
            let shared = query.terms().iter().enumerate();
            let shared = shared.filter(|(at, _)| hit.matched & (1 << at) != 0);
            results.push(Similar {
                similarity: likeness,
                is_copy: other.content_sha256 == chunk.content_sha256,
                shared: shared.map(|(_, term)| term.clone()).collect(),
                chunk: Piece::new(other, &other_file),
            });
        }
        // A copy may have lost a little to the words of its path.
        results.sort_by_key(|found| !found.is_copy);
        Ok(Output { chunk: Piece::new(chunk, &file), words, results, freshness })
    }
}

/// Below, chunks have a common word in common and nothing else.
const MIN_SIMILARITY: f64 = 0.05;

/// The part of its own score that another chunk reaches.
fn similarity(score: Score, own: Score) -> f64 {
    if own.0 == 0 {
        return 0.0;
    }
    rounded((score.as_f64() / own.as_f64()).min(1.0))
}

/// The file and the line of `FILE:LINE`.
fn place(text: &str) -> Result<(&str, u32)> {
    text.rsplit_once(':')
        .and_then(|(path, line)| Some((path, line.parse().ok().filter(|line| *line > 0)?)))
        .filter(|(path, _)| !path.is_empty())
        .ok_or_else(|| {
            Failure::new(
                ErrorCode::ArgumentInvalid,
                format!("`{text}` does not name a file and a line"),
            )
            .hint("write it as `src/main.rs:12`")
        })
}

/// The chunk with that line, or the next one where the line is blank.
fn chunk_at(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    path: &str,
    line: u32,
) -> Result<(ChunkRow, FileRow)> {
    let key = ws.key_typed(path)?;
    let file = snapshot.file_by_key(&key)?.filter(|file| file.state == FileState::Indexed);
    let Some(file) = file else {
        let word = typed(path);
        return Err(Failure::new(ErrorCode::PathMissing, format!("`{path}` is not indexed"))
            .hint(format!("`gik ls-files {word}` tells why")));
    };
    let chunks = snapshot.chunks_of(file.id)?;
    let last = chunks.iter().map(|chunk| chunk.lines.1).max().unwrap_or(0);
    let chunk = chunks.into_iter().find(|chunk| chunk.lines.1 >= line).ok_or_else(|| {
        let message = format!("`{path}` has no text at line {line}: its last line is {last}");
        Failure::new(ErrorCode::ArgumentInvalid, message)
    })?;
    Ok((chunk, file))
}

/// More words bring in what is common, fewer miss what is said with others.
const TELLING: usize = 25;

/// The words that count most for the chunk: what each adds to its score, by the scorer itself.
fn telling_words(searcher: &Searcher<'_>, chunk: ChunkNo, text: &str) -> Result<Vec<String>> {
    let mut terms = BTreeSet::new();
    gik_index::analyze(text, &mut |term, _| {
        // What does not start with a letter cannot be demanded, and numbers say little.
        if term.starts_with(char::is_alphabetic) && term.chars().nth(1).is_some() {
            terms.insert(term.to_owned());
        }
    });
    let mut scored = Vec::with_capacity(terms.len());
    for term in terms {
        let query = Query::parse(&format!("+{term}"))?;
        if let Some(hit) = own_hit(searcher, &query, chunk) {
            scored.push((hit.score, term));
        }
    }
    scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.truncate(TELLING);
    Ok(scored.into_iter().map(|(_, term)| term).collect())
}

/// What a query finds of one chunk.
fn own_hit(searcher: &Searcher<'_>, query: &Query, chunk: ChunkNo) -> Option<Hit> {
    searcher.search(query, 1, &|doc| doc.chunk == chunk).pop()
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<FindSimilar>(&["similar"], Effect::Reads, Shape::List, "gik similar README.md:1");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_and_a_line() {
        assert_eq!(place("src/a.rs:12").unwrap(), ("src/a.rs", 12));
        assert_eq!(place("https://example.com/x:7").unwrap(), ("https://example.com/x", 7));
        for wrong in ["src/a.rs", "src/a.rs:0", "src/a.rs:x", ":3", ""] {
            assert_eq!(place(wrong).unwrap_err().code(), ErrorCode::ArgumentInvalid, "{wrong}");
        }
    }

    #[test]
    fn no_chunk_is_more_alike_than_itself() {
        assert!((similarity(Score(50), Score(100)) - 0.5).abs() < 1e-9);
        assert!((similarity(Score(200), Score(100)) - 1.0).abs() < 1e-9);
        assert!(similarity(Score(200), Score(0)).abs() < 1e-9);
    }
}
