//! `Understand → Lexical → Fuse → Cut`: the one way from a question to ranked chunks.

use std::time::Instant;

use gik_base::Result;
use gik_base::collections::HashMap;
use gik_index::{FileNo, Hit, Query, Searcher};
use gik_store::{ChunkRow, FileRow, Snapshot};

use crate::filter::Filter;
use crate::signals::{self, Signal};

/// The steps of the read path, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// What is asked, and of which files.
    Understand,
    /// Candidates by their words.
    Lexical,
    /// Candidates with what is known of them.
    Fuse,
    /// The best, not too many of one file.
    Cut,
}

impl Step {
    /// The name in timings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Understand => "understand",
            Self::Lexical => "lexical",
            Self::Fuse => "fuse",
            Self::Cut => "cut",
        }
    }
}

/// What to look for.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The question.
    pub query: &'a Query,
    /// Which files count.
    pub filter: Filter,
    /// How many chunks at most.
    pub limit: usize,
    /// How many chunks of one file at most.
    pub per_file: usize,
}

/// A ranked chunk.
#[derive(Debug, Clone)]
pub struct Found {
    /// The chunk.
    pub chunk: ChunkRow,
    /// Its file.
    pub file: FileRow,
    /// Words times signals.
    pub score: f64,
    /// The score of the words alone.
    pub lexical: f64,
    /// The factors that were applied.
    pub signals: Vec<Signal>,
    /// Words of the question that occur in it.
    pub matched: Vec<String>,
}

/// The answer and how long its steps took, in milliseconds.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// Best first.
    pub found: Vec<Found>,
    /// Step and time.
    pub timings: Vec<(Step, f64)>,
}

/// Candidates per wanted result: signals can lift a chunk that words alone rank lower.
const CANDIDATES_PER_RESULT: usize = 6;
/// The fewest candidates.
const MIN_CANDIDATES: usize = 60;

/// Finds the chunks that answer best.
pub fn search(snapshot: &Snapshot<'_>, request: &Request<'_>) -> Result<Results> {
    let mut clock = Stopwatch { last: Instant::now(), timings: Vec::new() };
    let accepted = request.filter.resolve(snapshot)?;
    let labels = request.filter.base_labels;
    clock.lap(Step::Understand);

    let parts = snapshot.segments().iter().map(|row| (&row.segment, &row.tombstones));
    let searcher = Searcher::new(parts);
    let wanted = (request.limit * CANDIDATES_PER_RESULT).max(MIN_CANDIDATES);
    let hits = searcher.search(request.query, wanted, &|doc| {
        doc.labels & labels != 0 && accepted.takes(doc.file.0)
    });
    clock.lap(Step::Lexical);

    let mut found = fuse(snapshot, request.query, &hits)?;
    clock.lap(Step::Fuse);

    cut(&mut found, request.limit, request.per_file);
    clock.lap(Step::Cut);
    Ok(Results {
        found: found.into_iter().map(|(found, _)| found).collect(),
        timings: clock.timings,
    })
}

/// Looks up what is known of each candidate and applies the signals; best first, ties by content.
fn fuse(snapshot: &Snapshot<'_>, query: &Query, hits: &[Hit]) -> Result<Vec<(Found, u64)>> {
    let mut files: HashMap<FileNo, FileRow> = HashMap::default();
    let mut candidates = Vec::with_capacity(hits.len());
    for hit in hits {
        let Some(chunk) = snapshot.chunk(hit.chunk)? else { continue };
        let file = match files.get(&hit.file) {
            Some(file) => file.clone(),
            None => {
                let Some(file) = snapshot.file(hit.file)? else { continue };
                files.insert(hit.file, file.clone());
                file
            },
        };
        let lexical = hit.score.as_f64();
        let signals = signals::of(&chunk, &file, query.terms());
        let score = signals.iter().fold(lexical, |score, (_, factor)| score * factor);
        let matched = query
            .terms()
            .iter()
            .enumerate()
            .filter(|(at, _)| hit.matched & (1 << at) != 0)
            .map(|(_, term)| term.clone())
            .collect();
        candidates.push((Found { chunk, file, score, lexical, signals, matched }, hit.tie));
    }
    candidates.sort_by(|(a, a_tie), (b, b_tie)| b.score.total_cmp(&a.score).then(a_tie.cmp(b_tie)));
    Ok(candidates)
}

/// Keeps the best, at most `per_file` of one file.
fn cut(found: &mut Vec<(Found, u64)>, limit: usize, per_file: usize) {
    let mut taken: HashMap<FileNo, usize> = HashMap::default();
    found.retain(|(found, _)| {
        let n = taken.entry(found.file.id).or_default();
        *n += 1;
        *n <= per_file
    });
    found.truncate(limit);
}

struct Stopwatch {
    last: Instant,
    timings: Vec<(Step, f64)>,
}

impl Stopwatch {
    fn lap(&mut self, step: Step) {
        self.timings.push((step, self.last.elapsed().as_secs_f64() * 1e3));
        self.last = Instant::now();
    }
}
