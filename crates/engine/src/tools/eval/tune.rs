//! Which weights answer the questions of this repository better, also those that they were not chosen by?
//!
//! The questions are cut in two halves by the hash of their names. For each half the best weights are looked for, one
//! after another over a fixed table of values, and tried on the other half. Only where those gain are weights chosen
//! by all questions. Nothing is drawn: the same questions and files give the same weights.

use std::collections::BTreeMap;

use gik_base::{ErrorCode, Failure, Result, hash};
use gik_retrieve::Candidates;
use gik_retrieve::signals::Weights;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compare::p_value;
use super::labels::Labelled;
use super::measure::ndcg;
use crate::View;
use crate::answer::rounded;
use crate::view::{Style, count};

/// With fewer questions a gain tells nothing.
const LEAST_QUESTIONS: usize = 20;
/// The values of each weight that are tried, in hundredths.
const VALUES: &[(&str, &[u32])] = &[
    ("opening", &[0, 15, 30, 45, 60]),
    ("meaning", &[0, 25, 35, 50, 65, 80, 100]),
    ("reranker", &[0, 25, 50, 75, 100]),
    ("path", &[0, 20, 40, 60, 80, 100, 120]),
    ("path_of_name", &[0, 25, 50, 75, 100]),
    ("named", &[50, 100, 150]),
    // No question of a set says where its reader is.
    ("locality", &[40]),
    ("recent", &[0, 2, 5, 10]),
    ("together", &[0, 5, 10, 20]),
    ("definition", &[100, 125, 150, 175, 200, 250]),
    ("noise", &[25, 35, 50, 65, 80, 100]),
    ("docs", &[40, 60, 80, 100]),
    ("file", &[0, 15, 30, 45, 60]),
    ("again", &[25, 35, 50, 65, 80, 100]),
];
/// So often all weights are gone through.
const ROUNDS: usize = 2;
/// A value is taken only where it brings so much: less is chance.
const LEAST_STEP: f64 = 0.001;
/// Weights are worth writing down from this gain on, over questions that they were not chosen by.
const LEAST_GAIN: f64 = 0.005;

/// A question with everything that may answer it.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) label: Labelled,
    pub(super) candidates: Candidates,
}

impl Trial {
    fn ndcg(&self, weights: Weights) -> f64 {
        let found = self.candidates.reweighed(weights).cut().found;
        ndcg(&self.label, found.iter().map(|found| found.file.key.as_str()))
    }
}

/// What looking for better weights brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tuning {
    /// Mean NDCG@10 with the weights in use.
    pub before: f64,
    /// The same where each question is answered with weights that were chosen without it.
    pub held_out: f64,
    /// Questions that are answered better by these.
    pub better: u64,
    /// Questions that are answered worse.
    pub worse: u64,
    /// How often chance alone gives a difference as large.
    pub p_value: f64,
    /// Mean NDCG@10 with the weights chosen by all questions; absent where held-out questions do not gain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<f64>,
    /// The weights that differ from those in use, in hundredths; empty where held-out questions do not gain.
    pub weights: BTreeMap<String, u64>,
    /// The config file that they were written to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Tuning {
    /// Looks for better weights than `current`. `fixed` are left as they are.
    pub(super) fn of(trials: &[Trial], current: Weights, fixed: &[&str]) -> Result<Self> {
        if trials.len() < LEAST_QUESTIONS {
            let message = format!(
                "weights are not chosen by {}: {LEAST_QUESTIONS} are needed",
                count(trials.len() as u64, "question", "questions")
            );
            return Err(Failure::new(ErrorCode::ArgumentInvalid, message));
        }
        let mut by_hash: Vec<&Trial> = trials.iter().collect();
        by_hash
            .sort_by_key(|trial| (hash::fast64(trial.label.id.as_bytes()), trial.label.id.clone()));
        let half =
            |odd: usize| -> Vec<&Trial> { by_hash.iter().skip(odd).step_by(2).copied().collect() };
        let halves = [half(0), half(1)];
        let mut changes = Vec::with_capacity(trials.len());
        let (mut before, mut held_out) = (0.0, 0.0);
        for (chosen_by, tried_on) in [(0, 1), (1, 0)] {
            let chosen = best(&halves[chosen_by], current, fixed);
            for trial in &halves[tried_on] {
                let (now, then) = (trial.ndcg(current), trial.ndcg(chosen));
                (before, held_out) = (before + now, held_out + then);
                changes.push(rounded(then - now));
            }
        }
        let n = trials.len() as f64;
        let mut tuning = Self {
            before: rounded(before / n),
            held_out: rounded(held_out / n),
            better: changes.iter().filter(|change| **change > 0.0).count() as u64,
            worse: changes.iter().filter(|change| **change < 0.0).count() as u64,
            p_value: p_value(&changes),
            after: None,
            weights: BTreeMap::new(),
            file: None,
        };
        if (held_out - before) / n >= LEAST_GAIN && tuning.better > tuning.worse {
            let chosen = best(&by_hash, current, fixed);
            tuning.after = Some(rounded(mean(&by_hash, chosen)));
            tuning.weights = difference(current, chosen);
        }
        Ok(tuning)
    }

    pub(super) fn render(&self, view: &mut View) {
        let held_out = format!("{:.4} → {:.4}", self.before, self.held_out);
        let held_out = view.paint(Style::Number, held_out);
        view.line(format!(
            "held-out questions: {held_out}; {} better, {} worse; chance alone gives as much in {:.1} % of draws",
            self.better,
            self.worse,
            self.p_value * 100.0
        ));
        if self.weights.is_empty() {
            view.line("The weights stay as they are: others do not help questions that they were not chosen by.");
            return;
        }
        for (name, hundredths) in &self.weights {
            let name = view.paint(Style::Name, format!("ranking.weights.{name}"));
            let value = view.paint(Style::Number, hundredths);
            view.line(format!("{name}: {value}"));
        }
        if let Some(file) = &self.file {
            let file = view.paint(Style::Name, crate::settings::short_path(file.as_ref()));
            view.line(format!("written to {file}"));
        }
    }
}

