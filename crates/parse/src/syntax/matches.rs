//! What patterns have found: matches, and the ways to match of which they are made.

use std::cmp::Reverse;

use super::ast::Node;

/// What one pattern may find at one node; real sources stay far below.
pub(super) const MAX_WAYS: usize = 4096;

/// A node with the capture that it was found under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Captured<'tree> {
    pub(super) index: u32,
    pub(super) node: Node<'tree>,
}

/// One way in which a pattern matches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Match<'m, 'tree> {
    pub(super) pattern_index: usize,
    /// What was captured, outer nodes first, then in the order of the text.
    pub(super) captures: &'m [Captured<'tree>],
}

/// All that some patterns have found.
#[derive(Debug, Default)]
pub(super) struct Matches<'tree> {
    captures: Vec<Captured<'tree>>,
    /// The pattern of each match, and where its captures end.
    each: Vec<(usize, usize)>,
}

impl<'tree> Matches<'tree> {
    pub(super) fn add(&mut self, pattern_index: usize, captures: &[Captured<'tree>]) {
        self.captures.extend_from_slice(captures);
        self.each.push((pattern_index, self.captures.len()));
    }

    pub(super) fn clear(&mut self) {
        self.captures.clear();
        self.each.clear();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Match<'_, 'tree>> {
        let mut start = 0;
        self.each.iter().map(move |(pattern_index, end)| {
            let captures = self.captures.get(start..*end).unwrap_or_default();
            start = *end;
            Match { pattern_index: *pattern_index, captures }
        })
    }
}

/// Where a way ends: of two ways, the one that is complete earlier in the text comes first.
pub(super) type End = (usize, Reverse<usize>);

/// All ways in which a node matches a shape.
#[derive(Default)]
pub(super) struct Ways<'tree> {
    captures: Vec<Captured<'tree>>,
    /// Where the captures of each way end, and where the way does.
    each: Vec<(usize, End)>,
    pub(super) is_one_enough: bool,
}

impl<'tree> Ways<'tree> {
    pub(super) fn add(&mut self, captures: &[Captured<'tree>], end: End) {
        self.captures.extend_from_slice(captures);
        self.each.push((self.captures.len(), end));
    }

    pub(super) fn clear(&mut self) {
        self.captures.clear();
        self.each.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.each.len()
    }

    pub(super) fn are_enough(&self) -> bool {
        self.each.len() >= if self.is_one_enough { 1 } else { MAX_WAYS }
    }

    pub(super) fn captures(&self, way: usize) -> &[Captured<'tree>] {
        let end = self.each.get(way).map_or(0, |(end, _)| *end);
        let start = way.checked_sub(1).and_then(|before| self.each.get(before));
        self.captures.get(start.map_or(0, |(end, _)| *end)..end).unwrap_or_default()
    }

    pub(super) fn end(&self, way: usize) -> Option<End> {
        self.each.get(way).map(|(_, end)| *end)
    }
}
