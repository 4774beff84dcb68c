//! What a match is worth: BM25 over weighted frequencies, in whole numbers so that order cannot matter.
//!
//! Every (term, document) contribution is rounded to 1/65536 and summed as an integer. A score is then the same
//! whatever the order of evaluation, the number of segments or the number of threads. The formula is written so that
//! each step is monotone also after floating-point rounding: a higher frequency or a shorter document never scores
//! less. Bounds made with the same function are therefore exact and need no safety margin.

use std::fmt;

use crate::forms::WHOLE;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The sum of contributions, in units of 1/65536.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub u32);

impl Score {
    /// One, in units of the score.
    pub const ONE: u32 = 1 << 16;

    /// The score as a number.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::ONE)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4}", self.as_f64())
    }
}

/// Size of the searched collection: live documents only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Collection {
    pub(crate) n_docs: u64,
    pub(crate) total_length: u64,
}

impl Collection {
    pub(crate) fn add(&mut self, length: u32) {
        self.n_docs += 1;
        self.total_length += u64::from(length);
    }
}

/// Scores one term of one query against the collection as it is now.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TermScorer {
    ceiling: f64,
    floor: f64,
    slope: f64,
}

impl TermScorer {
    /// The scorer of a term that `df` live documents contain.
    pub(crate) fn new(collection: Collection, df: u64) -> Self {
        let n = as_f64(collection.n_docs);
        let df = as_f64(df.min(collection.n_docs));
        // `libm` gives the same bits on every platform; the system's `ln` does not.
        let idf = libm::log(1.0 + (n - df + 0.5) / (df + 0.5));
        let average = if collection.total_length == 0 || collection.n_docs == 0 {
            1.0
        } else {
            as_f64(collection.total_length) / n
        };
        Self {
            ceiling: idf * (K1 + 1.0) * f64::from(Score::ONE),
            floor: K1 * (1.0 - B),
            slope: K1 * B / average,
        }
    }

    /// What a document of this length gains from this weighted frequency; at least one unit, so that a match is
    /// never without a trace.
    #[inline]
    pub(crate) fn contribution(&self, weighted_frequency: u32, length: u32) -> u32 {
        self.gain(f64::from(weighted_frequency), length)
    }

    /// The same for the occurrences of all forms of a term together, in quarters of one.
    #[inline]
    pub(crate) fn contribution_of_quarters(&self, quarters: u32, length: u32) -> u32 {
        self.gain(f64::from(quarters) / f64::from(WHOLE), length)
    }

    /// What no document can gain more than.
    #[expect(clippy::cast_sign_loss, reason = "the ceiling is positive")]
    pub(crate) fn most(&self) -> u32 {
        ((self.ceiling + 0.5) as u32).max(1)
    }

    /// The scorer for a form alone that counts so many quarters. What forms gain together is never more than the sum
    /// of what each gains alone, but for one unit of rounding each: the gain grows ever more slowly.
    pub(crate) fn of_form(self, quarters: u32) -> Self {
        let rarer = f64::from(WHOLE) / f64::from(quarters.max(1));
        Self { ceiling: self.ceiling, floor: self.floor * rarer, slope: self.slope * rarer }
    }

    #[inline]
    #[expect(clippy::cast_sign_loss, reason = "every factor is positive")]
    fn gain(&self, frequency: f64, length: u32) -> u32 {
        let norm = self.floor + self.slope * f64::from(length);
        let gain = self.ceiling / (1.0 + norm / frequency);
        ((gain + 0.5) as u32).max(1)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn as_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const COLLECTION: Collection = Collection { n_docs: 1000, total_length: 200_000 };

    #[test]
    fn known_contributions_do_not_move() {
        let scorer = TermScorer::new(COLLECTION, 10);
        assert_eq!(scorer.contribution(1, 200), 298_672);
        assert_eq!(scorer.contribution(8, 200), 571_373);
    }

    #[test]
    fn a_word_in_every_document_still_counts_a_little() {
        let scorer =
            TermScorer::new(Collection { n_docs: 1 << 40, total_length: 1 << 45 }, 1 << 40);
        assert_eq!(scorer.contribution(1, 1000), 1);
    }

    proptest! {
        #[test]
        fn more_frequent_and_shorter_is_never_worse(
            df in 0u64..=1000, wtf in 1u32..5000, more in 0u32..5000, length in 0u32..100_000, less in 0u32..100_000,
        ) {
            let scorer = TermScorer::new(COLLECTION, df);
            let longer = length.max(less);
            let shorter = length.min(less);
            prop_assert!(scorer.contribution(wtf + more, shorter) >= scorer.contribution(wtf, longer));
        }
    }
}
