//! The children of a node, of one of them, and so on, read from the tree when they are first asked for.
//!
//! A walk over a tree and the patterns that are tried on its way share them.

use std::num::NonZeroU16;

use super::ast::{Children, Node};
use super::pattern::Marks;

/// A node below another one.
#[derive(Clone, Copy)]
pub(super) struct Child<'tree> {
    pub(super) node: Node<'tree>,
    pub(super) kind: u16,
    pub(super) field: Option<NonZeroU16>,
}

/// The children of one node at every depth.
#[derive(Default)]
pub(super) struct Levels<'tree>(Vec<Level<'tree>>);

/// The children of a node as far as they were asked for.
struct Level<'tree> {
    parent: Node<'tree>,
    children: Vec<Child<'tree>>,
    rest: Children<'tree>,
    /// Of all children, once a pattern has asked.
    marks: Option<Marks>,
    /// How many of the children a walk has taken.
    n_taken: usize,
}

impl<'tree> Levels<'tree> {
    /// Makes a node the one whose children are at that depth; the same one again costs nothing.
    pub(super) fn open(&mut self, depth: usize, parent: Node<'tree>) {
        match self.0.get_mut(depth) {
            Some(level) if level.parent == parent => {},
            Some(level) => level.begin(parent),
            None => self.0.push(Level::new(parent)),
        }
    }

    /// Begins a walk over the children of a node.
    pub(super) fn enter(&mut self, depth: usize, parent: Node<'tree>) {
        self.open(depth, parent);
        if let Some(level) = self.0.get_mut(depth) {
            level.n_taken = 0;
        }
    }

    /// The next child of a walk.
    pub(super) fn take(&mut self, depth: usize) -> Option<Child<'tree>> {
        let level = self.0.get_mut(depth)?;
        let child = level.child(level.n_taken)?;
        level.n_taken += 1;
        Some(child)
    }

    /// The nodes that stand before the one that a walk took last, the nearest first, but no more than so many.
    pub(super) fn before(&self, depth: usize, most: usize) -> Vec<Node<'tree>> {
        let Some(level) = self.0.get(depth) else { return Vec::new() };
        let Some(last) = level.n_taken.checked_sub(1) else { return Vec::new() };
        let known = level.children.get(..last).unwrap_or_default();
        known.iter().rev().take(most).map(|child| child.node).collect()
    }

    /// The node whose children are at that depth.
    pub(super) fn parent(&self, depth: usize) -> Option<Node<'tree>> {
        self.0.get(depth).map(|level| level.parent)
    }

    pub(super) fn child(&mut self, depth: usize, at: usize) -> Option<Child<'tree>> {
        self.0.get_mut(depth)?.child(at)
    }

    /// What all of the children at that depth are.
    pub(super) fn marks(&mut self, depth: usize) -> Marks {
        let Some(level) = self.0.get_mut(depth) else { return Marks::default() };
        if let Some(marks) = level.marks {
            return marks;
        }
        while level.read_next() {}
        let mut marks = Marks::default();
        level.children.iter().for_each(|child| marks.add(child.kind, child.field));
        *level.marks.insert(marks)
    }
}

impl<'tree> Level<'tree> {
    fn new(parent: Node<'tree>) -> Self {
        let (children, rest) = (Vec::new(), parent.children());
        Self { parent, children, rest, marks: None, n_taken: 0 }
    }

    fn begin(&mut self, parent: Node<'tree>) {
        self.parent = parent;
        self.rest = parent.children();
        self.marks = None;
        self.children.clear();
    }

    fn child(&mut self, at: usize) -> Option<Child<'tree>> {
        while self.children.len() <= at && self.read_next() {}
        self.children.get(at).copied()
    }

    /// Reads one child more; `false` where there is none.
    fn read_next(&mut self) -> bool {
        let next = self.rest.next();
        let child =
            |node: Node<'tree>| Child { node, kind: node.kind_id(), field: node.field_id() };
        self.children.extend(next.map(child));
        next.is_some()
    }
}
