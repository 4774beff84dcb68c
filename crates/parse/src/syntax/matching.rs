//! Where the patterns of a language match: at one node, or anywhere below it.
//!
//! A pattern may match the same node in several ways: `int a, b;` declares two names. All ways are found, as with
//! tree-sitter's own queries. A way that captures nothing that another one does not capture as well is left out.
//!
//! Where those queries settle for the first child that fits, though only a later one has the right neighbour, the later
//! one is found here: `"const" . (identifier) @name` finds both names of `const a, const b = f()`.

use std::cmp::Reverse;

use tree_sitter::Node;

use super::children::{Child, Levels};
use super::pattern::{Item, Kind, Pattern, Patterns, Predicate, Shape};

/// What one pattern may find at one node; real sources stay far below.
const MAX_WAYS: usize = 4096;
/// How many children may be looked at for one pattern and node: a base, and so many for each byte of the node.
const STEPS_AT_LEAST: usize = 16 * 1024;
const STEPS_PER_BYTE: usize = 8;

/// How many nodes in a row one repeated item may take.
const MAX_REPEATS: usize = 256;

/// A node with the capture that it was found under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Captured<'tree> {
    pub(super) index: u32,
    pub(super) node: Node<'tree>,
}

/// One way in which a pattern matches.
#[derive(Debug)]
pub(super) struct Match<'tree> {
    pub(super) pattern_index: usize,
    captures: Vec<Captured<'tree>>,
}

impl<'tree> Match<'tree> {
    /// What was captured, outer nodes first, then in the order of the text.
    pub(super) fn captures(&self) -> &[Captured<'tree>] {
        &self.captures
    }
}

/// The matches of some of the patterns at a node, those of the first one first.
///
/// Levels that were used before are used again: making new ones costs more than most matches.
pub(super) fn at<'tree>(
    node: Node<'tree>,
    patterns: &Patterns,
    some: &[usize],
    text: &str,
    levels: &mut Levels<'tree>,
) -> Vec<Match<'tree>> {
    let mut matching = Matching::new(patterns, text, std::mem::take(levels));
    matching.node(node, some);
    *levels = matching.levels;
    matching.matches
}

/// The matches at a node and at all nodes inside it.
pub(super) fn within<'tree>(
    node: Node<'tree>,
    patterns: &Patterns,
    text: &str,
) -> Vec<Match<'tree>> {
    let mut matching = Matching::new(patterns, text, Levels::default());
    let mut cursor = node.walk();
    loop {
        let node = cursor.node();
        matching.node(node, patterns.about(node.kind_id()));
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return matching.matches;
            }
        }
    }
}

struct Matching<'p, 'tree> {
    patterns: &'p Patterns,
    text: &'p str,
    /// The conditions of the pattern that is being tried.
    predicates: &'p [Predicate],
    /// The children of the node in question, of one of those, and so on.
    levels: Levels<'tree>,
    /// What the way that is being tried has captured so far.
    path: Vec<Captured<'tree>>,
    steps_left: usize,
    matches: Vec<Match<'tree>>,
}

/// Where a way ends: of two ways, the one that is complete earlier in the text comes first.
type End = (usize, Reverse<usize>);

/// All ways in which a node matches a shape.
#[derive(Default)]
struct Ways<'tree> {
    captures: Vec<Captured<'tree>>,
    /// Where the captures of each way end, and where the way does.
    each: Vec<(usize, End)>,
    is_one_enough: bool,
}

/// What is left to be found among the children of one node.
#[derive(Clone, Copy)]
struct Rest<'p> {
    items: &'p [Item],
    /// The place of the children in question among the levels.
    depth: usize,
    /// Where the captures of the node begin on the path.
    base: usize,
    /// The first child that may be taken.
    from: usize,
    gap: Gap,
    /// How many children the item has taken before.
    repeats: usize,
    end: End,
}

/// What may stand in front of the next item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// What the item itself allows.
    Usual,
    /// Anything, though the item says otherwise: what it would have to follow is absent.
    Anything,
    Nothing,
}

