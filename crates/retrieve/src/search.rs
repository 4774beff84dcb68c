//! `Understand → Lexical → Vector → Fuse → Rerank → Cut`: the one way from a question to ranked chunks.
//!
//! Models and what the files say are the caller's to know: [`candidates`] goes as far as words can, in two halves of which
//! the first ([`gather`]) may run beside other work; [`Candidates::add_near`] takes what vectors found, [`Candidates::weigh`] how near in meaning each of them is,
//! [`Candidates::cut`] gives the answer.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use gik_base::{FileKey, Result};
use gik_index::{ChunkNo, FileNo, Query, Scan};
use gik_store::{FileRow, Snapshot};

use crate::candidates::{Candidates, Found};
use crate::filter::{Admits, Filter};
use crate::gather::gather;
use crate::signals::Weights;

/// The steps of the read path, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// What is asked, and of which files.
    Understand,
    /// Candidates by their words.
    Lexical,
    /// Candidates by their vectors.
    Vector,
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
            Self::Vector => "vector",
            Self::Fuse => "fuse",
            Self::Rerank => "rerank",
            Self::Cut => "cut",
        }
    }
}

/// What to look for.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The question as it was typed.
    pub text: &'a str,
    /// What it asks for.
    pub query: &'a Query,
    /// Every file of the snapshot.
    pub files: &'a [FileRow],
    /// Which files count.
    pub filter: Filter,
    /// Which of their chunks count; all where it is not given.
    pub admits: Option<Admits<'a>>,
    /// Every text, where the index is not to be asked.
    pub scan: Option<&'a Scan>,
    /// Where the reader is.
    pub current: Option<Current>,
    /// Whether a question without words is for everything that counts; otherwise it finds nothing.
    pub lists_all: bool,
    /// How many chunks at most.
    pub limit: usize,
    /// How many chunks of one file at most.
    pub per_file: usize,
    /// How much each signal counts.
    pub weights: Weights,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    /// The file.
    pub path: FileKey,
    /// The line, from 1.
    pub line: Option<u32>,
}

impl Request<'_> {
    /// Whether everything that counts is asked for, whatever its words.
    pub(crate) fn is_for_all(&self) -> bool {
        self.lists_all && self.query.is_empty()
    }

    /// Whether a chunk counts, as far as its file and labels do not tell.
    pub(crate) fn admits(&self, file: FileNo, chunk: ChunkNo) -> bool {
        self.admits.is_none_or(|Admits(admits)| admits(file, chunk))
    }
}

/// The answer and how long its steps took, in milliseconds.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// Best first.
    pub found: Vec<Found>,
    /// Step and time.
    pub timings: Vec<(Step, f64)>,
}

/// Finds the chunks that answer best by their words.
pub fn search(snapshot: &Snapshot<'_>, request: &Request<'_>) -> Result<Results> {
    Ok(candidates(snapshot, request)?.cut())
}

/// Finds the chunks that may answer: more than are asked for.
pub fn candidates(snapshot: &Snapshot<'_>, request: &Request<'_>) -> Result<Candidates> {
    let scope = request.filter.scope(request.files)?;
    let gathered = gather(snapshot.segments(), request, &Arc::new(scope), &OnceLock::new());
    Candidates::of(snapshot, request, gathered)
}

pub(crate) struct Stopwatch {
    last: Instant,
    pub(crate) timings: Vec<(Step, f64)>,
}

impl Stopwatch {
    pub(crate) fn start(timings: Vec<(Step, f64)>) -> Self {
        Self { last: Instant::now(), timings }
    }

    /// Adds the time since the last call to a step.
    pub(crate) fn lap(&mut self, step: Step) {
        let ms = self.last.elapsed().as_secs_f64() * 1e3;
        match self.timings.iter_mut().find(|(known, _)| *known == step) {
            Some((_, total)) => *total += ms,
            None => self.timings.push((step, ms)),
        }
        self.last = Instant::now();
    }
}
