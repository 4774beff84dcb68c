//! Definitions inside functions: the walk over the tree meets them, the patterns with `@anywhere` tell them.
//!
//! They are symbols of the function around them and make no chunks; variables stay local.

use std::ops::Range;

use tree_sitter::TreeCursor;

use super::children::Levels;
use super::found::Found;
use super::grammar::{Role, Start};
use super::leading::Leading;
use super::reader::Reader;
use super::scope::Scope;
use super::wording;

/// Comments and attributes further up belong to nothing here.
const MAX_LEADING: usize = 32;

impl Reader<'_, '_> {
    /// What a node inside a function defines, as far as the patterns say; nothing where it was read with its container.
    pub(super) fn inner_matches<'tree>(
        &mut self,
        cursor: &TreeCursor<'tree>,
        parent: usize,
        levels: &mut Levels<'tree>,
    ) -> Vec<Found<'tree>> {
        let mut found = Vec::new();
        if !self.read.contains(&parent) {
            let node = cursor.node();
            let patterns = self.grammar.anywhere(node.kind_id());
            self.matches_of(node, patterns, &mut found, levels);
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
        found: &[Found<'_>],
        cursor: &TreeCursor<'_>,
        around: Option<usize>,
    ) -> Range<usize> {
        let first = self.outline.symbols.len();
        if !self.is_said_again(found, around) {
            let around = around.and_then(|idx| self.outline.symbols.get(idx));
            let scope = around.map_or_else(Scope::file, |symbol| {
                Scope::body(symbol, self.ids.descriptors(&symbol.symbol_id))
            });
            let leading = self.leading_to(cursor);
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
                let line = super::reader::position(name.start_position()).line;
                let name = self.text(name.byte_range());
                let name = wording::split_path(name, self.description.separator).1;
                line == around.start.line && name == around.name
            })
        };
        found.iter().all(is_same)
    }

    /// The comments and attributes right above a node.
    fn leading_to(&self, cursor: &TreeCursor<'_>) -> Leading {
        let mut above = Vec::new();
        let mut cursor = cursor.clone();
        while above.len() < MAX_LEADING {
            let is_found = if cursor.goto_previous_sibling() {
                self.role(cursor.node()) == Start::Role(Role::Leading)
            } else {
                cursor.goto_parent() && self.role(cursor.node()) == Start::Role(Role::Wrapper)
            };
            if !is_found {
                break;
            }
            above.push(cursor.node());
        }
        let mut leading = Leading::default();
        let is_leading = |role| role == Start::Role(Role::Leading);
        for node in above.into_iter().rev().filter(|node| is_leading(self.role(*node))) {
            self.lead(node, &mut leading);
        }
        leading
    }
}
