//! The parts of a text to the tree that users of a grammar see: without what its author calls hidden.

use super::costs::Costs;
use super::forest::{Forest, PartNo};
use super::tables::{ERROR, Tables};
use crate::syntax::ast::{Builder, Seen};

/// A part whose children are being shown. Small, because lists are nested as deep as they are long.
#[derive(Clone, Copy)]
struct Frame {
    /// The places of the children that are left.
    next: u32,
    end: u32,
    rule: u16,
    /// How many children of the rule were met, without what may stand anywhere.
    n_structural: u16,
    /// The field of a hidden part, which its children have as well.
    field: u16,
    is_shown: bool,
}

/// The tree below a root.
pub(super) fn tree(tables: &Tables, forest: &Forest, costs: &Costs, root: PartNo) -> Builder {
    let mut builder = Builder::for_nodes(forest.len() / 2);
    let part = forest.part(root);
    let has_error = costs.of(root).errors > 0;
    let shown = Seen { has_error, ..seen(tables, part.symbol) };
    builder.open(shown, 0, part.start, part.end);
    let mut frames = Vec::with_capacity(64);
    let mut top = frame(forest, root, 0, true);
    loop {
        if top.next == top.end {
            if top.is_shown {
                builder.close();
            }
            match frames.pop() {
                Some(outer) => top = outer,
                None => return builder,
            }
            continue;
        }
        let no = forest.child_at(top.next);
        top.next += 1;
        let child = forest.part(no);
        let (mut alias, mut field) = (0, 0);
        if !child.is_extra {
            field = top.field;
            // The first form of all rules has neither.
            if top.rule != 0 {
                let at = usize::from(top.n_structural);
                alias = tables.aliases(top.rule).get(at).copied().unwrap_or_default();
                let mut fields = tables.fields(top.rule).iter();
                let own = fields.find(|it| !it.is_inherited && usize::from(it.child) == at);
                field = own.map_or(field, |own| own.field);
                top.n_structural += 1;
            }
        }
        let symbol = if alias == 0 { child.symbol } else { alias };
        let is_shown = alias != 0 || tables.metadata(symbol).is_visible;
        if is_shown {
            let seen = Seen {
                is_extra: child.is_extra,
                is_missing: child.is_missing,
                has_error: costs.of(no).errors > 0,
                ..seen(tables, symbol)
            };
            if child.has_children() {
                builder.open(seen, field, child.start, child.end);
            } else {
                builder.leaf(seen, field, child.start, child.end);
            }
        }
        if child.has_children() {
            // What is done with need not be come back to.
            if top.next < top.end || top.is_shown {
                frames.push(top);
            }
            top = frame(forest, no, if is_shown { 0 } else { field }, is_shown);
        }
    }
}

fn frame(forest: &Forest, part: PartNo, field: u16, is_shown: bool) -> Frame {
    let children = forest.places(part);
    let (next, end, rule) = (children.start, children.end, forest.part(part).production());
    Frame { next, end, rule, n_structural: 0, field, is_shown }
}

fn seen(tables: &Tables, symbol: u16) -> Seen {
    let is_named = tables.metadata(symbol).is_named;
    let is_error = symbol == ERROR;
    Seen { kind: tables.public(symbol), is_named, is_error, ..Seen::default() }
}
