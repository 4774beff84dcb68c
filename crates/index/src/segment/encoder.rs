//! The one way to lay out a segment; the writer and the merge both feed it.
//!
//! Documents come first in their order, then terms in byte order, each with its postings in document order.

use crate::analyzer::has_positions;
use crate::bits::{BitWriter, golomb_order};
use crate::document::{ChunkNo, FileNo};
use crate::fields::{Field, Frequencies, weighted};
use crate::varint::write_varint;

use super::dictionary::DictionaryEncoder;
use super::header::Header;
use super::peaks::Peaks;
use super::{BLOCK, ORDER_BITS};

/// The position bits of a posting.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bits<'a> {
    /// At most 32 bits, as they are.
    Few { value: u32, count: u32 },
    /// A stretch of another stream.
    Stretch { bytes: &'a [u8], at: usize, count: usize },
}

#[derive(Debug, Default)]
struct Columns {
    chunks: Vec<u8>,
    files: Vec<u8>,
    labels: Vec<u8>,
    lengths: Vec<u8>,
    ties: Vec<u8>,
}

#[derive(Debug, Default)]
pub(super) struct Encoder {
    columns: Columns,
    lengths: Vec<u32>,
    total_length: u64,
    dictionary: DictionaryEncoder,
    postings: Vec<u8>,
    positions: Vec<u8>,
    list: ListEncoder,
}

/// The lists of some terms that follow one another, made apart from those before them.
#[derive(Debug, Default)]
pub(super) struct Lists {
    postings: Vec<u8>,
    positions: Vec<u8>,
    sizes: Vec<ListSize>,
    list: ListEncoder,
}

/// How much there is of one term.
#[derive(Debug, Clone, Copy)]
struct ListSize {
    df: u32,
    n_postings: usize,
    n_positions: usize,
}

impl Lists {
    /// The next posting of the term that [`Lists::end_term`] ends; `length` is that of its document.
    #[inline]
    pub(super) fn add_posting(
        &mut self,
        doc: u32,
        frequencies: &Frequencies,
        length: u32,
        positions: Bits<'_>,
    ) {
        self.list.add(doc, frequencies, length, positions);
    }

    /// Finishes a term.
    pub(super) fn end_term(&mut self) {
        let before = (self.postings.len(), self.positions.len());
        let df = self.list.finish(&mut self.postings, &mut self.positions);
        let n_postings = self.postings.len() - before.0;
        self.sizes.push(ListSize { df, n_postings, n_positions: self.positions.len() - before.1 });
    }
}

impl Encoder {
    pub(super) fn add_doc(
        &mut self,
        chunk: ChunkNo,
        file: FileNo,
        labels: u32,
        tie: u64,
        length: u32,
    ) {
        self.columns.chunks.extend_from_slice(&chunk.0.to_le_bytes());
        self.columns.files.extend_from_slice(&file.0.to_le_bytes());
        self.columns.labels.extend_from_slice(&labels.to_le_bytes());
        self.columns.lengths.extend_from_slice(&length.to_le_bytes());
        self.columns.ties.extend_from_slice(&tie.to_le_bytes());
        self.lengths.push(length);
        self.total_length += u64::from(length);
    }

    /// The next posting of the term that [`Encoder::end_term`] will name.
    #[inline]
    pub(super) fn add_posting(&mut self, doc: u32, frequencies: &Frequencies, positions: Bits<'_>) {
        self.list.add(doc, frequencies, self.lengths[doc as usize], positions);
    }

    /// Finishes a term. One without postings leaves no trace.
    pub(super) fn end_term(&mut self, term: &[u8]) {
        let before = (self.postings.len(), self.positions.len());
        let df = self.list.finish(&mut self.postings, &mut self.positions);
        let n_postings = self.postings.len() - before.0;
        let n_positions = self.positions.len() - before.1;
        self.note_term(term, ListSize { df, n_postings, n_positions });
    }

