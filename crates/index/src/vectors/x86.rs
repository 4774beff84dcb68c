//! The sums for processors with AVX2 and POPCNT.

#![expect(
    unsafe_code,
    reason = "instructions that not every processor has; `lanes` is the safe twin"
)]

use std::arch::x86_64::{
    __m256, _mm256_add_ps, _mm256_castsi256_ps, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_mul_ps,
    _mm256_setzero_ps, _mm256_storeu_ps, _mm256_sub_ps, _mm256_xor_ps,
};

use super::lanes::{self, LANES, SIGNS};

/// That this processor has AVX2 and POPCNT; there is no other way to make one than to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof(());

impl Proof {
    /// Looks at the processor.
    pub(super) fn find() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }
}

/// Calls the version of a function that is made for these instructions.
macro_rules! dispatch {
    ($($features:literal: $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? = $body:path;)*) => {$(
        pub(super) fn $name(_proof: Proof, $($argument: $kind),*) $(-> $result)? {
            #[target_feature(enable = $features)]
            fn compiled($($argument: $kind),*) $(-> $result)? {
                $body($($argument),*)
            }
            // SAFETY: a proof exists only where the processor has these features.
            unsafe { compiled($($argument),*) }
        }
    )*};
}

dispatch! {
    "avx2": dot(a: &[f32], b: &[f32]) -> f32 = dot_of_lanes;
    "avx2": squared_distance(a: &[f32], b: &[f32]) -> f32 = squared_distance_of_lanes;
    "avx2": sum_of_signed(numbers: &[f32], code: &[u8]) -> f32 = sum_of_signed_lanes;
    // With AVX2 the compiler would count bits by table, which is slower for codes this short.
    "popcnt": differences(question: &[u64], codes: &[u8], out: &mut [u16]) = lanes::differences;
}

const HALF: usize = LANES / 2;

/// The lanes of [`lanes`] in two registers: left to itself, the compiler adds them one by one.
#[derive(Clone, Copy)]
struct Sum([__m256; 2]);

impl Sum {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn zero() -> Self {
        Self([_mm256_setzero_ps(); 2])
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn add(&mut self, terms: [__m256; 2]) {
        self.0[0] = _mm256_add_ps(self.0[0], terms[0]);
        self.0[1] = _mm256_add_ps(self.0[1], terms[1]);
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn total(self) -> f32 {
        let mut lanes = [0.0; LANES];
        let (low, high) = lanes.split_at_mut(HALF);
        // SAFETY: each half has the eight places that are written to.
        unsafe { _mm256_storeu_ps(low.as_mut_ptr(), self.0[0]) };
        // SAFETY: as above.
        unsafe { _mm256_storeu_ps(high.as_mut_ptr(), self.0[1]) };
        lanes::fold(lanes)
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(numbers: &[f32; LANES]) -> [__m256; 2] {
    let (low, high) = numbers.split_at(HALF);
    // SAFETY: each half has the eight numbers that are read.
    let low = unsafe { _mm256_loadu_ps(low.as_ptr()) };
    // SAFETY: as above.
    [low, unsafe { _mm256_loadu_ps(high.as_ptr()) }]
}

/// The numbers with the signs of a code.
#[inline]
#[target_feature(enable = "avx2")]
fn load_signed(numbers: &[f32; LANES], code: [u8; 2]) -> [__m256; 2] {
    let [low, high] = load(numbers);
    let [low_signs, high_signs] = code.map(|byte| &SIGNS[usize::from(byte)]);
    // SAFETY: a row of the table has as many bits as are read.
    let low_signs = unsafe { _mm256_loadu_si256(low_signs.as_ptr().cast()) };
    // SAFETY: as above.
    let high_signs = unsafe { _mm256_loadu_si256(high_signs.as_ptr().cast()) };
    [
        _mm256_xor_ps(low, _mm256_castsi256_ps(low_signs)),
        _mm256_xor_ps(high, _mm256_castsi256_ps(high_signs)),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn dot_of_lanes(a: &[f32], b: &[f32]) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sum = Sum::zero();
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (load(a), load(b));
        sum.add([_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])]);
    }
    a_rest.iter().zip(b_rest).fold(sum.total(), |sum, (a, b)| sum + a * b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn squared_distance_of_lanes(a: &[f32], b: &[f32]) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sum = Sum::zero();
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (load(a), load(b));
        let apart = [_mm256_sub_ps(a[0], b[0]), _mm256_sub_ps(a[1], b[1])];
        sum.add([_mm256_mul_ps(apart[0], apart[0]), _mm256_mul_ps(apart[1], apart[1])]);
    }
    a_rest.iter().zip(b_rest).fold(sum.total(), |sum, (a, b)| sum + (a - b) * (a - b))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_of_signed_lanes(numbers: &[f32], code: &[u8]) -> f32 {
    let ((numbers, rest), bytes) = (numbers.as_chunks::<LANES>(), code.as_chunks::<2>().0);
    let mut sum = Sum::zero();
    for (numbers, bytes) in numbers.iter().zip(bytes) {
        sum.add(load_signed(numbers, *bytes));
    }
    if let Some(bytes) = bytes.get(numbers.len()) {
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        sum.add(load_signed(&last, *bytes));
    }
    sum.total()
}
