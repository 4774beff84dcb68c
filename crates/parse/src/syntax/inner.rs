//! Definitions inside functions: the walk over the tree meets them, the patterns with `@anywhere` tell them.
//!
//! They are symbols of the function around them and make no chunks; variables stay local.

use std::ops::Range;

use super::ast::Node;
use super::found::Found;
use super::grammar::{Role, Start};
use super::leading::Leading;
use super::reader::Reader;
use super::scope::Scope;
use super::wording;

/// Comments and attributes further up belong to nothing here.
const MAX_LEADING: usize = 32;

impl<'tree> Reader<'_, '_, 'tree> {
    /// What the child that a walk took last at a depth defines, as far as the patterns say; nothing where it was read with
    /// its container.
    pub(super) fn inner_matches(&mut self, node: Node<'tree>, depth: usize) -> Vec<Found<'tree>> {
        let mut found = Vec::new();
        let parent = self.search.levels.parent(depth);
        if parent.is_some_and(|parent| !self.read.contains(&parent.id())) {
            let patterns = self.grammar.anywhere(node.kind_id());
            self.matches_of(node, patterns, &mut found);
            // What was read under one name is not read again under another: `const Store = class Inner {}`.
            let is_read =
                |one: &Found<'_>| one.members.is_some_and(|at| self.read.contains(&at.id()));
            found.retain(|one| !is_read(one));
        }
        found
    }

    /// Notes the symbols of definitions that stand inside another symbol; returns their places.
    pub(super) fn inner(
        &mut self,
        found: &[Found<'tree>],
        depth: usize,
        around: Option<usize>,
    ) -> Range<usize> {
        let first = self.outline.symbols.len();
        if !self.is_said_again(found, around) {
            let around = around.and_then(|idx| self.outline.symbols.get(idx));
            let scope = around.map_or_else(Scope::file, |symbol| {
                Scope::body(symbol, self.ids.descriptors(&symbol.symbol_id))
            });
            let leading = self.leading_to(depth);
            self.keeps_whole = true;
            self.definitions(found, &scope, leading, 0);
            self.keeps_whole = false;
        }
        first..self.outline.symbols.len()
    }

    /// Whether a value only repeats the name that it is given: `const open = function open() {}`.
    fn is_said_again(&self, found: &[Found<'_>], around: Option<usize>) -> bool {
        let Some(around) = around.and_then(|idx| self.outline.symbols.get(idx)) else {
            return false;
        };
        let is_same = |one: &Found<'_>| {
            one.name.is_some_and(|name| {
                let line = self.lines.position(name.start_byte()).line;
                let name = self.text(name.byte_range());
                let name = wording::split_path(name, self.description.separator).1;
                line == around.start.line && name == around.name
            })
        };
        found.iter().all(is_same)
    }

    /// The comments and attributes right above the child that a walk took last at a depth; what leads to a wrapper leads
    /// to what is first inside it.
    fn leading_to(&self, mut depth: usize) -> Leading {
        let levels = &self.search.levels;
        let is_leading = |node: &Node<'_>| self.role(*node) == Start::Role(Role::Leading);
        let is_wrapper = |node: &Node<'_>| self.role(*node) == Start::Role(Role::Wrapper);
        let mut above = Vec::new();
        loop {
            let before = levels.before(depth, MAX_LEADING - above.len());
            let n_leading = before.iter().take_while(|node| is_leading(node)).count();
            above.extend(before.iter().take(n_leading));
            let is_first = n_leading == before.len() && above.len() < MAX_LEADING;
            let around = levels.parent(depth).filter(|node| is_first && is_wrapper(node));
            let (Some(wrapper), Some(outer)) = (around, depth.checked_sub(1)) else { break };
            above.push(wrapper);
            depth = outer;
        }
        let mut leading = Leading::default();
        for node in above.into_iter().rev().filter(is_leading) {
            self.lead(node, &mut leading);
        }
        leading
    }
}
