//! A question put to the lexical index of a tree again and again in one process: what a program that stays open sees.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gik_base::mmap::Bytes;
use gik_index::{Query, Searcher, Segment, Tombstones};

use crate::stop::{Result, Stop};

/// How often each question is put before it is measured, and then measured.
const ROUNDS: usize = 20;
/// As many candidates as `gik ask` looks at.
const CANDIDATES: usize = 60;

/// The times of every question, warm, over all segments below `guided`; nothing where there are none.
pub(super) fn questions(guided: &Path, questions: &[&str]) -> Result<Vec<Duration>> {
    let mut segments = Vec::new();
    // Git ignores them, so the list of a checkout's files does not have them.
    for branch in entries(&guided.join("knowledge")) {
        for file in entries(&branch.join("lexical")) {
            let opened = Bytes::map(&file).and_then(Segment::open);
            segments.push(opened.map_err(|failure| Stop::Failed(failure.to_string()))?);
        }
    }
    if segments.is_empty() {
        return Ok(Vec::new());
    }
    // The index was made from nothing, so no document in it is dead.
    let nobody = Tombstones::default();
    let searcher = Searcher::new(segments.iter().map(|segment| (segment, &nobody)));
    let mut times = Vec::new();
    for text in questions {
        let query = Query::parse(text).map_err(|failure| Stop::Failed(failure.to_string()))?;
        for round in 0..2 * ROUNDS {
            let started = Instant::now();
            let hits = searcher.search(&query, CANDIDATES, &|_| true);
            let time = started.elapsed();
            if round >= ROUNDS && !hits.is_empty() {
                times.push(time);
            }
        }
    }
    Ok(times)
}

/// What is in a folder; nothing where there is none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(folder).into_iter().flatten().flatten();
    found.map(|entry| entry.path()).collect()
}
