//! What the pattern files of a language ask for, resolved against its grammar once.
//!
//! The files are written in a part of tree-sitter's query language. Its own compiler also proves which patterns can
//! match, by walking the parse tables of the grammar; that takes longer than reading most files does.

mod kinds;
mod marks;
mod predicate;
mod scanner;
mod text;

use std::num::NonZeroU16;

pub(super) use marks::Marks;
pub(super) use predicate::{Predicate, Wording};
pub(super) use text::PatternError;
use text::Source;

/// A node of a tree that is about an error has this kind in every grammar.
pub(super) const ERROR: u16 = u16::MAX;

/// The patterns of one or more files, in order.
#[derive(Debug)]
pub(super) struct Patterns {
    pub(super) list: Vec<Pattern>,
    capture_names: Vec<&'static str>,
    /// Every regular expression that a predicate of the list refers to.
    pub(super) wordings: Vec<Wording>,
    /// Which patterns may start at a node of each kind, by kind id.
    by_kind: Vec<Vec<usize>>,
    /// Which kinds are more than a sign or a keyword, by kind id.
    named: Vec<bool>,
}

/// One pattern: it is about one node and what has to be inside it.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The ways to write the node; usually one.
    pub(super) shapes: Vec<Shape>,
    pub(super) predicates: Vec<Predicate>,
    /// Whether the same node may match in ways of which one says no more than another.
    pub(super) may_overlap: bool,
}

/// A node and what has to be inside it.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) field: Option<NonZeroU16>,
    /// The fields that no child may be in.
    pub(super) without: Vec<u16>,
    pub(super) captures: Vec<u32>,
    pub(super) items: Vec<Item>,
    /// Whether it or anything inside it is captured.
    pub(super) has_captures: bool,
    /// What there has to be among the children, for the outermost shapes of a pattern.
    pub(super) needs: Vec<Marks>,
}

/// What kind of node is meant.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `_`: all but errors.
    Any,
    /// `(_)`: all that have a name, but no errors.
    Named,
    /// A kind by its id.
    Is(u16),
    /// One of the kinds that an abstract one stands for, sorted.
    OneOf(Vec<u16>),
}

/// Something among the children of a node.
#[derive(Debug)]
pub(super) struct Item {
    /// The alternatives; usually one.
    pub(super) shapes: Vec<Shape>,
    pub(super) times: Times,
    /// Nothing with a name stands between it and what comes before it in the pattern, or the start.
    pub(super) is_next: bool,
    /// Nothing with a name follows it.
    pub(super) is_last: bool,
    /// The first child that fits is as good as any later one.
    pub(super) is_settled_by_first: bool,
}

/// How often an item stands among the children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Times {
    Once,
    AtMostOnce,
    AnyNumber,
    AtLeastOnce,
}

impl Times {
    pub(super) fn may_be_none(self) -> bool {
        matches!(self, Self::AtMostOnce | Self::AnyNumber)
    }

    pub(super) fn may_be_many(self) -> bool {
        matches!(self, Self::AnyNumber | Self::AtLeastOnce)
    }
}

impl Kind {
    pub(super) fn fits(&self, kind: u16, patterns: &Patterns) -> bool {
        match self {
            Self::Any => kind != ERROR,
            Self::Named => kind != ERROR && patterns.is_named(kind),
            Self::Is(id) => *id == kind,
            Self::OneOf(ids) => ids.binary_search(&kind).is_ok(),
        }
    }
}

impl Shape {
    fn of(kind: Kind) -> Self {
        Self {
            kind,
            field: None,
            without: Vec::new(),
            captures: Vec::new(),
            items: Vec::new(),
            has_captures: false,
            needs: Vec::new(),
        }
    }

    fn captures(&self, capture: u32) -> bool {
        let mut inner = self.items.iter().flat_map(|item| &item.shapes);
        self.captures.contains(&capture) || inner.any(|shape| shape.captures(capture))
    }

    /// Works out what follows from the whole of the shape.
    fn settle(&mut self) {
        let mut before_next = false;
        for item in self.items.iter_mut().rev() {
            item.shapes.iter_mut().for_each(Self::settle);
            let has_captures = item.shapes.iter().any(|shape| shape.has_captures);
            item.is_settled_by_first = item.times == Times::Once && !has_captures && !before_next;
            before_next = item.is_next;
            self.has_captures |= has_captures;
        }
        self.has_captures |= !self.captures.is_empty();
    }

