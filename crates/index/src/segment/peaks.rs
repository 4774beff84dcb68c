//! What is the most a block of postings can score, whatever the query's weights are?
//!
//! A contribution rises with the weighted frequency and falls with the length of the document. So of all postings of a
//! block only those matter that no other beats in both; a handful of pairs bounds all of them exactly.

use crate::score::TermScorer;
use crate::varint::{ByteReader, write_varint};

/// Weighted frequencies below this are by far the most, and need no sorting.
const N_SMALL: usize = 64;
/// The most pairs that are kept; more are folded together, which loosens the bound and never breaks it.
const MAX_PEAKS: usize = 8;

/// Collects (weighted frequency, length) pairs of one block.
#[derive(Debug)]
pub(super) struct Peaks {
    /// The shortest document of each small weighted frequency.
    shortest: [Option<u32>; N_SMALL],
    others: Vec<(u32, u32)>,
}

impl Default for Peaks {
    fn default() -> Self {
        Self { shortest: [None; N_SMALL], others: Vec::new() }
    }
}

impl Peaks {
    pub(super) fn push(&mut self, weighted: u32, length: u32) {
        match self.shortest.get_mut(weighted as usize) {
            Some(shortest) => *shortest = Some(shortest.map_or(length, |best| best.min(length))),
            None => self.others.push((weighted, length)),
        }
    }

    /// Writes the pairs that no other beats and starts over.
    pub(super) fn drain_to(&mut self, out: &mut Vec<u8>) {
        self.others.sort_unstable_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(&right.1)));
        let small = self.shortest.iter().enumerate().rev();
        let small =
            small.filter_map(|(weighted, length)| length.map(|length| (weighted as u32, length)));
        let mut kept: Vec<(u32, u32)> = Vec::with_capacity(MAX_PEAKS);
        for (weighted, length) in self.others.iter().copied().chain(small) {
            let full = kept.len() == MAX_PEAKS;
            match kept.last_mut() {
                Some(last) if length >= last.1 => {},
                Some(last) if full => last.1 = length,
                _ => kept.push((weighted, length)),
            }
        }
        out.push(kept.len() as u8);
        let mut before = (0, 0);
        for (idx, &(weighted, length)) in kept.iter().enumerate() {
            if idx == 0 {
                write_varint(out, weighted.into());
                write_varint(out, length.into());
            } else {
                write_varint(out, u64::from(before.0 - weighted));
                write_varint(out, u64::from(before.1 - length));
            }
            before = (weighted, length);
        }
        self.others.clear();
        self.shortest = [None; N_SMALL];
    }
}

/// Passes over the pairs of a block without looking at them.
pub(super) fn skip_peaks(reader: &mut ByteReader<'_>) {
    for _ in 0..reader.u8().min(MAX_PEAKS as u8) {
        reader.varint();
        reader.varint();
    }
}

/// The highest contribution any posting of the block can have.
pub(super) fn bound(reader: &mut ByteReader<'_>, scorer: &TermScorer) -> u32 {
    let mut best = 0;
    let mut pair = (0u32, 0u32);
    for idx in 0..reader.u8().min(MAX_PEAKS as u8) {
        let read = (reader.varint32(), reader.varint32());
        pair = if idx == 0 {
            read
        } else {
            (pair.0.saturating_sub(read.0), pair.1.saturating_sub(read.1))
        };
        best = best.max(scorer.contribution(pair.0.max(1), pair.1));
    }
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::score::Collection;

    /// All pairs sorted, and those left out that an earlier one beats.
    fn kept_of(mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
        pairs.sort_by_key(|&(weighted, length)| (std::cmp::Reverse(weighted), length));
        let mut kept: Vec<(u32, u32)> = Vec::new();
        for (weighted, length) in pairs {
            if kept.last().is_none_or(|last| length < last.1) {
                kept.push((weighted, length));
            }
        }
        if let Some(&(_, shortest)) = kept.last() {
            kept.truncate(MAX_PEAKS);
            kept.last_mut().unwrap().1 = shortest;
        }
        kept
    }

    fn read(bytes: &[u8]) -> Vec<(u32, u32)> {
        let mut reader = ByteReader::new(bytes);
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for _ in 0..reader.u8() {
            let (weighted, length) = (reader.varint32(), reader.varint32());
            pairs.push(match pairs.last() {
                Some(last) => (last.0 - weighted, last.1 - length),
                None => (weighted, length),
            });
        }
        pairs
    }

    proptest! {
        #[test]
        fn the_pairs_are_those_that_sorting_finds(
            pairs in proptest::collection::vec((0u32..130, 1u32..400), 1..128),
        ) {
            let mut peaks = Peaks::default();
            for _ in 0..2 {
                pairs.iter().for_each(|&(weighted, length)| peaks.push(weighted, length));
                let mut bytes = Vec::new();
                peaks.drain_to(&mut bytes);
                prop_assert_eq!(read(&bytes), kept_of(pairs.clone()));
            }
        }

        #[test]
        fn the_bound_is_never_below_a_posting_and_exact_for_few_peaks(
            pairs in proptest::collection::vec((1u32..100, 1u32..400), 1..128), df in 1u64..500, total in 500u64..1_000_000,
        ) {
            let mut peaks = Peaks::default();
            for &(weighted, length) in &pairs {
                peaks.push(weighted, length);
            }
            let mut bytes = Vec::new();
            peaks.drain_to(&mut bytes);
            let scorer = TermScorer::new(Collection { n_docs: 500, total_length: total }, df);
            let mut reader = ByteReader::new(&bytes);
            let bound = bound(&mut reader, &scorer);
            prop_assert!(reader.is_done());
            let mut skipper = ByteReader::new(&bytes);
            skip_peaks(&mut skipper);
            prop_assert!(skipper.is_done());
            let best = pairs.iter().map(|&(weighted, length)| scorer.contribution(weighted, length)).max();
            prop_assert!(Some(bound) >= best);
            if (bytes[0] as usize) < MAX_PEAKS {
                prop_assert_eq!(Some(bound), best);
            }
        }
    }
}
