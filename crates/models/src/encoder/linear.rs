//! Rows times weights plus bias: the packed product that nearly all time is spent in, in `f32` and in small integers.
//!
//! Weights are packed once into panels of [`COLUMNS`] outputs; the rows of a batch are packed for each product.
//! Integers have sixteen bits and are multiplied in pairs; with eight the vectors of short texts were too far from those
//! of the floats. A weight has [`WEIGHT_LEVELS`] steps on either side of zero and a
//! scale for each output; a row has as many levels between its smallest and largest number as its sums have room for.

use crate::kernels::{
    COLUMNS, Columns, IntegerTile, Kernels, PairsOfColumns, PairsOfRows, ROWS, Scale, Tile, pair,
};

/// The largest integer of a weight.
const WEIGHT_LEVELS: i16 = 1_023;
/// The largest integer of a row; more would not come closer.
const MOST_ROW_LEVELS: i16 = 4_095;

/// What happens to a product before it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    Store,
    Gelu,
    /// Added to what the output has.
    Add,
}

/// The weights of one product.
#[derive(Debug)]
pub(super) struct Linear {
    inputs: usize,
    outputs: usize,
    bias: Vec<f32>,
    weights: Weights,
}

#[derive(Debug)]
enum Weights {
    /// For each panel and input a row of weights.
    Floats(Vec<[f32; COLUMNS]>),
    Integers(Integers),
}

#[derive(Debug)]
struct Integers {
    /// For each panel and pair of inputs a row of weights.
    panels: Vec<PairsOfColumns>,
    /// What a weight of one stands for, for each output.
    steps: Vec<f32>,
    /// The sum of the weights of each output.
    sums: Vec<f32>,
}

impl Linear {
    /// Packs weights, `outputs` rows of `inputs` numbers, as they are.
    pub(super) fn floats(weights: &[f32], bias: Vec<f32>) -> Self {
        let outputs = bias.len();
        let inputs = weights.len() / outputs.max(1);
        let mut panels = vec![[0.0; COLUMNS]; outputs.div_ceil(COLUMNS) * inputs];
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            let start = output / COLUMNS * inputs;
            for (panel, weight) in panels[start..].iter_mut().zip(row) {
                panel[output % COLUMNS] = *weight;
            }
        }
        Self { inputs, outputs, bias, weights: Weights::Floats(panels) }
    }

    /// Packs weights as integers; the number of inputs is even.
    #[expect(clippy::cast_possible_truncation, reason = "a level is between the limits")]
    pub(super) fn integers(weights: &[f32], bias: Vec<f32>) -> Self {
        let outputs = bias.len();
        let inputs = weights.len() / outputs.max(1);
        let mut panels = vec![[[0; 2]; COLUMNS]; outputs.div_ceil(COLUMNS) * inputs / 2];
        let (mut steps, mut sums) = (Vec::new(), Vec::new());
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            let most = row.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
            let step = if most > 0.0 { most / f32::from(WEIGHT_LEVELS) } else { 1.0 };
            let start = output / COLUMNS * inputs / 2;
            let mut sum = 0;
            for (panel, pair) in panels[start..].iter_mut().zip(row.as_chunks::<2>().0) {
                let pair = pair.map(|weight| (weight / step).round_ties_even() as i16);
                panel[output % COLUMNS] = pair;
                sum += i32::from(pair[0]) + i32::from(pair[1]);
            }
            steps.push(step);
            sums.push(step * sum as f32);
        }
        let weights = Weights::Integers(Integers { panels, steps, sums });
        Self { inputs, outputs, bias, weights }
    }

    /// The product of all rows; `out` has a row of outputs for each of them.
    pub(super) fn apply(
        &self,
        kernels: Kernels,
        rows: &[f32],
        out: &mut [f32],
        finish: Finish,
        packed: &mut Packed,
    ) {
        match &self.weights {
            Weights::Floats(panels) => {
                packed.pack_floats(rows, self.inputs);
                for (panel, weights) in panels.chunks_exact(self.inputs).enumerate() {
                    let bias = padded(&self.bias, panel);
                    for (index, rows) in packed.floats.chunks_exact(self.inputs).enumerate() {
                        let mut tile = [bias; ROWS];
                        kernels.multiply(rows, weights, &mut tile);
                        self.store(kernels, &mut tile, (index, panel), out, finish);
                    }
                }
            },
            Weights::Integers(integers) => {
                packed.pack_integers(kernels, rows, self.inputs);
                let pairs = self.inputs / 2;
                for (panel, weights) in integers.panels.chunks_exact(pairs).enumerate() {
                    let columns = Columns {
                        steps: padded(&integers.steps, panel),
                        sums: padded(&integers.sums, panel),
                        bias: padded(&self.bias, panel),
                    };
                    let tiles = packed.integers.chunks_exact(pairs).zip(&packed.scales);
                    for (index, (rows, scales)) in tiles.enumerate() {
                        let mut sums: IntegerTile = [[0; COLUMNS]; ROWS];
                        kernels.multiply_integers(rows, weights, &mut sums);
                        let mut tile = [[0.0; COLUMNS]; ROWS];
                        kernels.scale(&sums, scales, &columns, &mut tile);
                        self.store(kernels, &mut tile, (index, panel), out, finish);
                    }
                }
            },
        }
    }

    /// Writes the part of a tile that exists.
    fn store(
        &self,
        kernels: Kernels,
        tile: &mut Tile,
        (index, panel): (usize, usize),
        out: &mut [f32],
        finish: Finish,
    ) {
        if finish == Finish::Gelu {
            kernels.gelu(tile.as_flattened_mut());
        }
        let start = panel * COLUMNS;
        let rows = out[index * ROWS * self.outputs..].chunks_exact_mut(self.outputs);
        for (row, values) in rows.zip(tile) {
            let row = &mut row[start..];
            match (row.first_chunk_mut::<COLUMNS>(), finish) {
                (Some(row), Finish::Add) => add(row, values),
                (Some(row), Finish::Store | Finish::Gelu) => *row = *values,
                (None, Finish::Add) => add(row, values),
                (None, Finish::Store | Finish::Gelu) => row.copy_from_slice(&values[..row.len()]),
            }
        }
    }
}