    /// Whether there may be several ways to match the same node, one of which says no more than another.
    fn may_overlap(&self) -> bool {
        self.items.iter().any(|item| {
            let is_plain = item.shapes.len() == 1 && item.times == Times::Once;
            let says_nothing = item.shapes.iter().all(|shape| !shape.has_captures);
            !is_plain
                || (says_nothing && !item.is_settled_by_first)
                || item.shapes.iter().any(Self::may_overlap)
        })
    }
}

impl Item {
    fn once(shapes: Vec<Shape>) -> Self {
        Self {
            shapes,
            times: Times::Once,
            is_next: false,
            is_last: false,
            is_settled_by_first: false,
        }
    }
}

impl Patterns {
    /// Reads files of patterns, each with the name that an error is to say.
    pub(super) fn read(
        language: &tree_sitter::Language,
        files: &[(&'static str, &'static str)],
    ) -> Result<Self, PatternError> {
        let Source { mut patterns, capture_names, wordings } = text::read(language, files)?;
        let mut by_kind = vec![Vec::new(); language.node_kind_count()];
        for (idx, pattern) in patterns.iter_mut().enumerate() {
            pattern.shapes.iter_mut().for_each(Shape::settle);
            pattern.may_overlap =
                pattern.shapes.len() > 1 || pattern.shapes.iter().any(Shape::may_overlap);
            for shape in &mut pattern.shapes {
                shape.needs = marks::needs(&shape.items);
                note_start(&shape.kind, idx, language, &mut by_kind);
            }
        }
        let kinds = (0..u16::MAX).take(by_kind.len());
        let named = kinds.map(|kind| language.node_kind_is_named(kind)).collect();
        Ok(Self { list: patterns, capture_names, wordings, by_kind, named })
    }

    /// Whether nodes of that kind are more than a sign or a keyword, as a part with an error is.
    pub(super) fn is_named(&self, kind: u16) -> bool {
        self.named.get(usize::from(kind)).copied().unwrap_or(true)
    }

    /// The patterns that may start at a node of that kind, in order.
    pub(super) fn about(&self, kind: u16) -> &[usize] {
        self.by_kind.get(usize::from(kind)).map_or(&[], Vec::as_slice)
    }

    /// Those of them that have the capture, for every kind.
    pub(super) fn capturing(&self, capture: u32) -> Vec<Vec<usize>> {
        let has_capture = |pattern: &&usize| {
            let pattern = self.list.get(**pattern);
            pattern.is_some_and(|one| one.shapes.iter().any(|shape| shape.captures(capture)))
        };
        let some = |all: &Vec<usize>| all.iter().filter(has_capture).copied().collect();
        self.by_kind.iter().map(some).collect()
    }

    /// The name of every capture, by its index.
    pub(super) fn capture_names(&self) -> &[&'static str] {
        &self.capture_names
    }

    /// Whether a capture is there for predicates only: `@_word`.
    pub(super) fn is_helper(&self, capture: u32) -> bool {
        self.capture_names.get(capture as usize).is_some_and(|name| name.starts_with('_'))
    }

    /// The only capture of a pattern that asks for nothing but a kind of node.
    pub(super) fn sole_capture(&self, pattern: usize) -> Option<u32> {
        let pattern = self.list.get(pattern)?;
        let [shape] = pattern.shapes.as_slice() else { return None };
        let [capture] = shape.captures.as_slice() else { return None };
        let is_bare = shape.items.is_empty() && shape.without.is_empty();
        (is_bare && pattern.predicates.is_empty()).then_some(*capture)
    }
}

fn note_start(
    kind: &Kind,
    pattern: usize,
    language: &tree_sitter::Language,
    by_kind: &mut [Vec<usize>],
) {
    let mut note = |id: usize| {
        if let Some(patterns) = by_kind.get_mut(id)
            && patterns.last() != Some(&pattern)
        {
            patterns.push(pattern);
        }
    };
    match kind {
        Kind::Is(id) => note(usize::from(*id)),
        Kind::OneOf(ids) => ids.iter().for_each(|id| note(usize::from(*id))),
        Kind::Any | Kind::Named => (0..u16::MAX)
            .take(language.node_kind_count())
            .filter(|id| *kind == Kind::Any || language.node_kind_is_named(*id))
            .for_each(|id| note(usize::from(id))),
    }
}
