//! The codes of vectors: one bit for each number, and the scan over them.

use super::Kernels;

/// Codes that are compared at a time.
const BLOCK: usize = 512;

/// The bytes of a code: whole words of 64 bits, the last filled up with zeros.
pub const fn code_bytes(dimension: usize) -> usize {
    dimension.div_ceil(64) * 8
}

/// Adds the code of a vector.
pub fn write_code(vector: &[f32], out: &mut Vec<u8>) {
    for word in words(vector) {
        out.extend(word.to_le_bytes());
    }
}

fn words(vector: &[f32]) -> impl Iterator<Item = u64> {
    vector.chunks(64).map(|numbers| {
        numbers.iter().rev().fold(0, |word, number| word << 1 | u64::from(*number > 0.0))
    })
}

/// The slots of the `limit` codes that differ least from the code of the question, in rising order; of those that differ
/// equally the first ones. Only slots that are accepted count; a slot is asked about only when it is near enough, so not
/// all of them are.
pub fn nearest_codes(
    kernels: Kernels,
    question: &[f32],
    codes: &[u8],
    limit: usize,
    mut accepts: impl FnMut(u32) -> bool,
) -> Vec<u32> {
    let question: Vec<u64> = words(question).collect();
    let stride = question.len() * 8;
    if stride == 0 || limit == 0 {
        return Vec::new();
    }
    // Differences are small whole numbers: counting them is cheaper than keeping the best in order.
    let mut counts = vec![0usize; stride * 8 + 1];
    let mut found: Vec<(u16, u32)> = Vec::new();
    let mut differences = [0u16; BLOCK];
    // Of codes that differ in less than `bound` bits, fewer than are wanted have been found. Slots come in rising order,
    // so one that differs in more is behind enough others.
    let (mut bound, mut n_below) = (stride * 8, 0);
    let mut first = 0u32;
    for block in codes.chunks(BLOCK * stride) {
        let count = block.len() / stride;
        kernels.differences(&question, block, &mut differences[..count]);
        for (slot, &difference) in (first..).zip(&differences[..count]) {
            let at = usize::from(difference);
            if at > bound || (at == bound && n_below + counts[bound] >= limit) || !accepts(slot) {
                continue;
            }
            found.push((difference, slot));
            counts[at] += 1;
            n_below += usize::from(at < bound);
            while n_below >= limit && bound > 0 {
                bound -= 1;
                n_below -= counts[bound];
            }
        }
        first += count as u32;
    }
    let mut n_missing = limit - n_below;
    found.retain(|(difference, _)| {
        let at = usize::from(*difference);
        let is_last = at == bound && n_missing > 0;
        n_missing -= usize::from(is_last);
        at < bound || is_last
    });
    found.into_iter().map(|(_, slot)| slot).collect()
}

/// Those of the slots whose codes fit the numbers of the question best, and not only their signs: best first, ties by
/// slot. A number that is far from zero says more than one that is close to it.
pub fn nearest_by_sums(
    kernels: Kernels,
    question: &[f32],
    codes: &[u8],
    slots: &[u32],
    limit: usize,
) -> Vec<u32> {
    let stride = code_bytes(question.len());
    let of_slot = |slot: u32| codes.get(slot as usize * stride..)?.get(..stride);
    let mut found: Vec<(f32, u32)> = slots
        .iter()
        .filter_map(|&slot| Some((kernels.sum_of_signed(question, of_slot(slot)?), slot)))
        .collect();
    let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if (1..found.len()).contains(&limit) {
        found.select_nth_unstable_by(limit, order);
    }
    found.truncate(limit);
    found.sort_unstable_by(order);
    found.into_iter().map(|(_, slot)| slot).collect()
}