fn add(out: &mut [f32], values: &[f32]) {
    out.iter_mut().zip(values).for_each(|(out, value)| *out += value);
}

/// The levels of a row with so many numbers: the largest sum fits an `i32`.
fn row_levels(inputs: usize) -> i16 {
    let room = usize::try_from(i32::MAX).unwrap_or(usize::MAX) / inputs.max(1);
    i16::try_from(room / WEIGHT_LEVELS.unsigned_abs() as usize)
        .map_or(MOST_ROW_LEVELS, |levels| levels.min(MOST_ROW_LEVELS))
}

/// The numbers of a panel, zero where there are no more.
fn padded(values: &[f32], panel: usize) -> [f32; COLUMNS] {
    let mut padded = [0.0; COLUMNS];
    let some = &values[panel * COLUMNS..values.len().min((panel + 1) * COLUMNS)];
    padded[..some.len()].copy_from_slice(some);
    padded
}

/// The rows of a batch side by side, a tile after the other; kept from product to product. Rows of the last tile that do
/// not exist have any numbers: what comes of them is not stored.
#[derive(Debug, Default)]
pub(super) struct Packed {
    floats: Vec<[f32; ROWS]>,
    integers: Vec<PairsOfRows>,
    scales: Vec<[Scale; ROWS]>,
    /// The rows of one tile as they are quantised.
    levels: Vec<i16>,
    pairs: Vec<i32>,
}

impl Packed {
    fn pack_floats(&mut self, rows: &[f32], inputs: usize) {
        let tiles = (rows.len() / inputs.max(1)).div_ceil(ROWS);
        self.floats.resize(tiles * inputs, [0.0; ROWS]);
        let tiles = rows.chunks(ROWS * inputs).zip(self.floats.chunks_exact_mut(inputs));
        for (rows, tile) in tiles {
            side_by_side(rows, inputs, tile);
        }
    }

    fn pack_integers(&mut self, kernels: Kernels, rows: &[f32], inputs: usize) {
        let tiles = (rows.len() / inputs.max(1)).div_ceil(ROWS);
        self.integers.resize(tiles * inputs / 2, [0; ROWS]);
        self.scales.resize(tiles, [Scale::default(); ROWS]);
        self.levels.resize(ROWS * inputs, 0);
        let parts = self.integers.chunks_exact_mut(inputs / 2).zip(&mut self.scales);
        for ((tile, scales), rows) in parts.zip(rows.chunks(ROWS * inputs)) {
            let quantized = self.levels.chunks_exact_mut(inputs).zip(rows.chunks_exact(inputs));
            for (scale, (out, row)) in scales.iter_mut().zip(quantized) {
                *scale = kernels.quantize(row, row_levels(inputs), out);
            }
            let whole = self.levels[..rows.len()].as_chunks::<2>().0;
            self.pairs.clear();
            self.pairs.extend(whole.iter().map(|two| pair(*two)));
            side_by_side(&self.pairs, inputs / 2, tile);
        }
    }
}

