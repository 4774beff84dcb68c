//! `gik similar`: which chunks say much the same as the one at a line?
//!
//! Vectors tell where the base has them. Otherwise the most telling words of the chunk are a question of their own: words
//! that are frequent in it and rare elsewhere.

use std::ops::Range;

use gik_base::Result;
use gik_contract::ask::FreshnessState;
use gik_index::{ChunkNo, Query, Score, Searcher};
use gik_store::{ChunkRow, FileRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{Missing, rounded};
use crate::likeness::{Example, own_hit};
use crate::modes::Mode;
use crate::projection::chunk_uid;
use crate::symbols::{current_store, warn_if_stale};
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Style, shorten};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Find the chunks that are most like the one at a line
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// A file and a line of it, as src/main.rs:12
    #[arg(value_name = "FILE:LINE")]
    pub place: String,
    /// How many chunks at most [default: 10]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    #[schemars(range(min = 1, max = 1000))]
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
    /// What was compared.
    pub by: Comparison,
    /// Its most telling words, the best first.
    pub words: Vec<String>,
    /// Other chunks, the most similar first.
    pub results: Vec<Similar>,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// What tells whether two chunks are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Comparison {
    /// Their vectors.
    Vectors,
    /// Their words, because the base has no vectors or the chunk has none yet.
    Words,
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
    /// The cosine of both vectors; by words 1 where it has as many of them as the chunk itself, 0 where it has none.
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
        if self.by == Comparison::Words && !self.results.is_empty() {
            let note = view.paint(Style::Faint, "compared by words: there is no vector to compare");
            view.line(note);
        }
        warn_if_stale(view, self.freshness);
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
}

struct FindSimilar;

impl Runs for FindSimilar {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let (store, freshness) = current_store(&ws, Missing::unless(args.no_init))?;
        let snapshot = store.snapshot()?;
        let example = Example::at(&ws, &snapshot, &args.place)?;
        let segments = snapshot.segments().iter().map(|row| (&row.segment, &row.tombstones));
        let searcher = Searcher::new(segments);
        let words = example.telling_words(&searcher)?;
        let query = Query::parse(&words.join(" "))?;
        let own = own_hit(&searcher, &query, example.chunk.id);
        // Records are many and alike; they are compared with each other only.
        let modes = own.map_or(0, |own| own.labels & Mode::labels(Some(Mode::All)));
        let modes = modes | Mode::labels(None);
        let limit = args.limit.map_or(10, |limit| limit as usize);
        let takes = |chunk, labels: u32| chunk != example.chunk.id && labels & modes != 0;
        let near = example.nearest(&ws, &snapshot, limit, &takes)?;
        let by = if near.is_some() { Comparison::Vectors } else { Comparison::Words };
        let alike: Vec<(ChunkNo, f64)> = match near {
            Some(near) => near,
            None => {
                let own_score = own.map_or(Score(0), |own| own.score);
                let hits = searcher.search(&query, limit, &|doc| takes(doc.chunk, doc.labels));
                let scored = hits.iter().map(|hit| (hit.chunk, similarity(hit.score, own_score)));
                scored.filter(|(_, likeness)| *likeness >= MIN_SIMILARITY).collect()
            },
        };
        let mut results = Vec::with_capacity(alike.len());
        for (number, likeness) in alike {
            let Some(other) = snapshot.chunk(number)? else { continue };
            let Some(other_file) = snapshot.file(other.file)? else { continue };
            let matched = own_hit(&searcher, &query, number).map_or(0, |hit| hit.matched);
            let shared = query.terms().iter().enumerate();
            let shared = shared.filter(|(at, _)| matched & (1 << at) != 0);
            results.push(Similar {
                similarity: likeness,
                is_copy: other.content_sha256 == example.chunk.content_sha256,
                shared: shared.map(|(_, term)| term.clone()).collect(),
                chunk: Piece::new(other, &other_file),
            });
        }
        // A copy may have lost a little to the words of its path.
        results.sort_by_key(|found| !found.is_copy);
        let chunk = Piece::new(example.chunk, &example.file);
        Ok(Output { chunk, by, words, results, freshness })
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

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<FindSimilar>(&["similar"], Effect::Reads, Shape::List, "gik similar README.md:1");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_chunk_is_more_alike_than_itself() {
        assert!((similarity(Score(50), Score(100)) - 0.5).abs() < 1e-9);
        assert!((similarity(Score(200), Score(100)) - 1.0).abs() < 1e-9);
        assert!(similarity(Score(200), Score(0)).abs() < 1e-9);
    }
}