impl<'p, 'tree> Matching<'p, 'tree> {
    fn new(patterns: &'p Patterns, text: &'p str, levels: Levels<'tree>) -> Self {
        Self {
            patterns,
            text,
            levels,
            predicates: &[],
            path: Vec::new(),
            steps_left: 0,
            matches: Vec::new(),
        }
    }

    fn node(&mut self, node: Node<'tree>, some: &[usize]) {
        let patterns = self.patterns;
        let child = Child { node, kind: node.kind_id(), field: None, is_named: node.is_named() };
        let mut ways = Ways::default();
        for idx in some {
            let Some(pattern) = patterns.list.get(*idx) else { continue };
            if !self.may_match(pattern, child) {
                continue;
            }
            let length = node.end_byte() - node.start_byte();
            self.predicates = &pattern.predicates;
            self.steps_left = STEPS_AT_LEAST.saturating_add(length.saturating_mul(STEPS_PER_BYTE));
            for shape in pattern.shapes.iter().filter(|shape| fits(shape, child)) {
                self.inside(shape, child, 0, &mut ways);
            }
            self.keep(*idx, pattern, &ways);
            ways.captures.clear();
            ways.each.clear();
        }
    }

    /// Whether the children that a pattern cannot do without may be there.
    fn may_match(&mut self, pattern: &Pattern, child: Child<'tree>) -> bool {
        pattern.shapes.iter().filter(|shape| fits(shape, child)).any(|shape| {
            if shape.needs.is_empty() {
                return true;
            }
            self.levels.open(0, child.node);
            self.levels.marks(0).may_meet(&shape.needs)
        })
    }

    /// Notes the ways that say something of their own and are as the predicates ask.
    fn keep(&mut self, pattern_index: usize, pattern: &Pattern, ways: &Ways<'tree>) {
        if ways.each.len() < 2 {
            return (0..ways.each.len())
                .for_each(|way| self.note(pattern_index, pattern, ways, way));
        }
        let mut order: Vec<usize> = (0..ways.each.len()).collect();
        if pattern.may_overlap {
            order.retain(|way| !self.is_redundant(ways, *way));
        }
        order.sort_by_key(|way| ways.each.get(*way).map(|(_, end)| *end));
        order.into_iter().for_each(|way| self.note(pattern_index, pattern, ways, way));
    }

    fn note(&mut self, pattern_index: usize, pattern: &Pattern, ways: &Ways<'tree>, way: usize) {
        let captures = ways.captures(way);
        let texts = |index: u32| {
            let nodes = captures.iter().filter(move |captured| captured.index == index);
            nodes.map(|captured| self.text.get(captured.node.byte_range()).unwrap_or_default())
        };
        if pattern.predicates.iter().all(|one| one.holds(&self.patterns.wordings, texts)) {
            self.matches.push(Match { pattern_index, captures: captures.to_vec() });
        }
    }

    /// Whether another way captures all that this one does: more, or the same and earlier.
    fn is_redundant(&mut self, ways: &Ways<'tree>, way: usize) -> bool {
        let own = ways.captures(way);
        (0..ways.each.len()).any(|other| {
            let captures = ways.captures(other);
            let is_candidate =
                captures.len() > own.len() || (captures.len() == own.len() && other < way);
            if !is_candidate || self.steps_left == 0 {
                return false;
            }
            self.steps_left -= 1;
            let mut captures = captures.iter();
            own.iter().all(|captured| captures.any(|other| other == captured))
        })
    }

    /// Finds the ways in which what is inside a node that fits is as the shape asks.
    fn inside(
        &mut self,
        shape: &'p Shape,
        child: Child<'tree>,
        depth: usize,
        ways: &mut Ways<'tree>,
    ) {
        let base = self.path.len();
        self.capture(shape, child);
        if !shape.items.is_empty() {
            self.levels.open(depth, child.node);
        }
        let rest = Rest {
            items: &shape.items,
            depth,
            base,
            from: 0,
            gap: Gap::Usual,
            repeats: 0,
            end: end_at(child.node),
        };
        self.all(rest, ways);
        self.path.truncate(base);
    }

