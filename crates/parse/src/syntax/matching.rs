//! Where the patterns of a language match: at one node, or anywhere below it.
//!
//! A pattern may match the same node in several ways: `int a, b;` declares two names. All ways are found, as with
//! tree-sitter's own queries. A way that captures nothing that another one does not capture as well is left out.
//!
//! Where those queries settle for the first child that fits, though only a later one has the right neighbour, the later
//! one is found here: `"const" . (identifier) @name` finds both names of `const a, const b = f()`.

use std::cmp::Reverse;

use super::ast::Node;
use super::children::{Child, Levels};
use super::matches::{Captured, End, Matches, Ways};
use super::pattern::{Item, Kind, Pattern, Patterns, Predicate, Shape};

/// How many children may be looked at for one pattern and node: a base, and so many for each byte of the node.
const STEPS_AT_LEAST: usize = 16 * 1024;
const STEPS_PER_BYTE: usize = 8;

/// How many nodes in a row one repeated item may take.
const MAX_REPEATS: usize = 256;

/// What a search needs, kept from one node to the next: making it anew costs more than most searches.
#[derive(Default)]
pub(super) struct Search<'tree> {
    pub(super) levels: Levels<'tree>,
    /// Where among the levels the children of a node in question are; those above belong to a walk.
    pub(super) depth: usize,
    /// What the way that is being tried has captured so far.
    path: Vec<Captured<'tree>>,
    /// Ways that are not in use.
    spare: Vec<Ways<'tree>>,
    matches: Matches<'tree>,
}

/// The matches of some of the patterns at a node, those of the first one first.
pub(super) fn at<'s, 'tree>(
    node: Node<'tree>,
    patterns: &Patterns,
    some: &[usize],
    text: &str,
    search: &'s mut Search<'tree>,
) -> &'s Matches<'tree> {
    Matching::new(patterns, text, search).node(node, some);
    &search.matches
}

/// The matches at a node and at all nodes inside it.
pub(super) fn within<'s, 'tree>(
    node: Node<'tree>,
    patterns: &Patterns,
    text: &str,
    search: &'s mut Search<'tree>,
) -> &'s Matches<'tree> {
    let mut matching = Matching::new(patterns, text, search);
    let mut cursor = node.walk();
    loop {
        let node = cursor.node();
        matching.node(node, patterns.about(node.kind_id()));
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return &search.matches;
            }
        }
    }
}

struct Matching<'p, 's, 'tree> {
    patterns: &'p Patterns,
    text: &'p str,
    /// The conditions of the pattern that is being tried.
    predicates: &'p [Predicate],
    search: &'s mut Search<'tree>,
    steps_left: usize,
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

impl<'p, 's, 'tree> Matching<'p, 's, 'tree> {
    fn new(patterns: &'p Patterns, text: &'p str, search: &'s mut Search<'tree>) -> Self {
        search.matches.clear();
        Self { patterns, text, predicates: &[], search, steps_left: 0 }
    }

    fn node(&mut self, node: Node<'tree>, some: &[usize]) {
        let patterns = self.patterns;
        let child = Child { node, kind: node.kind_id(), field: None };
        let mut ways = self.spare(false);
        for idx in some {
            let Some(pattern) = patterns.list.get(*idx) else { continue };
            if !self.may_match(pattern, child) {
                continue;
            }
            let length = node.end_byte() - node.start_byte();
            self.predicates = &pattern.predicates;
            self.steps_left = STEPS_AT_LEAST.saturating_add(length.saturating_mul(STEPS_PER_BYTE));
            for shape in pattern.shapes.iter().filter(|shape| fits(patterns, shape, child)) {
                self.inside(shape, child, self.search.depth, &mut ways);
            }
            self.keep(*idx, pattern, &ways);
            ways.clear();
        }
        self.search.spare.push(ways);
    }

