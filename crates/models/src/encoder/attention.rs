//! Which other tokens of its text does a token look at? Scaled products of queries and keys, one head at a time.
//!
//! The tokens that look are the columns of all tiles, so that what is done to the shares of a token is done to sixteen
//! of them at once and nothing has to be turned around in between.

use crate::kernels::{COLUMNS, Kernels, ROWS};

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
    /// For each tile of tokens and number of the head.
    keys: Vec<[f32; ROWS]>,
    /// For each panel of tokens and number of the head.
    queries: Vec<[f32; COLUMNS]>,
    /// For each tile of numbers of the head and token.
    values: Vec<[f32; ROWS]>,
    /// What the tokens of one panel have of each token.
    shares: Vec<[f32; COLUMNS]>,
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
            let panels = context.chunks_mut(COLUMNS * hidden);
            for (panel, out) in panels.enumerate() {
                let sums = self.look(kernels, panel, count, scratch);
                self.mix(
                    kernels,
                    &sums,
                    &scratch.shares[..count],
                    &scratch.values,
                    &mut out[start..],
                );
            }
        }
    }

    /// The shares of all tokens for those of a panel, and what they must be divided by.
    fn look(
        self,
        kernels: Kernels,
        panel: usize,
        count: usize,
        scratch: &mut Scratch,
    ) -> [f32; COLUMNS] {
        let Scratch { keys, queries, shares, .. } = scratch;
        let queries = &queries[panel * self.size..(panel + 1) * self.size];
        let tiles = shares.as_chunks_mut::<ROWS>().0.iter_mut();
        for (keys, tile) in keys.chunks_exact(self.size).zip(tiles) {
            *tile = [[0.0; COLUMNS]; ROWS];
            kernels.multiply(keys, queries, tile);
        }
        kernels.exponents(&mut shares[..count], 1.0 / (self.size as f32).sqrt())
    }

    /// The values of all tokens by their shares, for the tokens of a panel; `out` starts at the part of the head.
    fn mix(
        self,
        kernels: Kernels,
        sums: &[f32; COLUMNS],
        shares: &[[f32; COLUMNS]],
        values: &[[f32; ROWS]],
        out: &mut [f32],
    ) {
        for (tile, values) in values.chunks_exact(shares.len()).enumerate() {
            let mut products = [[0.0; COLUMNS]; ROWS];
            kernels.multiply(values, shares, &mut products);
            for row in &mut products {
                row.iter_mut().zip(sums).for_each(|(product, sum)| *product /= sum);
            }
            let first = tile * ROWS;
            let width = ROWS.min(self.size - first);
            for (token, row) in out.chunks_mut(self.heads * self.size).enumerate() {
                for (out, products) in row[first..first + width].iter_mut().zip(&products) {
                    *out = products[token];
                }
            }
        }
    }
}

impl Scratch {
    fn resize(&mut self, count: usize, size: usize) {
        let (tiles, panels) = (count.div_ceil(ROWS), count.div_ceil(COLUMNS));
        self.keys.resize(tiles * size, [0.0; ROWS]);
        self.queries.resize(panels * size, [0.0; COLUMNS]);
        self.values.resize(size.div_ceil(ROWS) * count, [0.0; ROWS]);
        self.shares.resize(tiles * ROWS, [0.0; COLUMNS]);
    }

    /// Tokens that do not exist keep any numbers: what comes of them is not looked at.
    fn pack(&mut self, mixed: &[f32], hidden: usize, start: usize, size: usize) {
        let count = mixed.len() / (3 * hidden);
        let part = |which: usize| which * hidden + start..which * hidden + start + size;
        for (token, row) in mixed.chunks_exact(3 * hidden).enumerate() {
            let queries = self.queries[token / COLUMNS * size..].iter_mut();
            for (group, query) in queries.zip(&row[part(0)]) {
                group[token % COLUMNS] = *query;
            }
            let keys = self.keys[token / ROWS * size..].iter_mut();
            for (group, key) in keys.zip(&row[part(1)]) {
                group[token % ROWS] = *key;
            }
            for (tile, values) in row[part(2)].chunks(ROWS).enumerate() {
                self.values[tile * count + token][..values.len()].copy_from_slice(values);
            }
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
