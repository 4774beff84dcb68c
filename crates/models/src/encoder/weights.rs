//! The weights of a BERT, packed for the kernels.

use std::path::Path;

use gik_base::{ErrorCode, Failure, Result};

use crate::kernels::Kernels;
use crate::safetensors::{Table, Tensors};

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

/// How large the inputs of each product are to each other.
#[derive(Debug)]
pub(super) struct Sizes {
    pub(super) mixed: Vec<f32>,
    pub(super) attended: Vec<f32>,
    pub(super) up: Vec<f32>,
    pub(super) down: Vec<f32>,
}

impl Layer {
    /// The same in small integers.
    pub(super) fn into_integers(self, sizes: &Sizes) -> Self {
        Self {
            mixed: self.mixed.into_integers(&sizes.mixed),
            attended: self.attended.into_integers(&sizes.attended),
            up: self.up.into_integers(&sizes.up),
            down: self.down.into_integers(&sizes.down),
            ..self
        }
    }
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
    pub(super) fn open(path: &Path, config: &Config) -> Result<Self> {
        let tensors = Tensors::open(path)?;
        // Checkpoints of whole models have the encoder below a name.
        let bare = tensors.has("embeddings.word_embeddings.weight");
        let prefix = if bare { "" } else { "bert." };
        let reader = Reader { tensors: &tensors, prefix, config };
        let words = tensors.table(&reader.name("embeddings.word_embeddings.weight"))?;
        if (words.rows, words.columns) != (config.vocabulary, config.hidden) {
            let message =
                format!("the table of words has {} × {} numbers", words.rows, words.columns);
            return Err(Failure::new(ErrorCode::ModelInvalid, message));
        }
        let places = reader.places()?;
        let second = reader.second()?;
        let norm = reader.norm("embeddings.LayerNorm")?;
        let layers = (0..config.layers).map(|at| reader.layer(at)).collect::<Result<_>>()?;
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

    fn layer(&self, at: usize) -> Result<Layer> {
        let Config { hidden, intermediate, .. } = *self.config;
        let name = |part: &str| format!("encoder.layer.{at}.{part}");
        let attention =
            ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        Ok(Layer {
            mixed: self.linear(&attention, hidden, hidden)?,
            attended: self.linear(&[name("attention.output.dense")], hidden, hidden)?,
            attended_norm: self.norm(&name("attention.output.LayerNorm"))?,
            up: self.linear(&[name("intermediate.dense")], hidden, intermediate)?,
            down: self.linear(&[name("output.dense")], intermediate, hidden)?,
            norm: self.norm(&name("output.LayerNorm"))?,
        })
    }

    /// Products of the same input, one after the other.
    fn linear(&self, names: &[String], inputs: usize, outputs: usize) -> Result<Linear> {
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for name in names {
            weights.extend(self.values(&format!("{name}.weight"), &[outputs, inputs])?);
            bias.extend(self.values(&format!("{name}.bias"), &[outputs])?);
        }
        Ok(Linear::floats(&weights, bias))
    }
}
