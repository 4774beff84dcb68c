//! Which other tokens of its text does a token look at? Scaled products of queries and keys, one head at a time.

use crate::kernels::{COLUMNS, Kernels, ROWS};

use super::linear::side_by_side;

/// The shape of a layer's attention.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attention {
    pub(super) heads: usize,
    /// Numbers of one head.
    pub(super) size: usize,
}

/// Packed parts of one head, kept from head to head.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    part: Vec<f32>,
    query: Vec<[f32; ROWS]>,
    keys: Vec<[f32; COLUMNS]>,
    values: Vec<[f32; COLUMNS]>,
    scores: Vec<f32>,
    shares: Vec<[f32; ROWS]>,
}

impl Attention {
    /// Writes what each token of one text takes from all of them. A row of `mixed` is query, key and value of all heads.
    pub(super) fn apply(
        self,
        kernels: Kernels,
        mixed: &[f32],
        context: &mut [f32],
        scratch: &mut Scratch,
    ) {
        let hidden = self.heads * self.size;
        let count = context.len() / hidden;
        scratch.resize(count, self.size);
        for head in 0..self.heads {
            let start = head * self.size;
            scratch.pack(mixed, hidden, start, self.size);
            for tile in 0..count.div_ceil(ROWS) {
                let rows = tile * ROWS..count.min((tile + 1) * ROWS);
                let sums = self.scores(kernels, tile, count, scratch);
                let out = &mut context[rows.start * hidden..rows.end * hidden];
                self.mix(kernels, &sums, scratch, &mut out[start..]);
            }
        }
    }

    /// The shares of all tokens for the rows of a tile, and what they must be divided by.
    fn scores(
        self,
        kernels: Kernels,
        tile: usize,
        count: usize,
        scratch: &mut Scratch,
    ) -> [f32; ROWS] {
        let padded = count.next_multiple_of(COLUMNS);
        let query = &scratch.query[tile * self.size..(tile + 1) * self.size];
        for (panel, keys) in scratch.keys.chunks_exact(self.size).enumerate() {
            let mut products = [[0.0; COLUMNS]; ROWS];
            kernels.multiply(query, keys, &mut products);
            let rows = scratch.scores.chunks_exact_mut(padded);
            for (row, products) in rows.zip(products) {
                row[panel * COLUMNS..(panel + 1) * COLUMNS].copy_from_slice(&products);
            }
        }
        let factor = 1.0 / (self.size as f32).sqrt();
        let mut sums = [1.0; ROWS];
        for ((row, sum), lane) in scratch.scores.chunks_exact_mut(padded).zip(&mut sums).zip(0..) {
            *sum = kernels.exponents(&mut row[..count], factor);
            for (group, share) in scratch.shares.iter_mut().zip(&row[..count]) {
                group[lane] = *share;
            }
        }
        sums
    }

    /// The values of all tokens by their shares, for the rows of a tile; `out` starts at the part of the head.
    fn mix(self, kernels: Kernels, sums: &[f32; ROWS], scratch: &Scratch, out: &mut [f32]) {
        let (hidden, count) = (self.heads * self.size, scratch.shares.len());
        for (panel, values) in scratch.values.chunks_exact(count).enumerate() {
            let mut products = [[0.0; COLUMNS]; ROWS];
            kernels.multiply(&scratch.shares, values, &mut products);
            let width = COLUMNS.min(self.size - panel * COLUMNS);
            let first = panel * COLUMNS;
            let rows = out.chunks_mut(hidden).zip(products).zip(sums);
            for ((row, products), sum) in rows {
                for (out, product) in row[first..first + width].iter_mut().zip(products) {
                    *out = product / sum;
                }
            }
        }
    }
}

impl Scratch {
    fn resize(&mut self, count: usize, size: usize) {
        let (tiles, panels) = (count.div_ceil(ROWS), count.div_ceil(COLUMNS));
        self.query = vec![[0.0; ROWS]; tiles * size];
        self.keys = vec![[0.0; COLUMNS]; panels * size];
        self.values = vec![[0.0; COLUMNS]; size.div_ceil(COLUMNS) * count];
        self.scores = vec![0.0; ROWS * panels * COLUMNS];
        self.shares = vec![[0.0; ROWS]; count];
    }

    fn pack(&mut self, mixed: &[f32], hidden: usize, start: usize, size: usize) {
        let count = mixed.len() / (3 * hidden);
        let part = |which: usize| which * hidden + start..which * hidden + start + size;
        self.part.clear();
        for (token, row) in mixed.chunks_exact(3 * hidden).enumerate() {
            self.part.extend_from_slice(&row[part(0)]);
            let keys = self.keys[token / COLUMNS * size..].iter_mut();
            for (group, key) in keys.zip(&row[part(1)]) {
                group[token % COLUMNS] = *key;
            }
            for (panel, value) in row[part(2)].chunks(COLUMNS).enumerate() {
                self.values[panel * count + token][..value.len()].copy_from_slice(value);
            }
        }
        let tiles = self.part.chunks(ROWS * size).zip(self.query.chunks_exact_mut(size));
        for (rows, tile) in tiles {
            side_by_side(rows, size, tile);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::tests::numbers;

    fn slow(mixed: &[f32], heads: usize, size: usize) -> Vec<f64> {
        let hidden = heads * size;
        let rows: Vec<&[f32]> = mixed.chunks_exact(3 * hidden).collect();
        let mut out = Vec::new();
        for query in &rows {
            for head in 0..heads {
                let at = |row: &[f32], which: usize, n: usize| {
                    f64::from(row[which * hidden + head * size + n])
                };
                let score = |key: &&[f32]| {
                    (0..size).map(|n| at(query, 0, n) * at(key, 1, n)).sum::<f64>()
                        / (size as f64).sqrt()
                };
                let shares: Vec<f64> = rows.iter().map(|key| score(key).exp()).collect();
                let total: f64 = shares.iter().sum();
                out.extend((0..size).map(|n| {
                    rows.iter().zip(&shares).map(|(row, share)| at(row, 2, n) * share).sum::<f64>()
                        / total
                }));
            }
        }
        out
    }

    #[test]
    fn tiles_equal_the_definition_at_every_edge() {
        let mut scratch = Scratch::default();
        for (count, heads, size) in [(1, 1, 2), (6, 2, 16), (17, 3, 20), (33, 2, 32)] {
            let mixed = numbers(9, count * 3 * heads * size, 1.5);
            let mut context = vec![0.0; count * heads * size];
            Attention { heads, size }.apply(Kernels::best(), &mixed, &mut context, &mut scratch);
            for (value, expected) in context.iter().zip(slow(&mixed, heads, size)) {
                assert!((f64::from(*value) - expected).abs() < 1e-5, "{count} {heads} {size}");
            }
        }
    }
}
