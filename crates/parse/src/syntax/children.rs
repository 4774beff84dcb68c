//! The children of a node, of one of them, and so on, read from the tree when they are first asked for.

use std::num::NonZeroU16;

use tree_sitter::{Node, TreeCursor};

use super::pattern::Marks;

/// A node below another one.
#[derive(Clone, Copy)]
pub(super) struct Child<'tree> {
    pub(super) node: Node<'tree>,
    pub(super) kind: u16,
    pub(super) field: Option<NonZeroU16>,
    pub(super) is_named: bool,
}

/// The children of one node at every depth.
#[derive(Default)]
pub(super) struct Levels<'tree>(Vec<Level<'tree>>);

/// The children of a node as far as they were asked for.
struct Level<'tree> {
    parent: Node<'tree>,
    cursor: TreeCursor<'tree>,
    children: Vec<Child<'tree>>,
    marks: Marks,
    is_complete: bool,
}

impl<'tree> Levels<'tree> {
    /// Makes a node the one whose children are at that depth; the same one again costs nothing.
    pub(super) fn open(&mut self, depth: usize, parent: Node<'tree>) {
        if let Some(level) = self.0.get_mut(depth) {
            if level.parent != parent {
                level.cursor.reset(parent);
                level.parent = parent;
                level.children.clear();
                level.marks = Marks::default();
                level.is_complete = false;
            }
        } else {
            let cursor = parent.walk();
            let marks = Marks::default();
            self.0.push(Level { parent, cursor, children: Vec::new(), marks, is_complete: false });
        }
    }

    /// What all of the children at that depth are.
    pub(super) fn marks(&mut self, depth: usize) -> Marks {
        let Some(level) = self.0.get_mut(depth) else { return Marks::default() };
        while level.read_next() {}
        level.marks
    }

    pub(super) fn child(&mut self, depth: usize, at: usize) -> Option<Child<'tree>> {
        self.0.get_mut(depth)?.child(at)
    }
}

impl<'tree> Level<'tree> {
    fn child(&mut self, at: usize) -> Option<Child<'tree>> {
        while self.children.len() <= at && self.read_next() {}
        self.children.get(at).copied()
    }

    /// Reads one child more; `false` where there is none.
    fn read_next(&mut self) -> bool {
        if self.is_complete {
            return false;
        }
        let has_next = if self.children.is_empty() {
            self.cursor.goto_first_child()
        } else {
            self.cursor.goto_next_sibling()
        };
        if has_next {
            let node = self.cursor.node();
            let (kind, field) = (node.kind_id(), self.cursor.field_id());
            self.marks.add(kind, field);
            self.children.push(Child { node, kind, field, is_named: node.is_named() });
        }
        self.is_complete = !has_next;
        has_next
    }
}
