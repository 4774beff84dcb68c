//! Sums over numbers and bits, in an order that no compiler may change.
//!
//! The functions are always inlined, so that `x86` gets them compiled for its instructions; the operations, and with
//! them the bits, are the same.

const LANES: usize = 16;

/// The sum of `term` over both rows: lanes first, then the rest one by one.
#[inline(always)]
fn sum(a: &[f32], b: &[f32], term: impl Fn(f32, f32) -> f32) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut lanes = [0.0f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            lanes[lane] += term(a[lane], b[lane]);
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    a_rest.iter().zip(b_rest).fold(lanes[0], |sum, (a, b)| sum + term(*a, *b))
}

/// The sum of the products.
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    sum(a, b, |a, b| a * b)
}

/// The sum of the squared differences.
#[inline(always)]
pub(super) fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    sum(a, b, |a, b| (a - b) * (a - b))
}

/// In how many bits each code differs from that of the question.
#[inline(always)]
pub(super) fn differences(question: &[u64], codes: &[u8], out: &mut [u16]) {
    let words = codes.as_chunks::<8>().0;
    // A loop of known length is twice as fast; these are the widths of common models.
    match question.len() {
        4 => fixed::<4>(question, words, out),
        6 => fixed::<6>(question, words, out),
        8 => fixed::<8>(question, words, out),
        12 => fixed::<12>(question, words, out),
        16 => fixed::<16>(question, words, out),
        width => {
            for (code, out) in words.chunks_exact(width.max(1)).zip(out) {
                *out = bits(question, code);
            }
        },
    }
}

#[inline(always)]
fn fixed<const WORDS: usize>(question: &[u64], words: &[[u8; 8]], out: &mut [u16]) {
    let Some(question) = question.first_chunk::<WORDS>() else { return };
    for (code, out) in words.as_chunks::<WORDS>().0.iter().zip(out) {
        *out = bits(question, code);
    }
}

#[inline(always)]
fn bits(question: &[u64], code: &[[u8; 8]]) -> u16 {
    let pairs = question.iter().zip(code);
    pairs.map(|(word, bytes)| (word ^ u64::from_le_bytes(*bytes)).count_ones()).sum::<u32>() as u16
}
