//! Rows times weights plus bias: the packed product that nearly all time is spent in, in `floats` and in small
//! `integers`.
//!
//! Weights are packed once into panels of outputs; the rows of a batch are packed for each product.

mod floats;
mod integers;

use crate::kernels::Kernels;

use floats::{FloatRows, Floats};
use integers::{IntegerRows, Integers};

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
    Floats(Floats),
    Integers(Integers),
}

/// The rows of a batch as one of the products wants them; kept from product to product.
#[derive(Debug, Default)]
pub(super) struct Packed {
    floats: FloatRows,
    integers: IntegerRows,
}

impl Linear {
    /// Packs weights, `outputs` rows of `inputs` numbers, as they are.
    pub(super) fn floats(weights: &[f32], bias: Vec<f32>) -> Self {
        let outputs = bias.len();
        let inputs = weights.len() / outputs.max(1);
        let weights = Weights::Floats(Floats::pack(weights, inputs));
        Self { inputs, outputs, bias, weights }
    }

    /// The same in integers. `sizes` tells how large the inputs are to each other.
    pub(super) fn into_integers(self, sizes: &[f32]) -> Self {
        let weights = match self.weights {
            Weights::Floats(floats) => {
                let weights = floats.unpack(self.outputs);
                Weights::Integers(Integers::pack(&weights, self.inputs, sizes))
            },
            Weights::Integers(integers) => Weights::Integers(integers),
        };
        Self { weights, ..self }
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
            Weights::Floats(weights) => {
                packed.floats.pack(rows, self.inputs);
                weights.multiply(kernels, &packed.floats, &self.bias, |tile, at| {
                    self.store(kernels, tile, at, out, finish);
                });
            },
            Weights::Integers(weights) => {
                packed.integers.pack(kernels, rows, self.inputs, weights.factors());
                weights.multiply(kernels, &packed.integers, &self.bias, |tile, at| {
                    self.store(kernels, tile, at, out, finish);
                });
            },
        }
    }

    /// Writes the part of a tile that exists: its first row and its first column are told.
    fn store<const COLUMNS: usize>(
        &self,
        kernels: Kernels,
        tile: &mut [[f32; COLUMNS]],
        (row, column): (usize, usize),
        out: &mut [f32],
        finish: Finish,
    ) {
        if finish == Finish::Gelu {
            kernels.gelu(tile.as_flattened_mut());
        }
        let rows = out[row * self.outputs..].chunks_exact_mut(self.outputs);
        for (row, values) in rows.zip(tile) {
            let row = &mut row[column..];
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

/// The numbers of a panel, zero where there are no more.
fn padded<const COLUMNS: usize>(values: &[f32], panel: usize) -> [f32; COLUMNS] {
    let mut padded = [0.0; COLUMNS];
    let some = &values[panel * COLUMNS..values.len().min((panel + 1) * COLUMNS)];
    padded[..some.len()].copy_from_slice(some);
    padded
}

#[cfg(test)]
mod tests;
