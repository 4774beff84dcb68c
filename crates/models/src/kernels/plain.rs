//! Products of tiles for any processor; the results that others must equal bit for bit.

use super::{COLUMNS, IntegerTile, PairsOfColumns, PairsOfRows, ROWS, Tile};

pub(super) fn multiply(a: &[[f32; ROWS]], b: &[[f32; COLUMNS]], tile: &mut Tile) {
    let mut sums = *tile;
    for (a, b) in a.iter().zip(b) {
        for (a, sums) in a.iter().zip(&mut sums) {
            for (b, sum) in b.iter().zip(sums) {
                *sum = a.mul_add(*b, *sum);
            }
        }
    }
    *tile = sums;
}

pub(super) fn multiply_integers(a: &[PairsOfRows], b: &[PairsOfColumns], tile: &mut IntegerTile) {
    let mut sums = *tile;
    for (a, b) in a.iter().zip(b) {
        for (a, sums) in a.iter().zip(&mut sums) {
            for (b, sum) in b.iter().zip(sums) {
                *sum += low(*a) * i32::from(b[0]) + (*a >> 16) * i32::from(b[1]);
            }
        }
    }
    *tile = sums;
}

/// The first integer of a pair.
fn low(pair: i32) -> i32 {
    pair << 16 >> 16
}
