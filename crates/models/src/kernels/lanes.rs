//! What is done to one row of numbers, eight lanes at a time, in an order that no compiler may change.
//!
//! The functions are always inlined, so that `avx2` gets them compiled for its instructions; the operations, and with
//! them the bits, are the same.

use super::{
    COLUMNS, Columns, INTEGER_COLUMNS, INTEGER_ROWS, IntegerTile, ROW_LEVELS, Scale, WideTile,
};

const LANES: usize = 8;

type Lanes = [f32; LANES];

#[inline(always)]
fn each(function: impl Fn(usize) -> f32) -> Lanes {
    std::array::from_fn(function)
}

/// The sum of lanes in a fixed order.
#[inline(always)]
fn total(lanes: Lanes) -> f32 {
    ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
        + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
}

#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
pub(super) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The sum of `term` of all numbers: lanes first, then the rest one by one.
#[inline(always)]
fn sum(values: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        lanes = each(|lane| lanes[lane] + term(chunk[lane]));
    }
    rest.iter().fold(total(lanes), |sum, value| sum + term(*value))
}

/// The error function as a quotient of two polynomials; good to a few units of the last place.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let x = larger(smaller(x, 4.0), -4.0);
    let square = x * x;
    let above = [
        2.770_681_4e-8,
        -2.101_024e-6,
        -5.692_506_4e-5,
        -7.349_906_4e-4,
        -2.954_6e-3,
        -1.609_603_3e-2,
    ];
    let below = [-2.133_740_6e-4, -1.682_827e-3, -7.373_329e-3, -1.426_473_9e-2];
    let polynomial = |first: f32, rest: &[f32]| {
        rest.iter().fold(first, |value, term| value.mul_add(square, *term))
    };
    let value = x * polynomial(-2.726_142_3e-10, &above);
    value / polynomial(-1.456_607_2e-5, &below)
}

/// `exp(x)` for x ≤ 0; what is below −87 counts as that.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // Adding it rounds to a whole number that then stands in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let x = larger(x, -87.0);
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    let rest = whole.mul_add(-0.693_359_4, x);
    let rest = whole.mul_add(2.121_944_4e-4, rest);
    let terms = [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5];
    let value = terms.iter().fold(1.987_569_1e-4, |value: f32, term| value.mul_add(rest, *term));
    let value = value.mul_add(rest * rest, rest) + 1.0;
    value * f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000))
}

#[inline(always)]
pub(super) fn scale(
    sums: &IntegerTile,
    rows: &[Scale; INTEGER_ROWS],
    of: &Columns,
    tile: &mut WideTile,
) {
    for ((tile, sums), row) in tile.iter_mut().zip(sums).zip(rows) {
        for at in 0..INTEGER_COLUMNS {
            let from_low = row.low * of.sums[at] + of.bias[at];
            tile[at] = sums[at] as f32 * (row.step * of.steps[at]) + from_low;
        }
    }
}

#[inline(always)]
pub(super) fn gelu(values: &mut [f32]) {
    for value in values {
        let half = 0.5 * *value;
        *value = half.mul_add(erf(*value * std::f32::consts::FRAC_1_SQRT_2), half);
    }
}

#[inline(always)]
pub(super) fn exponents(rows: &mut [[f32; COLUMNS]], factor: f32) -> [f32; COLUMNS] {
    let mut most = rows.first().copied().unwrap_or_default();
    for row in rows.iter() {
        most = std::array::from_fn(|at| larger(row[at], most[at]));
    }
    for row in rows.iter_mut() {
        *row = std::array::from_fn(|at| exp((row[at] - most[at]) * factor));
    }
    // In the order of `sum`, for each column.
    let mut lanes = [[0.0; COLUMNS]; LANES];
    let (chunks, rest) = rows.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, row) in lanes.iter_mut().zip(chunk) {
            *lane = std::array::from_fn(|at| lane[at] + row[at]);
        }
    }
    let mut sums = std::array::from_fn(|at| total(each(|lane| lanes[lane][at])));
    for row in rest {
        sums = std::array::from_fn(|at| sums[at] + row[at]);
    }
    sums
}

#[inline(always)]
pub(super) fn normalize(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mean = sum(row, |value| value) / count;
    let variance = sum(row, |value| (value - mean) * (value - mean)) / count;
    let factor = 1.0 / (variance + epsilon).sqrt();
    for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
        *value = ((*value - mean) * factor).mul_add(*weight, *bias);
    }
}

#[inline(always)]
pub(super) fn quantize(row: &[f32], factors: &[f32], scaled: &mut [f32], out: &mut [u8]) -> Scale {
    for ((scaled, value), factor) in scaled.iter_mut().zip(row).zip(factors) {
        *scaled = value * factor;
    }
    let first = scaled.first().copied().unwrap_or_default();
    let low = scaled.iter().fold(first, |low, value| smaller(*value, low));
    let high = scaled.iter().fold(first, |high, value| larger(*value, high));
    let steps = Steps::between(low, high);
    for (value, out) in scaled.iter().zip(out) {
        *out = steps.level(*value);
    }
    Scale { low, step: steps.step }
}

/// How a row becomes levels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    pub(super) low: f32,
    pub(super) step: f32,
    pub(super) per_step: f32,
}

impl Steps {
    #[inline(always)]
    pub(super) fn between(low: f32, high: f32) -> Self {
        let step = (high - low) / f32::from(ROW_LEVELS);
        Self { low, step, per_step: if step > 0.0 { 1.0 / step } else { 0.0 } }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the number is between 0 and the levels")]
    #[expect(clippy::cast_sign_loss, reason = "the number is not below 0")]
    pub(super) fn level(self, value: f32) -> u8 {
        let level = smaller((value - self.low) * self.per_step, f32::from(ROW_LEVELS));
        level.round_ties_even() as u8
    }
}
