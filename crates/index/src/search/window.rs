//! The search of one segment, window by window, skipping what cannot matter.

use crate::bit_set::ones;
use crate::forms::WHOLE;
use crate::segment::DocNo;
use crate::segment::cursor::Cursor;
use crate::segment::postings::PostingList;

use super::{SegmentQuery, Top};

/// Documents per window: few enough that bounds are tight, many enough that setting one up costs nothing.
const WINDOW: u32 = 1024;

/// A scored term of the query that the segment has in some form.
struct Term<'a> {
    number: usize,
    /// Itself, then its other forms.
    forms: Vec<Form<'a>>,
    /// The most any document can gain, however many of its forms it has.
    most: u32,
    /// The most a document of the current window can gain.
    bound: u32,
}

/// The postings of one form of a term.
struct Form<'a> {
    cursor: Cursor<'a>,
    quarters: u32,
    /// The most a document of each block can gain.
    bounds: &'a [u32],
}

/// The most a document of each block can gain, by scored term and by form.
#[derive(Debug)]
pub(super) struct Bounds {
    terms: Vec<Vec<u32>>,
    forms: Vec<Vec<u32>>,
}

impl Bounds {
    fn of(segment: &SegmentQuery<'_>) -> Self {
        let bounds = |list: &Option<PostingList<'_>>, term: usize, quarters: u32| {
            let (scorer, lengths) = (segment.scorers[term].of_form(quarters), segment.part.lengths);
            let bound = |list: &PostingList<'_>| -> Vec<u32> {
                list.blocks().iter().map(|block| list.bound(block, &scorer, lengths)).collect()
            };
            list.as_ref().map(bound).unwrap_or_default()
        };
        let terms = segment.lists.iter().take(segment.scorers.len()).enumerate();
        let forms = segment.query.forms.iter().zip(segment.forms);
        Self {
            terms: terms.map(|(term, list)| bounds(list, term, WHOLE)).collect(),
            forms: forms.map(|(form, list)| bounds(list, form.of, form.quarters)).collect(),
        }
    }
}

impl<'a> Form<'a> {
    fn new(list: &'a PostingList<'a>, bounds: &'a [u32], quarters: u32) -> Self {
        Self { cursor: Cursor::new(list), quarters, bounds }
    }

    /// The most this form adds to a document from `start` up to before `end`.
    fn bound_in(&mut self, start: u32, end: u32) -> u32 {
        let first = self.cursor.seek_block(start);
        let blocks = self.cursor.list().blocks().iter().zip(self.bounds).skip(first);
        blocks
            .take_while(|(block, _)| block.first < end)
            .map(|(_, &bound)| bound)
            .max()
            .unwrap_or(0)
    }
}

impl Term<'_> {
    /// The most this term adds to a document from `start` up to before `end`. Where forms come together, rounding may
    /// give one unit more for each.
    fn bound_in(&mut self, start: u32, end: u32) -> u32 {
        let is_alone = self.forms.len() == 1;
        let bounds = self.forms.iter_mut().map(|form| form.bound_in(start, end));
        let bounds = bounds.filter(|&bound| bound > 0).map(|bound| bound + u32::from(!is_alone));
        bounds.fold(0, u32::saturating_add).min(self.most)
    }

    /// How often it occurs in a document in any form, in quarters. Documents must be asked for in rising order.
    fn find(&mut self, doc: u32) -> u32 {
        let quarters = self.forms.iter_mut().filter_map(|form| {
            form.cursor.find(doc).map(|weighted| weighted.saturating_mul(form.quarters))
        });
        quarters.fold(0, u32::saturating_add)
    }
}

pub(super) fn search_segment(mut segment: SegmentQuery<'_>, top: &mut Top) {
    let part = segment.part;
    let must = segment.query.must;
    let bounds = segment.bounds.get_or_init(|| Bounds::of(&segment));
    let mut terms: Vec<Term<'_>> = (0..segment.scorers.len())
        .map(|number| {
            let own = segment.lists[number].iter();
            let own = own.map(|list| Form::new(list, &bounds.terms[number], WHOLE));
            let others = segment.query.forms.iter().zip(segment.forms).zip(&bounds.forms);
            let others = others.filter(|((form, _), _)| form.of == number);
            let others = others.filter_map(|((form, list), bounds)| {
                Some(Form::new(list.as_ref()?, bounds, form.quarters))
            });
            let forms = own.chain(others).collect();
            Term { number, forms, most: segment.scorers[number].most(), bound: 0 }
        })
        .filter(|term| !term.forms.is_empty())
        .collect();
    let mut window = Window::default();
    let n_docs = part.segment.n_docs();
    let mut start = 0;
    while start < n_docs {
        let end = start.saturating_add(WINDOW).min(n_docs);
        if segment.among.is_some_and(|among| !among.any_in(start, end - 1)) {
            start = end;
            continue;
        }
        let mut total = 0;
        let mut reachable = 0u64;
        for term in &mut terms {
            term.bound = term.bound_in(start, end);
            total += term.bound;
            reachable |= u64::from(term.bound > 0) << term.number;
        }
        if total > 0 && total >= top.threshold() && reachable & must == must {
            terms.sort_by_key(|term| (term.bound, term.number));
            let weak = split_weak(&mut terms, must, top.threshold());
            window.collect(&mut terms[weak..], &segment, start, end);
            window.finish(&mut terms[..weak], &mut segment, start, top);
        }
        start = end;
    }
}

