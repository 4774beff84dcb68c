//! Products of small integers: a byte for each weight and for each number of a row.
//!
//! A weight has a sign and a scale for each output; a row is cut into [`ROW_LEVELS`] steps between its smallest and its
//! largest number. Some inputs of a transformer are always many times larger than the others and would leave those few
//! steps. So each input is divided by a factor that its weights are multiplied with: the root of how large the input was
//! in some texts over how large its weights are, which spreads the loss over both.

use crate::kernels::{
    Columns, GROUP, GroupsOfColumns, GroupsOfRows, INTEGER_COLUMNS, INTEGER_ROWS, Kernels,
    MOST_OF_TWO, ROW_LEVELS, Scale, WideTile,
};

use super::padded;

/// The largest integer of a weight.
const WEIGHT_LEVELS: f32 = 127.0;
/// What two neighbours may add up to before they are rounded.
const LEVELS_OF_TWO: f32 = (MOST_OF_TWO - 1) as f32;

const _: () = assert!(ROW_LEVELS as i32 * MOST_OF_TWO as i32 <= i16::MAX as i32);

#[derive(Debug)]
pub(super) struct Integers {
    /// For each panel of outputs and each group of inputs the weights.
    panels: Vec<GroupsOfColumns>,
    /// Groups of a panel.
    groups: usize,
    /// What an input is multiplied with.
    factors: Vec<f32>,
    /// What a weight of one stands for, for each output.
    steps: Vec<f32>,
    /// The sum of the weights of each output, in what they stand for.
    sums: Vec<f32>,
}

impl Integers {
    pub(super) fn pack(weights: &[f32], inputs: usize, sizes: &[f32]) -> Self {
        let outputs = weights.len() / inputs.max(1);
        let groups = inputs.div_ceil(GROUP);
        let mut panels =
            vec![[[0; GROUP]; INTEGER_COLUMNS]; outputs.div_ceil(INTEGER_COLUMNS) * groups];
        let spread = spread(weights, inputs, sizes);
        let (mut steps, mut sums) = (Vec::new(), Vec::new());
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            let row: Vec<f32> = row.iter().zip(&spread).map(|(weight, by)| weight * by).collect();
            let step = step(&row);
            let start = output / INTEGER_COLUMNS * groups;
            let mut sum = 0;
            for (panel, group) in panels[start..].iter_mut().zip(row.chunks(GROUP)) {
                for (place, weight) in panel[output % INTEGER_COLUMNS].iter_mut().zip(group) {
                    *place = rounded(weight / step);
                    sum += i32::from(*place);
                }
            }
            steps.push(step);
            sums.push(step * sum as f32);
        }
        let factors = spread.iter().map(|by| 1.0 / by).collect();
        Self { panels, groups, factors, steps, sums }
    }

    pub(super) fn factors(&self) -> &[f32] {
        &self.factors
    }

    /// Hands out each tile with its first row and column.
    pub(super) fn multiply(
        &self,
        kernels: Kernels,
        rows: &IntegerRows,
        bias: &[f32],
        mut store: impl FnMut(&mut WideTile, (usize, usize)),
    ) {
        let (mut sums, mut tile) = ([[0; INTEGER_COLUMNS]; INTEGER_ROWS], WideTile::default());
        for (panel, weights) in self.panels.chunks_exact(self.groups).enumerate() {
            let columns = Columns {
                steps: padded(&self.steps, panel),
                sums: padded(&self.sums, panel),
                bias: padded(bias, panel),
            };
            let tiles = rows.tiles.chunks_exact(self.groups).zip(&rows.scales);
            for (index, (rows, scales)) in tiles.enumerate() {
                kernels.multiply_integers(rows, weights, &mut sums);
                kernels.scale(&sums, scales, &columns, &mut tile);
                store(&mut tile, (index * INTEGER_ROWS, panel * INTEGER_COLUMNS));
            }
        }
    }
}

/// What the weights of each input are multiplied with.
fn spread(weights: &[f32], inputs: usize, sizes: &[f32]) -> Vec<f32> {
    let mut largest = vec![0.0f32; inputs];
    for row in weights.chunks_exact(inputs) {
        largest.iter_mut().zip(row).for_each(|(largest, weight)| {
            *largest = largest.max(weight.abs());
        });
    }
    let root = |(size, largest): (&f32, &f32)| {
        let root = (size / largest).sqrt();
        if root.is_normal() { root } else { 1.0 }
    };
    sizes.iter().zip(&largest).map(root).collect()
}

