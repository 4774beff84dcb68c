//! Collects analysed documents in memory until they become a segment.
//!
//! Postings are kept in the order they come, 12 bytes each, and sorted by term once at the end: counting sort keeps
//! documents in order within a term, and no term needs a growing list of its own.

use std::ops::Range;

use gik_base::parallel;

use crate::bits::BitReader;
use crate::document::{Analyzed, ChunkNo, FileNo, PackedFrequency};
use crate::fields::Frequencies;
use crate::terms::TermTable;

use super::encoder::{Bits, Encoder, Lists};

#[derive(Debug)]
struct Doc {
    chunk: ChunkNo,
    file: FileNo,
    labels: u32,
    tie: u64,
    length: u32,
    pairs_end: usize,
}

/// One term in one document.
#[derive(Debug, Clone, Copy)]
struct Pair {
    term: u32,
    frequency: PackedFrequency,
    /// Where its position bits end within its document.
    bits_end: u32,
}

/// A segment in the making.
#[derive(Debug)]
pub struct SegmentWriter {
    terms: TermTable,
    docs: Vec<Doc>,
    pairs: Vec<Pair>,
    complex: Vec<Frequencies>,
    bits: Vec<u8>,
    /// Where the bits of each document start, in bytes; apart from the documents, because every posting asks.
    bits_starts: Vec<usize>,
}

impl Default for SegmentWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl SegmentWriter {
    /// An empty segment.
    pub fn new() -> Self {
        Self {
            terms: TermTable::with_capacity(512),
            docs: Vec::new(),
            pairs: Vec::new(),
            complex: Vec::new(),
            bits: Vec::new(),
            bits_starts: Vec::new(),
        }
    }

    /// Adds a document; it gets the next number.
    pub fn add(&mut self, document: &Analyzed) {
        let complex_start = self.complex.len();
        let mut text_start = 0;
        for entry in &document.entries {
            let text_end = entry.text_end as usize;
            let term = self.terms.intern(&document.text[text_start..text_end], entry.hash);
            text_start = text_end;
            let frequency = entry.frequency.shifted(complex_start);
            self.pairs.push(Pair { term, frequency, bits_end: entry.bits_end });
        }
        self.complex.extend_from_slice(&document.complex);
        self.docs.push(Doc {
            chunk: document.chunk,
            file: document.file,
            labels: document.labels,
            tie: document.tie,
            length: document.length,
            pairs_end: self.pairs.len(),
        });
        self.bits_starts.push(self.bits.len());
        self.bits.extend_from_slice(&document.bits);
    }

    /// Number of documents so far.
    pub fn n_docs(&self) -> usize {
        self.docs.len()
    }

    /// About how much memory this takes, what [`SegmentWriter::finish`] needs on top included. Room for what is still to
    /// come does not count: the system has not given it out yet.
    pub fn memory_bytes(&self) -> usize {
        self.terms.memory_bytes()
            + self.docs.len() * (size_of::<Doc>() + size_of::<usize>())
            + self.pairs.len() * (size_of::<Pair>() + size_of::<Sorted>())
            + self.complex.len() * size_of::<Frequencies>()
            + self.bits.len() * 2
    }

    /// Forgets all documents and keeps the memory.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.docs.clear();
        self.pairs.clear();
        self.complex.clear();
        self.bits.clear();
        self.bits_starts.clear();
    }

    /// The bytes of the segment, made on so many threads; it is the same for any number.
    pub fn finish(&self, threads: usize) -> Vec<u8> {
        let mut encoder = Encoder::default();
        for doc in &self.docs {
            encoder.add_doc(doc.chunk, doc.file, doc.labels, doc.tie, doc.length);
        }
        let lengths: Vec<u32> = self.docs.iter().map(|doc| doc.length).collect();
        let threads = if self.pairs.len() < WORTH_A_THREAD { 1 } else { threads };
        let order = self.terms.sorted(threads);
        let (sorted, groups) = self.pairs_by_term(&order);
        let parts = parallel::in_parts(&groups, threads, |groups| {
            vec![self.lists(groups, &lengths, &sorted)]
        });
        let mut terms = order.iter().map(|number| self.terms.term(*number));
        for lists in parts {
            encoder.add_lists(&lists, &mut terms);
        }
        encoder.finish()
    }

    /// The lists of some terms, in their order.
    fn lists(&self, groups: &[Range<u32>], lengths: &[u32], sorted: &[Sorted]) -> Lists {
        let mut lists = Lists::default();
        for group in groups {
            for entry in &sorted[group.start as usize..group.end as usize] {
                let frequencies = entry.frequency.unpack(&self.complex);
                let bits = if entry.n_bits <= FEW {
                    Bits::Few { value: entry.bits, count: entry.n_bits }
                } else {
                    let at = self.bits_starts[entry.doc as usize] * 8 + entry.bits as usize;
                    Bits::Stretch { bytes: &self.bits, at, count: entry.n_bits as usize }
                };
                let length = lengths[entry.doc as usize];
                lists.add_posting(entry.doc, &frequencies, length, bits);
            }
            lists.end_term();
        }
        lists
    }

    /// All pairs grouped by term, in the order in which they are written, documents rising in each group; and the groups.
    fn pairs_by_term(&self, order: &[u32]) -> (Vec<Sorted>, Vec<Range<u32>>) {
        let mut ends = vec![0u32; self.terms.len()];
        for pair in &self.pairs {
            ends[pair.term as usize] += 1;
        }
        let mut start = 0;
        let group = |number: &u32| {
            let end = &mut ends[*number as usize];
            let group = start..start + *end;
            *end = std::mem::replace(&mut start, group.end);
            group
        };
        let groups = order.iter().map(group).collect();
        let mut sorted = vec![Sorted::EMPTY; self.pairs.len()];
        let mut at = 0;
        for ((doc, entry), &start) in (0u32..).zip(&self.docs).zip(&self.bits_starts) {
            let mut reader = BitReader::new(&self.bits[start..]);
            for pair in &self.pairs[at..entry.pairs_end] {
                let bits_start = reader.at() as u32;
                let n_bits = pair.bits_end - bits_start;
                let bits = if n_bits <= FEW {
                    reader.read(n_bits)
                } else {
                    reader.skip(n_bits as usize);
                    bits_start
                };
                let end = &mut ends[pair.term as usize];
                sorted[*end as usize] = Sorted { doc, frequency: pair.frequency, n_bits, bits };
                *end += 1;
            }
            at = entry.pairs_end;
        }
        (sorted, groups)
    }
}

/// Fewer postings are written sooner than a thread is started.
const WORTH_A_THREAD: usize = 1 << 16;

/// Up to so many position bits travel with the pair: they are copied in the order of the documents, where they lie
/// side by side, and not in the order of the terms, where each would be a cache miss.
const FEW: u32 = 32;

#[derive(Debug, Clone, Copy)]
struct Sorted {
    doc: u32,
    frequency: PackedFrequency,
    n_bits: u32,
    /// The bits themselves when they are few, else where they start within their document.
    bits: u32,
}

impl Sorted {
    const EMPTY: Self = Self { doc: 0, frequency: PackedFrequency::ZERO, n_bits: 0, bits: 0 };
}
