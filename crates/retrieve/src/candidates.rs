//! Chunks that may answer: what is known of each, and the order it gives.

use std::sync::Arc;

use gik_base::collections::{HashMap, HashSet};
use gik_base::{Result, hash};
use gik_index::{ChunkNo, FileNo, Hit};
use gik_store::{ChunkRow, FileRow, FileState, Snapshot};

use crate::filter::Scope;
use crate::gather::{Gathered, Places};
use crate::question::Asked;
use crate::search::{Current, Request, Results, Step, Stopwatch};
use crate::signals::{self, Signal, Weights};
use crate::words;

/// A ranked chunk.
#[derive(Debug, Clone)]
pub struct Found {
    /// The chunk.
    pub chunk: ChunkRow,
    /// Its file.
    pub file: FileRow,
    /// The sum of the signals.
    pub score: f64,
    /// The score of the words alone.
    pub lexical: f64,
    /// The share of the question that the opening of its comments has, by how rare the words are.
    pub opening: f64,
    /// How near it is in meaning, where that was looked at: the cosine of two vectors.
    pub dense: Option<f64>,
    /// What the model says that ranks the best candidates anew, where it looked.
    pub reranker: Option<f64>,
    /// What the history of its repository says of its file.
    pub past: Option<FilePast>,
    /// What made the score, in the order of the table in [`signals`].
    pub signals: Vec<Signal>,
    /// Words of the question that occur in it, in some form.
    pub matched: Vec<String>,
}

/// How near a candidate is to the question in meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Nearness {
    /// The cosine of two vectors.
    Known(f64),
    /// Nobody looked; it counts as far as the farthest one, so that it does not gain by that.
    Unknown,
    /// The candidate cannot be read any more, and is left out.
    Gone,
}

/// What the history of a repository says of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FilePast {
    /// How lately it changed: 1 in the newest commit, less with time.
    pub recent: f64,
    /// How often it changes with one of the best files, of how often both change.
    pub together: f64,
}

impl Places {
    /// How much a chunk is what the question names: all where it names its lines or only its file, half where it names
    /// other lines of the file.
    fn named(&self, chunk: &ChunkRow) -> f64 {
        let Some(lines) = self.named.get(&chunk.file) else { return 0.0 };
        let is_it = lines.is_empty() || lines.iter().any(|line| has_line(chunk, *line));
        if is_it { 1.0 } else { 0.5 }
    }
}

fn has_line(chunk: &ChunkRow, line: u32) -> bool {
    (chunk.lines.0..=chunk.lines.1).contains(&line)
}

/// Chunks that may answer, with what is known of them, best first.
#[derive(Debug, Clone)]
pub struct Candidates {
    per_file: usize,
    limit: usize,
    /// Whether everything that counts is asked for, whatever its words.
    pub(crate) lists_all: bool,
    weights: Weights,
    current: Option<Current>,
    /// What scores so far below the best of the reranker gains nothing.
    span: f64,
    scope: Arc<Scope>,
    pub(crate) timings: Vec<(Step, f64)>,
    asked: Asked,
    places: Arc<Places>,
    chunks: HashSet<ChunkNo>,
    /// Whether files are noise, as far as that was asked.
    noise: HashMap<FileNo, bool>,
    /// With the content-derived tie break. They are large, and sorted more than once.
    found: Vec<(Box<Found>, u64)>,
}

impl Candidates {
    /// The chunks that have the words, with what is known of them.
    pub fn of(snapshot: &Snapshot<'_>, request: &Request<'_>, gathered: Gathered) -> Result<Self> {
        let Gathered { scope, asked, places, rarities, hits, timings } = gathered;
        let mut clock = Stopwatch::start(timings);
        let mut this = Self {
            per_file: request.per_file,
            limit: request.limit,
            lists_all: request.is_for_all(),
            weights: request.weights,
            current: request.current.clone(),
            span: 1.0,
            scope,
            timings: Vec::new(),
            asked,
            places,
            chunks: HashSet::default(),
            noise: HashMap::default(),
            found: Vec::new(),
        };
        if this.lists_all {
            this.add_all(snapshot, request)?;
        } else {
            this.add(snapshot, request, &hits, &rarities)?;
            if !request.query.has_hard_parts() {
                this.add_named(snapshot, request)?;
            }
        }
        this.rank();
        clock.lap(Step::Fuse);
        this.timings = clock.timings;
        Ok(this)
    }

