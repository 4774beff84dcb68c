//! The children of a node, of one of them, and so on, read from the tree when they are first asked for.
//!
//! A walk over a tree and the patterns that are tried on its way share them: a move in the tree costs far more than a
//! look at what was read.

use std::num::NonZeroU16;

use tree_sitter::{Node, TreeCursor};

use super::pattern::Marks;

/// So many children are faster asked for one by one than reached by passing all that stands between them.
const FEW: usize = 5;

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
    cursor: TreeCursor<'tree>,
    children: Vec<Child<'tree>>,
    n_children: usize,
    /// Of all children, once a pattern has asked.
    marks: Option<Marks>,
    extent: Extent,
    /// How many of the children a walk has taken.
    n_taken: usize,
}

/// What is read of the children of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    All,
    /// All but the fields that they are in.
    WithoutFields,
    /// Those with a name, without fields.
    NamedOnly,
}

impl<'tree> Levels<'tree> {
    /// Makes a node the one whose children are at that depth; the same one again costs nothing.
    pub(super) fn open(&mut self, depth: usize, parent: Node<'tree>) {
        match self.0.get_mut(depth) {
            Some(level) if level.parent == parent && level.extent == Extent::All => {},
            Some(level) => level.begin(parent, Extent::All),
            None => self.0.push(Level::new(parent)),
        }
    }

    /// Begins a walk over the children of a node. Those without a name, and fields, are there only if asked for.
    pub(super) fn enter(&mut self, depth: usize, parent: Node<'tree>, with_fields: bool) {
        match self.0.get_mut(depth) {
            Some(level) if level.parent != parent && !with_fields => {
                let is_few = parent.named_child_count() <= FEW;
                level.begin(parent, if is_few { Extent::NamedOnly } else { Extent::WithoutFields });
            },
            _ => self.open(depth, parent),
        }
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
        if level.extent != Extent::NamedOnly {
            return known.iter().rev().take(most).map(|child| child.node).collect();
        }
        let taken = level.children.get(last).map(|child| child.node);
        let mut cursor = level.parent.walk();
        let all = level.parent.children(&mut cursor);
        let mut before: Vec<_> = all.take_while(|node| Some(*node) != taken).collect();
        before.reverse();
        before.truncate(most);
        before
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
        Self {
            parent,
            cursor: parent.walk(),
            children: Vec::new(),
            n_children: parent.child_count() as usize,
            marks: None,
            extent: Extent::All,
            n_taken: 0,
        }
    }

    fn begin(&mut self, parent: Node<'tree>, extent: Extent) {
        self.parent = parent;
        self.extent = extent;
        self.marks = None;
        self.children.clear();
        if extent == Extent::NamedOnly {
            self.n_children = parent.named_child_count();
        } else {
            self.n_children = parent.child_count() as usize;
            self.cursor.reset(parent);
        }
    }

    fn child(&mut self, at: usize) -> Option<Child<'tree>> {
        while self.children.len() <= at && self.read_next() {}
        self.children.get(at).copied()
    }

    /// Reads one child more; `false` where there is none.
    fn read_next(&mut self) -> bool {
        let n_read = self.children.len();
        if n_read >= self.n_children {
            return false;
        }
        if self.extent == Extent::NamedOnly {
            let node = u32::try_from(n_read).ok().and_then(|idx| self.parent.named_child(idx));
            return node.is_some_and(|node| self.add(node, None));
        }
        let has_next = if n_read == 0 {
            self.cursor.goto_first_child()
        } else {
            self.cursor.goto_next_sibling()
        };
        if !has_next {
            self.n_children = n_read;
            return false;
        }
        let node = self.cursor.node();
        let field = if self.extent == Extent::All { self.cursor.field_id() } else { None };
        self.add(node, field)
    }

    fn add(&mut self, node: Node<'tree>, field: Option<NonZeroU16>) -> bool {
        self.children.push(Child { node, kind: node.kind_id(), field });
        true
    }
}
