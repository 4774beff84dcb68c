//! Which chunks answer a query best? The exact top of the ranking, without scoring what cannot reach it.
//!
//! Each segment is walked in windows of documents. In a window every term has a bound: the most it can add to any
//! document there. Terms whose bounds together stay strictly below the worst score still wanted cannot make a
//! candidate; only documents of the other terms are candidates, and the weak terms are looked up for those alone.
//! A document that could only tie is still scored, because ties are broken by content.

mod brute;
mod top;
mod window;

use std::cell::OnceCell;

use crate::bit_set::BitSet;
use crate::document::{ChunkNo, FileNo};
use crate::fields::Field;
use crate::narrowing::FileSet;
use crate::query::Query;
use crate::score::{Collection, Score, TermScorer};
use crate::segment::cursor::PositionCursor;
use crate::segment::postings::PostingList;
use crate::segment::reader::Lengths;
use crate::segment::{DocEntry, DocNo, Segment};
use crate::spelling::{Meant, is_correctable};
use crate::tombstones::Tombstones;

use self::top::Top;
use self::window::Bounds;

/// A found chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The segment, by its place among those searched, and the document in it.
    pub doc: (usize, DocNo),
    /// Which chunk it is.
    pub chunk: ChunkNo,
    /// The file of the chunk.
    pub file: FileNo,
    /// The caller's bits.
    pub labels: u32,
    /// The content-derived tie break.
    pub tie: u64,
    /// The sum of what the matched terms contribute.
    pub score: Score,
    /// Bit `n` is set when the `n`th of [`Query::terms`] occurs.
    pub matched: u64,
    /// The same for those that stand in the opening of its comments; see [`Prepared::mark_openings`].
    pub opening: u64,
}

/// Searches several segments as if they were one.
#[derive(Debug)]
pub struct Searcher<'a> {
    parts: Vec<(&'a Segment, &'a Tombstones)>,
    collection: Collection,
}

impl<'a> Searcher<'a> {
    /// A searcher over segments and their dead documents.
    pub fn new(parts: impl IntoIterator<Item = (&'a Segment, &'a Tombstones)>) -> Self {
        let parts: Vec<_> = parts.into_iter().collect();
        let mut collection = Collection::default();
        for (segment, tombstones) in &parts {
            let live = segment.live(tombstones);
            collection.n_docs += live.n_docs;
            collection.total_length += live.total_length;
        }
        Self { parts, collection }
    }

    /// Number of living documents.
    pub fn n_docs(&self) -> u64 {
        self.collection.n_docs
    }

    /// The query with words that may be meant by those which are nowhere in any form, and what was put in for what.
    pub fn corrected(&self, mut query: Query) -> (Query, Vec<(String, Vec<String>)>) {
        let is_known = |word: &str| {
            let is_in = |list: PostingList<'_>, dead| list.live_df(dead) > 0;
            let mut parts = self.parts.iter();
            parts.any(|(it, dead)| it.find(word.as_bytes()).is_some_and(|list| is_in(list, dead)))
        };
        let forms_of = |term: usize| query.forms.iter().filter(move |form| form.of == term);
        let unknown: Vec<usize> = query
            .soft_terms()
            .filter(|term| is_correctable(&query.terms[*term]))
            .filter(|term| !is_known(&query.terms[*term]))
            .filter(|term| !forms_of(*term).any(|form| is_known(&form.term)))
            .collect();
        let mut put_in = Vec::new();
        for term in unknown {
            let word = query.terms[term].clone();
            let mut meant = Meant::new(&word);
            for (segment, tombstones) in &self.parts {
                segment.offer_to(&mut meant, tombstones);
            }
            let words = meant.words();
            if !words.is_empty() {
                query.add_meant(term, &words);
                put_in.push((word, words));
            }
        }
        (query, put_in)
    }

