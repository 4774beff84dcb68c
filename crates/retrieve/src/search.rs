//! `Understand → Lexical → Fuse → Rerank → Cut`: the one way from a question to ranked chunks.
//!
//! Reranking needs what the files say, which is the caller's to know: [`candidates`] goes as far as the snapshot can,
//! [`Candidates::weigh`] takes how near in meaning each of them is, [`Candidates::cut`] gives the answer.

use std::collections::hash_map::Entry;
use std::time::Instant;

use gik_base::Result;
use gik_base::collections::{HashMap, HashSet};
use gik_index::{ChunkNo, FileNo, Hit, Query, Searcher};
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
    /// How near they are in meaning.
    Rerank,
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
            Self::Rerank => "rerank",
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
    /// How near it is in meaning, where that was looked at: the cosine of two vectors.
    pub dense: Option<f64>,
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

/// Finds the chunks that answer best by their words.
pub fn search(snapshot: &Snapshot<'_>, request: &Request<'_>) -> Result<Results> {
    Ok(candidates(snapshot, request)?.cut())
}

/// Finds the chunks that may answer: more than are asked for.
pub fn candidates(snapshot: &Snapshot<'_>, request: &Request<'_>) -> Result<Candidates> {
    let mut clock = Stopwatch { last: Instant::now(), timings: Vec::new() };
    let accepted = request.filter.resolve(snapshot)?;
    let Filter { base_labels, mode_labels, .. } = request.filter;
    clock.lap(Step::Understand);

    let parts = snapshot.segments().iter().map(|row| (&row.segment, &row.tombstones));
    let searcher = Searcher::new(parts);
    let wanted = request.limit.saturating_mul(CANDIDATES_PER_RESULT).max(MIN_CANDIDATES);
    let mut candidates = Candidates::new(request);
    loop {
        let hits = searcher.search(request.query, wanted, &|doc| {
            doc.labels & base_labels != 0
                && doc.labels & mode_labels != 0
                && accepted.takes(doc.file.0)
                && candidates.lack(doc.file, doc.chunk)
        });
        clock.lap(Step::Lexical);

        candidates.add(snapshot, request.query, &hits)?;
        clock.lap(Step::Fuse);
        // Where a few files fill the candidates, the others are asked for without them. Each round fills a file more.
        if hits.len() < wanted || candidates.n_allowed >= request.limit || request.per_file == 0 {
            break;
        }
    }

    candidates.sort();
    clock.lap(Step::Fuse);
    candidates.timings = clock.timings;
    Ok(candidates)
}

/// Chunks that may answer, with what is known of them, best first.
#[derive(Debug)]
pub struct Candidates {
    per_file: usize,
    limit: usize,
    timings: Vec<(Step, f64)>,
    chunks: HashSet<ChunkNo>,
    files: HashMap<FileNo, (FileRow, usize)>,
    /// With the content-derived tie break.
    found: Vec<(Found, u64)>,
    /// How many of them the cap per file lets through.
    n_allowed: usize,
}

impl Candidates {
    fn new(request: &Request<'_>) -> Self {
        Self {
            per_file: request.per_file,
            limit: request.limit,
            timings: Vec::new(),
            chunks: HashSet::default(),
            files: HashMap::default(),
            found: Vec::new(),
            n_allowed: 0,
        }
    }

    /// Whether a chunk would be a new candidate, of a file that has fewer than it may.
    fn lack(&self, file: FileNo, chunk: ChunkNo) -> bool {
        !self.chunks.contains(&chunk)
            && self.files.get(&file).is_none_or(|(_, count)| *count < self.per_file)
    }

    /// Looks up what is known of each hit and applies the signals.
    fn add(&mut self, snapshot: &Snapshot<'_>, query: &Query, hits: &[Hit]) -> Result<()> {
        self.found.reserve(hits.len());
        for hit in hits {
            self.chunks.insert(hit.chunk);
            let Some(chunk) = snapshot.chunk(hit.chunk)? else { continue };
            let (file, count) = match self.files.entry(hit.file) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let Some(file) = snapshot.file(hit.file)? else { continue };
                    new.insert((file, 0))
                },
            };
            *count += 1;
            self.n_allowed += usize::from(*count <= self.per_file);
            let lexical = hit.score.as_f64();
            let signals = signals::of(&chunk, file, query.terms());
            let score = signals.iter().fold(lexical, |score, (_, factor)| score * factor);
            let matched = query
                .terms()
                .iter()
                .enumerate()
                .filter(|(at, _)| hit.matched & (1 << at) != 0)
                .map(|(_, term)| term.clone())
                .collect();
            let file = file.clone();
            let found = Found { chunk, file, score, lexical, dense: None, signals, matched };
            self.found.push((found, hit.tie));
        }
        Ok(())
    }

    /// The candidates, best first.
    pub fn found(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().map(|(found, _)| found)
    }

    /// Takes how near in meaning the first candidates are, in the order of [`Candidates::found`]; `None` is one that
    /// cannot be read any more and is left out. The others count as far as the farthest one, so that none of them
    /// gains by not having been looked at.
    pub fn weigh(&mut self, nearness: &[Option<f64>], ms: f64) {
        let known = || nearness.iter().flatten().copied();
        let (nearest, farthest) =
            (known().fold(f64::MIN, f64::max), known().fold(f64::MAX, f64::min));
        for (at, (found, _)) in self.found.iter_mut().enumerate() {
            found.dense = nearness.get(at).copied().flatten();
            let factor = signals::meaning(found.dense.unwrap_or(farthest), nearest);
            found.signals.push(("meaning", factor));
            found.score *= factor;
        }
        let mut at = 0;
        self.found.retain(|_| {
            at += 1;
            !matches!(nearness.get(at - 1), Some(None))
        });
        self.sort();
        self.timings.push((Step::Rerank, ms));
    }

    /// Best first, ties by content.
    fn sort(&mut self) {
        let place = |a: &Found, b: &Found| {
            a.file.key.cmp(&b.file.key).then(a.chunk.bytes.start.cmp(&b.chunk.bytes.start))
        };
        self.found.sort_by(|(a, a_tie), (b, b_tie)| {
            b.score.total_cmp(&a.score).then(a_tie.cmp(b_tie)).then_with(|| place(a, b))
        });
    }

    /// The best, at most so many of one file.
    pub fn cut(self) -> Results {
        let mut clock = Stopwatch { last: Instant::now(), timings: self.timings };
        let mut taken: HashMap<FileNo, usize> = HashMap::default();
        let found = self
            .found
            .into_iter()
            .map(|(found, _)| found)
            .filter(|found| {
                let n = taken.entry(found.file.id).or_default();
                *n += 1;
                *n <= self.per_file
            })
            .take(self.limit)
            .collect();
        clock.lap(Step::Cut);
        Results { found, timings: clock.timings }
    }
}

struct Stopwatch {
    last: Instant,
    timings: Vec<(Step, f64)>,
}

impl Stopwatch {
    /// Adds the time since the last call to a step.
    fn lap(&mut self, step: Step) {
        let ms = self.last.elapsed().as_secs_f64() * 1e3;
        match self.timings.iter_mut().find(|(known, _)| *known == step) {
            Some((_, total)) => *total += ms,
            None => self.timings.push((step, ms)),
        }
        self.last = Instant::now();
    }
}
