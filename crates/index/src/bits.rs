//! Bit streams, and the code that packs rising positions into close to the fewest possible bits.
//!
//! Single numbers are written by exponential Golomb coding: of order `k`, small ones take `k + 1` bits and large ones
//! twice their logarithm, so that one outlier costs little. Positions are written by binary interpolative coding: the middle value first, in exactly as many bits as its
//! possible range needs, then both halves within the narrowed ranges. Reading them is not for the hot path of a
//! query: only phrases and merges do.

/// Appends bits, lowest first.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    n_pending: u32,
}

impl BitWriter {
    /// Appends the low `width` bits (at most 32) of a value that has no others.
    #[inline]
    pub(crate) fn write(&mut self, value: u32, width: u32) {
        self.pending |= u64::from(value) << self.n_pending;
        self.n_pending += width;
        if self.n_pending >= 32 {
            self.bytes.extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.n_pending -= 32;
        }
    }

    /// How many bits were written.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() * 8 + self.n_pending as usize
    }

    /// Appends `count` bits of another stream, from bit `at` on.
    pub(crate) fn copy(&mut self, from: &[u8], at: usize, count: usize) {
        let mut reader = BitReader { bytes: from, at };
        let mut left = count;
        while left > 0 {
            let width = left.min(32) as u32;
            self.write(reader.read(width), width);
            left -= width as usize;
        }
    }

    /// Fills up to a whole byte and moves everything to `out`; the writer is empty afterwards.
    pub(crate) fn drain_to(&mut self, out: &mut Vec<u8>) {
        let tail = self.n_pending.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.pending.to_le_bytes()[..tail]);
        out.append(&mut self.bytes);
        self.pending = 0;
        self.n_pending = 0;
    }

    /// Appends a number by exponential Golomb coding of order `k`: `n` ones, a zero, `n + k` bits.
    #[inline]
    pub(crate) fn write_golomb(&mut self, value: u32, k: u32) {
        let n = golomb_ones(value, k);
        let bits = u64::from(value) - (((1u64 << n) - 1) << k);
        self.write(((1u64 << n) - 1) as u32, n);
        self.write(0, 1);
        self.write(bits as u32, n + k);
    }

    /// Appends rising values that all lie in `0..universe`.
    pub(crate) fn write_rising(&mut self, values: &[u32], universe: u32) {
        if let [value] = values {
            self.write_below(*value, universe);
        } else if let Some(high) = universe.checked_sub(1) {
            self.write_between(values, 0, high);
        }
    }

    fn write_between(&mut self, mut values: &[u32], mut low: u32, high: u32) {
        // Goes on with the right half itself: half of the values have none, and a call costs more than writing one.
        while let (left, [value, right @ ..]) = values.split_at(values.len() / 2) {
            let least = low + left.len() as u32;
            self.write_below(value - least, high - right.len() as u32 - least + 1);
            if !left.is_empty() {
                self.write_between(left, low, value - 1);
            }
            (values, low) = (right, value + 1);
        }
    }

    /// Appends a value below `range` in the minimal binary code: floor(log2) bits, one more for the upper values.
    #[inline]
    fn write_below(&mut self, value: u32, range: u32) {
        let width = range.ilog2();
        let short = shorter_codes(range, width);
        if value < short {
            self.write(value, width);
        } else {
            let long = value + short;
            self.write((long >> 1) | ((long & 1) << width), width + 1);
        }
    }
}

/// How many ones the code of a number starts with.
#[inline]
fn golomb_ones(value: u32, k: u32) -> u32 {
    (u64::from(value >> k) + 1).ilog2()
}

/// The order that writes these numbers in the fewest bits, or close to it.
pub(crate) fn golomb_order(values: &[u32]) -> u32 {
    let sum: u64 = values.iter().map(|&value| u64::from(value)).sum();
    let highest = (sum / (values.len() as u64).max(1) + 1).ilog2();
    if values.len() == 1 {
        return highest.min(31);
    }
    let cost = |k: u32| values.iter().map(|&value| 2 * golomb_ones(value, k) + k).sum::<u32>();
    (highest.saturating_sub(3)..=highest.min(31)).min_by_key(|&k| cost(k)).unwrap_or(0)
}

/// How many of the values below `range` get the shorter code.
fn shorter_codes(range: u32, width: u32) -> u32 {
    // Wraps only for width 31, where the subtraction brings the value back.
    2u32.wrapping_shl(width).wrapping_sub(range)
}

