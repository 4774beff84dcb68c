//! How well does a passage answer a question? Both are read together by a transformer of the BERT family that was
//! taught to give one number: `BertForSequenceClassification` with one label.

use std::path::Path;
use std::sync::Arc;

use gik_base::{Cancel, ErrorCode, Failure, Result};

use super::{Encoder, Input, Options};
use crate::kept::kept_or_opened;
use crate::reranker::Reranker;
use crate::safetensors::Tensors;

/// Scores differ by about so much between what answers and what does not, on the models that are in use.
const SPAN: f64 = 8.0;

/// A cross-encoder.
#[derive(Debug)]
pub struct CrossEncoder {
    encoder: Encoder,
    pooler: Dense,
    classifier: Dense,
}

/// A product with few outputs, not worth packing.
#[derive(Debug)]
struct Dense {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Dense {
    fn read(tensors: &Tensors, name: &str, inputs: usize, outputs: usize) -> Result<Self> {
        Ok(Self {
            weight: tensors.values(&format!("{name}.weight"), &[outputs, inputs])?,
            bias: tensors.values(&format!("{name}.bias"), &[outputs])?,
        })
    }

    /// Summed in order, so that every machine gives the same.
    fn apply(&self, row: &[f32]) -> Vec<f32> {
        let dot = |weights: &[f32]| weights.iter().zip(row).map(|(a, b)| a * b).sum::<f32>();
        self.weight
            .chunks_exact(row.len())
            .zip(&self.bias)
            .map(|(row, bias)| dot(row) + bias)
            .collect()
    }
}

impl CrossEncoder {
    /// Whether the weights of a folder are those of a cross-encoder, and not of an encoder alone.
    pub(crate) fn is_one(weights: &Path) -> Result<bool> {
        Ok(Tensors::open(weights)?.has("classifier.weight"))
    }

    /// Reads a folder as Hugging Face lays it out.
    pub fn open(folder: &Path, name: &str, options: Options) -> Result<Self> {
        let encoder = Encoder::open(folder, name, options)?;
        let tensors = Tensors::open(&folder.join("model.safetensors"))?;
        let labels = tensors.table("classifier.weight")?.rows;
        if labels != 1 {
            let message = format!("the model sorts into {labels} classes and gives no one score");
            return Err(Failure::new(ErrorCode::ModelInvalid, message)
                .hint("cross-encoders with one label such as ms-marco-MiniLM can be used"));
        }
        let hidden = encoder.config.hidden;
        let pooler = Dense::read(&tensors, "bert.pooler.dense", hidden, hidden)?;
        let classifier = Dense::read(&tensors, "classifier", hidden, 1)?;
        Ok(Self { encoder, pooler, classifier })
    }

    /// As [`CrossEncoder::open`], or the one that was opened before and kept.
    pub fn shared(folder: &Path, name: &str, options: Options) -> Result<Arc<Self>> {
        kept_or_opened(folder, name, options, || Self::open(folder, name, options))
    }

    fn score(&self, input: Input) -> f64 {
        let rows = self.encoder.rows(&[&input]);
        let mut pooled =
            self.pooler.apply(rows.get(..self.encoder.config.hidden).unwrap_or_default());
        pooled.iter_mut().for_each(|value| *value = libm::tanhf(*value));
        self.classifier.apply(&pooled).first().copied().map_or(0.0, f64::from)
    }
}

impl Reranker for CrossEncoder {
    fn name(&self) -> &str {
        &self.encoder.id.name
    }

    fn span(&self) -> f64 {
        SPAN
    }

    fn score(&self, question: &str, passages: &[&str], cancel: &Cancel) -> Result<Vec<f64>> {
        let mut scores = Vec::with_capacity(passages.len());
        let inputs: Vec<Input> =
            passages.iter().map(|passage| self.encoder.pair(question, passage)).collect();
        let ahead = gik_base::parallel::Ahead { weigh: |_: &Input| 0, budget: u64::MAX };
        let threads = self.encoder.threads;
        gik_base::parallel::in_order(
            &inputs,
            threads,
            ahead,
            cancel,
            |input| Self::score(self, input.clone()),
            |score| {
                scores.push(score);
                Ok(())
            },
        )?;
        Ok(scores)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::Precision;
    use super::*;

    fn folder() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/reranker")
    }

    fn open(precision: Precision, threads: usize) -> CrossEncoder {
        let options = Options { precision, threads, ..Options::default() };
        CrossEncoder::open(&folder(), "tiny", options).unwrap()
    }

    /// Questions, passages and their scores by numpy.
    fn reference() -> Vec<(String, String, f64)> {
        let samples: Vec<Value> =
            serde_json::from_slice(&std::fs::read(folder().join("scores.json")).unwrap()).unwrap();
        let text = |sample: &Value, name: &str| sample[name].as_str().unwrap().to_owned();
        let one = |sample: &Value| {
            (text(sample, "query"), text(sample, "passage"), sample["score"].as_f64().unwrap())
        };
        samples.iter().map(one).collect()
    }

    #[test]
    fn scores_equal_those_of_the_reference() {
        for (precision, most) in [(Precision::F32, 1e-4), (Precision::Int8, 3e-2)] {
            let model = open(precision, 1);
            for (query, passage, expected) in reference() {
                let score =
                    Reranker::score(&model, &query, &[&passage], &Cancel::default()).unwrap()[0];
                assert!(
                    (score - expected).abs() < most,
                    "{score} for {expected} with {precision:?}"
                );
            }
        }
    }

    #[test]
    fn a_score_depends_on_its_pair_alone() {
        let passages = ["the lock is taken", "open a file", "", "read"];
        let together = Reranker::score(
            &open(Precision::Int8, 3),
            "where is the lock",
            &passages,
            &Cancel::default(),
        );
        let together = together.unwrap();
        for (at, passage) in passages.iter().enumerate() {
            let alone = Reranker::score(
                &open(Precision::Int8, 1),
                "where is the lock",
                &[passage],
                &Cancel::default(),
            );
            assert_eq!(alone.unwrap(), [together[at]]);
        }
    }

    #[test]
    fn long_pairs_are_cut_and_keep_the_question() {
        let model = open(Precision::F32, 1);
        let passage = "file ".repeat(100);
        let pair = model.encoder.pair("where is the lock", &passage);
        assert_eq!((pair.ids.len(), pair.second), (32, 6));
        assert_eq!(pair.ids.last(), Some(&3));
        let question = "lock ".repeat(100);
        let pair = model.encoder.pair(&question, "file");
        assert!(pair.ids.len() <= 32 && pair.second <= 17, "{pair:?}");
    }
}
