//! Where are the postings of this term? Sorted terms in front-coded blocks, found by binary search over block heads.

use std::cmp::Ordering;
use std::ops::Range;

use crate::analyzer::{MAX_TERM_BYTES, has_positions};
use crate::varint::{ByteReader, u32_at, u64_at, write_varint};

use super::header::INDEX_ENTRY_BYTES;

/// Terms per block.
const TERMS_PER_BLOCK: u32 = 32;
/// The most a half byte holds.
const NIBBLE: usize = 15;
/// The sizes of a term are one byte: it is in one document, with no more than [`FEW`] bytes of each.
const IS_IN_ONE: u64 = 1;
const FEW: u64 = 7;

#[derive(Debug, Default)]
pub(super) struct DictionaryEncoder {
    index: Vec<u8>,
    blocks: Vec<u8>,
    previous: Vec<u8>,
    n_terms: u32,
    postings: u64,
    positions: u64,
}

impl DictionaryEncoder {
    /// Adds the next term; `n_positions` is `None` for terms without positions.
    pub(super) fn add(&mut self, term: &[u8], df: u32, n_postings: u64, n_positions: Option<u64>) {
        if self.n_terms.is_multiple_of(TERMS_PER_BLOCK) {
            self.index.extend_from_slice(&(self.blocks.len() as u32).to_le_bytes());
            self.index.extend_from_slice(&self.postings.to_le_bytes());
            self.index.extend_from_slice(&self.positions.to_le_bytes());
            self.previous.clear();
        }
        let shared =
            self.previous.iter().zip(term).take_while(|(left, right)| left == right).count();
        let shared = shared.min(NIBBLE);
        let rest = &term[shared..];
        let short = if rest.len() <= NIBBLE { rest.len() } else { 0 };
        self.blocks.push((shared << 4 | short) as u8);
        if short == 0 {
            self.blocks.push(rest.len() as u8);
        }
        self.blocks.extend_from_slice(rest);
        if df == 1 && n_postings.max(n_positions.unwrap_or(0)) <= FEW {
            let sizes = n_postings << 1 | n_positions.unwrap_or(0) << 4;
            self.blocks.push(IS_IN_ONE as u8 | sizes as u8);
        } else {
            write_varint(&mut self.blocks, u64::from(df) << 1);
            write_varint(&mut self.blocks, n_postings);
            n_positions.into_iter().for_each(|size| write_varint(&mut self.blocks, size));
        }
        self.postings += n_postings;
        self.positions += n_positions.unwrap_or(0);
        self.previous.clear();
        self.previous.extend_from_slice(term);
        self.n_terms += 1;
    }

    pub(super) fn n_terms(&self) -> u32 {
        self.n_terms
    }

    /// The index and the dictionary section.
    pub(super) fn finish(self) -> (Vec<u8>, Vec<u8>) {
        (self.index, self.blocks)
    }
}

/// What the dictionary knows of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TermInfo {
    pub(crate) df: u32,
    /// In the postings section.
    pub(crate) postings: Range<usize>,
    /// In the positions section; `None` for terms without positions.
    pub(crate) positions: Option<Range<usize>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Dictionary<'a> {
    pub(super) index: &'a [u8],
    pub(super) blocks: &'a [u8],
}

impl<'a> Dictionary<'a> {
    /// Looks a term up.
    pub(super) fn find(&self, term: &[u8]) -> Option<TermInfo> {
        self.lookup().find(term)
    }

    /// Looks up terms that are near one another.
    pub(super) fn lookup(&self) -> Lookup<'a> {
        Lookup { dictionary: *self, current: None }
    }

    /// The last block whose head is not above the term.
    fn block_of(&self, term: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.n_blocks());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.head(middle) <= term { low = middle + 1 } else { high = middle }
        }
        low.checked_sub(1)
    }

    fn n_blocks(&self) -> usize {
        self.index.len() / INDEX_ENTRY_BYTES
    }

    /// All terms in order.
    pub(super) fn terms(&self) -> Terms<'a> {
        Terms { dictionary: *self, next_block: 0, block: None }
    }

    /// The terms from the block of this one on.
    pub(super) fn terms_from(&self, term: &[u8]) -> Terms<'a> {
        Terms { dictionary: *self, next_block: self.block_of(term).unwrap_or(0), block: None }
    }

    fn head(&self, block: usize) -> &'a [u8] {
        let start = u32_at(self.index, block * INDEX_ENTRY_BYTES) as usize;
        let mut reader = ByteReader::new(self.blocks.get(start..).unwrap_or_default());
        let (_, rest) = lengths(&mut reader);
        reader.take(rest)
    }

    fn block(&self, block: usize) -> Block<'a> {
        let entry = |at: usize| self.index.get(at * INDEX_ENTRY_BYTES..).unwrap_or_default();
        let start = u32_at(entry(block), 0) as usize;
        let next = entry(block + 1);
        let end = if next.is_empty() { self.blocks.len() } else { u32_at(next, 0) as usize };
        Block {
            reader: ByteReader::new(self.blocks.get(start..end).unwrap_or_default()),
            term: [0; MAX_TERM_BYTES],
            term_len: 0,
            n_plain: 0,
            postings: usize::try_from(u64_at(entry(block), 4)).unwrap_or(usize::MAX),
            positions: usize::try_from(u64_at(entry(block), 12)).unwrap_or(usize::MAX),
        }
    }
}

