//! Which chunks have the words? As many as it takes to fill the answer, by the lexical index alone: no row is read, so that
//! a thread of its own may do it.

use std::sync::{Arc, OnceLock};

use gik_base::collections::{HashMap, HashSet};
use gik_index::{ChunkNo, FileNo, FileSet, Hit};
use gik_store::SegmentRow;

use crate::filter::Scope;
use crate::names::Names;
use crate::question::Asked;
use crate::search::{Request, Step, Stopwatch};
use crate::words::Words;
use crate::{mentions, paths};

/// Candidates per wanted result: signals can lift a chunk that words alone rank lower.
const CANDIDATES_PER_RESULT: usize = 6;
/// The fewest candidates by words.
const MIN_CANDIDATES: usize = 100;
/// So many more come from files that are named after words of the question.
const OF_NAMED_FILES: usize = 60;

/// What the question says about places.
#[derive(Debug, Default)]
pub struct Places {
    /// Files that are named after words of it, with the share of the words.
    pub(crate) shares: HashMap<FileNo, f64>,
    /// The same files.
    pub(crate) speaking: FileSet,
    /// Files that it names, with the lines that it names.
    pub(crate) named: HashMap<FileNo, Vec<u32>>,
}

impl Places {
    /// Looks at the names of all files, where they are not known.
    pub fn of(request: &Request<'_>, names: Option<&Names>) -> Arc<Self> {
        let asked = Asked::new(request.text, request.query);
        let names = names.filter(|names| names.are_of(request.files));
        let shares = paths::shares(&asked.words, request.files, names);
        Arc::new(Self {
            speaking: shares.iter().map(|(file, _)| *file).collect(),
            shares: shares.into_iter().collect(),
            named: mentions::of(request.text, request.files),
        })
    }
}

/// What was understood of a question, and the chunks that have its words.
#[derive(Debug)]
pub struct Gathered {
    pub(crate) scope: Arc<Scope>,
    pub(crate) asked: Asked,
    pub(crate) places: Arc<Places>,
    /// How rare each term of the question is.
    pub(crate) rarities: Vec<u32>,
    /// In the order in which they were found.
    pub(crate) hits: Vec<Hit>,
    pub(crate) timings: Vec<(Step, f64)>,
}

/// Understands a question and looks up its words. What it says about places may be told by somebody else meanwhile, or is
/// found out where it is needed.
pub fn gather(
    segments: &[SegmentRow],
    request: &Request<'_>,
    scope: &Arc<Scope>,
    places: &OnceLock<Arc<Places>>,
) -> Gathered {
    let mut clock = Stopwatch::start(Vec::new());
    let asked = Asked::new(request.text, request.query);
    let words = Words::new(segments, request.query, request.scan);
    clock.lap(Step::Understand);
    let hits = if request.is_for_all() { Vec::new() } else { hits(&words, request, scope, places) };
    clock.lap(Step::Lexical);
    let (scope, rarities) = (Arc::clone(scope), words.rarities());
    let places = Arc::clone(places.get_or_init(|| Places::of(request, None)));
    Gathered { scope, asked, places, rarities, hits, timings: clock.timings }
}

fn hits(
    words: &Words<'_, '_>,
    request: &Request<'_>,
    scope: &Scope,
    places: &OnceLock<Arc<Places>>,
) -> Vec<Hit> {
    let wanted = request.limit.saturating_mul(CANDIDATES_PER_RESULT).max(MIN_CANDIDATES);
    let mut taken = Taken { per_file: request.per_file, ..Taken::default() };
    loop {
        let hits = words.search(wanted, None, &|file, chunk, labels| {
            scope.takes(file, labels) && taken.lack(file, chunk) && request.admits(file, chunk)
        });
        let is_last = hits.len() < wanted;
        taken.add(hits);
        // Where a few files fill the candidates, the others are asked for without them. Each round fills a file more.
        if is_last || taken.n_allowed >= request.limit || request.per_file == 0 {
            break;
        }
    }
    let places = places.get_or_init(|| Places::of(request, None));
    if !places.shares.is_empty() {
        let hits = words.search(OF_NAMED_FILES, Some(&places.speaking), &|file, chunk, labels| {
            scope.takes(file, labels)
                && !taken.chunks.contains(&chunk)
                && request.admits(file, chunk)
        });
        taken.add(hits);
    }
    taken.hits
}

/// What was found so far.
#[derive(Default)]
struct Taken {
    per_file: usize,
    hits: Vec<Hit>,
    chunks: HashSet<ChunkNo>,
    counts: HashMap<FileNo, usize>,
    /// How many of them the cap per file lets through.
    n_allowed: usize,
}

impl Taken {
    /// Whether a chunk would be a new candidate, of a file that has fewer than it may.
    fn lack(&self, file: FileNo, chunk: ChunkNo) -> bool {
        !self.chunks.contains(&chunk)
            && self.counts.get(&file).is_none_or(|count| *count < self.per_file)
    }

    fn add(&mut self, hits: Vec<Hit>) {
        for hit in &hits {
            self.chunks.insert(hit.chunk);
            let count = self.counts.entry(hit.file).or_default();
            *count += 1;
            self.n_allowed += usize::from(*count <= self.per_file);
        }
        self.hits.extend(hits);
    }
}
