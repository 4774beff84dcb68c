//! Is one run better than another, or was it chance? Question by question, because questions differ more than runs do.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::measure::Outcome;
use crate::View;
use crate::answer::rounded;
use crate::view::{Style, count};

/// So many times the signs of the differences are drawn.
const DRAWS: u32 = 20_000;

/// What changed between two runs over the same questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Questions that both runs have.
    pub queries: u64,
    /// Mean change of NDCG@10.
    pub difference: f64,
    /// Questions with a better answer.
    pub better: u64,
    /// Questions with a worse answer.
    pub worse: u64,
    /// How often chance alone gives a difference as large, by drawing the sign of each question's change.
    pub p_value: f64,
    /// The largest changes, worst first: question and change.
    pub largest: Vec<Change>,
}

/// The change of one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The question.
    pub id: String,
    /// Of its NDCG@10.
    pub difference: f64,
}

/// So many of the largest changes are told.
const LARGEST: usize = 10;

impl Comparison {
    pub(super) fn of(before: &[Outcome], after: &[Outcome]) -> Self {
        let known: BTreeMap<&str, f64> =
            before.iter().map(|outcome| (outcome.id.as_str(), outcome.ndcg)).collect();
        let mut changes: Vec<Change> = after
            .iter()
            .filter_map(|outcome| {
                let difference = rounded(outcome.ndcg - known.get(outcome.id.as_str())?);
                Some(Change { id: outcome.id.clone(), difference })
            })
            .collect();
        let differences: Vec<f64> = changes.iter().map(|change| change.difference).collect();
        let n = differences.len().max(1) as f64;
        let queries = changes.len() as u64;
        changes.retain(|change| change.difference != 0.0);
        let size = |change: &Change| change.difference.abs();
        changes.sort_by(|a, b| size(b).total_cmp(&size(a)).then_with(|| a.id.cmp(&b.id)));
        changes.truncate(LARGEST);
        changes.sort_by(|a, b| a.difference.total_cmp(&b.difference).then_with(|| a.id.cmp(&b.id)));
        Self {
            queries,
            difference: rounded(differences.iter().sum::<f64>() / n),
            better: differences.iter().filter(|change| **change > 0.0).count() as u64,
            worse: differences.iter().filter(|change| **change < 0.0).count() as u64,
            p_value: p_value(&differences),
            largest: changes,
        }
    }

    pub(super) fn render(&self, view: &mut View) {
        let sign = if self.difference < 0.0 { "" } else { "+" };
        let style = if self.difference < 0.0 { Style::Bad } else { Style::Good };
        let difference = view.paint(style, format!("{sign}{:.4}", self.difference));
        view.line(format!(
            "{difference} over {}: {} better, {} worse; chance alone gives as much in {:.1} % of draws",
            count(self.queries, "question", "questions"),
            self.better,
            self.worse,
            self.p_value * 100.0,
        ));
        for change in &self.largest {
            let style = if change.difference < 0.0 { Style::Bad } else { Style::Good };
            let difference = view.paint(style, format!("{:>+6.2}", change.difference));
            let id = view.paint(Style::Name, &change.id);
            view.line(format!("{difference}  {id}"));
        }
    }
}

/// The share of draws whose sum is as far from zero as that of the differences. The draws are the same every time.
pub(super) fn p_value(differences: &[f64]) -> f64 {
    let changed: Vec<f64> = differences.iter().copied().filter(|change| *change != 0.0).collect();
    let seen = changed.iter().sum::<f64>().abs();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut as_far = 0u32;
    for _ in 0..DRAWS {
        let sum: f64 =
            changed.iter().map(|change| if next() >> 63 == 0 { *change } else { -change }).sum();
        // Sums of the same numbers in another order of signs may differ in their last bits.
        as_far += u32::from(sum.abs() >= seen - 1e-9);
    }
    rounded(f64::from(as_far) / f64::from(DRAWS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(ndcg: &[f64]) -> Vec<Outcome> {
        let one = |(at, ndcg): (usize, &f64)| Outcome {
            id: format!("q{at:02}"),
            query: String::new(),
            category: String::new(),
            ndcg: *ndcg,
            rank: None,
            tokens: None,
            ms: 0.0,
        };
        ndcg.iter().enumerate().map(one).collect()
    }

    #[test]
    fn questions_are_compared_one_by_one() {
        let before = outcomes(&[0.5, 0.5, 1.0, 0.2]);
        let after = outcomes(&[1.0, 0.4, 1.0]);
        let comparison = Comparison::of(&before, &after);
        assert_eq!((comparison.queries, comparison.better, comparison.worse), (3, 1, 1));
        assert!((comparison.difference - 0.1333).abs() < 1e-9);
        let largest: Vec<(&str, f64)> = comparison
            .largest
            .iter()
            .map(|change| (change.id.as_str(), change.difference))
            .collect();
        assert_eq!(largest, [("q01", -0.1), ("q00", 0.5)]);
    }

    #[test]
    fn a_change_of_many_questions_is_no_chance_and_one_of_few_may_be() {
        let before = outcomes(&[0.5; 20]);
        assert!(Comparison::of(&before, &outcomes(&[0.6; 20])).p_value < 0.001);
        assert!((Comparison::of(&before, &before).p_value - 1.0).abs() < 1e-9);
        let mut mixed = [0.6; 20];
        mixed[..10].fill(0.4);
        assert!(Comparison::of(&before, &outcomes(&mixed)).p_value > 0.5);
    }
}
