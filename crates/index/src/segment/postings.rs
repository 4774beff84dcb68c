//! The documents of one term: block by block, with a bound on what each block can score. To walk them, see
//! `cursor.rs`.

use std::ops::Range;

use crate::bits::BitReader;
use crate::document::{POSITION_BITS, field_of};
use crate::fields::{Field, FieldSet, Frequencies, weighted};
use crate::score::TermScorer;
use crate::tombstones::Tombstones;
use crate::varint::ByteReader;

use super::peaks::{bound, skip_peaks};
use super::reader::{DocNo, Lengths};
use super::{BLOCK, ORDER_BITS};

/// One block of a list, as its table tells it.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// The smallest document number it can hold.
    pub(crate) first: u32,
    /// The largest; exact where the list has a table.
    pub(crate) last: u32,
    count: usize,
    bytes: Range<usize>,
    positions: Range<usize>,
    peaks_at: Option<usize>,
}

/// The postings of one term in one segment.
#[derive(Debug, Clone)]
pub(crate) struct PostingList<'a> {
    postings: &'a [u8],
    /// `None` for terms whose occurrences have no positions.
    positions: Option<&'a [u8]>,
    df: u32,
    blocks: Vec<Block>,
    /// Postings of other fields count as if they were not there.
    fields: FieldSet,
}

/// Working memory of [`PostingList::for_each_living`].
#[derive(Debug, Default)]
pub(super) struct Scratch {
    postings: Vec<(u32, Frequencies)>,
    keys: Vec<u32>,
}

impl<'a> PostingList<'a> {
    pub(super) fn new(
        postings: &'a [u8],
        positions: Option<&'a [u8]>,
        df: u32,
        n_docs: u32,
    ) -> Self {
        // A list longer than the segment is damage; there is nothing sensible to read in it.
        let df = if df <= n_docs { df } else { 0 };
        let blocks = match df as usize {
            0 => Vec::new(),
            count @ 1..=BLOCK => vec![Block {
                first: 0,
                last: n_docs - 1,
                count,
                bytes: 0..postings.len(),
                positions: 0..positions.map_or(0, <[u8]>::len),
                peaks_at: None,
            }],
            df => read_table(postings, df, n_docs),
        };
        Self { postings, positions, df, blocks, fields: FieldSet::ALL }
    }

    /// The same postings in some fields only. The frequency of the term stays that in all fields: how rare a word is
    /// does not depend on where one looks for it.
    pub(crate) fn within(self, fields: FieldSet) -> Self {
        Self { fields, ..self }
    }

    pub(crate) fn df(&self) -> u32 {
        self.df
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// How many documents that are not dead have the term. Only blocks with dead documents in their range are read.
    pub(crate) fn live_df(&self, tombstones: &Tombstones) -> u32 {
        let mut dead = 0;
        for block in &self.blocks {
            if tombstones.any_in(block.first, block.last) {
                self.read(block, read_frequencies, |doc, _| {
                    dead += u32::from(tombstones.contains(DocNo(doc)));
                });
            }
        }
        self.df.saturating_sub(dead)
    }

    /// The most any document of the block gains: short lists are read, long ones carry peaks, which are exact when all
    /// fields count.
    pub(crate) fn bound(&self, block: &Block, scorer: &TermScorer, lengths: Lengths<'_>) -> u32 {
        if let Some(at) = block.peaks_at {
            return bound(
                &mut ByteReader::new(self.postings.get(at..).unwrap_or_default()),
                scorer,
            );
        }
        let mut best = 0;
        self.read_weighted(block, |doc, weighted| {
            best = best.max(scorer.contribution(weighted, lengths.of(doc)));
        });
        best
    }

    /// Every posting with its weighted frequency.
    pub(crate) fn for_each(&self, mut each: impl FnMut(u32, u32)) {
        for block in &self.blocks {
            self.read_weighted(block, &mut each);
        }
    }

    /// Every posting of a living document, with its frequencies and its stretch of position bits. Positions can only be
    /// read one after the other, so those behind the last living document of a block are left alone.
    pub(super) fn for_each_living(
        &self,
        lengths: Lengths<'_>,
        is_living: impl Fn(u32) -> bool,
        scratch: &mut Scratch,
        mut each: impl FnMut(u32, &Frequencies, BitReader<'a>, usize),
    ) {
        let Scratch { postings, keys } = scratch;
        for block in &self.blocks {
            postings.clear();
            let mut n_needed = 0;
            self.read(block, read_frequencies, |doc, frequencies| {
                postings.push((doc, frequencies));
                if is_living(doc) {
                    n_needed = postings.len();
                }
            });
            let mut bits = self.position_bits(block);
            for (doc, frequencies) in &postings[..n_needed] {
                let start = bits;
                if self.positions.is_some() {
                    keys.clear();
                    read_keys(&mut bits, frequencies, *doc, lengths, keys);
                }
                if is_living(*doc) {
                    each(*doc, frequencies, start, bits.at() - start.at());
                }
            }
        }
    }

    /// The positions of a block; no bits where the term has none.
    fn position_bits(&self, block: &Block) -> BitReader<'a> {
        let bytes = self.positions.and_then(|positions| positions.get(block.positions.clone()));
        BitReader::new(bytes.unwrap_or_default())
    }

    /// Reads the documents of a block and their weighted frequencies.
    pub(super) fn read_block(&self, block: &Block, docs: &mut Vec<u32>, weighted: &mut Vec<u32>) {
        docs.clear();
        weighted.clear();
        self.read_weighted(block, |doc, frequency| {
            docs.push(doc);
            weighted.push(frequency);
        });
    }

    /// Reads all documents of a block and how often they have the term, in whatever fields; the positions are at the start
    /// of what is returned.
    pub(super) fn read_frequencies(
        &self,
        block: &Block,
        postings: &mut Vec<(u32, Frequencies)>,
    ) -> BitReader<'a> {
        self.read(block, read_frequencies, |doc, frequencies| postings.push((doc, frequencies)));
        self.position_bits(block)
    }

