//! The children that a shape cannot do without, in a few bits: most patterns are ruled out before they are tried.

use std::num::NonZeroU16;

use super::{Item, Kind, Shape};

/// The kinds and fields of some nodes. What shares a bit with something else cannot be told from it.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::syntax) struct Marks(u128);

/// Stands for any kind or for any field; no node of a tree has the kind 0.
const ANY: u16 = 0;

impl Marks {
    /// Adds a node by its kind, by its field and by both.
    pub(in crate::syntax) fn add(&mut self, kind: u16, field: Option<NonZeroU16>) {
        self.0 |= bit(kind, ANY);
        if let Some(field) = field {
            self.0 |= bit(kind, field.get()) | bit(ANY, field.get());
        }
    }

    /// Whether each of the needs may be met by one of the nodes.
    pub(in crate::syntax) fn may_meet(self, needs: &[Self]) -> bool {
        needs.iter().all(|need| self.0 & need.0 != 0)
    }

    fn add_shape(&mut self, shape: &Shape) {
        let field = shape.field.map_or(ANY, NonZeroU16::get);
        match &shape.kind {
            Kind::Is(kind) => self.0 |= bit(*kind, field),
            Kind::OneOf(kinds) => kinds.iter().for_each(|kind| self.0 |= bit(*kind, field)),
            Kind::Any | Kind::Named if field == ANY => self.0 = u128::MAX,
            Kind::Any | Kind::Named => self.0 |= bit(ANY, field),
        }
    }
}

/// What there has to be among the children for the items to be found there: one node of each.
pub(super) fn needs(items: &[Item]) -> Vec<Marks> {
    let needed = items.iter().filter(|item| !item.times.may_be_none());
    let marks = needed.map(|item| {
        let mut marks = Marks::default();
        item.shapes.iter().for_each(|shape| marks.add_shape(shape));
        marks
    });
    marks.collect()
}

fn bit(kind: u16, field: u16) -> u128 {
    1 << (kind.wrapping_add(field.wrapping_mul(37)) % 128)
}
