//! What is indexed: one chunk with its fields, and its terms after analysis.
//!
//! Analysis is the expensive half of indexing and needs nothing but the text, so it runs in worker threads; what it
//! gives, [`Analyzed`], is compact and only has to be added to a [`crate::SegmentWriter`].

use std::cell::RefCell;

use crate::analyzer::{has_positions, tokens};
use crate::bits::BitWriter;
use crate::fields::{Field, Frequencies};
use crate::terms::{TermTable, hash_term};

/// The row id of a chunk in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkNo(pub u32);

/// The row id of a file in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileNo(pub u32);

/// One chunk to index or to rank.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// Which chunk this is.
    pub chunk: ChunkNo,
    /// The file it belongs to.
    pub file: FileNo,
    /// Bits that mean something to the caller, given back with every hit.
    pub labels: u32,
    /// Breaks ties between equal scores; derived from content, so that the order does not depend on history.
    pub tie: u64,
    /// The texts, in the order of [`Field::ALL`].
    pub fields: [&'a str; Field::COUNT],
}

/// Field and position of an occurrence in one number: the field above, the position below. Neighbours in one field
/// differ by one; the last position of a field and the first of the next never do.
pub(crate) const POSITION_BITS: u32 = 24;
/// What stands beyond sixteen million terms of one field is not indexed; no chunk comes near it.
const MAX_POSITION: u32 = (1 << POSITION_BITS) - 2;

impl Document<'_> {
    /// The terms of all fields.
    pub fn analyze(&self) -> Analyzed {
        // The working memory is the same for every document a thread analyses; what it holds never outlives a call.
        thread_local! {
            static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::default());
        }
        SCRATCH.with(|scratch| match scratch.try_borrow_mut() {
            Ok(mut scratch) => self.analyze_with(&mut scratch),
            Err(_) => self.analyze_with(&mut Scratch::default()),
        })
    }

    fn analyze_with(&self, scratch: &mut Scratch) -> Analyzed {
        let Scratch { terms, occurrences, ends, keys, positions, packed } = scratch;
        terms.clear();
        occurrences.clear();
        packed.clear();
        self.for_each_occurrence(|term, key| {
            let number = terms.intern(term.as_bytes(), hash_term(term.as_bytes()));
            occurrences.push((number, key));
        });
        let length = occurrences.len() as u32;
        group_by_term(terms.len(), occurrences, ends, keys);
        let mut bits = BitWriter::default();
        let mut complex = Vec::new();
        let mut start = 0;
        let entries: Box<[Entry]> = (0u32..)
            .zip(&*ends)
            .map(|(number, &end)| {
                let keys = &keys[start..end as usize];
                start = end as usize;
                if has_positions(terms.term(number)) {
                    write_positions(&mut bits, keys, length, positions);
                }
                Entry {
                    hash: terms.hash(number),
                    text_end: terms.end(number),
                    frequency: PackedFrequency::new(keys, &mut complex),
                    bits_end: bits.len() as u32,
                }
            })
            .collect();
        bits.drain_to(packed);
        Analyzed {
            chunk: self.chunk,
            file: self.file,
            labels: self.labels,
            tie: self.tie,
            length,
            text: terms.text().into(),
            entries,
            complex: complex.into(),
            bits: packed.as_slice().into(),
        }
    }

    /// Calls `sink` with every term of every field and the key of its place. Keys of one field never go down.
    pub(crate) fn for_each_occurrence(&self, mut sink: impl FnMut(&str, u32)) {
        for field in Field::ALL {
            let text = self.fields[field.index()];
            if text.is_empty() {
                continue;
            }
            let base = (field as u32) << POSITION_BITS;
            tokens(text, |term, position, _| {
                if position <= MAX_POSITION {
                    sink(term, base | position);
                }
            });
        }
    }
}

/// So many words are the opening of a text: about a sentence.
const OPENING: u32 = 16;

/// Whether an occurrence is in the opening of the comments, which says what the code below is for.
pub(crate) fn is_in_opening(key: u32) -> bool {
    let first = (Field::Doc as u32) << POSITION_BITS;
    (first..first + OPENING).contains(&key)
}

/// The field of an occurrence.
pub(crate) fn field_of(key: u32) -> usize {
    (key >> POSITION_BITS) as usize
}

/// Writes the positions of one term in one document: for each field that has some, rising values below the length.
fn write_positions(bits: &mut BitWriter, keys: &[u32], length: u32, positions: &mut Vec<u32>) {
    const POSITION: u32 = (1 << POSITION_BITS) - 1;
    if let [key] = keys {
        bits.write_rising(&[key & POSITION], length);
        return;
    }
    for of_field in keys.chunk_by(|left, right| field_of(*left) == field_of(*right)) {
        positions.clear();
        positions.extend(of_field.iter().map(|key| key & POSITION));
        bits.write_rising(positions, length);
    }
}

