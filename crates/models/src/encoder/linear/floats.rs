//! Products of floats.

use crate::kernels::{COLUMNS, Kernels, ROWS, Tile};

use super::padded;

/// For each panel of outputs and each input a row of weights.
#[derive(Debug)]
pub(super) struct Floats {
    inputs: usize,
    panels: Vec<[f32; COLUMNS]>,
}

impl Floats {
    pub(super) fn pack(weights: &[f32], inputs: usize) -> Self {
        let outputs = weights.len() / inputs.max(1);
        let mut panels = vec![[0.0; COLUMNS]; outputs.div_ceil(COLUMNS) * inputs];
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            let start = output / COLUMNS * inputs;
            for (panel, weight) in panels[start..].iter_mut().zip(row) {
                panel[output % COLUMNS] = *weight;
            }
        }
        Self { inputs, panels }
    }

    /// The weights as they were before.
    pub(super) fn unpack(&self, outputs: usize) -> Vec<f32> {
        let row = |output: usize| {
            let start = output / COLUMNS * self.inputs;
            let panels = &self.panels[start..start + self.inputs];
            panels.iter().map(move |panel| panel[output % COLUMNS])
        };
        (0..outputs).flat_map(row).collect()
    }

    /// Hands out each tile with its first row and column.
    pub(super) fn multiply(
        &self,
        kernels: Kernels,
        rows: &FloatRows,
        bias: &[f32],
        mut store: impl FnMut(&mut Tile, (usize, usize)),
    ) {
        for (panel, weights) in self.panels.chunks_exact(self.inputs).enumerate() {
            let bias = padded(bias, panel);
            for (index, rows) in rows.tiles.chunks_exact(self.inputs).enumerate() {
                let mut tile = [bias; ROWS];
                kernels.multiply(rows, weights, &mut tile);
                store(&mut tile, (index * ROWS, panel * COLUMNS));
            }
        }
    }
}

/// Rows side by side, a tile after the other. Rows of the last tile that do not exist have any numbers: what comes of
/// them is not stored.
#[derive(Debug, Default)]
pub(super) struct FloatRows {
    tiles: Vec<[f32; ROWS]>,
}

impl FloatRows {
    pub(super) fn pack(&mut self, rows: &[f32], inputs: usize) {
        let tiles = (rows.len() / inputs.max(1)).div_ceil(ROWS);
        self.tiles.resize(tiles * inputs, [0.0; ROWS]);
        let tiles = rows.chunks(ROWS * inputs).zip(self.tiles.chunks_exact_mut(inputs));
        for (rows, tile) in tiles {
            side_by_side(rows, inputs, tile);
        }
    }
}

/// Rows as columns of groups; where there are fewer rows, the rest of a group keeps its value.
fn side_by_side(rows: &[f32], inputs: usize, tile: &mut [[f32; ROWS]]) {
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
