//! The weights of a BERT, packed for the kernels.

use std::path::Path;

use gik_base::{ErrorCode, Failure, Result};

use crate::kernels::Kernels;
use crate::safetensors::{Table, Tensors};

use super::Precision;
use super::config::Config;
use super::linear::Linear;

/// A layer norm.
#[derive(Debug)]
pub(super) struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Norm {
    /// Normalises every row.
    pub(super) fn apply(&self, kernels: Kernels, rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(self.weight.len()) {
            kernels.normalize(row, &self.weight, &self.bias, self.epsilon);
        }
    }

    /// How large the numbers that it gives are to each other: what comes in has the mean 0 and the variance 1.
    fn sizes(&self) -> Vec<f32> {
        let sizes = self.weight.iter().zip(&self.bias);
        sizes.map(|(weight, bias)| 3.0 * weight.abs() + bias.abs()).collect()
    }
}

/// One layer; query, key and value are one product.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) mixed: Linear,
    pub(super) attended: Linear,
    pub(super) attended_norm: Norm,
    pub(super) up: Linear,
    pub(super) down: Linear,
    pub(super) norm: Norm,
}

/// Everything that is learnt.
#[derive(Debug)]
pub(super) struct Weights {
    tensors: Tensors,
    words: Table,
    /// Position and type together, a row for each position.
    places: Vec<f32>,
    /// What the second of two texts has instead of the first.
    second: Vec<f32>,
    norm: Norm,
    pub(super) layers: Vec<Layer>,
}

impl Weights {
    /// Reads `model.safetensors`.
    pub(super) fn open(path: &Path, config: &Config, precision: Precision) -> Result<Self> {
        let tensors = Tensors::open(path)?;
        // Checkpoints of whole models have the encoder below a name.
        let bare = tensors.has("embeddings.word_embeddings.weight");
        let reader = Reader {
            tensors: &tensors,
            prefix: if bare { "" } else { "bert." },
            config,
            precision,
        };
        let words = tensors.table(&reader.name("embeddings.word_embeddings.weight"))?;
        if (words.rows, words.columns) != (config.vocabulary, config.hidden) {
            let message =
                format!("the table of words has {} × {} numbers", words.rows, words.columns);
            return Err(Failure::new(ErrorCode::ModelInvalid, message));
        }
        let places = reader.places()?;
        let second = reader.second()?;
        let norm = reader.norm("embeddings.LayerNorm")?;
        let mut layers = Vec::<Layer>::with_capacity(config.layers);
        for at in 0..config.layers {
            let before = layers.last().map_or(&norm, |layer| &layer.norm);
            layers.push(reader.layer(at, before)?);
        }
        Ok(Self { words, places, second, norm, layers, tensors })
    }

    /// Appends the rows of a text before the first layer; from `second` on it is the second of two.
    pub(super) fn embed(&self, kernels: Kernels, ids: &[u32], second: usize, rows: &mut Vec<f32>) {
        let (start, hidden) = (rows.len(), self.words.columns);
        rows.resize(start + ids.len() * hidden, 0.0);
        let places = self.places.chunks_exact(hidden);
        for ((row, id), place) in rows[start..].chunks_exact_mut(hidden).zip(ids).zip(places) {
            self.tensors.row(&self.words, *id as usize, row);
            row.iter_mut().zip(place).for_each(|(value, place)| *value += place);
        }
        for row in rows[start..].chunks_exact_mut(hidden).skip(second) {
            row.iter_mut().zip(&self.second).for_each(|(value, second)| *value += second);
        }
        self.norm.apply(kernels, &mut rows[start..]);
    }
}

struct Reader<'a> {
    tensors: &'a Tensors,
    prefix: &'static str,
    config: &'a Config,
    precision: Precision,
}

impl Reader<'_> {
    fn name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        self.tensors.values(&self.name(name), shape)
    }

    fn places(&self) -> Result<Vec<f32>> {
        let Config { hidden, positions, .. } = *self.config;
        let mut places =
            self.values("embeddings.position_embeddings.weight", &[positions, hidden])?;
        let types = self.tensors.table(&self.name("embeddings.token_type_embeddings.weight"))?;
        let mut first = vec![0.0; hidden];
        self.tensors.row(&types, 0, &mut first);
        for place in places.chunks_exact_mut(hidden) {
            place.iter_mut().zip(&first).for_each(|(value, first)| *value += first);
        }
        Ok(places)
    }

    /// The type of the second of two texts, less that of the first, which all places have.
    fn second(&self) -> Result<Vec<f32>> {
        let types = self.tensors.table(&self.name("embeddings.token_type_embeddings.weight"))?;
        let row = |number: usize| {
            let mut row = vec![0.0; self.config.hidden];
            self.tensors.row(&types, number, &mut row);
            row
        };
        if types.rows < 2 {
            return Ok(vec![0.0; self.config.hidden]);
        }
        Ok(row(1).iter().zip(&row(0)).map(|(second, first)| second - first).collect())
    }

    fn norm(&self, name: &str) -> Result<Norm> {
        let values = |part: &str| self.values(&format!("{name}.{part}"), &[self.config.hidden]);
        Ok(Norm { weight: values("weight")?, bias: values("bias")?, epsilon: self.config.epsilon })
    }

    /// The layer behind one that ends with the norm `before`.
    fn layer(&self, at: usize, before: &Norm) -> Result<Layer> {
        let Config { hidden, intermediate, .. } = *self.config;
        let name = |part: &str| format!("encoder.layer.{at}.{part}");
        let attention =
            ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        let attended_norm = self.norm(&name("attention.output.LayerNorm"))?;
        let attended = [name("attention.output.dense")];
        let (up, down) = ([name("intermediate.dense")], [name("output.dense")]);
        Ok(Layer {
            mixed: self.linear(&attention, hidden, hidden, Some(before))?,
            attended: self.linear(&attended, hidden, hidden, None)?,
            up: self.linear(&up, hidden, intermediate, Some(&attended_norm))?,
            down: self.linear(&down, intermediate, hidden, None)?,
            norm: self.norm(&name("output.LayerNorm"))?,
            attended_norm,
        })
    }

    /// Products of the same input, one after the other; the norm that the input comes from, if it does.
    fn linear(
        &self,
        names: &[String],
        inputs: usize,
        outputs: usize,
        norm: Option<&Norm>,
    ) -> Result<Linear> {
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for name in names {
            weights.extend(self.values(&format!("{name}.weight"), &[outputs, inputs])?);
            bias.extend(self.values(&format!("{name}.bias"), &[outputs])?);
        }
        Ok(match self.precision {
            Precision::F32 => Linear::floats(&weights, bias),
            Precision::Int8 => Linear::integers(&weights, bias, norm.map(Norm::sizes).as_deref()),
        })
    }
}
