//! Text → vector without a transformer: the weighted mean of the vectors of its pieces.
//!
//! `file` is the table that ships, `words` how it cuts source code, `model2vec` reads tables of others.

mod file;
mod model2vec;
mod words;

pub use words::words;

use std::path::Path;

use gik_base::{Cancel, Result};

use crate::embedder::{Embedder, ModelId, Provider, TextKind, Vectors, to_unit_length};
use crate::wordpiece::WordPiece;

/// The table inside the program, as `cargo xtask distil` makes it.
const BUILTIN: &[u8] = include_bytes!("../../assets/static.bin");
/// Its name in `model-info.json`; another table gets another name.
pub const BUILTIN_NAME: &str = "gik-static-256-v1";
/// The numbers of one of its vectors.
pub const BUILTIN_DIMENSION: usize = 256;
/// Texts between two looks at whether to stop.
const STRIDE: usize = 256;

/// A table of pieces with their vectors.
#[derive(Debug)]
pub struct StaticModel {
    id: ModelId,
    tokenizer: WordPiece,
    dimension: usize,
    rows: Rows,
    cut: Cut,
    /// Pieces of a text that are looked at.
    longest: usize,
    normalize: bool,
}

#[derive(Debug)]
enum Rows {
    /// Signed bytes, and what one step of each row stands for.
    Bytes {
        values: &'static [u8],
        steps: Vec<f32>,
    },
    Floats(Vec<f32>),
}

/// How a text becomes words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// As source code.
    Identifiers,
    /// As the tokenizer does it.
    Tokenizer,
}

impl StaticModel {
    /// The model inside the program.
    pub fn builtin() -> Result<Self> {
        Self::from_file(BUILTIN)
    }

    fn from_file(bytes: &'static [u8]) -> Result<Self> {
        let file::Contents { tokenizer, dimension, steps, rows } = file::read(bytes)?;
        Ok(Self {
            id: ModelId { provider: Provider::Static, name: BUILTIN_NAME.to_owned() },
            tokenizer,
            dimension,
            rows: Rows::Bytes { values: rows, steps },
            cut: Cut::Identifiers,
            longest: usize::MAX,
            normalize: true,
        })
    }

    /// What cuts words into pieces.
    pub fn tokenizer(&self) -> &WordPiece {
        &self.tokenizer
    }

    /// Reads a folder in the format of Model2Vec.
    pub fn open(folder: &Path, name: &str) -> Result<Self> {
        model2vec::open(folder, name)
    }

    /// The pieces of a text that have a vector.
    fn tokens(&self, text: &str, ids: &mut Vec<u32>) {
        ids.clear();
        match self.cut {
            Cut::Identifiers => words(text, |word| self.tokenizer.word(word, ids)),
            Cut::Tokenizer => self.tokenizer.pieces(text, ids),
        }
        ids.retain(|id| *id != self.tokenizer.unknown());
        ids.truncate(self.longest);
    }

    /// Writes the mean of the vectors of some pieces, which come out sorted.
    fn mean(&self, ids: &mut [u32], vector: &mut [f32]) {
        match &self.rows {
            Rows::Bytes { values, steps } => {
                ids.sort_unstable();
                for equal in ids.chunk_by(|one, other| one == other) {
                    let at = equal[0] as usize;
                    // What is said ten times is not ten times as much of what a chunk is about.
                    let step = steps[at] * (equal.len() as f32).sqrt();
                    let row = &values[at * self.dimension..(at + 1) * self.dimension];
                    let row = vector.iter_mut().zip(row);
                    row.for_each(|(sum, byte)| *sum += step * f32::from(byte.cast_signed()));
                }
            },
            Rows::Floats(values) => {
                for id in ids.iter() {
                    let at = *id as usize;
                    let row = &values[at * self.dimension..(at + 1) * self.dimension];
                    vector.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
                }
            },
        }
        if self.normalize {
            to_unit_length(vector);
        } else if !ids.is_empty() {
            let count = ids.len() as f32;
            vector.iter_mut().for_each(|value| *value /= count);
        }
    }
}

impl Embedder for StaticModel {
    fn id(&self) -> &ModelId {
        &self.id
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn embed(&self, texts: &[&str], _kind: TextKind, cancel: &Cancel) -> Result<Vectors> {
        let mut vectors = Vectors::zeros(texts.len(), self.dimension);
        let mut ids = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            if at % STRIDE == 0 {
                cancel.check()?;
            }
            self.tokens(text, &mut ids);
            self.mean(&mut ids, vectors.row_mut(at));
        }
        Ok(vectors)
    }
}

/// Makes the file of a table: pieces and their vectors, weights included. The first piece is the unknown one.
pub fn table_file(pieces: &[&str], vectors: &[Vec<f32>]) -> Result<Vec<u8>> {
    file::write(pieces, vectors)
}

#[cfg(test)]
mod tests;
