//! The kernels for processors with AVX2 and FMA.

#![expect(
    unsafe_code,
    reason = "instructions that not every processor has; `plain` and `lanes` are the safe twins"
)]

use std::arch::x86_64::{
    __m256, __m256i, _mm256_add_epi32, _mm256_cvtps_epi32, _mm256_fmadd_ps, _mm256_loadu_ps,
    _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_ps, _mm256_min_ps,
    _mm256_mul_ps, _mm256_packs_epi32, _mm256_packus_epi16, _mm256_permutevar8x32_epi32,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setr_epi32, _mm256_setzero_si256,
    _mm256_storeu_ps, _mm256_storeu_si256, _mm256_sub_ps,
};

use super::{
    COLUMNS, Columns, GROUP, GroupsOfColumns, GroupsOfRows, INTEGER_COLUMNS, INTEGER_ROWS,
    IntegerTile, ROW_LEVELS, ROWS, Scale, Tile, WideTile, lanes,
};
use lanes::{Steps, larger, smaller};

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
    multiply_integers(a: &[GroupsOfRows], b: &[GroupsOfColumns], tile: &mut IntegerTile) = multiply_integer_tile;
    scale(sums: &IntegerTile, rows: &[Scale; INTEGER_ROWS], of: &Columns, tile: &mut WideTile) = lanes::scale;
    gelu(values: &mut [f32]) = lanes::gelu;
    exponents(rows: &mut [[f32; COLUMNS]], factor: f32) -> [f32; COLUMNS] = lanes::exponents;
    normalize(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) = lanes::normalize;
    quantize(row: &[f32], factors: &[f32], scaled: &mut [f32], out: &mut [u8]) -> Scale = quantize_row;
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
                store(sums, half);
            }
        }
    }
}

/// A part of the tile at a time: so many sums fit the registers.
const PART_ROWS: usize = 6;
const PART_COLUMNS: usize = 16;

#[target_feature(enable = "avx2,fma")]
#[inline]
fn multiply_integer_tile(a: &[GroupsOfRows], b: &[GroupsOfColumns], tile: &mut IntegerTile) {
    for column in (0..INTEGER_COLUMNS).step_by(PART_COLUMNS) {
        for (part, rows) in tile.as_chunks_mut::<PART_ROWS>().0.iter_mut().enumerate() {
            let sums = sums_of_part(a, part, b, column);
            for (row, sums) in rows.iter_mut().zip(sums) {
                let halves = row[column..column + PART_COLUMNS].as_chunks_mut::<8>().0;
                for (half, sums) in halves.iter_mut().zip(sums) {
                    // SAFETY: the store writes the eight numbers that `half` has.
                    unsafe { _mm256_storeu_si256(half.as_mut_ptr().cast(), sums) };
                }
            }
        }
    }
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn sums_of_part(
    a: &[GroupsOfRows],
    part: usize,
    b: &[GroupsOfColumns],
    column: usize,
) -> [[__m256i; 2]; PART_ROWS] {
    let ones = _mm256_set1_epi16(1);
    let mut sums = [[_mm256_setzero_si256(); 2]; PART_ROWS];
    for (a, b) in a.iter().zip(b) {
        let (left, right) = (load_groups(b, column), load_groups(b, column + 8));
        for (a, sums) in a.as_chunks::<PART_ROWS>().0[part].iter().zip(&mut sums) {
            let a = _mm256_set1_epi32(i32::from_le_bytes(*a));
            // The sums of two fit sixteen bits: `MOST_OF_TWO`.
            let products = [_mm256_maddubs_epi16(a, left), _mm256_maddubs_epi16(a, right)];
            sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(products[0], ones));
            sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(products[1], ones));
        }
    }
    sums
}

/// As `lanes::quantize`; the compiler makes little of that one.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn quantize_row(row: &[f32], factors: &[f32], scaled: &mut [f32], out: &mut [u8]) -> Scale {
    let (low, high) = scaled_range(row, factors, scaled);
    let steps = Steps::between(low, high);
    let ((parts, rest), (out, out_rest)) = (scaled.as_chunks::<32>(), out.as_chunks_mut::<32>());
    for (part, out) in parts.iter().zip(out) {
        let [a, b, c, d] = part.as_chunks::<8>().0 else { continue };
        let (first, second) = (
            _mm256_packs_epi32(levels(a, steps), levels(b, steps)),
            _mm256_packs_epi32(levels(c, steps), levels(d, steps)),
        );
        // Packing works on halves of registers: four levels of each part alternate.
        let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        let bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(first, second), order);
        // SAFETY: the store writes the 32 bytes that `out` has.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), bytes) };
    }
    for (value, out) in rest.iter().zip(out_rest) {
        *out = steps.level(*value);
    }
    Scale { low, step: steps.step }
}

/// Writes the products and returns the smallest and the largest of them.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn scaled_range(row: &[f32], factors: &[f32], scaled: &mut [f32]) -> (f32, f32) {
    let first = row.first().zip(factors.first()).map_or(0.0, |(value, factor)| value * factor);
    let (mut low, mut high) = (_mm256_set1_ps(first), _mm256_set1_ps(first));
    let ((rows, row_rest), (factors, factors_rest)) =
        (row.as_chunks::<8>(), factors.as_chunks::<8>());
    let (scaled, scaled_rest) = scaled.as_chunks_mut::<8>();
    for ((row, factors), scaled) in rows.iter().zip(factors).zip(scaled) {
        let product = _mm256_mul_ps(load(row), load(factors));
        low = _mm256_min_ps(product, low);
        high = _mm256_max_ps(product, high);
        store(product, scaled);
    }
    for ((value, factor), scaled) in row_rest.iter().zip(factors_rest).zip(&mut *scaled_rest) {
        *scaled = value * factor;
    }
    let (mut lows, mut highs) = ([0.0; 8], [0.0; 8]);
    store(low, &mut lows);
    store(high, &mut highs);
    let low = lows.iter().chain(&*scaled_rest).fold(first, |low, value| smaller(*value, low));
    let high = highs.iter().chain(&*scaled_rest).fold(first, |high, value| larger(*value, high));
    (low, high)
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn levels(values: &[f32; 8], steps: Steps) -> __m256i {
    let above = _mm256_sub_ps(load(values), _mm256_set1_ps(steps.low));
    let level = _mm256_mul_ps(above, _mm256_set1_ps(steps.per_step));
    _mm256_cvtps_epi32(_mm256_min_ps(level, _mm256_set1_ps(f32::from(ROW_LEVELS))))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn store(values: __m256, out: &mut [f32; 8]) {
    // SAFETY: the store writes the eight numbers that `out` has.
    unsafe { _mm256_storeu_ps(out.as_mut_ptr(), values) };
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
fn load_groups(groups: &GroupsOfColumns, from: usize) -> __m256i {
    let eight: &[[i8; GROUP]] = &groups[from..from + 8];
    // SAFETY: the load reads 32 bytes, which are the eight groups.
    unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) }
}
