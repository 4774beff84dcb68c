//! The arithmetic of the encoder, in two builds of equal results.
//!
//! Matrices are multiplied in tiles of [`ROWS`] × [`COLUMNS`]. Every element is one chain of fused multiplications and
//! additions in the order of the inner index, and everything else is written once over eight lanes (`lanes`) and
//! compiled twice. So the bits of a result depend neither on the instruction set nor on the number of threads nor on
//! what else is in a batch. `plain` is the twin without instructions of a processor; `avx2` is chosen when it is there.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub(crate) mod lanes;
mod plain;

/// Rows of a tile.
pub(crate) const ROWS: usize = 6;
/// Columns of a tile.
pub(crate) const COLUMNS: usize = 16;

/// The numbers of a tile.
pub(crate) type Tile = [[f32; COLUMNS]; ROWS];
/// The sums of a tile of small integers.
pub(crate) type IntegerTile = [[i32; COLUMNS]; ROWS];
/// Two neighbours of the inner index for each column of a tile.
pub(crate) type PairsOfColumns = [[i16; 2]; COLUMNS];
/// Two neighbours of the inner index for each row of a tile, joined by [`pair`] to one number that is loaded as a whole.
pub(crate) type PairsOfRows = [i32; ROWS];

/// Two small integers as one.
pub(crate) fn pair([first, second]: [i16; 2]) -> i32 {
    i32::from(second) << 16 | i32::from(first.cast_unsigned())
}

/// How a row of numbers became small integers: `value ≈ low + step × integer`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Scale {
    pub(crate) low: f32,
    pub(crate) step: f32,
}

/// What the columns of a tile of integers stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Columns {
    /// What a weight of one stands for.
    pub(crate) steps: [f32; COLUMNS],
    /// The sum of the weights, in what they stand for.
    pub(crate) sums: [f32; COLUMNS],
    pub(crate) bias: [f32; COLUMNS],
}

/// Which instructions are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kernels {
    /// Any processor.
    Plain,
    /// AVX2 and FMA, which this processor has: [`Kernels::best`] is the only one who says so.
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Proof),
}

impl Kernels {
    /// The fastest that this processor can do.
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(proof) = avx2::Proof::find() {
            return Self::Avx2(proof);
        }
        Self::Plain
    }

    /// Adds the product of a column of rows and a row of columns to a tile, for each inner index.
    pub(crate) fn multiply(self, a: &[[f32; ROWS]], b: &[[f32; COLUMNS]], tile: &mut Tile) {
        match self {
            Self::Plain => plain::multiply(a, b, tile),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => avx2::multiply(proof, a, b, tile),
        }
    }

    /// The same for small integers, two inner indexes at a time.
    pub(crate) fn multiply_integers(
        self,
        a: &[PairsOfRows],
        b: &[PairsOfColumns],
        tile: &mut IntegerTile,
    ) {
        match self {
            Self::Plain => plain::multiply_integers(a, b, tile),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => avx2::multiply_integers(proof, a, b, tile),
        }
    }

    /// Turns the sums of a tile of integers back into numbers.
    pub(crate) fn scale(
        self,
        sums: &IntegerTile,
        rows: &[Scale; ROWS],
        of: &Columns,
        tile: &mut Tile,
    ) {
        match self {
            Self::Plain => lanes::scale(sums, rows, of, tile),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => avx2::scale(proof, sums, rows, of, tile),
        }
    }

    /// `x × Φ(x)` of each number.
    pub(crate) fn gelu(self, values: &mut [f32]) {
        match self {
            Self::Plain => lanes::gelu(values),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => avx2::gelu(proof, values),
        }
    }

    /// `exp((x − max) × factor)` of each number; gives their sum.
    pub(crate) fn exponents(self, values: &mut [f32], factor: f32) -> f32 {
        match self {
            Self::Plain => lanes::exponents(values, factor),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => avx2::exponents(proof, values, factor),
        }
    }

    /// Brings a row to mean 0 and variance 1, then scales and shifts it.
    pub(crate) fn normalize(self, row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
        match self {
            Self::Plain => lanes::normalize(row, weight, bias, epsilon),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => avx2::normalize(proof, row, weight, bias, epsilon),
        }
    }

    /// Writes a row as integers from 0 to `levels`.
    pub(crate) fn quantize(self, row: &[f32], levels: i16, out: &mut [i16]) -> Scale {
        match self {
            Self::Plain => lanes::quantize(row, levels, out),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => avx2::quantize(proof, row, levels, out),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
