//! Sums over numbers and bits, in an order that no compiler may change.
//!
//! `x86` does the same with its instructions: the operations, and with them the bits, are the same.

pub(super) const LANES: usize = 16;

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
    a_rest.iter().zip(b_rest).fold(fold(lanes), |sum, (a, b)| sum + term(*a, *b))
}

/// The sum of the lanes, the upper half to the lower one until one is left.
#[inline(always)]
pub(super) fn fold(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
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

/// The sum of the numbers, each with the sign that the bits of a code give it: those whose bit is not set count against.
#[inline(always)]
pub(super) fn sum_of_signed(numbers: &[f32], code: &[u8]) -> f32 {
    const _: () = assert!(LANES == 16, "two bytes of a code are the signs of a row of lanes");
    let ((numbers, rest), bytes) = (numbers.as_chunks::<LANES>(), code.as_chunks::<2>().0);
    let mut lanes = [0.0f32; LANES];
    for (numbers, bytes) in numbers.iter().zip(bytes) {
        add_signed(&mut lanes, numbers, *bytes);
    }
    if let Some(bytes) = bytes.get(numbers.len()) {
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        add_signed(&mut lanes, &last, *bytes);
    }
    fold(lanes)
}

#[inline(always)]
fn add_signed(lanes: &mut [f32; LANES], numbers: &[f32; LANES], signs: [u8; 2]) {
    let signs = signs.map(|byte| &SIGNS[usize::from(byte)]);
    for lane in 0..LANES {
        let sign = signs[lane / 8][lane % 8];
        lanes[lane] += f32::from_bits(numbers[lane].to_bits() ^ sign);
    }
}

/// What turns the signs of eight numbers, for each byte of a code: the bit of the sign of a number is its first.
pub(super) static SIGNS: [[u32; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < table.len() {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = if byte & (1 << bit) == 0 { 1 << 31 } else { 0 };
            bit += 1;
        }
        byte += 1;
    }
    table
};

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