    /// How often a document of a block has the term, in whatever fields.
    pub(super) fn frequencies(&self, block: &Block, wanted: u32) -> Option<Frequencies> {
        let mut reader = self.documents(block);
        while let Some(doc) = reader.next() {
            if doc >= wanted {
                return (doc == wanted).then(|| read_frequencies(&mut reader.bits));
            }
            read_weighted(&mut reader.bits);
        }
        None
    }

    /// Reads the keys (field and position) of the next posting, as far as its fields count.
    pub(super) fn read_keys(
        &self,
        bits: &mut BitReader<'_>,
        doc: u32,
        frequencies: &Frequencies,
        lengths: Lengths<'_>,
        keys: &mut Vec<u32>,
    ) {
        if self.positions.is_none() {
            return;
        }
        read_keys(bits, frequencies, doc, lengths, keys);
        if self.fields != FieldSet::ALL {
            keys.retain(|key| self.fields.has_index(field_of(*key)));
        }
    }

    /// Decodes the documents of a block that have the term in the fields that count.
    #[inline]
    fn read_weighted(&self, block: &Block, mut each: impl FnMut(u32, u32)) {
        if self.fields == FieldSet::ALL {
            return self.read(block, read_weighted, each);
        }
        self.read(block, read_frequencies, |doc, frequencies| {
            let weighted = weighted(&self.fields.of(frequencies));
            if weighted > 0 {
                each(doc, weighted);
            }
        });
    }

    /// Decodes a block.
    #[inline]
    fn read<T>(
        &self,
        block: &Block,
        read_posting: impl Fn(&mut BitReader<'_>) -> T,
        mut each: impl FnMut(u32, T),
    ) {
        let mut reader = self.documents(block);
        while let Some(doc) = reader.next() {
            each(doc, read_posting(&mut reader.bits));
        }
    }

    /// The documents of a block. Behind each of them its posting is to be read.
    #[inline]
    fn documents(&self, block: &Block) -> Documents<'a> {
        let mut bits = BitReader::new(self.postings.get(block.bytes.clone()).unwrap_or_default());
        let order = bits.read(ORDER_BITS);
        Documents { bits, order, next: block.first.into(), last: block.last, left: block.count }
    }
}

/// Reads the documents of a block: rising and inside its range, also from damaged bytes.
struct Documents<'a> {
    bits: BitReader<'a>,
    order: u32,
    next: u64,
    last: u32,
    left: usize,
}

impl Documents<'_> {
    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let doc = self.next + u64::from(self.bits.read_golomb(self.order));
        self.next = doc + 1;
        (doc <= u64::from(self.last)).then_some(doc as u32)
    }
}

