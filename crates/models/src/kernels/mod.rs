//! The arithmetic of the encoder, in two builds of equal results.
//!
//! Matrices are multiplied in tiles of [`ROWS`] × [`COLUMNS`]. Every element is one chain of fused multiplications and
//! additions in the order of the inner index, and everything else is written once over eight lanes (`lanes`) and
//! compiled twice. So the bits of a result depend neither on the instruction set nor on the number of threads nor on
//! what else is in a batch. `plain` is the twin without instructions of a processor; `avx2` is chosen when it is there.
//!
//! Small integers have tiles of their own, [`INTEGER_ROWS`] × [`INTEGER_COLUMNS`]: a byte without sign times one with
//! sign, four at a time. Their sums are exact, so `avx512`, where the processor has VNNI, gives the same ones.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod lanes;
mod plain;

/// Rows of a tile.
pub(crate) const ROWS: usize = 6;
/// Columns of a tile.
pub(crate) const COLUMNS: usize = 16;

/// The numbers of a tile.
pub(crate) type Tile = [[f32; COLUMNS]; ROWS];
/// Rows of a tile of small integers.
pub(crate) const INTEGER_ROWS: usize = 12;
/// Columns of a tile of small integers.
pub(crate) const INTEGER_COLUMNS: usize = 32;
/// Neighbours of the inner index that are multiplied at a time.
pub(crate) const GROUP: usize = 4;
/// The largest integer of a row.
pub(crate) const ROW_LEVELS: u8 = u8::MAX;
/// The most that two neighbours of a column may add up to, those above zero and those below it: with rows as large as
/// they can be the sum of both products fits sixteen bits, which is all that AVX2 has for it.
pub(crate) const MOST_OF_TWO: i16 = i16::MAX / ROW_LEVELS as i16;

/// The sums of a tile of small integers.
pub(crate) type IntegerTile = [[i32; INTEGER_COLUMNS]; INTEGER_ROWS];
/// What they stand for.
pub(crate) type WideTile = [[f32; INTEGER_COLUMNS]; INTEGER_ROWS];
/// Neighbours of the inner index for each column of a tile.
pub(crate) type GroupsOfColumns = [[i8; GROUP]; INTEGER_COLUMNS];
/// Neighbours of the inner index for each row of a tile.
pub(crate) type GroupsOfRows = [[u8; GROUP]; INTEGER_ROWS];

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
    pub(crate) steps: [f32; INTEGER_COLUMNS],
    /// The sum of the weights, in what they stand for.
    pub(crate) sums: [f32; INTEGER_COLUMNS],
    pub(crate) bias: [f32; INTEGER_COLUMNS],
}

/// Which instructions are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kernels {
    /// Any processor.
    Plain,
    /// AVX2 and FMA, which this processor has: [`Kernels::best`] is the only one who says so.
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Proof),
    /// The same and the products of AVX-512 VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512(avx2::Proof, avx512::Proof),
}

impl Kernels {
    /// The fastest that this processor can do.
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(proof) = avx2::Proof::find() {
            return match avx512::Proof::find() {
                Some(more) => Self::Avx512(proof, more),
                None => Self::Avx2(proof),
            };
        }
        Self::Plain
    }

    /// Adds the product of a column of rows and a row of columns to a tile, for each inner index.
    pub(crate) fn multiply(self, a: &[[f32; ROWS]], b: &[[f32; COLUMNS]], tile: &mut Tile) {
        match self {
            Self::Plain => plain::multiply(a, b, tile),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) | Self::Avx512(proof, _) => avx2::multiply(proof, a, b, tile),
        }
    }

    /// The sums of products of small integers. Two neighbours of a column add up to [`MOST_OF_TWO`] at most.
    pub(crate) fn multiply_integers(
        self,
        a: &[GroupsOfRows],
        b: &[GroupsOfColumns],
        tile: &mut IntegerTile,
    ) {
        match self {
            Self::Plain => plain::multiply_integers(a, b, tile),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => avx2::multiply_integers(proof, a, b, tile),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_, proof) => avx512::multiply_integers(proof, a, b, tile),
        }
    }

    /// Turns the sums of a tile of integers back into numbers.
    pub(crate) fn scale(
        self,
        sums: &IntegerTile,
        rows: &[Scale; INTEGER_ROWS],
        of: &Columns,
        tile: &mut WideTile,
    ) {
        match self {
            Self::Plain => lanes::scale(sums, rows, of, tile),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) | Self::Avx512(proof, _) => avx2::scale(proof, sums, rows, of, tile),
        }
    }

    /// `x × Φ(x)` of each number.
    pub(crate) fn gelu(self, values: &mut [f32]) {
        match self {
            Self::Plain => lanes::gelu(values),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) | Self::Avx512(proof, _) => avx2::gelu(proof, values),
        }
    }

    /// `exp((x − max) × factor)` of each number of each column; gives their sums.
    pub(crate) fn exponents(self, rows: &mut [[f32; COLUMNS]], factor: f32) -> [f32; COLUMNS] {
        match self {
            Self::Plain => lanes::exponents(rows, factor),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) | Self::Avx512(proof, _) => avx2::exponents(proof, rows, factor),
        }
    }

    /// Brings a row to mean 0 and variance 1, then scales and shifts it.
    pub(crate) fn normalize(self, row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
        match self {
            Self::Plain => lanes::normalize(row, weight, bias, epsilon),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) | Self::Avx512(proof, _) => {
                avx2::normalize(proof, row, weight, bias, epsilon);
            },
        }
    }

    /// Writes the products of a row and its factors as integers from 0 to [`ROW_LEVELS`]; `scaled` is for the work.
    pub(crate) fn quantize(
        self,
        row: &[f32],
        factors: &[f32],
        scaled: &mut [f32],
        out: &mut [u8],
    ) -> Scale {
        match self {
            Self::Plain => lanes::quantize(row, factors, scaled, out),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) | Self::Avx512(proof, _) => {
                avx2::quantize(proof, row, factors, scaled, out)
            },
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