    /// Looks up what is known of each hit.
    fn add(
        &mut self,
        snapshot: &Snapshot<'_>,
        request: &Request<'_>,
        hits: &[Hit],
        rarities: &[u32],
    ) -> Result<()> {
        let rarity_of = |terms: u64| -> f64 {
            let own = rarities.iter().enumerate().filter(|(at, _)| terms & (1 << at) != 0);
            own.map(|(_, rarity)| f64::from(*rarity)).sum()
        };
        let rarity_of_all = rarity_of(u64::MAX).max(f64::MIN_POSITIVE);
        let files = some_files(request.files, hits.iter().map(|hit| hit.file));
        let terms = request.query.terms();
        self.found.reserve(hits.len());
        for hit in hits {
            self.chunks.insert(hit.chunk);
            let Some(chunk) = snapshot.chunk(hit.chunk)? else { continue };
            let Some(file) = files.get(&hit.file) else { continue };
            let matched = (terms.iter().enumerate())
                .filter(|(at, _)| hit.matched & (1 << at) != 0)
                .map(|(_, term)| term.clone())
                .collect();
            let lexical = hit.score.as_f64();
            let opening = rarity_of(hit.opening) / rarity_of_all;
            let found =
                Found { lexical, opening, matched, ..Found::without_words(chunk, (*file).clone()) };
            self.found.push((Box::new(found), hit.tie));
        }
        Ok(())
    }

    /// The candidates, best first.
    pub fn found(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().map(|(found, _)| &**found)
    }

    /// Adds chunks that are near in meaning, whatever their words, behind those that are known. `files` are those of the
    /// snapshot.
    pub fn add_near(
        &mut self,
        snapshot: &Snapshot<'_>,
        files: &[FileRow],
        near: &[ChunkNo],
        ms: f64,
    ) -> Result<()> {
        self.add_chunks(snapshot, files, near)?;
        self.timings.push((Step::Vector, ms));
        Ok(())
    }

    /// Adds chunks for another reason than their words.
    fn add_chunks(
        &mut self,
        snapshot: &Snapshot<'_>,
        files: &[FileRow],
        chunks: &[ChunkNo],
    ) -> Result<()> {
        let mut rows = Vec::with_capacity(chunks.len());
        for &number in chunks {
            if self.chunks.insert(number) {
                rows.extend(snapshot.chunk(number)?);
            }
        }
        let files = some_files(files, rows.iter().map(|chunk| chunk.file));
        for chunk in rows {
            let Some(&file) = files.get(&chunk.file) else { continue };
            let tie = hash::fast64(&chunk.content_sha256.0);
            self.found.push((Box::new(Found::without_words(chunk, file.clone())), tie));
        }
        Ok(())
    }

    /// Adds what stands at the lines that the question names, whatever their words; of a file without lines its start.
    pub(crate) fn add_named(
        &mut self,
        snapshot: &Snapshot<'_>,
        request: &Request<'_>,
    ) -> Result<()> {
        // In the order of the files, so that nothing depends on that of a map.
        for file in request.files {
            let Some(lines) = self.places.named.get(&file.id) else { continue };
            let mut chunks = self.asked_for(snapshot, request, file)?;
            if lines.is_empty() {
                let is_known = chunks.iter().any(|chunk| self.chunks.contains(&chunk.id));
                chunks.truncate(usize::from(!is_known));
            } else {
                chunks.retain(|chunk| lines.iter().any(|line| has_line(chunk, *line)));
            }
            let chunks: Vec<ChunkNo> = chunks.iter().map(|chunk| chunk.id).collect();
            self.add_chunks(snapshot, std::slice::from_ref(file), &chunks)?;
        }
        Ok(())
    }