fn read_table(postings: &[u8], df: usize, n_docs: u32) -> Vec<Block> {
    let n_blocks = df.div_ceil(BLOCK);
    let mut reader = ByteReader::new(postings);
    let mut blocks = Vec::with_capacity(n_blocks);
    let (mut first, mut postings_at, mut positions_at) = (0u32, 0usize, 0usize);
    for idx in 0..n_blocks {
        let last = first.saturating_add(reader.varint32()).min(n_docs - 1);
        let postings_end = postings_at.saturating_add(reader.varint32() as usize);
        let positions_end = positions_at.saturating_add(reader.varint32() as usize);
        let peaks_at = reader.at();
        skip_peaks(&mut reader);
        blocks.push(Block {
            first,
            last,
            count: BLOCK.min(df - idx * BLOCK),
            bytes: postings_at..postings_end,
            positions: positions_at..positions_end,
            peaks_at: Some(peaks_at),
        });
        (first, postings_at, positions_at) = (last.saturating_add(1), postings_end, positions_end);
    }
    let start = reader.at();
    for block in &mut blocks {
        block.bytes =
            start.saturating_add(block.bytes.start)..start.saturating_add(block.bytes.end);
    }
    blocks
}

/// What [`weighted`] makes of [`read_frequencies`], without them: most of the time of a search is spent here.
#[inline]
fn read_weighted(bits: &mut BitReader<'_>) -> u32 {
    /// Numbers up to six have so many ones at most, and seven bits: those of all fields fit into a word.
    const FEW_ONES: u32 = 3;
    let word = bits.peek();
    if word & 1 == 0 {
        bits.skip(1);
        return Field::Body.weight();
    }
    if word & 2 == 0 {
        return weighted(&read_frequencies(bits));
    }
    let start = 2 + Field::COUNT as u32;
    let mut fields = (word >> 2) & ((1 << Field::COUNT) - 1);
    let (mut rest, mut n_bits, mut sum) = (word >> start, start, 0);
    while fields != 0 {
        let ones = rest.trailing_ones();
        if ones > FEW_ONES {
            return weighted(&read_frequencies(bits));
        }
        let frequency = ((rest >> (ones + 1)) & ((1 << ones) - 1)) as u32 + (1 << ones);
        sum += frequency * WEIGHTS[fields.trailing_zeros() as usize];
        rest >>= 2 * ones + 1;
        n_bits += 2 * ones + 1;
        fields &= fields - 1;
    }
    bits.skip(n_bits as usize);
    sum
}

/// The weights by the places of the fields.
const WEIGHTS: [u32; Field::COUNT] = {
    let mut weights = [0; Field::COUNT];
    let mut idx = 0;
    while idx < Field::COUNT {
        weights[idx] = Field::ALL[idx].weight();
        idx += 1;
    }
    weights
};

#[inline]
fn read_frequencies(bits: &mut BitReader<'_>) -> Frequencies {
    let mut frequencies = [0; Field::COUNT];
    if bits.read(1) == 0 {
        frequencies[Field::Body.index()] = 1;
        return frequencies;
    }
    read_more(bits)
}

fn read_more(bits: &mut BitReader<'_>) -> Frequencies {
    let mut frequencies = [0; Field::COUNT];
    if bits.read(1) == 0 {
        frequencies[Field::Body.index()] = bits.read_golomb(0).saturating_add(2);
        return frequencies;
    }
    let fields = bits.read(Field::COUNT as u32);
    for (idx, frequency) in frequencies.iter_mut().enumerate() {
        if fields & (1 << idx) != 0 {
            *frequency = bits.read_golomb(0).saturating_add(1);
        }
    }
    frequencies
}

/// Appends the keys (field and position) of one posting.
fn read_keys(
    bits: &mut BitReader<'_>,
    frequencies: &Frequencies,
    doc: u32,
    lengths: Lengths<'_>,
    keys: &mut Vec<u32>,
) {
    let length = lengths.of(doc);
    for (field, &frequency) in frequencies.iter().enumerate() {
        let start = keys.len();
        // More occurrences than the document or the segment has terms are damage; it must not cost memory.
        if frequency == 0
            || frequency > length
            || start as u64 + u64::from(frequency) > lengths.total
        {
            continue;
        }
        keys.resize(start + frequency as usize, 0);
        bits.read_rising(&mut keys[start..], length);
        for key in &mut keys[start..] {
            *key = (field as u32) << POSITION_BITS | (*key & ((1 << POSITION_BITS) - 1));
        }
    }
}