    /// Adds the lists of the next terms.
    pub(super) fn add_lists<'t>(&mut self, lists: &Lists, terms: impl Iterator<Item = &'t [u8]>) {
        for (size, term) in lists.sizes.iter().zip(terms) {
            self.note_term(term, *size);
        }
        self.postings.extend_from_slice(&lists.postings);
        self.positions.extend_from_slice(&lists.positions);
    }

    fn note_term(&mut self, term: &[u8], size: ListSize) {
        let ListSize { df, n_postings, n_positions } = size;
        if df > 0 {
            let n_positions = has_positions(term).then_some(n_positions as u64);
            self.dictionary.add(term, df, n_postings as u64, n_positions);
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        let Columns { mut chunks, files, labels, lengths, ties } = self.columns;
        for column in [files, labels, lengths, ties] {
            chunks.extend_from_slice(&column);
        }
        let n_terms = self.dictionary.n_terms();
        let (index, dictionary) = self.dictionary.finish();
        Header::write(
            self.lengths.len() as u32,
            n_terms,
            self.total_length,
            [&chunks, &index, &dictionary, &self.postings, &self.positions],
        )
    }
}

/// The postings of one term while they come in.
#[derive(Debug, Default)]
struct ListEncoder {
    df: u32,
    /// The smallest document number that can still come.
    next_doc: u32,
    /// The same at the start of the current block.
    block_base: u32,
    /// The current block.
    gaps: Vec<u32>,
    frequencies: Vec<Frequencies>,
    lengths: Vec<u32>,
    peaks: Peaks,
    position_bits: BitWriter,
    /// The finished blocks.
    bits: BitWriter,
    postings: Vec<u8>,
    positions: Vec<u8>,
    table: Vec<u8>,
}

impl ListEncoder {
    fn add(&mut self, doc: u32, frequencies: &Frequencies, length: u32, positions: Bits<'_>) {
        if self.gaps.len() == BLOCK {
            self.end_block();
        }
        self.gaps.push(doc - self.next_doc);
        self.frequencies.push(*frequencies);
        self.next_doc = doc + 1;
        self.df += 1;
        self.lengths.push(length);
        match positions {
            Bits::Few { value, count } => self.position_bits.write(value, count),
            Bits::Stretch { bytes, at, count } => self.position_bits.copy(bytes, at, count),
        }
    }

    fn end_block(&mut self) {
        let before = (self.postings.len(), self.positions.len());
        for (frequencies, length) in self.frequencies.iter().zip(&self.lengths) {
            self.peaks.push(weighted(frequencies), *length);
        }
        self.write_block();
        write_varint(&mut self.table, u64::from(self.next_doc - 1 - self.block_base));
        write_varint(&mut self.table, (self.postings.len() - before.0) as u64);
        write_varint(&mut self.table, (self.positions.len() - before.1) as u64);
        self.peaks.drain_to(&mut self.table);
        self.block_base = self.next_doc;
    }

    fn write_block(&mut self) {
        let order = golomb_order(&self.gaps);
        self.bits.write(order, ORDER_BITS);
        for (&gap, frequencies) in self.gaps.iter().zip(&self.frequencies) {
            self.bits.write_golomb(gap, order);
            write_frequencies(&mut self.bits, frequencies);
        }
        self.bits.drain_to(&mut self.postings);
        self.position_bits.drain_to(&mut self.positions);
        self.gaps.clear();
        self.frequencies.clear();
        self.lengths.clear();
    }

    /// Moves the list to the sections and is empty again; returns the number of documents.
    fn finish(&mut self, postings: &mut Vec<u8>, positions: &mut Vec<u8>) -> u32 {
        if self.df as usize > BLOCK {
            self.end_block();
            postings.append(&mut self.table);
        } else if self.df > 0 {
            self.write_block();
        }
        postings.append(&mut self.postings);
        positions.append(&mut self.positions);
        (self.next_doc, self.block_base) = (0, 0);
        std::mem::take(&mut self.df)
    }
}

fn write_frequencies(bits: &mut BitWriter, frequencies: &Frequencies) {
    const ONCE_IN_BODY: Frequencies = [0, 0, 0, 0, 1];
    if *frequencies == ONCE_IN_BODY {
        bits.write(0, 1);
        return;
    }
    let body = frequencies[Field::Body.index()];
    let fields =
        (0..Field::COUNT).fold(0, |fields, idx| fields | (u32::from(frequencies[idx] > 0) << idx));
    if fields == 1 << Field::Body.index() {
        bits.write(0b01, 2);
        bits.write_golomb(body - 2, 0);
        return;
    }
    bits.write(0b11, 2);
    bits.write(fields, Field::COUNT as u32);
    for &frequency in frequencies.iter().filter(|&&frequency| frequency > 0) {
        bits.write_golomb(frequency - 1, 0);
    }
}
