//! How many multiplications a second could there be at best? What an encoder does is measured against that.

use std::hint::black_box;

use crate::kernels::{
    COLUMNS, GROUP, INTEGER_COLUMNS, INTEGER_ROWS, IntegerTile, Kernels, ROWS, Tile,
};

use super::{Encoder, Precision};

/// Inner indexes of a tile that stays in the nearest cache.
const INNER: usize = 384;

impl Encoder {
    /// How many multiplications the weights of all layers take for a token; what tokens take from each other comes on top.
    pub fn multiplications_of_token(&self) -> u64 {
        let hidden = self.config.hidden as u64;
        let of_layer = 4 * hidden * hidden + 2 * hidden * self.config.intermediate as u64;
        of_layer * self.config.layers as u64
    }
}

/// Multiplies tiles that stay in the nearest cache, so many times, and returns how many multiplications that were.
pub fn multiply_tiles(precision: Precision, times: usize) -> u64 {
    let kernels = Kernels::best();
    let tile = match precision {
        Precision::F32 => {
            let (a, b) = ([[0.5; ROWS]; INNER], [[0.25; COLUMNS]; INNER]);
            for _ in 0..times {
                let mut tile = Tile::default();
                kernels.multiply(black_box(&a), black_box(&b), &mut tile);
                black_box(tile);
            }
            ROWS * COLUMNS
        },
        Precision::Int8 => {
            let a = [[[3; GROUP]; INTEGER_ROWS]; INNER / GROUP];
            let b = [[[5; GROUP]; INTEGER_COLUMNS]; INNER / GROUP];
            for _ in 0..times {
                let mut tile = IntegerTile::default();
                kernels.multiply_integers(black_box(&a), black_box(&b), &mut tile);
                black_box(tile);
            }
            INTEGER_ROWS * INTEGER_COLUMNS
        },
    };
    (tile * INNER * times) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplications_are_counted() {
        assert_eq!(multiply_tiles(Precision::F32, 2), 2 * 6 * 16 * 384);
        assert_eq!(multiply_tiles(Precision::Int8, 3), 3 * 12 * 32 * 384);
    }
}
