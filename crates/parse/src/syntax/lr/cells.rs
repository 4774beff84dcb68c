//! What was looked up in the tables of a grammar a moment ago.

use super::tables::Tables;

/// Cells of the tables that were looked up last: those of most states have to be searched for.
#[derive(Default)]
pub(super) struct Cells {
    /// The grammar they are of.
    of: usize,
    /// A state, a symbol and the cell, at the place that the first two give.
    found: Vec<u64>,
}

impl Cells {
    const BITS: u32 = 13;

    /// Those of a grammar.
    pub(super) fn of(&mut self, tables: &Tables) -> &mut Self {
        let of = tables.id();
        if self.of != of {
            self.of = of;
            self.found.clear();
            self.found.resize(1 << Self::BITS, u64::MAX);
        }
        self
    }

    #[inline]
    pub(super) fn cell(&mut self, tables: &Tables, state: u16, symbol: u16) -> u16 {
        let key = u32::from(state) << 16 | u32::from(symbol);
        let place = key.wrapping_mul(0x9E37_79B1) >> (u32::BITS - Self::BITS);
        let found = &mut self.found[place as usize];
        if *found >> 16 == u64::from(key) {
            return (*found & 0xFFFF) as u16;
        }
        let cell = tables.cell(state, symbol);
        *found = u64::from(key) << 16 | u64::from(cell);
        cell
    }
}
