//! Walking the documents of one term forward, decoding only the blocks that are asked for.

use crate::bits::BitReader;
use crate::document::is_in_opening;
use crate::fields::{Field, Frequencies};

use super::BLOCK;
use super::postings::PostingList;
use super::reader::Lengths;

/// Walks a list forward, one decoded block at a time.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    list: &'a PostingList<'a>,
    /// The block that holds or follows the place asked for last.
    block: usize,
    /// Which block is decoded.
    decoded: Option<usize>,
    docs: Vec<u32>,
    weighted: Vec<u32>,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(list: &'a PostingList<'a>) -> Self {
        let (docs, weighted) = (Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK));
        Self { list, block: 0, decoded: None, docs, weighted, at: 0 }
    }

    pub(crate) fn list(&self) -> &'a PostingList<'a> {
        self.list
    }

    /// Goes to the first block that can hold `doc` or a later one; returns its number.
    #[inline]
    pub(crate) fn seek_block(&mut self, doc: u32) -> usize {
        while self.list.blocks().get(self.block).is_some_and(|block| block.last < doc) {
            self.block += 1;
        }
        self.block
    }

    fn decode(&mut self) -> bool {
        let Some(block) = self.list.blocks().get(self.block) else { return false };
        if self.decoded != Some(self.block) {
            self.list.read_block(block, &mut self.docs, &mut self.weighted);
            self.decoded = Some(self.block);
            self.at = 0;
        }
        true
    }

    /// The weighted frequency in a document. Documents must be asked for in rising order.
    pub(crate) fn find(&mut self, doc: u32) -> Option<u32> {
        self.seek_block(doc);
        if !self.decode() {
            return None;
        }
        while self.docs.get(self.at).is_some_and(|&found| found < doc) {
            self.at += 1;
        }
        (self.docs.get(self.at) == Some(&doc)).then(|| self.weighted[self.at])
    }

    /// Every posting from `start` up to before `end`, in order; the cursor stands behind them afterwards. A block is left
    /// out where nobody wants anything from its first to its last document in that range.
    pub(crate) fn for_each_in(
        &mut self,
        start: u32,
        end: u32,
        is_wanted: impl Fn(u32, u32) -> bool,
        mut each: impl FnMut(u32, u32),
    ) {
        self.seek_block(start);
        while let Some(block) = self.list.blocks().get(self.block) {
            if !is_wanted(block.first.max(start), block.last.min(end - 1)) {
                if block.last >= end {
                    return;
                }
                self.block += 1;
                continue;
            }
            self.decode();
            while let Some(&doc) = self.docs.get(self.at) {
                if doc >= end {
                    return;
                }
                if doc >= start {
                    each(doc, self.weighted[self.at]);
                }
                self.at += 1;
            }
            self.block += 1;
        }
    }
}

/// Tells where a term stands inside documents; for phrases, exclusions and openings.
#[derive(Debug)]
pub(crate) struct PositionCursor<'a> {
    cursor: Cursor<'a>,
    /// Which block is decoded.
    decoded: Option<usize>,
    /// Its documents, and how often they have the term in each field.
    postings: Vec<(u32, Frequencies)>,
    /// The positions of the `n_read`th of them and those behind it: they can only be read one after the other.
    bits: BitReader<'a>,
    n_read: usize,
    /// The keys of the last document that was read, where that is the one that was gone to.
    keys: Vec<u32>,
}

impl<'a> PositionCursor<'a> {
    pub(crate) fn new(list: &'a PostingList<'a>) -> Self {
        let (postings, keys) = (Vec::new(), Vec::new());
        let bits = BitReader::new(&[]);
        Self { cursor: Cursor::new(list), decoded: None, postings, bits, n_read: 0, keys }
    }

    /// Whether a document has the term. Documents must be asked for in rising order.
    pub(crate) fn contains(&mut self, doc: u32) -> bool {
        self.cursor.find(doc).is_some()
    }

    /// Goes to a document. Documents must be asked for in rising order.
    pub(crate) fn seek(&mut self, doc: u32, lengths: Lengths<'_>) {
        if !self.contains(doc) {
            self.keys.clear();
            return;
        }
        self.read_to(doc, lengths);
    }

    /// Reads the positions of the block that the cursor is in up to those of a document, which is there.
    fn read_to(&mut self, doc: u32, lengths: Lengths<'_>) {
        self.decode();
        while let Some((read, frequencies)) = self.postings.get(self.n_read)
            && *read <= doc
        {
            self.keys.clear();
            self.cursor.list.read_keys(&mut self.bits, *read, frequencies, lengths, &mut self.keys);
            self.n_read += 1;
        }
    }

    /// Whether the term stands in the opening of the comments of a document. Documents must be asked for in rising order.
    pub(crate) fn is_in_opening(&mut self, doc: u32, lengths: Lengths<'_>) -> bool {
        // Reading positions is slow, and few occurrences are in comments.
        let block = self.cursor.seek_block(doc);
        let frequencies = if self.decoded == Some(block) {
            let at = self.postings.binary_search_by_key(&doc, |(read, _)| *read);
            at.ok().map(|at| self.postings[at].1)
        } else {
            let block = self.cursor.list.blocks().get(block);
            block.and_then(|block| self.cursor.list.frequencies(block, doc))
        };
        if frequencies.is_none_or(|frequencies| frequencies[Field::Doc.index()] == 0) {
            return false;
        }
        self.read_to(doc, lengths);
        self.keys().iter().any(|key| is_in_opening(*key))
    }

    /// The rising keys (field and position) of the term in the document that was gone to.
    pub(crate) fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// Reads the postings of the block that the cursor is in.
    fn decode(&mut self) {
        let Self { cursor, postings, .. } = self;
        if self.decoded == Some(cursor.block) {
            return;
        }
        self.decoded = Some(cursor.block);
        postings.clear();
        self.n_read = 0;
        if let Some(block) = cursor.list.blocks().get(cursor.block) {
            self.bits = cursor.list.read_frequencies(block, postings);
        }
    }
}