    /// Looks up what a query needs, to be asked more than once.
    pub fn prepare<'q>(&self, query: &'q Query) -> Prepared<'a, 'q> {
        let find = |segment: &'a Segment, term: &String| {
            Some(segment.find(term.as_bytes())?.within(query.fields))
        };
        let lists: Vec<Vec<Option<PostingList<'a>>>> = (self.parts.iter())
            .map(|(segment, _)| query.terms.iter().map(|term| find(segment, term)).collect())
            .collect();
        let forms: Vec<Vec<Option<PostingList<'a>>>> =
            self.parts.iter().map(|(segment, _)| segment.find_forms(query)).collect();
        let bounds = self.parts.iter().map(|_| OnceCell::new()).collect();
        let scorers = (0..query.n_scored)
            .map(|term| match self.live_df(&lists, term) {
                // How rare a word is that is not there itself, its forms must tell.
                0 => (query.forms.iter().enumerate())
                    .filter(|(_, form)| form.of == term)
                    .map(|(form, _)| self.live_df(&forms, form))
                    .sum(),
                df => df,
            })
            .map(|df| TermScorer::new(self.collection, df))
            .collect();
        Prepared { parts: self.parts.clone(), query, lists, forms, scorers, bounds }
    }

    /// The best `limit` documents that `accept` takes: highest score first, ties by `tie`.
    pub fn search(
        &self,
        query: &Query,
        limit: usize,
        accept: &dyn Fn(&DocEntry) -> bool,
    ) -> Vec<Hit> {
        self.prepare(query).search(limit, accept)
    }

    /// The same answer by scoring every document that has any of the terms: the oracle for [`Searcher::search`].
    pub fn brute(
        &self,
        query: &Query,
        limit: usize,
        accept: &dyn Fn(&DocEntry) -> bool,
    ) -> Vec<Hit> {
        self.prepare(query).run(limit, None, accept, brute::search_segment)
    }

    fn live_df(&self, lists: &[Vec<Option<PostingList<'_>>>], term: usize) -> u64 {
        self.parts
            .iter()
            .zip(lists)
            .filter_map(|((_, tombstones), lists)| {
                lists[term].as_ref().map(|list| (list, tombstones))
            })
            .map(|(list, tombstones)| u64::from(list.live_df(tombstones)))
            .sum()
    }
}

/// A query with what the segments have for it.
#[derive(Debug)]
pub struct Prepared<'a, 'q> {
    parts: Vec<(&'a Segment, &'a Tombstones)>,
    query: &'q Query,
    /// By segment and term.
    lists: Vec<Vec<Option<PostingList<'a>>>>,
    /// By segment and form.
    forms: Vec<Vec<Option<PostingList<'a>>>>,
    scorers: Vec<TermScorer>,
    /// By segment; they are the same for each time of asking.
    bounds: Vec<OnceCell<Bounds>>,
}

impl Prepared<'_, '_> {
    /// The best `limit` documents that `accept` takes: highest score first, ties by `tie`.
    pub fn search(&self, limit: usize, accept: &dyn Fn(&DocEntry) -> bool) -> Vec<Hit> {
        self.run(limit, None, accept, window::search_segment)
    }

    /// The same among the documents of some files: what is in others is not looked at.
    pub fn search_among(
        &self,
        files: &FileSet,
        limit: usize,
        accept: &dyn Fn(&DocEntry) -> bool,
    ) -> Vec<Hit> {
        self.run(limit, Some(files), accept, window::search_segment)
    }

