//! Repeatable randomness for tests, crash moments and generated trees: one seed, one sequence, on every machine.
//!
//! Not for ids or secrets.

use std::ops::Range;

/// The splitmix64 generator: tiny, fast, good enough to spread test cases.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator that always gives the same sequence for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, which must not be zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below zero");
        // The bias of the remainder is far below what a test could notice.
        self.next_u64() % bound
    }

    /// A number in the range, which must not be empty.
    pub fn within(&mut self, range: Range<usize>) -> usize {
        assert!(range.start < range.end, "{range:?} is empty");
        let width = (range.end - range.start) as u64;
        range.start + usize::try_from(self.below(width)).expect("the width came from a usize")
    }

    /// True once in `times` on average.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of the items, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.within(0..items.len())]
    }

    /// A position below `n`, small ones far more often: position `i` about as often as 1/(i+1), as words in text.
    ///
    /// Whole numbers only, so that the sequence does not depend on a machine's logarithm.
    pub fn zipf(&mut self, n: usize) -> usize {
        assert!(n > 0, "nothing to choose from");
        let octaves = usize::BITS - n.leading_zeros();
        loop {
            let octave = self.below(u64::from(octaves));
            let rank = (1_u64 << octave) + self.below(1 << octave);
            match usize::try_from(rank - 1) {
                Ok(position) if position < n => return position,
                _ => {},
            }
        }
    }

    /// Puts the items in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.within(0..last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut rng = Rng::new(1_234_567);
        let sequence: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(
            sequence,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn ranges_are_filled_and_never_left() {
        let mut rng = Rng::new(1);
        let mut seen = [false; 5];
        for _ in 0..200 {
            seen[rng.within(10..15) - 10] = true;
        }
        assert_eq!(seen, [true; 5]);
    }

    #[test]
    fn small_positions_are_much_more_frequent() {
        let mut rng = Rng::new(2);
        let mut counts = vec![0; 1000];
        for _ in 0..20_000 {
            counts[rng.zipf(1000)] += 1;
        }
        assert!(counts[0] > 10 * counts[20], "{} {}", counts[0], counts[20]);
        assert!(counts[500..].iter().sum::<i32>() > 500);
    }

    #[test]
    fn shuffling_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::new(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
