//! Which chunks have the words? The index tells, or, where it is not to be trusted, every text itself.

use gik_index::{ChunkNo, DocEntry, FileNo, FileSet, Hit, Prepared, Query, Scan, Searcher};
use gik_store::{SegmentRow, Snapshot};

/// Of so many of the best it is looked at what their comments begin with: one that is far behind them by its words does not
/// come first by its opening, and looking takes time.
const WITH_OPENING: usize = 32;

/// A question put to words.
#[derive(Debug)]
pub(crate) enum Words<'a, 'q> {
    /// To the index.
    Indexed(Prepared<'a, 'q>),
    /// To every text: what it found, best first, and how rare the terms are.
    Scanned(Vec<Hit>, Vec<u32>),
}

impl<'a, 'q> Words<'a, 'q> {
    pub(crate) fn new(segments: &'a [SegmentRow], query: &'q Query, scan: Option<&Scan>) -> Self {
        match scan {
            None => Self::Indexed(searcher(segments).prepare(query)),
            Some(scan) => Self::Scanned(scan.hits(query), scan.rarities(query)),
        }
    }

    /// How rare each of the terms is.
    pub(crate) fn rarities(&self) -> Vec<u32> {
        match self {
            Self::Indexed(words) => words.rarities(),
            Self::Scanned(_, rarities) => rarities.clone(),
        }
    }

    /// The best that are taken, of some files where not all count, the first of them with what their comments begin with;
    /// by file, chunk and labels.
    pub(crate) fn search(
        &self,
        limit: usize,
        files: Option<&FileSet>,
        takes: &dyn Fn(FileNo, ChunkNo, u32) -> bool,
    ) -> Vec<Hit> {
        match self {
            Self::Indexed(words) => {
                let accept = |doc: &DocEntry| takes(doc.file, doc.chunk, doc.labels);
                let mut hits = match files {
                    None => words.search(limit, &accept),
                    Some(files) => words.search_among(files, limit, &accept),
                };
                let n_first = hits.len().min(WITH_OPENING);
                words.mark_openings(&mut hits[..n_first]);
                hits
            },
            Self::Scanned(hits, _) => {
                let counts = |file: FileNo| files.is_none_or(|files| files.contains(file));
                let taken = hits.iter().filter(|hit| counts(hit.file));
                let taken = taken.filter(|hit| takes(hit.file, hit.chunk, hit.labels));
                let opening =
                    |at: usize, hit: &Hit| if at < WITH_OPENING { hit.opening } else { 0 };
                let taken = taken.take(limit).enumerate();
                taken.map(|(at, hit)| Hit { opening: opening(at, hit), ..*hit }).collect()
            },
        }
    }
}

/// The query with words that may be meant by those which are in no file, and what was put in for what.
pub fn corrected(
    segments: &[SegmentRow],
    query: Query,
    scan: Option<&Scan>,
) -> (Query, Vec<(String, Vec<String>)>) {
    match scan {
        None => searcher(segments).corrected(query),
        Some(scan) => scan.corrected(query),
    }
}

/// File, chunk and labels of everything there is.
pub(crate) fn all(
    snapshot: &Snapshot<'_>,
    scan: Option<&Scan>,
    mut each: impl FnMut(FileNo, ChunkNo, u32),
) {
    if let Some(scan) = scan {
        return scan.documents().iter().for_each(|it| each(it.file, it.chunk, it.labels));
    }
    for row in snapshot.segments() {
        let docs = (0..row.segment.n_docs()).map(gik_index::DocNo);
        for doc in docs.filter(|doc| !row.tombstones.contains(*doc)) {
            let entry = row.segment.doc(doc);
            each(entry.file, entry.chunk, entry.labels);
        }
    }
}

fn searcher(segments: &[SegmentRow]) -> Searcher<'_> {
    Searcher::new(segments.iter().map(|row| (&row.segment, &row.tombstones)))
}