    /// Adds everything that counts, in the order of paths and lines, as much of a file as may be shown.
    pub(crate) fn add_all(&mut self, snapshot: &Snapshot<'_>, request: &Request<'_>) -> Result<()> {
        let mut counting: HashSet<ChunkNo> = HashSet::default();
        words::all(snapshot, request.scan, |file, chunk, labels| {
            if self.scope.takes(file, labels) {
                counting.insert(chunk);
            }
        });
        for file in request.files.iter().filter(|file| file.state == FileState::Indexed) {
            if !self.scope.accepted.takes(file.id.0) {
                continue;
            }
            let chunks = snapshot
                .chunks_of(file.id)?
                .into_iter()
                .filter(|chunk| counting.contains(&chunk.id) && request.admits(file.id, chunk.id));
            for chunk in chunks.take(self.per_file) {
                // Nothing but its place tells it from others.
                self.found.push((Box::new(Found::without_words(chunk, file.clone())), 0));
            }
        }
        Ok(())
    }

    /// The chunks of a file that count, in the order of their lines.
    fn asked_for(
        &self,
        snapshot: &Snapshot<'_>,
        request: &Request<'_>,
        file: &FileRow,
    ) -> Result<Vec<ChunkRow>> {
        let mut asked_for: HashSet<ChunkNo> = HashSet::default();
        let mut add = |chunk: ChunkNo, labels: u32| {
            if self.scope.takes(file.id, labels) && request.admits(file.id, chunk) {
                asked_for.insert(chunk);
            }
        };
        if let Some(scan) = request.scan {
            let own = scan.documents().iter().filter(|it| it.file == file.id);
            own.for_each(|it| add(it.chunk, it.labels));
        } else {
            for row in snapshot.segments() {
                let own = row.segment.docs_of_file(file.id).into_iter();
                for doc in own.filter(|doc| !row.tombstones.contains(*doc)) {
                    let entry = row.segment.doc(doc);
                    add(entry.chunk, entry.labels);
                }
            }
        }
        let mut chunks = snapshot.chunks_of(file.id)?;
        chunks.retain(|chunk| asked_for.contains(&chunk.id));
        Ok(chunks)
    }

    /// Takes how near in meaning the candidates are, in the order of [`Candidates::found`].
    pub fn weigh(&mut self, nearness: &[Nearness], ms: f64) {
        let mut nearness = nearness.iter();
        self.found.retain_mut(|(found, _)| match nearness.next() {
            Some(Nearness::Known(near)) => {
                found.dense = Some(*near);
                true
            },
            Some(Nearness::Gone) => false,
            Some(Nearness::Unknown) | None => true,
        });
        self.rank();
        self.add_time(Step::Rerank, ms);
    }

    /// Takes the scores that a reranker gives to the first candidates, in the order of [`Candidates::found`]; what is
    /// `span` below the best of them gains nothing.
    pub fn weigh_again(&mut self, scores: &[Option<f64>], span: f64, ms: f64) {
        for ((found, _), score) in self.found.iter_mut().zip(scores) {
            found.reranker = *score;
        }
        self.span = span.max(f64::MIN_POSITIVE);
        self.rank();
        self.add_time(Step::Rerank, ms);
    }

    fn add_time(&mut self, step: Step, ms: f64) {
        match self.timings.iter_mut().find(|(known, _)| *known == step) {
            Some((_, total)) => *total += ms,
            None => self.timings.push((step, ms)),
        }
    }

    /// The same candidates in the order that other weights give.
    #[must_use]
    pub fn reweighed(&self, weights: Weights) -> Self {
        let mut other = Self { weights, ..self.clone() };
        other.rank();
        other
    }

    /// Takes what the history of the repository says of the files of the candidates.
    pub fn remember(&mut self, past_of: &dyn Fn(&FileRow) -> Option<FilePast>) {
        for (found, _) in &mut self.found {
            found.past = past_of(&found.file);
        }
        self.rank();
    }