    /// No ways yet.
    fn spare(&mut self, is_one_enough: bool) -> Ways<'tree> {
        let mut ways = self.search.spare.pop().unwrap_or_default();
        ways.clear();
        ways.is_one_enough = is_one_enough;
        ways
    }

    /// Whether the children that a pattern cannot do without may be there.
    fn may_match(&mut self, pattern: &Pattern, child: Child<'tree>) -> bool {
        let patterns = self.patterns;
        pattern.shapes.iter().filter(|shape| fits(patterns, shape, child)).any(|shape| {
            if shape.needs.is_empty() {
                return true;
            }
            let Search { levels, depth, .. } = &mut *self.search;
            levels.open(*depth, child.node);
            levels.marks(*depth).may_meet(&shape.needs)
        })
    }

    /// Notes the ways that say something of their own and are as the predicates ask.
    fn keep(&mut self, pattern_index: usize, pattern: &Pattern, ways: &Ways<'tree>) {
        if ways.len() < 2 {
            return (0..ways.len()).for_each(|way| self.note(pattern_index, pattern, ways, way));
        }
        let mut order: Vec<usize> = (0..ways.len()).collect();
        if pattern.may_overlap {
            order.retain(|way| !self.is_redundant(ways, *way));
        }
        order.sort_by_key(|way| ways.end(*way));
        order.into_iter().for_each(|way| self.note(pattern_index, pattern, ways, way));
    }

    fn note(&mut self, pattern_index: usize, pattern: &Pattern, ways: &Ways<'tree>, way: usize) {
        let captures = ways.captures(way);
        let texts = |index: u32| {
            let nodes = captures.iter().filter(move |captured| captured.index == index);
            nodes.map(|captured| self.text.get(captured.node.byte_range()).unwrap_or_default())
        };
        if pattern.predicates.iter().all(|one| one.holds(&self.patterns.wordings, texts)) {
            self.search.matches.add(pattern_index, captures);
        }
    }

    /// Whether another way captures all that this one does: more, or the same and earlier.
    fn is_redundant(&mut self, ways: &Ways<'tree>, way: usize) -> bool {
        let own = ways.captures(way);
        (0..ways.len()).any(|other| {
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
        let base = self.search.path.len();
        self.capture(shape, child);
        if !shape.items.is_empty() {
            self.search.levels.open(depth, child.node);
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
        self.search.path.truncate(base);
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
        self.search.path.extend(
            shape.captures.iter().map(|index| Captured { index: *index, node: child.node }),
        );
    }

    /// Finds the ways in which all that is left is among the children.
    fn all(&mut self, rest: Rest<'p>, ways: &mut Ways<'tree>) {
        if ways.are_enough() {
            return;
        }
        let Some((item, others)) = rest.items.split_first() else {
            ways.add(&self.search.path[rest.base..], rest.end);
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
        let patterns = self.patterns;
        let mut at = rest.from;
        while let Some(child) = self.child(rest.depth, at) {
            let mut is_found = false;
            if !item.is_last || !self.has_named(rest.depth, at + 1) {
                for shape in item.shapes.iter().filter(|shape| fits(patterns, shape, child)) {
                    is_found |= self.taken(item, shape, child, Rest { from: at + 1, ..rest }, ways);
                }
            }
            let may_go_on = match rest.gap {
                Gap::Nothing => false,
                Gap::Usual => !(item.is_next && patterns.is_named(child.kind)),
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
        let base = self.search.path.len();
        if shape.items.is_empty() {
            if !self.is_as_asked(shape, child) {
                return false;
            }
            self.capture(shape, child);
            self.after(item, shape, Rest { end: end_at(child.node), ..rest }, ways);
            self.search.path.truncate(base);
            return true;
        }
        let mut inner = self.spare(!shape.has_captures);
        self.inside(shape, child, rest.depth + 1, &mut inner);
        let mut n_ways = 0;
        while let Some(end) = inner.end(n_ways) {
            self.search.path.extend_from_slice(inner.captures(n_ways));
            self.after(item, shape, Rest { end, ..rest }, ways);
            self.search.path.truncate(base);
            n_ways += 1;
        }
        self.search.spare.push(inner);
        n_ways > 0
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
        self.search.levels.child(depth, at)
    }

    /// Whether any child from there on has a name.
    fn has_named(&mut self, depth: usize, from: usize) -> bool {
        let mut at = from;
        while let Some(child) = self.child(depth, at) {
            if self.patterns.is_named(child.kind) {
                return true;
            }
            at += 1;
        }
        // Who may look no further cannot tell.
        self.steps_left == 0
    }
}

fn fits(patterns: &Patterns, shape: &Shape, child: Child<'_>) -> bool {
    (shape.field.is_none() || shape.field == child.field)
        && shape.kind.fits(child.kind, patterns)
        && shape.without.iter().all(|field| child.node.child_by_field_id(*field).is_none())
}

fn end_at(node: Node<'_>) -> End {
    (node.start_byte(), Reverse(node.end_byte()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::matches::{MAX_WAYS, Match};
    use crate::syntax::tree;

    /// The captures of every match anywhere, one line each.
    fn found(pattern: &'static str, text: &str) -> Vec<String> {
        let language = tree_sitter_json::LANGUAGE.into();
        let patterns = Patterns::read(&language, &[("", pattern)]).unwrap();
        let tree = tree::parse(&language, text).unwrap();
        let line = |found: Match<'_, '_>| {
            let words = found.captures.iter().map(|one| &text[one.node.byte_range()]);
            words.collect::<Vec<_>>().join(" ")
        };
        let mut search = Search::default();
        within(tree.root_node(), &patterns, text, &mut search).iter().map(line).collect()
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