    /// Whether the text of a node is as asked, where it is captured for a predicate only.
    ///
    /// Known early, so that what follows in the pattern is not looked for in vain.
    fn is_as_asked(&self, shape: &Shape, child: Child<'tree>) -> bool {
        let is_about = |predicate: &&Predicate| {
            shape.captures.contains(&predicate.capture)
                && self.patterns.is_helper(predicate.capture)
        };
        self.predicates.iter().filter(is_about).all(|predicate| {
            let text = self.text.get(child.node.byte_range()).unwrap_or_default();
            predicate.may_hold(&self.patterns.wordings, text)
        })
    }

    fn capture(&mut self, shape: &Shape, child: Child<'tree>) {
        self.path.extend(
            shape.captures.iter().map(|index| Captured { index: *index, node: child.node }),
        );
    }

    /// Finds the ways in which all that is left is among the children.
    fn all(&mut self, rest: Rest<'p>, ways: &mut Ways<'tree>) {
        if ways.are_enough() {
            return;
        }
        let Some((item, others)) = rest.items.split_first() else {
            ways.captures.extend_from_slice(&self.path[rest.base..]);
            ways.each.push((ways.captures.len(), rest.end));
            return;
        };
        self.present(item, rest, ways);
        if item.times.may_be_none() {
            let is_first = rest.from == 0;
            if item.is_last && !is_first && self.has_named(rest.depth, rest.from) {
                return;
            }
            let gap = match rest.gap {
                Gap::Usual if !item.is_next => Gap::Anything,
                Gap::Usual if is_first => Gap::Nothing,
                Gap::Usual => Gap::Usual,
                Gap::Anything => Gap::Anything,
                Gap::Nothing => Gap::Nothing,
            };
            self.all(Rest { items: others, gap, ..rest }, ways);
        }
    }

    /// Finds the ways in which an item is among the children, followed by what is left.
    fn present(&mut self, item: &'p Item, rest: Rest<'p>, ways: &mut Ways<'tree>) {
        let mut at = rest.from;
        while let Some(child) = self.child(rest.depth, at) {
            let mut is_found = false;
            if !item.is_last || !self.has_named(rest.depth, at + 1) {
                for shape in item.shapes.iter().filter(|shape| fits(shape, child)) {
                    is_found |= self.taken(item, shape, child, Rest { from: at + 1, ..rest }, ways);
                }
            }
            let may_go_on = match rest.gap {
                Gap::Nothing => false,
                Gap::Usual => !(item.is_next && child.is_named),
                Gap::Anything => true,
            };
            if !may_go_on || (is_found && item.is_settled_by_first) || ways.are_enough() {
                return;
            }
            at += 1;
        }
    }

    /// Goes on after a child that fits; says whether what is inside it is as asked.
    fn taken(
        &mut self,
        item: &'p Item,
        shape: &'p Shape,
        child: Child<'tree>,
        rest: Rest<'p>,
        ways: &mut Ways<'tree>,
    ) -> bool {
        let base = self.path.len();
        if shape.items.is_empty() {
            if !self.is_as_asked(shape, child) {
                return false;
            }
            self.capture(shape, child);
            self.after(item, shape, Rest { end: end_at(child.node), ..rest }, ways);
            self.path.truncate(base);
            return true;
        }
        let mut inner = Ways { is_one_enough: !shape.has_captures, ..Ways::default() };
        self.inside(shape, child, rest.depth + 1, &mut inner);
        for (way, (_, end)) in inner.each.iter().enumerate() {
            self.path.extend_from_slice(inner.captures(way));
            self.after(item, shape, Rest { end: *end, ..rest }, ways);
            self.path.truncate(base);
        }
        !inner.each.is_empty()
    }