/// Rows as columns of groups; where there are fewer rows, the rest of a group keeps its value.
pub(super) fn side_by_side<T: Copy>(rows: &[T], inputs: usize, tile: &mut [[T; ROWS]]) {
    let mut parts = rows.chunks_exact(inputs);
    let mut next = || parts.next().unwrap_or_default();
    if rows.len() == ROWS * inputs {
        let all = next().iter().zip(next()).zip(next()).zip(next()).zip(next()).zip(next());
        for (group, (((((a, b), c), d), e), f)) in tile.iter_mut().zip(all) {
            *group = [*a, *b, *c, *d, *e, *f];
        }
        return;
    }
    for (lane, row) in parts.enumerate() {
        for (group, value) in tile.iter_mut().zip(row) {
            group[lane] = *value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::tests::numbers;

    /// The product as it is defined.
    fn slow(rows: &[f32], weights: &[f32], bias: &[f32]) -> Vec<f64> {
        let inputs = weights.len() / bias.len();
        rows.chunks_exact(inputs)
            .flat_map(|row| {
                weights.chunks_exact(inputs).zip(bias).map(|(weights, bias)| {
                    let products = row.iter().zip(weights);
                    f64::from(*bias)
                        + products.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
                })
            })
            .collect()
    }

    #[test]
    fn packed_products_equal_slow_ones_at_every_edge() {
        let mut packed = Packed::default();
        for (count, inputs, outputs) in [(1, 2, 1), (5, 8, 16), (6, 64, 17), (13, 30, 48)] {
            let (rows, weights) =
                (numbers(1, count * inputs, 2.0), numbers(2, outputs * inputs, 1.0));
            let bias = numbers(3, outputs, 1.0);
            let expected = slow(&rows, &weights, &bias);
            let mut out = vec![0.0; count * outputs];
            let floats = Linear::floats(&weights, bias.clone());
            floats.apply(Kernels::best(), &rows, &mut out, Finish::Store, &mut packed);
            for (value, expected) in out.iter().zip(&expected) {
                assert!((f64::from(*value) - expected).abs() < 1e-4);
            }
            floats.apply(Kernels::best(), &rows, &mut out, Finish::Add, &mut packed);
            assert!((f64::from(out[0]) - 2.0 * expected[0]).abs() < 1e-4);
            Linear::integers(&weights, bias).apply(
                Kernels::best(),
                &rows,
                &mut out,
                Finish::Store,
                &mut packed,
            );
            for (value, expected) in out.iter().zip(&expected) {
                assert!((f64::from(*value) - expected).abs() < 0.002 * (inputs as f64).sqrt());
            }
        }
    }

    #[test]
    fn the_largest_sum_fits() {
        for inputs in [2, 384, 1_536, 3_072, 4_096] {
            let levels = i64::from(row_levels(inputs));
            assert!(levels > 255);
            assert!(inputs as i64 * levels * i64::from(WEIGHT_LEVELS) <= i64::from(i32::MAX));
        }
    }

    #[test]
    fn a_row_does_not_depend_on_its_neighbours() {
        let mut packed = Packed::default();
        let (rows, weights, bias) =
            (numbers(4, 20 * 32, 2.0), numbers(5, 24 * 32, 1.0), numbers(6, 24, 1.0));
        for linear in
            [Linear::floats(&weights, bias.clone()), Linear::integers(&weights, bias.clone())]
        {
            let (mut all, mut one) = (vec![0.0; 20 * 24], vec![0.0; 24]);
            linear.apply(Kernels::best(), &rows, &mut all, Finish::Gelu, &mut packed);
            linear.apply(
                Kernels::Plain,
                &rows[7 * 32..8 * 32],
                &mut one,
                Finish::Gelu,
                &mut packed,
            );
            assert_eq!(all[7 * 24..8 * 24], one);
        }
    }
}
