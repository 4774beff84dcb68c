//! Which of many numbers? A bit for each, as far as the largest one.

/// A set of small numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    /// The places of those that are set.
    pub(crate) fn of_flags(flags: impl ExactSizeIterator<Item = bool>) -> Self {
        let mut words = vec![0; flags.len().div_ceil(64)];
        for (at, flag) in flags.enumerate() {
            words[at / 64] |= u64::from(flag) << (at % 64);
        }
        Self(words)
    }

    /// Adds a number; whether it was not there before.
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = place(number);
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Whether a number is in it.
    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        let (word, bit) = place(number);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Whether any number from `first` to `last`, both included, is in it.
    #[inline]
    pub(crate) fn any_in(&self, first: u32, last: u32) -> bool {
        if self.0.is_empty() || first > last {
            return false;
        }
        let (from, to) = (first as usize / 64, last as usize / 64);
        let Some(words) = self.0.get(from..=to.min(self.0.len() - 1)) else { return false };
        words.iter().enumerate().any(|(idx, &word)| {
            let mut word = word;
            if idx == 0 {
                word &= u64::MAX << (first % 64);
            }
            if from + idx == to {
                word &= u64::MAX >> (63 - last % 64);
            }
            word != 0
        })
    }

    /// Takes out what is not in another set.
    pub(crate) fn keep_those_in(&mut self, other: &Self) {
        for (at, word) in self.0.iter_mut().enumerate() {
            *word &= other.0.get(at).copied().unwrap_or_default();
        }
    }

    /// Adds what is in another set.
    pub(crate) fn add_those_in(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// The numbers, rising.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.0).flat_map(|(idx, &word)| ones(word).map(move |bit| idx * 64 + bit))
    }
}

impl FromIterator<u32> for BitSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = Self::default();
        for number in numbers {
            set.insert(number);
        }
        set
    }
}

/// The places of the bits that are set, lowest first.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

fn place(number: u32) -> (usize, u64) {
    (number as usize / 64, 1 << (number % 64))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_set(
            numbers in proptest::collection::vec(0u32..300, 0..40), first in 0u32..320, last in 0u32..320,
        ) {
            let expected: BTreeSet<u32> = numbers.iter().copied().collect();
            let set: BitSet = numbers.iter().copied().collect();
            prop_assert!(set.iter().eq(expected.iter().copied()));
            let flags = BitSet::of_flags((0..300u16).map(|number| expected.contains(&number.into())));
            prop_assert!(flags.iter().eq(expected.iter().copied()));
            prop_assert!((0..320).all(|number| set.contains(number) == expected.contains(&number)));
            let is_any = (first..=last).any(|number| expected.contains(&number));
            prop_assert_eq!(set.any_in(first, last), is_any);
        }
    }
}
