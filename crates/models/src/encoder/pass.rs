//! The way of some texts through the layers.

use crate::kernels::Kernels;

use super::attention::{Attention, Scratch};
use super::config::Config;
use super::linear::{Finish, Packed};
use super::weights::{Layer, Sizes, Weights};

/// The rows of some texts, one after the other, and what the next product needs.
#[derive(Debug)]
pub(super) struct Pass {
    kernels: Kernels,
    attention: Attention,
    /// Tokens of each text.
    lengths: Vec<usize>,
    pub(super) rows: Vec<f32>,
    mixed: Vec<f32>,
    context: Vec<f32>,
    wide: Vec<f32>,
    scratch: Scratch,
    packed: Packed,
}

impl Pass {
    /// Texts before the first layer: their ids, and where the second of two texts starts.
    pub(super) fn new(
        kernels: Kernels,
        config: &Config,
        weights: &Weights,
        texts: &[(&[u32], usize)],
    ) -> Self {
        let hidden = config.hidden;
        let mut rows = Vec::new();
        for (ids, second) in texts {
            weights.embed(kernels, ids, *second, &mut rows);
        }
        let count = rows.len() / hidden;
        Self {
            kernels,
            attention: Attention { heads: config.heads, size: hidden / config.heads },
            lengths: texts.iter().map(|(ids, _)| ids.len()).collect(),
            rows,
            mixed: vec![0.0; count * 3 * hidden],
            context: vec![0.0; count * hidden],
            wide: vec![0.0; count * config.intermediate],
            scratch: Scratch::default(),
            packed: Packed::default(),
        }
    }

    /// One layer.
    pub(super) fn through(&mut self, layer: &Layer) {
        self.look(layer);
        self.attend(layer);
        self.widen(layer);
        self.narrow(layer);
    }

    /// What each token takes from the others of its text.
    fn look(&mut self, layer: &Layer) {
        let Self { kernels, rows, mixed, packed, .. } = self;
        layer.mixed.apply(*kernels, rows, mixed, Finish::Store, packed);
        let hidden = self.attention.heads * self.attention.size;
        let mut start = 0;
        for length in &self.lengths {
            let end = start + length;
            let mixed = &self.mixed[start * 3 * hidden..end * 3 * hidden];
            let context = &mut self.context[start * hidden..end * hidden];
            self.attention.apply(self.kernels, mixed, context, &mut self.scratch);
            start = end;
        }
    }

    fn attend(&mut self, layer: &Layer) {
        let Self { kernels, rows, context, packed, .. } = self;
        layer.attended.apply(*kernels, context, rows, Finish::Add, packed);
        layer.attended_norm.apply(*kernels, rows);
    }

    fn widen(&mut self, layer: &Layer) {
        let Self { kernels, rows, wide, packed, .. } = self;
        layer.up.apply(*kernels, rows, wide, Finish::Gelu, packed);
    }

    fn narrow(&mut self, layer: &Layer) {
        let Self { kernels, rows, wide, packed, .. } = self;
        layer.down.apply(*kernels, wide, rows, Finish::Add, packed);
        layer.norm.apply(*kernels, rows);
    }
}

/// Turns floats into small integers; the samples show how large the inputs of each product are.
pub(super) fn to_integers(
    kernels: Kernels,
    config: &Config,
    weights: &mut Weights,
    samples: &[Vec<u32>],
) {
    let texts: Vec<(&[u32], usize)> = samples.iter().map(|ids| (&**ids, ids.len())).collect();
    let mut pass = Pass::new(kernels, config, weights, &texts);
    let layers = std::mem::take(&mut weights.layers);
    for layer in layers {
        let mixed = sizes(&pass.rows, config.hidden);
        pass.look(&layer);
        let attended = sizes(&pass.context, config.hidden);
        pass.attend(&layer);
        let up = sizes(&pass.rows, config.hidden);
        pass.widen(&layer);
        let down = sizes(&pass.wide, config.intermediate);
        pass.narrow(&layer);
        let sizes = Sizes { mixed, attended, up, down };
        weights.layers.push(layer.into_integers(&sizes));
    }
}

/// The largest number of each column, and a little: what is small here may be larger elsewhere.
fn sizes(rows: &[f32], columns: usize) -> Vec<f32> {
    let mut sizes = vec![0.0f32; columns];
    for row in rows.chunks_exact(columns) {
        sizes.iter_mut().zip(row).for_each(|(size, value)| *size = size.max(value.abs()));
    }
    let mean = sizes.iter().sum::<f32>() / columns as f32;
    sizes.iter().map(|size| size + mean / 10.0).collect()
}
