//! Which definitions of one name are one: the equations of a function and the signature above them.

use gik_base::collections::HashMap;

use super::ast::Node;
use super::found::Found;
use super::leading::Leading;
use super::reader::Reader;
use super::{cuts, wording};
use crate::chunking::TARGET_MAX;
use crate::line_table::LineTable;
use crate::symbol::Symbol;

/// What the next definition of a container may go on with. Only definitions with `@joined` take part.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// The names of the definition right above, each with the place of its symbol.
    names: Vec<(String, Option<usize>)>,
    item: Option<usize>,
    /// Names that have a signature and no equation yet, with the places of their symbols.
    signatures: HashMap<String, usize>,
}

impl Run {
    /// Something else stands between what was and what comes.
    pub(super) fn end(&mut self) {
        self.names.clear();
        self.item = None;
    }
}

/// How much there was before a definition was read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) n_symbols: usize,
    pub(super) n_items: usize,
}

impl Reader<'_, '_, '_> {
    pub(super) fn mark(&self) -> Mark {
        Mark { n_symbols: self.outline.symbols.len(), n_items: self.outline.items.len() }
    }

    /// Adds a definition to the one of the same name right above; `false` where there is none.
    pub(super) fn go_on(&mut self, found: &[Found<'_>], leading: &Leading, run: &mut Run) -> bool {
        let Some(first) = found.first().filter(|first| first.is_joined) else { return false };
        let name = first.name.map(|name| self.text(name.byte_range())).unwrap_or_default();
        let name = wording::split_path(name, self.description.separator).1;
        let Some((_, symbol)) = run.names.iter().find(|(other, _)| other == name) else {
            return false;
        };
        self.outline.more_names.extend(first.name.map(|name| name.start_byte()));
        let node = first.node;
        if let Some(symbol) = symbol.and_then(|idx| self.outline.symbols.get_mut(idx)) {
            symbol.extend(node, self.lines);
        }
        run.signatures.remove(name);
        let is_last = run.item.is_some_and(|idx| idx + 1 == self.outline.items.len());
        if is_last && let Some(item) = self.outline.items.last_mut() {
            let start = leading.start().unwrap_or(node.start_byte());
            let lines = self.lines.lines_of(&(start..node.end_byte()));
            item.lines.end = item.lines.end.max(lines.end);
            self.line = self.line.max(lines.end);
            self.outline.cuts.push(lines.start);
            if self.lines.size(&lines) > TARGET_MAX {
                cuts::collect(node, self.lines, &mut self.outline.cuts);
            }
        }
        true
    }

    /// Notes what was defined since the mark, for the definitions that follow.
    ///
    /// An equation that stands apart from its signature takes the place of it; in a type, the signature is the definition
    /// and the equation only its default.
    pub(super) fn note(
        &mut self,
        found: &[Found<'_>],
        mark: Mark,
        is_in_type: bool,
        run: &mut Run,
    ) {
        run.end();
        let Some(first) = found.first().filter(|first| first.is_joined) else { return };
        run.item = (self.outline.items.len() > mark.n_items).then_some(mark.n_items);
        if first.body.is_none() {
            for (idx, symbol) in self.outline.symbols.iter().enumerate().skip(mark.n_symbols) {
                run.names.push((symbol.name.clone(), Some(idx)));
                run.signatures.insert(symbol.name.clone(), idx);
            }
            return;
        }
        let Some(symbol) = self.outline.symbols.get(mark.n_symbols) else { return };
        let name = symbol.name.clone();
        let mut place = Some(mark.n_symbols);
        if let Some(signature) = run.signatures.remove(&name) {
            self.outline.symbols.truncate(mark.n_symbols + 1);
            if let Some(mut other) = self.outline.symbols.pop()
                && let Some(symbol) = self.outline.symbols.get_mut(signature)
            {
                if !is_in_type {
                    std::mem::swap(&mut symbol.name_bytes, &mut other.name_bytes);
                    symbol.bytes = other.bytes;
                    (symbol.start, symbol.end) = (other.start, other.end);
                }
                self.outline.more_names.push(other.name_bytes.start);
            }
            place = (!is_in_type).then_some(signature);
        }
        run.names.push((name, place));
    }
}

impl Symbol {
    /// The symbol goes on to the end of a node.
    fn extend(&mut self, node: Node<'_>, lines: &LineTable<'_>) {
        if node.end_byte() > self.bytes.end {
            self.bytes.end = node.end_byte();
            self.end = lines.position(node.end_byte());
        }
    }
}
