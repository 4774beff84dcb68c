//! Scores every document that has any term: slow, obvious, and what the skipping search must agree with.

use crate::forms::WHOLE;
use crate::segment::DocNo;
use crate::segment::postings::PostingList;

use super::{SegmentQuery, Top};

pub(super) fn search_segment(mut segment: SegmentQuery<'_>, top: &mut Top) {
    let part = segment.part;
    let n_docs = part.segment.n_docs() as usize;
    let mut scores = vec![0u32; n_docs];
    let mut matched = vec![0u64; n_docs];
    for (term, scorer) in segment.scorers.iter().enumerate() {
        let mut quarters = vec![0u32; n_docs];
        let mut count = |list: &PostingList<'_>, each: u32| {
            list.for_each(|doc, weighted| {
                let sum = &mut quarters[doc as usize];
                *sum = sum.saturating_add(weighted.saturating_mul(each));
            });
        };
        segment.lists[term].iter().for_each(|list| count(list, WHOLE));
        for (form, list) in segment.query.forms.iter().zip(segment.forms) {
            list.iter().filter(|_| form.of == term).for_each(|list| count(list, form.quarters));
        }
        for (doc, quarters) in (0..).zip(quarters).filter(|(_, quarters)| *quarters > 0) {
            scores[doc as usize] += scorer.contribution_of_quarters(quarters, part.lengths.of(doc));
            matched[doc as usize] |= 1 << term;
        }
    }
    for doc in 0..part.segment.n_docs() {
        let (score, matched) = (scores[doc as usize], matched[doc as usize]);
        let must = segment.query.must;
        if matched == 0 || matched & must != must || part.tombstones.contains(DocNo(doc)) {
            continue;
        }
        if segment.among.is_some_and(|among| !among.contains(doc)) {
            continue;
        }
        let entry = part.segment.doc(DocNo(doc));
        if !segment.hard.holds(segment.query, doc, part.lengths) || !(segment.accept)(&entry) {
            continue;
        }
        let hit = part.hit(&entry, score, matched);
        if top.takes(&hit) {
            top.push(hit);
        }
    }
}
