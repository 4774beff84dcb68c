//! A syntax tree as a list: every node is followed by what is inside of it.

use std::num::NonZeroU16;
use std::ops::Range;

use tree_sitter::Language;

/// What is seen of a node apart from its place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own")]
pub(super) struct Seen {
    pub(super) kind: u16,
    pub(super) is_named: bool,
    /// May stand anywhere: a comment.
    pub(super) is_extra: bool,
    pub(super) is_error: bool,
    /// Is not in the text, and should be.
    pub(super) is_missing: bool,
    /// Has an error or something missing inside, or is one of these.
    pub(super) has_error: bool,
}

/// Small, because a text has half as many of them as bytes.
#[derive(Debug, Clone, Copy)]
struct Entry {
    kind: u16,
    field: u8,
    flags: u8,
    start: u32,
    end: u32,
    parent: u32,
    /// The place after all that is inside.
    next: u32,
    n_named: u32,
}

const NAMED: u8 = 1;
const EXTRA: u8 = 2;
const ERROR: u8 = 4;
const MISSING: u8 = 8;
const HAS_ERROR: u8 = 16;

impl Seen {
    fn flags(self) -> u8 {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        flag(self.is_named, NAMED)
            | flag(self.is_extra, EXTRA)
            | flag(self.is_error, ERROR)
            | flag(self.is_missing, MISSING)
            | flag(self.has_error, HAS_ERROR)
    }
}

/// A syntax tree.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    entries: Vec<Entry>,
    language: Language,
}

impl Tree {
    pub(super) fn root_node(&self) -> Node<'_> {
        Node { tree: self, at: 0 }
    }

    pub(super) fn walk(&self) -> Cursor<'_> {
        self.root_node().walk()
    }

    /// Ends what goes beyond the end of the text.
    pub(super) fn end_at(&mut self, len: usize) {
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        if self.entries.first().is_some_and(|root| root.end > len) {
            for entry in &mut self.entries {
                entry.start = entry.start.min(len);
                entry.end = entry.end.min(len);
            }
        }
    }
}

/// A node of a tree.
#[derive(Clone, Copy)]
pub(super) struct Node<'tree> {
    tree: &'tree Tree,
    at: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && std::ptr::eq(self.tree, other.tree)
    }
}

impl Eq for Node<'_> {}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "node {} of kind {} at {:?}", self.at, self.kind_id(), self.byte_range())
    }
}

impl<'tree> Node<'tree> {
    fn entry(self) -> &'tree Entry {
        &self.tree.entries[self.at as usize]
    }

    fn to(self, at: u32) -> Self {
        Self { tree: self.tree, at }
    }

    /// A number that no other node of the tree has.
    pub(super) fn id(self) -> usize {
        self.at as usize
    }

    pub(super) fn kind_id(self) -> u16 {
        self.entry().kind
    }

    /// The name of its kind.
    pub(super) fn kind(self) -> &'tree str {
        self.tree.language.node_kind_for_id(self.kind_id()).unwrap_or_default()
    }

    pub(super) fn start_byte(self) -> usize {
        self.entry().start as usize
    }

    pub(super) fn end_byte(self) -> usize {
        self.entry().end as usize
    }

    pub(super) fn byte_range(self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    pub(super) fn is_named(self) -> bool {
        self.entry().flags & NAMED != 0
    }

    pub(super) fn is_extra(self) -> bool {
        self.entry().flags & EXTRA != 0
    }

    pub(super) fn is_error(self) -> bool {
        self.entry().flags & ERROR != 0
    }

    pub(super) fn is_missing(self) -> bool {
        self.entry().flags & MISSING != 0
    }

    pub(super) fn has_error(self) -> bool {
        self.entry().flags & HAS_ERROR != 0
    }

    pub(super) fn child_count(self) -> usize {
        self.children().count()
    }

    pub(super) fn named_child_count(self) -> usize {
        self.entry().n_named as usize
    }

    /// The field of its parent that it is in.
    pub(super) fn field_id(self) -> Option<NonZeroU16> {
        NonZeroU16::new(self.entry().field.into())
    }

    pub(super) fn parent(self) -> Option<Self> {
        (self.at > 0).then(|| self.to(self.entry().parent))
    }

    pub(super) fn children(self) -> Children<'tree> {
        Children { tree: self.tree, next: self.at + 1, end: self.entry().next }
    }

    pub(super) fn named_children(self) -> impl Iterator<Item = Self> {
        self.children().filter(|child| child.is_named())
    }

    pub(super) fn child(self, at: usize) -> Option<Self> {
        self.children().nth(at)
    }

    pub(super) fn named_child(self, at: usize) -> Option<Self> {
        self.named_children().nth(at)
    }

    /// The first child in a field.
    pub(super) fn child_by_field_id(self, field: u16) -> Option<Self> {
        self.children().find(|child| u16::from(child.entry().field) == field)
    }

    pub(super) fn child_by_field_name(self, field: &str) -> Option<Self> {
        let field = self.tree.language.field_id_for_name(field)?;
        self.child_by_field_id(field.get())
    }

    pub(super) fn walk(self) -> Cursor<'tree> {
        Cursor { root: self, node: self }
    }
}