    /// Puts the scores together and the best first.
    pub(crate) fn rank(&mut self) {
        let most_words = self.found().map(|found| found.lexical).fold(f64::MIN_POSITIVE, f64::max);
        let known = || self.found().filter_map(|found| found.dense);
        let nearest = known().fold(f64::MIN, f64::max);
        let farthest = known().fold(nearest, f64::min);
        let is_weighed = nearest > f64::MIN;
        let reranked = self.found().filter_map(|found| found.reranker);
        let best_reranked = reranked.fold(f64::MIN, f64::max);
        // A question of words alone and one with meaning reach the same height, so that other signals weigh the same.
        let weights = self.weights;
        let height = if is_weighed { 1.0 + weights.meaning } else { 1.0 };
        let is_far = |found: &Found| {
            !self.lists_all
                && found.lexical == 0.0
                && !self.places.named.contains_key(&found.file.id)
                && found.dense.is_none_or(|near| !signals::is_near(near, nearest))
        };
        self.found.retain(|(found, _)| !is_far(found));
        for (found, _) in &mut self.found {
            found.signals.clear();
            if self.lists_all {
                found.signals.push(("filter", 1.0));
            } else {
                found.signals.push(("words", found.lexical / most_words / height));
            }
            if found.opening > 0.0 {
                found.signals.push(("opening", signals::opening(&weights, found.opening)));
            }
            if is_weighed {
                let meaning = signals::meaning(&weights, found.dense.unwrap_or(farthest), nearest);
                found.signals.push(("meaning", meaning / height));
            }
            if let Some(score) = found.reranker {
                let gain = signals::reranker(&weights, score, best_reranked, self.span);
                found.signals.push(("reranker", gain));
            }
            if let Some(share) = self.places.shares.get(&found.file.id) {
                found.signals.push(("path", signals::path(&weights, &self.asked, *share)));
            }
            let named = weights.named * self.places.named(&found.chunk);
            if named > 0.0 {
                found.signals.push(("named", named));
            }
            for (name, gain) in signals::of_past(&weights, found.past.unwrap_or_default()) {
                if gain > 0.0 {
                    found.signals.push((name, gain));
                }
            }
            if let Some(current) = &self.current {
                let near = signals::locality(&weights, current, &found.chunk, &found.file);
                found.signals.push(("locality", near));
            }
            found.score = found.signals.iter().map(|(_, part)| part).sum();
            let is_noise = || {
                *self
                    .noise
                    .entry(found.file.id)
                    .or_insert_with(|| signals::is_noise_file(&found.file))
            };
            for (name, factor) in signals::factors(&weights, found, is_noise, &self.asked) {
                found.gain(name, found.score * (factor - 1.0));
            }
        }
        self.sort();
        let of_files =
            signals::of_files(&weights, self.found().map(|found| (found.file.id.0, found.score)));
        for ((found, _), gain) in self.found.iter_mut().zip(of_files) {
            if gain > 0.0 {
                found.gain("file", gain);
            }
        }
        self.sort();
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

    /// The best, at most so many of one file, and the later ones of a file lower.
    pub fn cut(mut self) -> Results {
        let mut clock = Stopwatch::start(std::mem::take(&mut self.timings));
        let mut taken: HashMap<FileNo, usize> = HashMap::default();
        self.found.retain_mut(|(found, _)| {
            let n = taken.entry(found.file.id).or_default();
            if *n > 0 {
                let left = self.weights.again.powi(i32::try_from(*n).unwrap_or(i32::MAX));
                found.gain("again", found.score * (left - 1.0));
            }
            *n += 1;
            *n <= self.per_file
        });
        self.sort();
        let found = self.found.into_iter().map(|(found, _)| *found).take(self.limit).collect();
        clock.lap(Step::Cut);
        Results { found, timings: clock.timings }
    }
}

/// Some of all files, by their numbers. All are at hand: a look at a bit of each costs less than asking the database for
/// some, and less than a map.
fn some_files(
    files: &[FileRow],
    wanted: impl Iterator<Item = FileNo>,
) -> HashMap<FileNo, &FileRow> {
    let mut bits: Vec<u64> = Vec::new();
    for FileNo(number) in wanted {
        let word = number as usize / 64;
        if word >= bits.len() {
            bits.resize(word + 1, 0);
        }
        bits[word] |= 1 << (number % 64);
    }
    let is_wanted = |FileNo(number): FileNo| {
        bits.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    };
    files.iter().filter(|file| is_wanted(file.id)).map(|file| (file.id, file)).collect()
}

impl Found {
    /// A chunk that was not found by its words.
    fn without_words(chunk: ChunkRow, file: FileRow) -> Self {
        let (signals, matched) = (Vec::new(), Vec::new());
        let (score, lexical, opening) = (0.0, 0.0, 0.0);
        let (dense, reranker, past) = (None, None, None);
        Self { chunk, file, score, lexical, opening, dense, reranker, past, signals, matched }
    }

    /// Adds what a signal gives, or takes it away.
    fn gain(&mut self, name: &'static str, gain: f64) {
        self.signals.push((name, gain));
        self.score += gain;
    }
}