/// Orders the terms so that candidates come from the back part only; returns where that begins.
fn split_weak(terms: &mut Vec<Term<'_>>, must: u64, threshold: u32) -> usize {
    // A term that must occur makes all candidates by itself: the rarest has the fewest.
    let driver = (0..terms.len())
        .filter(|&at| must & (1 << terms[at].number) != 0)
        .min_by_key(|&at| terms[at].forms[0].cursor.list().df());
    if let Some(driver) = driver {
        let term = terms.remove(driver);
        terms.push(term);
        return terms.len() - 1;
    }
    let mut sum = 0;
    terms
        .iter()
        .position(|term| {
            sum += term.bound;
            sum >= threshold
        })
        .unwrap_or(terms.len())
}

/// Scores of the documents of one window.
struct Window {
    scores: Vec<u32>,
    matched: Vec<u64>,
    /// Which of them have a score.
    scored: Marks,
    /// How often the forms of the term at hand occur together.
    quarters: Vec<u32>,
    /// Which of them have one.
    counted: Marks,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            scores: vec![0; WINDOW as usize],
            matched: vec![0; WINDOW as usize],
            scored: Marks::default(),
            quarters: vec![0; WINDOW as usize],
            counted: Marks::default(),
        }
    }
}

/// Documents of a window: mostly few, so that looking at all of them would take longer than scoring those.
#[derive(Default)]
struct Marks([u64; WINDOW as usize / 64]);

impl Marks {
    #[inline]
    fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    /// Hands out the marks in rising order and forgets them.
    #[inline]
    fn take(&mut self) -> impl Iterator<Item = usize> + use<> {
        let words = std::mem::take(&mut self.0);
        let all = words.into_iter().enumerate();
        all.flat_map(|(idx, word)| ones(word).map(move |bit| idx * 64 + bit as usize))
    }
}

impl Window {
    /// Adds up the terms that make candidates.
    fn collect(
        &mut self,
        terms: &mut [Term<'_>],
        segment: &SegmentQuery<'_>,
        start: u32,
        end: u32,
    ) {
        let Self { scores, matched, scored, quarters, counted } = self;
        let among = segment.among;
        let any_counts =
            |first: u32, last: u32| among.is_none_or(|among| among.any_in(first, last));
        let counts = |doc: u32| among.is_none_or(|among| among.contains(doc));
        for term in terms.iter_mut().filter(|term| term.bound > 0) {
            let scorer = segment.scorers[term.number];
            let lengths = segment.part.lengths;
            let mut add = |at: usize, score: u32| {
                scores[at] += score;
                matched[at] |= 1 << term.number;
                scored.insert(at);
            };
            if let [Form { cursor, quarters: WHOLE, .. }] = term.forms.as_mut_slice() {
                cursor.for_each_in(start, end, any_counts, |doc, weighted| {
                    if counts(doc) {
                        let score = scorer.contribution(weighted, lengths.of(doc));
                        add((doc - start) as usize, score);
                    }
                });
                continue;
            }
            for form in &mut term.forms {
                form.cursor.for_each_in(start, end, any_counts, |doc, weighted| {
                    if counts(doc) {
                        let at = (doc - start) as usize;
                        let more = weighted.saturating_mul(form.quarters);
                        quarters[at] = quarters[at].saturating_add(more);
                        counted.insert(at);
                    }
                });
            }
            for at in counted.take() {
                let length = lengths.of(start + at as u32);
                let quarters = std::mem::take(&mut quarters[at]);
                add(at, scorer.contribution_of_quarters(quarters, length));
            }
        }
    }

    /// Looks the weak terms up for each candidate, strongest first, and empties the window.
    fn finish(
        &mut self,
        weak: &mut [Term<'_>],
        segment: &mut SegmentQuery<'_>,
        start: u32,
        top: &mut Top,
    ) {
        let part = segment.part;
        let must = segment.query.must;
        let weak_total: u32 = weak.iter().map(|term| term.bound).sum();
        'candidates: for at in self.scored.take() {
            let doc = start + at as u32;
            let mut score = std::mem::take(&mut self.scores[at]);
            let mut matched = std::mem::take(&mut self.matched[at]);
            let threshold = top.threshold();
            let mut rest = weak_total;
            if score + rest < threshold || part.tombstones.contains(DocNo(doc)) {
                continue;
            }
            let length = part.lengths.of(doc);
            for term in weak.iter_mut().rev().filter(|term| term.bound > 0) {
                rest -= term.bound;
                let quarters = term.find(doc);
                if quarters > 0 {
                    let scorer = segment.scorers[term.number];
                    score += scorer.contribution_of_quarters(quarters, length);
                    matched |= 1 << term.number;
                }
                if score + rest < threshold {
                    continue 'candidates;
                }
            }
            if matched & must != must {
                continue;
            }
            let entry = part.segment.doc(DocNo(doc));
            let hit = part.hit(&entry, score, matched);
            if top.takes(&hit)
                && segment.hard.holds(segment.query, doc, part.lengths)
                && (segment.accept)(&entry)
            {
                top.push(hit);
            }
        }
    }
}