/// What one stands for in a row of weights: no weight and no two neighbours have more than they may.
fn step(row: &[f32]) -> f32 {
    let most = row.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
    let most_of_two = row.chunks(2).fold(0.0f32, |most, two| {
        let above: f32 = two.iter().map(|weight| weight.max(0.0)).sum();
        let below: f32 = two.iter().map(|weight| weight.min(0.0)).sum();
        most.max(above).max(-below)
    });
    let step = (most / WEIGHT_LEVELS).max(most_of_two / LEVELS_OF_TWO);
    if step > 0.0 { step } else { 1.0 }
}

#[expect(clippy::cast_possible_truncation, reason = "a level is between the limits")]
fn rounded(level: f32) -> i8 {
    level.round_ties_even() as i8
}

/// Rows side by side, a tile after the other. Rows of the last tile that do not exist have any numbers: what comes of
/// them is not stored.
#[derive(Debug, Default)]
pub(super) struct IntegerRows {
    tiles: Vec<GroupsOfRows>,
    scales: Vec<[Scale; INTEGER_ROWS]>,
    scaled: Vec<f32>,
    /// One row as it is quantised; what fills up its last group meets weights of zero.
    levels: Vec<[u8; GROUP]>,
}

impl IntegerRows {
    pub(super) fn pack(&mut self, kernels: Kernels, rows: &[f32], inputs: usize, factors: &[f32]) {
        let groups = inputs.div_ceil(GROUP);
        let tiles = (rows.len() / inputs.max(1)).div_ceil(INTEGER_ROWS);
        self.tiles.resize(tiles * groups, [[0; GROUP]; INTEGER_ROWS]);
        self.scales.resize(tiles, [Scale::default(); INTEGER_ROWS]);
        self.levels.resize(groups, [0; GROUP]);
        self.scaled.resize(inputs, 0.0);
        let parts = self.tiles.chunks_exact_mut(groups).zip(&mut self.scales);
        for ((tile, scales), rows) in parts.zip(rows.chunks(INTEGER_ROWS * inputs)) {
            for (lane, (row, scale)) in rows.chunks_exact(inputs).zip(scales).enumerate() {
                let levels = self.levels.as_flattened_mut();
                *scale = kernels.quantize(row, factors, &mut self.scaled, &mut levels[..inputs]);
                for (group, levels) in tile.iter_mut().zip(&self.levels) {
                    group[lane] = *levels;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::tests::numbers;

    #[test]
    fn no_two_neighbours_are_more_than_sixteen_bits_have_room_for() {
        let mut rows: Vec<Vec<f32>> = (1..200).map(|seed| numbers(seed, 48, 3.0)).collect();
        rows.push(vec![5.0; 48]);
        rows.push(vec![-0.3; 48]);
        rows.push(vec![1e-38; 48]);
        rows.push(vec![0.0; 48]);
        for row in rows {
            let step = step(&row);
            let levels: Vec<i8> = row.iter().map(|weight| rounded(weight / step)).collect();
            for two in levels.as_chunks::<2>().0.iter().map(|two| two.map(i16::from)) {
                let above = two[0].max(0) + two[1].max(0);
                let below = two[0].min(0) + two[1].min(0);
                assert!(above <= MOST_OF_TWO && -below <= MOST_OF_TWO, "{two:?}");
            }
        }
    }

    #[test]
    fn large_inputs_do_not_take_the_steps_of_the_small_ones() {
        // Ten inputs, one of them a thousand times as large as the others.
        let mut sizes = vec![1.0; 10];
        sizes[3] = 1_000.0;
        let rows: Vec<f32> =
            numbers(1, 10, 1.0).iter().zip(&sizes).map(|(n, size)| n * size).collect();
        let weights: Vec<f32> = numbers(2, 40, 1.0)
            .iter()
            .zip(sizes.iter().cycle())
            .map(|(n, size)| n / size)
            .collect();
        let error = |sizes: &[f32]| {
            let integers = Integers::pack(&weights, 10, sizes);
            let mut packed = IntegerRows::default();
            packed.pack(Kernels::best(), &rows, 10, integers.factors());
            let mut most = 0.0f32;
            integers.multiply(Kernels::best(), &packed, &[0.0; 4], |tile, _| {
                for (value, weights) in tile[0].iter().zip(weights.chunks_exact(10)) {
                    let exact: f32 = rows.iter().zip(weights).map(|(a, b)| a * b).sum();
                    most = most.max((value - exact).abs());
                }
            });
            most
        };
        let (with, without) = (error(&sizes), error(&[1.0; 10]));
        assert!(with < 0.05 && without > 10.0 * with, "{with} {without}");
    }
}
