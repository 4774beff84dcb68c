//! Products of tiles for any processor; the results that others must equal bit for bit.

use super::{COLUMNS, GroupsOfColumns, GroupsOfRows, IntegerTile, ROWS, Tile};

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

pub(super) fn multiply_integers(a: &[GroupsOfRows], b: &[GroupsOfColumns], tile: &mut IntegerTile) {
    *tile = Default::default();
    for (a, b) in a.iter().zip(b) {
        for (a, sums) in a.iter().zip(&mut *tile) {
            for (b, sum) in b.iter().zip(sums) {
                *sum += a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>();
            }
        }
    }
}
