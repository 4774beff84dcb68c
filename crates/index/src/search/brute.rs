//! Scores every document that has any term: slow, obvious, and what the skipping search must agree with.

use crate::segment::DocNo;

use super::{SegmentQuery, Top};

pub(super) fn search_segment(mut segment: SegmentQuery<'_>, top: &mut Top) {
    let part = segment.part;
    let n_docs = part.segment.n_docs() as usize;
    let mut scores = vec![0u32; n_docs];
    let mut matched = vec![0u64; n_docs];
    for (term, scorer) in segment.scorers.iter().enumerate() {
        if let Some(list) = &segment.lists[term] {
            list.for_each(|doc, weighted| {
                scores[doc as usize] += scorer.contribution(weighted, part.lengths.of(doc));
                matched[doc as usize] |= 1 << term;
            });
        }
    }
    for doc in 0..part.segment.n_docs() {
        let (score, matched) = (scores[doc as usize], matched[doc as usize]);
        let must = segment.query.must;
        if matched == 0 || matched & must != must || part.tombstones.contains(DocNo(doc)) {
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