    fn run(
        &self,
        limit: usize,
        files: Option<&FileSet>,
        accept: &dyn Fn(&DocEntry) -> bool,
        search_segment: fn(SegmentQuery<'_>, &mut Top),
    ) -> Vec<Hit> {
        let Self { query, scorers, .. } = self;
        if limit == 0 || query.is_empty() {
            return Vec::new();
        }
        let mut top = Top::new(limit);
        let found = self.lists.iter().zip(&self.forms);
        for (ordinal, (&(segment, tombstones), (lists, forms))) in
            self.parts.iter().zip(found).enumerate()
        {
            let must_be_here = |term: usize| query.must & (1 << term) != 0;
            let hopeless = (0..query.n_scored)
                .any(|term| must_be_here(term) && lists[term].is_none())
                || lists[..query.n_scored].iter().chain(forms).all(Option::is_none);
            if hopeless {
                continue;
            }
            let part = Part { ordinal, segment, tombstones, lengths: segment.lengths() };
            let hard = Hard::new(query, lists);
            let among = files.map(|files| segment.docs_of(files));
            let (among, bounds) = (among.as_ref(), &self.bounds[ordinal]);
            search_segment(
                SegmentQuery { part, query, lists, forms, scorers, bounds, hard, among, accept },
                &mut top,
            );
        }
        top.into_hits()
    }

    /// How rare each of [`Query::terms`] is: the most that a document can gain by it.
    pub fn rarities(&self) -> Vec<u32> {
        self.scorers.iter().map(TermScorer::most).collect()
    }

    /// Notes which terms stand in the opening of the comments of each hit. Positions are slow to read: few hits are best.
    pub fn mark_openings(&self, hits: &mut [Hit]) {
        if !self.query.fields.has(Field::Doc) {
            return;
        }
        let mut in_order: Vec<usize> = (0..hits.len()).collect();
        in_order.sort_unstable_by_key(|at| hits[*at].doc);
        for (ordinal, (segment, _)) in self.parts.iter().enumerate() {
            let lengths = segment.lengths();
            let first = in_order.partition_point(|at| hits[*at].doc.0 < ordinal);
            let end = in_order.partition_point(|at| hits[*at].doc.0 <= ordinal);
            let own = self.lists[ordinal][..self.query.n_scored].iter().enumerate();
            let forms = self.query.forms.iter().map(|form| form.of).zip(&self.forms[ordinal]);
            for (term, list) in own.chain(forms) {
                let Some(list) = list else { continue };
                let mut cursor = PositionCursor::new(list);
                for at in &in_order[first..end] {
                    let hit = &mut hits[*at];
                    let is_new = hit.matched & !hit.opening & (1 << term) != 0;
                    if is_new && cursor.is_in_opening(hit.doc.1.0, lengths) {
                        hit.opening |= 1 << term;
                    }
                }
            }
        }
    }
}

/// One of the searched segments.
#[derive(Clone, Copy)]
struct Part<'a> {
    ordinal: usize,
    segment: &'a Segment,
    tombstones: &'a Tombstones,
    lengths: Lengths<'a>,
}

impl Part<'_> {
    fn hit(&self, entry: &DocEntry, score: u32, matched: u64) -> Hit {
        Hit {
            doc: (self.ordinal, entry.doc),
            chunk: entry.chunk,
            file: entry.file,
            labels: entry.labels,
            tie: entry.tie,
            score: Score(score),
            matched,
            opening: 0,
        }
    }
}

/// Everything the search of one segment needs.
struct SegmentQuery<'a> {
    part: Part<'a>,
    query: &'a Query,
    /// By term; `None` where the segment does not have it.
    lists: &'a [Option<PostingList<'a>>],
    /// By form; `None` where the segment does not have it.
    forms: &'a [Option<PostingList<'a>>],
    scorers: &'a [TermScorer],
    bounds: &'a OnceCell<Bounds>,
    hard: Hard<'a>,
    /// The documents that count, where not all do.
    among: Option<&'a BitSet>,
    accept: &'a dyn Fn(&DocEntry) -> bool,
}

/// The hard parts of a query that score does not tell: exclusions and phrases.
struct Hard<'a> {
    excluded: Vec<PositionCursor<'a>>,
    /// By term; only those of phrases.
    positions: Vec<Option<PositionCursor<'a>>>,
}

impl<'a> Hard<'a> {
    fn new(query: &Query, lists: &'a [Option<PostingList<'a>>]) -> Self {
        let mut positions: Vec<Option<PositionCursor<'a>>> = lists.iter().map(|_| None).collect();
        for term in query.phrase_terms() {
            if positions[term].is_none() {
                positions[term] = lists[term].as_ref().map(PositionCursor::new);
            }
        }
        let excluded = query
            .excluded
            .iter()
            .filter_map(|&term| lists[term].as_ref().map(PositionCursor::new))
            .collect();
        Self { excluded, positions }
    }

    /// Whether a document has nothing excluded and all phrases are as wanted. Documents come in rising order.
    fn holds(&mut self, query: &Query, doc: u32, lengths: Lengths<'_>) -> bool {
        if self.excluded.iter_mut().any(|cursor| cursor.contains(doc)) {
            return false;
        }
        if query.phrases.is_empty() {
            return true;
        }
        for cursor in self.positions.iter_mut().flatten() {
            cursor.seek(doc, lengths);
        }
        query.phrases_hold(|term| self.positions[term].as_ref().map_or(&[], PositionCursor::keys))
    }
}
