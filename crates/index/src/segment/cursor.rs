//! Walking the documents of one term forward, decoding only the blocks that are asked for.

use std::ops::Range;

use crate::document::is_in_opening;
use crate::fields::Field;

use super::BLOCK;
use super::postings::PostingList;
use super::reader::Lengths;

/// Walks a list forward, one decoded block at a time.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    list: PostingList<'a>,
    /// The block that holds or follows the place asked for last.
    block: usize,
    /// Which block is decoded.
    decoded: Option<usize>,
    docs: Vec<u32>,
    weighted: Vec<u32>,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(list: PostingList<'a>) -> Self {
        let (docs, weighted) = (Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK));
        Self { list, block: 0, decoded: None, docs, weighted, at: 0 }
    }

    pub(crate) fn list(&self) -> &PostingList<'a> {
        &self.list
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

    /// Every posting from `start` up to before `end`, in order; the cursor stands behind them afterwards.
    pub(crate) fn for_each_in(&mut self, start: u32, end: u32, mut each: impl FnMut(u32, u32)) {
        self.seek_block(start);
        while self.decode() {
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

/// Tells where a term stands inside documents; for phrases and exclusions.
#[derive(Debug)]
pub(crate) struct PositionCursor<'a> {
    cursor: Cursor<'a>,
    decoded: Option<usize>,
    keys: Vec<u32>,
    /// Where the keys of each posting of the decoded block end.
    ends: Vec<usize>,
    current: Range<usize>,
}

impl<'a> PositionCursor<'a> {
    pub(crate) fn new(list: PostingList<'a>) -> Self {
        let cursor = Cursor::new(list);
        Self { cursor, decoded: None, keys: Vec::new(), ends: Vec::new(), current: 0..0 }
    }

    /// Whether a document has the term. Documents must be asked for in rising order.
    pub(crate) fn contains(&mut self, doc: u32) -> bool {
        self.cursor.find(doc).is_some()
    }

    /// Goes to a document. Documents must be asked for in rising order.
    pub(crate) fn seek(&mut self, doc: u32, lengths: Lengths<'_>) {
        self.current = 0..0;
        if !self.contains(doc) {
            return;
        }
        if self.decoded != Some(self.cursor.block) {
            self.decode(lengths);
        }
        let at = self.cursor.at;
        let start = if at == 0 { 0 } else { self.ends.get(at - 1).copied().unwrap_or(0) };
        self.current = start..self.ends.get(at).copied().unwrap_or(start);
    }

    /// Whether the term stands in the opening of the comments of a document. Documents must be asked for in rising order.
    pub(crate) fn is_in_opening(&mut self, doc: u32, lengths: Lengths<'_>) -> bool {
        // Reading positions is slow, and few occurrences are in comments: those count more than one.
        if self.cursor.find(doc).is_none_or(|weighted| weighted < Field::Doc.weight()) {
            return false;
        }
        self.seek(doc, lengths);
        self.keys().iter().any(|key| is_in_opening(*key))
    }

    /// The rising keys (field and position) of the term in the document that was gone to.
    pub(crate) fn keys(&self) -> &[u32] {
        self.keys.get(self.current.clone()).unwrap_or_default()
    }

    fn decode(&mut self, lengths: Lengths<'_>) {
        self.decoded = Some(self.cursor.block);
        let list = &self.cursor.list;
        match list.blocks().get(self.cursor.block) {
            Some(block) => list.read_block_keys(block, lengths, &mut self.keys, &mut self.ends),
            None => self.ends.clear(),
        }
    }
}
