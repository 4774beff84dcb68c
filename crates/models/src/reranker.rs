//! Question and passage → score: what every model offers that puts candidates into a better order.

use gik_base::{Cancel, Result};

use crate::embedder::{Embedder as _, Model, TextKind};

/// Question and passage → score.
pub trait Reranker {
    /// Its name.
    fn name(&self) -> &str;

    /// What scores so far below the best one is no answer.
    fn span(&self) -> f64;

    /// A score for each passage, in order; higher is better. It depends on the question and the passage alone.
    fn score(&self, question: &str, passages: &[&str], cancel: &Cancel) -> Result<Vec<f64>>;
}

/// Cosines differ by about so much between what answers and what does not.
pub const COSINE_SPAN: f64 = 0.3;

/// An encoder of single texts as a reranker: the cosine of question and passage.
impl Reranker for Model {
    fn name(&self) -> &str {
        &self.id().name
    }

    fn span(&self) -> f64 {
        COSINE_SPAN
    }

    fn score(&self, question: &str, passages: &[&str], cancel: &Cancel) -> Result<Vec<f64>> {
        let asked = self.embed(&[question], TextKind::Query, cancel)?;
        let vectors = self.embed(passages, TextKind::Passage, cancel)?;
        Ok(vectors.rows().map(|row| cosine(asked.row(0), row)).collect())
    }
}

/// The cosine of two vectors, summed in order, so that every machine gives the same; 0 where one of them is nothing.
pub fn cosine(one: &[f32], other: &[f32]) -> f64 {
    let dot = |one: &[f32], other: &[f32]| -> f64 {
        one.iter().zip(other).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum()
    };
    let lengths = (dot(one, one) * dot(other, other)).sqrt();
    if lengths > 0.0 { dot(one, other) / lengths } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoder_of_single_texts_ranks_by_cosine() {
        let model = Model::builtin().unwrap();
        let passages = ["open a file for reading", "the price of bread"];
        let scores = model.score("how is a file read", &passages, &Cancel::default()).unwrap();
        assert!(scores[0] > scores[1] && scores[0] <= 1.0, "{scores:?}");
        assert!(cosine(&[0.0], &[1.0]).abs() < 1e-12);
        assert!((cosine(&[3.0, 0.0], &[2.0, 0.0]) - 1.0).abs() < 1e-12);
    }
}