/// Reads bits; past the end all are zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The number of the next bit.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The bytes this reader goes over.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The next `width` bits, at most 32.
    #[inline]
    pub(crate) fn read(&mut self, width: u32) -> u32 {
        let value = self.word() & ((1u64 << width) - 1);
        self.at += width as usize;
        value as u32
    }

    /// At least the next 57 bits, which stay to be read; past the end all are zero.
    #[inline]
    pub(crate) fn peek(&self) -> u64 {
        self.word()
    }

    /// Passes over bits.
    #[inline]
    pub(crate) fn skip(&mut self, count: usize) {
        self.at += count;
    }

    /// The next number in exponential Golomb coding of order `k`.
    #[inline]
    pub(crate) fn read_golomb(&mut self, k: u32) -> u32 {
        let word = self.word();
        // More ones than any number has are damage; a smaller number is as good as any other.
        let n = word.trailing_ones().min(32 - k.min(32));
        let width = n + k;
        let value = if n + 1 + width <= 56 {
            self.at += (n + 1 + width) as usize;
            (word >> (n + 1)) & ((1u64 << width) - 1)
        } else {
            self.at += n as usize + 1;
            u64::from(self.read(width))
        };
        (value + (((1u64 << n) - 1) << k)) as u32
    }

    /// At least the next 57 bits.
    #[inline]
    fn word(&self) -> u64 {
        let byte = self.at / 8;
        let word = match self.bytes.get(byte..).and_then(<[u8]>::first_chunk) {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => self.last_word(byte),
        };
        word >> (self.at % 8)
    }

    fn last_word(&self, byte: usize) -> u64 {
        let mut chunk = [0; 8];
        let tail = self.bytes.get(byte..).unwrap_or_default();
        chunk[..tail.len()].copy_from_slice(tail);
        u64::from_le_bytes(chunk)
    }

    /// Reads as many rising values below `universe` as `out` has places. The caller makes sure that so many fit.
    pub(crate) fn read_rising(&mut self, out: &mut [u32], universe: u32) {
        if let Some(high) = universe.checked_sub(1)
            && out.len() <= universe as usize
        {
            self.read_between(out, 0, high);
        }
    }

    fn read_between(&mut self, out: &mut [u32], low: u32, high: u32) {
        if out.is_empty() {
            return;
        }
        let middle = out.len() / 2;
        let right = (out.len() - 1 - middle) as u32;
        let least = low + middle as u32;
        let value = least + self.read_below(high - right - least + 1);
        out[middle] = value;
        if middle > 0 {
            self.read_between(&mut out[..middle], low, value - 1);
        }
        if right > 0 {
            self.read_between(&mut out[middle + 1..], value + 1, high);
        }
    }

    fn read_below(&mut self, range: u32) -> u32 {
        let width = range.ilog2();
        let short = shorter_codes(range, width);
        let value = self.read(width);
        if value < short {
            value
        } else {
            // Both hold for what the writer wrote; damaged bits must stay inside the range too.
            (u64::from(value) * 2 + u64::from(self.read(1)))
                .saturating_sub(u64::from(short))
                .min(u64::from(range - 1)) as u32
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rising_values_round_trip_one_after_the_other(
            lists in proptest::collection::vec((proptest::collection::btree_set(0u32..3000, 0..60), 0u32..100), 1..20),
        ) {
            let universe = |list: &BTreeSet<u32>, spare: u32| list.last().map_or(0, |last| last + 1) + spare;
            let mut writer = BitWriter::default();
            for (list, spare) in &lists {
                let values: Vec<u32> = list.iter().copied().collect();
                writer.write_rising(&values, universe(list, *spare));
            }
            let n_bits = writer.len();
            let mut copied = BitWriter::default();
            let mut bytes = Vec::new();
            writer.drain_to(&mut bytes);
            copied.write(5, 3);
            copied.copy(&bytes, 0, n_bits);
            prop_assert_eq!(copied.len(), n_bits + 3);
            let mut shifted = Vec::new();
            copied.drain_to(&mut shifted);
            for (start, stream) in [(0, &bytes), (3, &shifted)] {
                let mut reader = BitReader { bytes: stream, at: start };
                for (list, spare) in &lists {
                    let mut values = vec![0; list.len()];
                    reader.read_rising(&mut values, universe(list, *spare));
                    prop_assert_eq!(values, list.iter().copied().collect::<Vec<_>>());
                }
                prop_assert_eq!(reader.at(), n_bits + start);
            }
        }

        #[test]
        fn any_bits_read_as_rising_values_inside_the_universe(
            bytes in proptest::collection::vec(any::<u8>(), 0..40), count in 0usize..30, spare in 0u32..1000,
        ) {
            let universe = count as u32 + spare;
            let mut values = vec![0; count];
            BitReader::new(&bytes).read_rising(&mut values, universe);
            prop_assert!(values.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(values.iter().all(|&value| value < universe));
        }
    }

    proptest! {
        #[test]
        fn single_numbers_round_trip(values in proptest::collection::vec((any::<u32>(), 0u32..32), 0..40), k in 0u32..=31) {
            let values: Vec<u32> = values.into_iter().map(|(value, shift)| value >> shift).collect();
            for k in [k, golomb_order(&values)] {
                let mut writer = BitWriter::default();
                for &value in &values {
                    writer.write_golomb(value, k);
                }
                let n_bits = writer.len();
                let mut bytes = Vec::new();
                writer.drain_to(&mut bytes);
                let mut reader = BitReader::new(&bytes);
                for &value in &values {
                    prop_assert_eq!(reader.read_golomb(k), value);
                }
                prop_assert_eq!(reader.at(), n_bits);
            }
        }
    }

    #[test]
    fn a_full_range_costs_no_bits_and_the_widest_universe_works() {
        let mut writer = BitWriter::default();
        writer.write_rising(&[0, 1, 2, 3], 4);
        assert_eq!(writer.len(), 0);
        let widest = [0, 7, u32::MAX - 1];
        writer.write_rising(&widest, u32::MAX);
        let mut bytes = Vec::new();
        writer.drain_to(&mut bytes);
        let mut values = [0; 3];
        BitReader::new(&bytes).read_rising(&mut values, u32::MAX);
        assert_eq!(values, widest);
    }
}
