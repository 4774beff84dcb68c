//! Divides the lines of a file along its items into pieces: whole small items, parts of large ones, what lies between.

use std::ops::Range;

use super::{ALONE_MIN, JOIN_MAX, STRAY_MAX, TARGET_MAX, split};
use crate::chunk::ChunkKind;
use crate::line_table::LineTable;
use crate::outline::{Item, Outline, Zone};

/// Lines that stay together.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) lines: Range<usize>,
    /// The items that these lines define, as a range of [`Outline::items`]; empty for stray lines.
    pub(super) items: Range<usize>,
    /// The item that encloses the lines; pieces of different owners are never joined.
    pub(super) owner: Option<usize>,
    pub(super) zone: Zone,
    pub(super) standing: Standing,
    /// Whether it is the first part of its item, the one that holds its documentation.
    pub(super) is_first_part: bool,
}

/// How a piece gets along with its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Is a chunk by itself.
    Alone,
    /// May be joined with small neighbours of the same owner.
    Joins,
    /// Too small to be a chunk: goes with the next piece.
    LeansForward,
    /// Too small to be a chunk: goes with the piece before.
    LeansBack,
}

/// The pieces of a file, in order, without gaps other than blank lines.
pub(super) fn pieces(lines: &LineTable<'_>, outline: &Outline) -> Vec<Piece> {
    let mut maker = Maker { lines, outline, pieces: Vec::new() };
    maker.divide(0..lines.count(), 0..outline.items.len(), None, Zone::Product);
    maker.pieces
}

struct Maker<'a, 't> {
    lines: &'a LineTable<'t>,
    outline: &'a Outline,
    pieces: Vec<Piece>,
}

impl Maker<'_, '_> {
    /// Divides the inside of an item, or the whole file, along the items that lie in it.
    ///
    /// The depth of nesting is limited by the structure readers.
    fn divide(
        &mut self,
        range: Range<usize>,
        items: Range<usize>,
        owner: Option<usize>,
        zone: Zone,
    ) {
        let mut line = range.start;
        let mut idx = items.start;
        let mut seen_item = false;
        while idx < items.end {
            let item = &self.outline.items[idx];
            let (item_start, next) = (item.lines.start, item.end.max(idx + 1));
            let between = line..item_start.max(line);
            match owner {
                Some(owner) if !seen_item => self.opening(between, owner, zone),
                _ => self.stray(between, owner, zone, Standing::LeansForward),
            }
            self.item(idx, owner);
            line = line.max(item.lines.end);
            idx = next;
            seen_item = true;
        }
        self.stray(line..range.end.max(line), owner, zone, Standing::LeansBack);
    }

    fn item(&mut self, idx: usize, owner: Option<usize>) {
        let item = &self.outline.items[idx];
        let size = self.lines.size(&item.lines);
        if self.stays_whole(idx, item, size) {
            let standing = if size >= ALONE_MIN && !item.name.is_empty() {
                Standing::Alone
            } else {
                Standing::Joins
            };
            self.parts(item.lines.clone(), idx..item.end.max(idx + 1), owner, item.zone, standing);
        } else {
            self.divide(item.lines.clone(), idx + 1..item.end, Some(idx), item.zone);
        }
    }

    /// Whether an item is kept together with all items inside it.
    fn stays_whole(&self, idx: usize, item: &Item, size: usize) -> bool {
        let inner = self.outline.items.get(idx + 1..item.end).unwrap_or_default();
        if inner.is_empty() {
            return true;
        }
        if inner.iter().any(|inner| inner.zone == Zone::Output && item.zone != Zone::Output) {
            return false;
        }
        if item.kind == ChunkKind::Function {
            return size <= TARGET_MAX;
        }
        size <= JOIN_MAX && inner.iter().all(|inner| self.lines.size(&inner.lines) < ALONE_MIN)
    }

    /// The lines of a container before its first item: its head, its documentation, its fields.
    fn opening(&mut self, range: Range<usize>, owner: usize, zone: Zone) {
        let range = self.lines.trim(range);
        if range.is_empty() {
            return;
        }
        if self.lines.size(&range) < STRAY_MAX {
            self.push(range, 0..0, Some(owner), zone, Standing::LeansForward);
        } else {
            self.parts(range, owner..owner + 1, Some(owner), zone, Standing::Joins);
        }
    }

    /// Lines between items.
    fn stray(&mut self, range: Range<usize>, owner: Option<usize>, zone: Zone, lean: Standing) {
        let range = self.lines.trim(range);
        let has_items = !self.outline.items.is_empty();
        if range.is_empty() {
        } else if has_items && self.lines.size(&range) < STRAY_MAX {
            self.push(range, 0..0, owner, zone, lean);
        } else {
            for paragraph in split::paragraphs(self.lines, self.outline, range) {
                self.parts(paragraph, 0..0, owner, zone, Standing::Joins);
            }
        }
    }

    /// One piece, or several where it is too long for one.
    fn parts(
        &mut self,
        range: Range<usize>,
        items: Range<usize>,
        owner: Option<usize>,
        zone: Zone,
        standing: Standing,
    ) {
        if self.lines.size(&range) <= TARGET_MAX {
            return self.push(range, items, owner, zone, standing);
        }
        // Only the item itself is named on its parts: which of the inner items a part holds is not known.
        let named = items.start..items.end.min(items.start + 1);
        let first = self.pieces.len();
        for part in split::split(self.lines, self.outline, range) {
            self.push(part, named.clone(), owner, zone, Standing::Alone);
        }
        for piece in self.pieces.iter_mut().skip(first + 1) {
            piece.is_first_part = false;
        }
    }

    fn push(
        &mut self,
        lines: Range<usize>,
        items: Range<usize>,
        owner: Option<usize>,
        zone: Zone,
        standing: Standing,
    ) {
        let lines = self.lines.trim(lines);
        if !lines.is_empty() {
            self.pieces.push(Piece { lines, items, owner, zone, standing, is_first_part: true });
        }
    }
}
