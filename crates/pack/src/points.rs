//! Scores as whole numbers, so that every machine adds and compares them alike.

/// A share of one in ten thousandths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points(u32);

impl Points {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// All.
    pub const ALL: Self = Self(ONE);

    /// So many ten thousandths; more than all is all.
    pub const fn new(points: u32) -> Self {
        Self(if points > ONE { ONE } else { points })
    }

    /// A share of one; what is outside is at the border, what is no number is nothing.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between 0 and 10,000"
    )]
    pub fn of(share: f64) -> Self {
        Self((share.clamp(0.0, 1.0) * f64::from(ONE)).round() as u32)
    }

    /// The share of one.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(ONE)
    }

    /// A share of a share.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self(self.0 * other.0 / ONE)
    }

    /// One part of so many.
    #[must_use]
    pub fn divided(self, parts: u32) -> Self {
        Self(self.0 / parts.max(1))
    }

    /// `0.70 × seed + 0.20 × distance + 0.10 × evidence`, where the distance counts as one part of itself and one more.
    pub fn hybrid(seed: Self, distance: u32, evidence: Self) -> Self {
        let near = Self::ALL.divided(distance.saturating_add(1));
        Self((7 * seed.0 + 2 * near.0 + evidence.0) / 10)
    }
}

const ONE: u32 = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_is_that_of_the_contract() {
        let hybrid = |seed: f64, distance, evidence: f64| {
            Points::hybrid(Points::of(seed), distance, Points::of(evidence)).as_f64()
        };
        assert!((hybrid(1.0, 0, 1.0) - 1.0).abs() < 1e-9);
        assert!((hybrid(0.73, 1, 0.55) - (0.7 * 0.73 + 0.1 + 0.055)).abs() < 1e-4);
        assert!((hybrid(0.0, 2, 0.0) - 0.2 / 3.0).abs() < 1e-4);
        assert!(hybrid(0.0, 1, 0.5) > hybrid(0.0, 2, 0.5), "near comes before far");
    }

    #[test]
    fn shares_stay_between_nothing_and_all() {
        assert_eq!(Points::of(f64::NAN), Points::NONE);
        assert_eq!(Points::of(7.0), Points::ALL);
        assert_eq!(Points::of(-1.0), Points::NONE);
        assert_eq!(Points::new(20_000), Points::ALL);
        assert_eq!(Points::ALL.divided(0), Points::ALL);
    }
}