/// Finds terms; one that follows the last one in the same block costs only the way between them.
#[derive(Debug)]
pub(super) struct Lookup<'a> {
    dictionary: Dictionary<'a>,
    /// The block of the last term, its number, and what stands at its place.
    current: Option<(usize, Block<'a>, Option<TermInfo>)>,
}

impl Lookup<'_> {
    pub(super) fn find(&mut self, term: &[u8]) -> Option<TermInfo> {
        let dictionary = self.dictionary;
        let is_here = |number: usize, block: &Block<'_>| {
            block.term() <= term
                && (number + 1 == dictionary.n_blocks() || term < dictionary.head(number + 1))
        };
        if !self.current.as_ref().is_some_and(|(number, block, _)| is_here(*number, block)) {
            let number = dictionary.block_of(term)?;
            let mut block = dictionary.block(number);
            let info = block.next();
            self.current = Some((number, block, info));
        }
        let (_, block, info) = self.current.as_mut()?;
        while info.is_some() {
            match block.term().cmp(term) {
                Ordering::Less => *info = block.next(),
                Ordering::Equal => return info.clone(),
                Ordering::Greater => return None,
            }
        }
        None
    }
}

fn lengths(reader: &mut ByteReader<'_>) -> (usize, usize) {
    let byte = reader.u8() as usize;
    let (shared, short) = (byte >> 4, byte & NIBBLE);
    (shared, if short == 0 { reader.u8() as usize } else { short })
}

/// One block being read; the current term is put together in place.
#[derive(Debug, Clone)]
struct Block<'a> {
    reader: ByteReader<'a>,
    term: [u8; MAX_TERM_BYTES],
    term_len: usize,
    /// So many of its first letters have positions.
    n_plain: usize,
    postings: usize,
    positions: usize,
}

impl Block<'_> {
    fn term(&self) -> &[u8] {
        &self.term[..self.term_len]
    }

    fn next(&mut self) -> Option<TermInfo> {
        if self.reader.is_done() {
            return None;
        }
        let (shared, rest) = lengths(&mut self.reader);
        let rest = self.reader.take(rest);
        let shared = shared.min(self.term_len);
        let n = rest.len().min(MAX_TERM_BYTES - shared);
        self.term[shared..shared + n].copy_from_slice(&rest[..n]);
        self.term_len = shared + n;
        // What is shared with the term before need not be looked at again.
        if self.n_plain >= shared {
            let is_plain = |letter: &&u8| has_positions(std::slice::from_ref(*letter));
            self.n_plain = shared + rest[..n].iter().take_while(is_plain).count();
        }
        let has_positions = self.n_plain == self.term_len;
        let sizes = self.reader.varint();
        let (df, n_postings, n_positions) = if sizes & IS_IN_ONE == 0 {
            let n_postings = self.reader.varint();
            let n_positions = if has_positions { self.reader.varint() } else { 0 };
            (u32::try_from(sizes >> 1).unwrap_or(u32::MAX), n_postings, n_positions)
        } else {
            (1, sizes >> 1 & FEW, sizes >> 4 & FEW)
        };
        let postings = advance(&mut self.postings, n_postings);
        let positions = has_positions.then(|| advance(&mut self.positions, n_positions));
        Some(TermInfo { df, postings, positions })
    }
}

fn advance(at: &mut usize, by: u64) -> Range<usize> {
    let start = *at;
    *at = start.saturating_add(usize::try_from(by).unwrap_or(usize::MAX));
    start..*at
}

/// Walks all terms in order. Not an `Iterator`, because the term is lent out of the walker.
#[derive(Debug)]
pub(crate) struct Terms<'a> {
    dictionary: Dictionary<'a>,
    next_block: usize,
    block: Option<Block<'a>>,
}

impl Terms<'_> {
    /// Goes to the next term.
    pub(crate) fn next(&mut self) -> Option<TermInfo> {
        loop {
            if let Some(info) = self.block.as_mut().and_then(Block::next) {
                return Some(info);
            }
            if self.next_block * INDEX_ENTRY_BYTES >= self.dictionary.index.len() {
                return None;
            }
            self.block = Some(self.dictionary.block(self.next_block));
            self.next_block += 1;
        }
    }

    /// The term that [`Terms::next`] went to.
    pub(crate) fn term(&self) -> &[u8] {
        self.block.as_ref().map_or(&[], Block::term)
    }
}
