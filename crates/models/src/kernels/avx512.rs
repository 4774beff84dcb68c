//! Products of small integers for processors with AVX-512 VNNI.

#![expect(
    unsafe_code,
    reason = "instructions that not every processor has; `plain` is the safe twin"
)]

use std::arch::x86_64::{
    __m512i, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_storeu_si512,
};

use super::{GROUP, GroupsOfColumns, GroupsOfRows, INTEGER_ROWS, IntegerTile};

/// Columns of a register.
const WIDTH: usize = 16;

/// That this processor has AVX-512 VNNI; there is no other way to make one than to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Proof(());

impl Proof {
    /// Looks at the processor.
    pub(super) fn find() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni");
        has_all.then_some(Self(()))
    }
}

pub(super) fn multiply_integers(
    _proof: Proof,
    a: &[GroupsOfRows],
    b: &[GroupsOfColumns],
    tile: &mut IntegerTile,
) {
    // SAFETY: a proof exists only where the processor has both features.
    unsafe { multiply_integer_tile(a, b, tile) }
}

#[target_feature(enable = "avx512f,avx512vnni")]
fn multiply_integer_tile(a: &[GroupsOfRows], b: &[GroupsOfColumns], tile: &mut IntegerTile) {
    let mut sums = [[_mm512_setzero_si512(); 2]; INTEGER_ROWS];
    for (a, b) in a.iter().zip(b) {
        let (left, right) = (load_groups(b, 0), load_groups(b, WIDTH));
        for (a, sums) in a.iter().zip(&mut sums) {
            let a = _mm512_set1_epi32(i32::from_le_bytes(*a));
            sums[0] = _mm512_dpbusd_epi32(sums[0], a, left);
            sums[1] = _mm512_dpbusd_epi32(sums[1], a, right);
        }
    }
    for (row, sums) in tile.iter_mut().zip(sums) {
        for (half, sums) in row.as_chunks_mut::<WIDTH>().0.iter_mut().zip(sums) {
            // SAFETY: the store writes the sixteen numbers that `half` has.
            unsafe { _mm512_storeu_si512(half.as_mut_ptr().cast(), sums) };
        }
    }
}

#[target_feature(enable = "avx512f,avx512vnni")]
#[inline]
fn load_groups(groups: &GroupsOfColumns, from: usize) -> __m512i {
    let sixteen: &[[i8; GROUP]] = &groups[from..from + WIDTH];
    // SAFETY: the load reads 64 bytes, which are the sixteen groups.
    unsafe { _mm512_loadu_si512(sixteen.as_ptr().cast()) }
}