fn mean(trials: &[&Trial], weights: Weights) -> f64 {
    trials.iter().map(|trial| trial.ndcg(weights)).sum::<f64>() / trials.len().max(1) as f64
}

/// The best weights that changing one after another finds.
fn best(trials: &[&Trial], current: Weights, fixed: &[&str]) -> Weights {
    let mut best = (mean(trials, current), current);
    for _ in 0..ROUNDS {
        let start = best.0;
        for (name, values) in VALUES.iter().filter(|(name, _)| !fixed.contains(name)) {
            for hundredths in *values {
                let mut weights = best.1;
                if let Some(weight) = weights.field(name) {
                    *weight = f64::from(*hundredths) / 100.0;
                }
                let reached = mean(trials, weights);
                if reached >= best.0 + LEAST_STEP {
                    best = (reached, weights);
                }
            }
        }
        if best.0 <= start {
            break;
        }
    }
    best.1
}

/// The weights that differ, in hundredths.
fn difference(mut current: Weights, mut chosen: Weights) -> BTreeMap<String, u64> {
    let mut differing = BTreeMap::new();
    for name in Weights::FIELDS {
        if let (Some(now), Some(then)) = (current.field(name), chosen.field(name))
            && (*now - *then).abs() > 1e-9
        {
            let hundredths = (*then * 100.0).round();
            let value =
                VALUES.iter().filter(|(known, _)| known == name).flat_map(|(_, values)| *values);
            let value = value.copied().find(|value| (f64::from(*value) - hundredths).abs() < 0.5);
            differing.extend(value.map(|value| ((*name).to_owned(), u64::from(value))));
        }
    }
    differing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_has_values_and_the_default_is_one_of_them() {
        let mut weights = Weights::default();
        for name in Weights::FIELDS {
            let (_, values) = VALUES.iter().find(|(known, _)| known == name).expect("values");
            let default = (*weights.field(name).expect("a weight") * 100.0).round();
            assert!(
                values.iter().any(|value| (f64::from(*value) - default).abs() < 1e-9),
                "{name}"
            );
        }
        assert_eq!(VALUES.len(), Weights::FIELDS.len());
    }

    #[test]
    fn weights_that_differ_are_told_in_hundredths() {
        let chosen = Weights { path: 0.4, recent: 0.02, ..Weights::default() };
        let told = difference(Weights::default(), chosen);
        assert_eq!(
            told.into_iter().collect::<Vec<_>>(),
            [("path".to_owned(), 40), ("recent".to_owned(), 2)]
        );
    }
}