    /// Goes on after an item: with the same once more, or with the next.
    fn after(&mut self, item: &'p Item, shape: &Shape, rest: Rest<'p>, ways: &mut Ways<'tree>) {
        if item.times.may_be_many() && rest.repeats < MAX_REPEATS {
            self.present(item, Rest { gap: Gap::Nothing, repeats: rest.repeats + 1, ..rest }, ways);
        }
        let items = rest.items.get(1..).unwrap_or_default();
        // After a node of any kind, the next one is the very next one, with a name or without.
        let is_any = shape.kind == Kind::Any && items.first().is_some_and(|next| next.is_next);
        let gap = if is_any { Gap::Nothing } else { Gap::Usual };
        self.all(Rest { items, gap, repeats: 0, ..rest }, ways);
    }

    fn child(&mut self, depth: usize, at: usize) -> Option<Child<'tree>> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        self.levels.child(depth, at)
    }

    /// Whether any child from there on has a name.
    fn has_named(&mut self, depth: usize, from: usize) -> bool {
        let mut at = from;
        while let Some(child) = self.child(depth, at) {
            if child.is_named {
                return true;
            }
            at += 1;
        }
        // Who may look no further cannot tell.
        self.steps_left == 0
    }
}

impl<'tree> Ways<'tree> {
    fn are_enough(&self) -> bool {
        self.each.len() >= if self.is_one_enough { 1 } else { MAX_WAYS }
    }

    fn captures(&self, way: usize) -> &[Captured<'tree>] {
        let end = self.each.get(way).map_or(0, |(end, _)| *end);
        let start = way.checked_sub(1).and_then(|before| self.each.get(before));
        self.captures.get(start.map_or(0, |(end, _)| *end)..end).unwrap_or_default()
    }
}

fn fits(shape: &Shape, child: Child<'_>) -> bool {
    shape.kind.fits(child.kind, child.is_named)
        && (shape.field.is_none() || shape.field == child.field)
        && shape.without.iter().all(|field| child.node.child_by_field_id(*field).is_none())
}

fn end_at(node: Node<'_>) -> End {
    (node.start_byte(), Reverse(node.end_byte()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::tree;

    /// The captures of every match anywhere, one line each.
    fn found(pattern: &'static str, text: &str) -> Vec<String> {
        let language = tree_sitter_json::LANGUAGE.into();
        let patterns = Patterns::read(&language, &[("", pattern)]).unwrap();
        let tree = tree::parse(&language, text).unwrap();
        let line = |found: &Match<'_>| {
            let words = found.captures().iter().map(|one| &text[one.node.byte_range()]);
            words.collect::<Vec<_>>().join(" ")
        };
        within(tree.root_node(), &patterns, text).iter().map(line).collect()
    }

    #[test]
    fn every_way_to_match_a_node_is_found() {
        assert_eq!(
            found("(array (number) @a (string) @b)", "[1, 2, \"x\"]"),
            ["1 \"x\"", "2 \"x\""]
        );
        assert_eq!(found("(array (number) (string) @b)", "[1, 2, \"x\"]"), ["\"x\""]);
        assert_eq!(found("(_ (number) @a)", "[1, [2], {\"x\": 3}]"), ["1", "2", "3"]);
    }

    #[test]
    fn an_anchor_of_something_absent_holds_nothing_back() {
        let pattern = "(array (string)? @a . (number) @b)";
        assert_eq!(found(pattern, "[\"x\", 1]"), ["\"x\" 1"]);
        assert_eq!(found(pattern, "[\"x\", null, 1]"), ["1"]);
    }

    #[test]
    fn a_long_node_cannot_take_long() {
        let text = format!("[{}]", "1, ".repeat(20_000));
        let start = std::time::Instant::now();
        let all = found("(array (number) @a (number) @b (number) @c (string) @d)", &text);
        assert!(all.is_empty());
        let many = found("(array (number) @a (number) @b)", &text);
        assert_eq!(many.len(), MAX_WAYS);
        let overlapping = found("(array (number)? @a (number)? @b (number)? @c)", &text);
        assert!(!overlapping.is_empty());
        let repeated = found("(document (number)+ @a (string)? @b)", &"1 ".repeat(20_000));
        assert!(repeated.len() > 1);
        assert!(start.elapsed().as_secs() < 20);
    }
}
