//! One segment of several: dead documents are dropped, the living keep their order part by part.
//!
//! Terms stream through in byte order; only the postings of the current term and the new segment are in memory.

use crate::bits::BitReader;
use crate::tombstones::Tombstones;

use super::dictionary::{TermInfo, Terms};
use super::encoder::{Bits, Encoder};
use super::postings::Scratch;
use super::reader::{DocNo, Segment};

struct Part<'a> {
    segment: &'a Segment,
    /// The new number of each document; `None` for the dead.
    renumbered: Vec<Option<u32>>,
    terms: Terms<'a>,
    current: Option<TermInfo>,
}

/// The bytes of one segment with the living documents of all parts.
pub fn merge(parts: &[(&Segment, &Tombstones)]) -> Vec<u8> {
    let mut encoder = Encoder::default();
    let mut n_docs = 0;
    let mut parts: Vec<Part<'_>> = parts
        .iter()
        .map(|&(segment, tombstones)| {
            let renumbered = (0..segment.n_docs())
                .map(DocNo)
                .map(|doc| {
                    if tombstones.contains(doc) {
                        return None;
                    }
                    let entry = segment.doc(doc);
                    encoder.add_doc(entry.chunk, entry.file, entry.labels, entry.tie, entry.length);
                    n_docs += 1;
                    Some(n_docs - 1)
                })
                .collect();
            let mut terms = segment.terms();
            let current = terms.next();
            Part { segment, renumbered, terms, current }
        })
        .collect();

    let mut term = Vec::new();
    let mut scratch = Scratch::default();
    loop {
        let least =
            parts.iter().filter(|part| part.current.is_some()).map(|part| part.terms.term()).min();
        let Some(least) = least else { break };
        term.clear();
        term.extend_from_slice(least);
        for part in &mut parts {
            if part.terms.term() == term
                && let Some(info) = part.current.take()
            {
                add_postings(&mut encoder, part, &info, &mut scratch);
                part.current = part.terms.next();
            }
        }
        encoder.end_term(&term);
    }
    encoder.finish()
}

fn add_postings(encoder: &mut Encoder, part: &Part<'_>, info: &TermInfo, scratch: &mut Scratch) {
    let Part { segment, renumbered, .. } = part;
    let new_number = |doc: u32| renumbered.get(doc as usize).copied().flatten();
    let add = |doc: u32, frequencies: &_, bits: BitReader<'_>, count: usize| {
        if let Some(doc) = new_number(doc) {
            encoder.add_posting(
                doc,
                frequencies,
                Bits::Stretch { bytes: bits.bytes(), at: bits.at(), count },
            );
        }
    };
    let is_living = |doc: u32| new_number(doc).is_some();
    segment.list(info).for_each_living(segment.lengths(), is_living, scratch, add);
}
