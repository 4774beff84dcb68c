//! The sums for processors with AVX2 and POPCNT.

#![expect(
    unsafe_code,
    reason = "instructions that not every processor has; `lanes` is the safe twin"
)]

use super::lanes;

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

/// Calls the version of a function that is compiled for these instructions.
macro_rules! dispatch {
    ($($features:literal: $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {$(
        pub(super) fn $name(_proof: Proof, $($argument: $kind),*) $(-> $result)? {
            #[target_feature(enable = $features)]
            fn compiled($($argument: $kind),*) $(-> $result)? {
                lanes::$name($($argument),*)
            }
            // SAFETY: a proof exists only where the processor has these features.
            unsafe { compiled($($argument),*) }
        }
    )*};
}

dispatch! {
    "avx2": dot(a: &[f32], b: &[f32]) -> f32;
    "avx2": squared_distance(a: &[f32], b: &[f32]) -> f32;
    "avx2": sum_of_signed(numbers: &[f32], code: &[u8]) -> f32;
    // With AVX2 the compiler would count bits by table, which is slower for codes this short.
    "popcnt": differences(question: &[u64], codes: &[u8], out: &mut [u16]);
}