/// Working memory of the analysis of one document.
#[derive(Debug)]
struct Scratch {
    terms: TermTable,
    /// Number and key of every term, in the order of the text.
    occurrences: Vec<(u32, u32)>,
    /// The same keys grouped by term, and where each group ends.
    keys: Vec<u32>,
    ends: Vec<u32>,
    positions: Vec<u32>,
    packed: Vec<u8>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            terms: TermTable::with_capacity(512),
            occurrences: Vec::new(),
            keys: Vec::new(),
            ends: Vec::new(),
            positions: Vec::new(),
            packed: Vec::new(),
        }
    }
}

/// Groups occurrences by term, each group in the order of the text.
fn group_by_term(
    n_terms: usize,
    occurrences: &[(u32, u32)],
    ends: &mut Vec<u32>,
    keys: &mut Vec<u32>,
) {
    ends.clear();
    ends.resize(n_terms, 0);
    for &(number, _) in occurrences {
        ends[number as usize] += 1;
    }
    let mut start = 0;
    for end in &mut *ends {
        start += std::mem::replace(end, start);
    }
    keys.clear();
    keys.resize(occurrences.len(), 0);
    for &(number, key) in occurrences {
        let end = &mut ends[number as usize];
        keys[*end as usize] = key;
        *end += 1;
    }
}

/// The frequencies of one term in one document: nearly always only in the body, else a place in a side table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedFrequency(u32);

impl PackedFrequency {
    /// No occurrence at all.
    pub(crate) const ZERO: Self = Self(0);
    const COMPLEX: u32 = 1 << 31;

    fn new(keys: &[u32], complex: &mut Vec<Frequencies>) -> Self {
        let in_body = |key: &u32| field_of(*key) == Field::Body.index();
        if keys.first().is_some_and(in_body) {
            return Self(keys.len() as u32 & !Self::COMPLEX);
        }
        let mut frequencies = [0; Field::COUNT];
        for &key in keys {
            frequencies[field_of(key)] += 1;
        }
        complex.push(frequencies);
        Self(Self::COMPLEX | (complex.len() - 1) as u32)
    }

    /// The same for a side table that goes on where `offset` entries are already.
    pub(crate) fn shifted(self, offset: usize) -> Self {
        if self.0 & Self::COMPLEX == 0 { self } else { Self(self.0 + offset as u32) }
    }

    pub(crate) fn unpack(self, complex: &[Frequencies]) -> Frequencies {
        if self.0 & Self::COMPLEX == 0 {
            let mut frequencies = [0; Field::COUNT];
            frequencies[Field::Body.index()] = self.0;
            frequencies
        } else {
            complex[(self.0 & !Self::COMPLEX) as usize]
        }
    }
}

/// One distinct term of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) hash: u32,
    /// Where its bytes end.
    pub(crate) text_end: u32,
    pub(crate) frequency: PackedFrequency,
    /// Where the position bits of this term end.
    pub(crate) bits_end: u32,
}

/// A document after analysis, ready to be added to a segment.
#[derive(Debug, Clone)]
pub struct Analyzed {
    pub(crate) chunk: ChunkNo,
    pub(crate) file: FileNo,
    pub(crate) labels: u32,
    pub(crate) tie: u64,
    pub(crate) length: u32,
    /// The bytes of all terms, one after the other.
    pub(crate) text: Box<[u8]>,
    pub(crate) entries: Box<[Entry]>,
    pub(crate) complex: Box<[Frequencies]>,
    /// The positions of all terms, one after the other.
    pub(crate) bits: Box<[u8]>,
}

impl Analyzed {
    /// Which chunk this is.
    pub fn chunk(&self) -> ChunkNo {
        self.chunk
    }

    /// The file it belongs to.
    pub fn file(&self) -> FileNo {
        self.file
    }

    /// Number of terms in all fields, repetitions included.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Sets more of the caller's bits.
    pub fn add_labels(&mut self, labels: u32) {
        self.labels |= labels;
    }

    /// Moves the document to other rows: for analysis that ran before the row ids were known.
    pub fn set_rows(&mut self, chunk: ChunkNo, file: FileNo) {
        self.chunk = chunk;
        self.file = file;
    }

    /// About how much memory this takes.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.text.len()
            + size_of_val(&*self.entries)
            + size_of_val(&*self.complex)
            + self.bits.len()
    }
}
