//! The kernels for processors with AVX2 and FMA.

#![expect(
    unsafe_code,
    reason = "instructions that not every processor has; `plain` and `lanes` are the safe twins"
)]

use std::arch::x86_64::{
    __m256, __m256i, _mm256_add_epi32, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_loadu_si256,
    _mm256_madd_epi16, _mm256_set1_epi32, _mm256_set1_ps, _mm256_storeu_ps, _mm256_storeu_si256,
};

use super::{COLUMNS, Columns, IntegerTile, PairsOfColumns, PairsOfRows, ROWS, Scale, Tile, lanes};

/// That this processor has AVX2 and FMA; there is no other way to make one than to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Proof(());

impl Proof {
    /// Looks at the processor.
    pub(super) fn find() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        has_all.then_some(Self(()))
    }
}

/// Calls the version of a function that is compiled for these instructions.
macro_rules! dispatch {
    ($($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? = $body:path;)*) => {$(
        pub(super) fn $name(_proof: Proof, $($argument: $kind),*) $(-> $result)? {
            #[target_feature(enable = "avx2,fma")]
            fn compiled($($argument: $kind),*) $(-> $result)? {
                $body($($argument),*)
            }
            // SAFETY: a proof exists only where the processor has both features.
            unsafe { compiled($($argument),*) }
        }
    )*};
}

dispatch! {
    multiply(a: &[[f32; ROWS]], b: &[[f32; COLUMNS]], tile: &mut Tile) = multiply_tile;
    multiply_integers(a: &[PairsOfRows], b: &[PairsOfColumns], tile: &mut IntegerTile) = multiply_integer_tile;
    scale(sums: &IntegerTile, rows: &[Scale; ROWS], of: &Columns, tile: &mut Tile) = lanes::scale;
    gelu(values: &mut [f32]) = lanes::gelu;
    exponents(values: &mut [f32], factor: f32) -> f32 = lanes::exponents;
    normalize(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) = lanes::normalize;
    quantize(row: &[f32], levels: i16, out: &mut [i16]) -> Scale = lanes::quantize;
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn multiply_tile(a: &[[f32; ROWS]], b: &[[f32; COLUMNS]], tile: &mut Tile) {
    let mut sums = [[_mm256_set1_ps(0.0); 2]; ROWS];
    for (sums, row) in sums.iter_mut().zip(&*tile) {
        let [left, right] = halves(row);
        *sums = [load(left), load(right)];
    }
    for (a, b) in a.iter().zip(b) {
        let [left, right] = halves(b);
        let (left, right) = (load(left), load(right));
        for (a, sums) in a.iter().zip(&mut sums) {
            let a = _mm256_set1_ps(*a);
            sums[0] = _mm256_fmadd_ps(a, left, sums[0]);
            sums[1] = _mm256_fmadd_ps(a, right, sums[1]);
        }
    }
    for (row, sums) in tile.iter_mut().zip(sums) {
        let (left, right) = row.split_at_mut(8);
        for (half, sums) in [left, right].into_iter().zip(sums) {
            if let Some(half) = half.first_chunk_mut::<8>() {
                // SAFETY: the store writes the eight numbers that `half` has.
                unsafe { _mm256_storeu_ps(half.as_mut_ptr(), sums) };
            }
        }
    }
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn multiply_integer_tile(a: &[PairsOfRows], b: &[PairsOfColumns], tile: &mut IntegerTile) {
    let mut sums = [[_mm256_set1_epi32(0); 2]; ROWS];
    for (a, b) in a.iter().zip(b) {
        let (left, right) = (load_pairs(b, 0), load_pairs(b, 8));
        for (a, sums) in a.iter().zip(&mut sums) {
            let a = _mm256_set1_epi32(*a);
            sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(a, left));
            sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(a, right));
        }
    }
    for (row, sums) in tile.iter_mut().zip(sums) {
        for (half, sums) in row.as_chunks_mut::<8>().0.iter_mut().zip(sums) {
            let mut added = [0i32; 8];
            // SAFETY: the store writes the eight numbers that `added` has.
            unsafe { _mm256_storeu_si256(added.as_mut_ptr().cast(), sums) };
            for (value, added) in half.iter_mut().zip(added) {
                *value += added;
            }
        }
    }
}

#[inline(always)]
fn halves(row: &[f32; COLUMNS]) -> [&[f32; 8]; 2] {
    let (halves, _) = row.as_chunks::<8>();
    [&halves[0], &halves[1]]
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn load(half: &[f32; 8]) -> __m256 {
    // SAFETY: the load reads the eight numbers that `half` has.
    unsafe { _mm256_loadu_ps(half.as_ptr()) }
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn load_pairs(pairs: &PairsOfColumns, from: usize) -> __m256i {
    let half: &[[i16; 2]] = &pairs[from..from + 8];
    // SAFETY: the load reads 32 bytes, which are the eight pairs of `half`.
    unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
}