/// The children of a node, in order.
#[derive(Clone)]
pub(super) struct Children<'tree> {
    tree: &'tree Tree,
    next: u32,
    end: u32,
}

impl<'tree> Iterator for Children<'tree> {
    type Item = Node<'tree>;

    fn next(&mut self) -> Option<Node<'tree>> {
        if self.next >= self.end {
            return None;
        }
        let node = Node { tree: self.tree, at: self.next };
        self.next = node.entry().next;
        Some(node)
    }
}

/// Goes from node to node, but not out of the one where it began.
#[derive(Clone)]
pub(super) struct Cursor<'tree> {
    root: Node<'tree>,
    node: Node<'tree>,
}

impl<'tree> Cursor<'tree> {
    pub(super) fn node(&self) -> Node<'tree> {
        self.node
    }

    pub(super) fn goto_first_child(&mut self) -> bool {
        let first = self.node.children().next();
        self.node = first.unwrap_or(self.node);
        first.is_some()
    }

    pub(super) fn goto_next_sibling(&mut self) -> bool {
        if self.node == self.root {
            return false;
        }
        let entry = self.node.entry();
        let has_next = entry.next < self.node.to(entry.parent).entry().next;
        if has_next {
            self.node = self.node.to(entry.next);
        }
        has_next
    }

    pub(super) fn goto_parent(&mut self) -> bool {
        if self.node == self.root {
            return false;
        }
        self.node = self.node.to(self.node.entry().parent);
        true
    }
}

/// Makes a tree, node by node.
#[derive(Debug, Default)]
pub(super) struct Builder {
    entries: Vec<Entry>,
    open: Vec<u32>,
}

impl Builder {
    /// With room for so many nodes.
    pub(super) fn for_nodes(n_nodes: usize) -> Self {
        Self { entries: Vec::with_capacity(n_nodes), open: Vec::new() }
    }

    /// A child of the node that was opened last and is not closed.
    pub(super) fn open(&mut self, seen: Seen, field: u16, start: u32, end: u32) {
        let at = self.len();
        self.add(seen, field, start, end, 0);
        self.open.push(at);
    }

    /// As [`Builder::open`], for a node without children.
    pub(super) fn leaf(&mut self, seen: Seen, field: u16, start: u32, end: u32) {
        self.add(seen, field, start, end, self.len() + 1);
    }

    fn add(&mut self, seen: Seen, field: u16, start: u32, end: u32, next: u32) {
        let parent = self.open.last().copied().unwrap_or_default();
        if let Some(parent) = self.entries.get_mut(parent as usize) {
            parent.n_named += u32::from(seen.is_named);
        }
        // No grammar has so many fields; a test looks at those there are.
        let field = u8::try_from(field).unwrap_or_default();
        let (kind, flags) = (seen.kind, seen.flags());
        self.entries.push(Entry { kind, field, flags, start, end, parent, next, n_named: 0 });
    }

    pub(super) fn close(&mut self) {
        let next = self.len();
        if let Some(entry) = self.open.pop().and_then(|at| self.entries.get_mut(at as usize)) {
            entry.next = next;
        }
    }

    pub(super) fn finish(self, language: &Language) -> Tree {
        Tree { entries: self.entries, language: language.clone() }
    }

    /// Texts are far smaller than 4 GiB.
    fn len(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }
}
