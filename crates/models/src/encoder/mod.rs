//! Text → vector by a transformer of the BERT family, on the processor alone.
//!
//! `config` reads what the model says of itself, `weights` packs what it has learnt, `linear` and `attention` are its
//! two kinds of products. Texts of similar length share a batch; the rows of a batch stand one after the other without
//! padding, and each thread works on a batch of its own. A vector depends on its text alone: neither on the other texts
//! nor on the number of threads.

mod attention;
mod config;
mod cross;
mod linear;
mod pass;
mod rate;
mod weights;

use std::path::Path;

use gik_base::parallel::Ahead;
use gik_base::{Cancel, ErrorCode, Failure, Result, fs, parallel};

use crate::embedder::{Embedder, ModelId, Provider, TextKind, Vectors, to_unit_length};
use crate::kernels::Kernels;
use crate::wordpiece::WordPiece;

use config::{Config, Pooling};
use pass::Pass;
use weights::Weights;

pub use cross::CrossEncoder;
pub use rate::multiply_tiles;

/// Tokens of a batch; more would not fit the caches, fewer would pack weights for too little work.
const BATCH_TOKENS: usize = 256;

/// Names how vectors are computed where nothing else is said. Vectors of another name are other vectors of the same text:
/// whoever keeps them keeps it with them.
pub const ENCODER_ARITHMETIC: &str = "i8";

/// How weights and rows are multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// As the model has them.
    F32,
    /// In small integers with scales: faster, the cosine to the exact vector is mostly above 0.999.
    Int8,
}

/// How an encoder works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How numbers are multiplied.
    pub precision: Precision,
    /// How many batches are worked on at once.
    pub threads: usize,
    /// Tokens of a text that are looked at, where that is fewer than the model can take.
    pub most_tokens: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self { precision: Precision::Int8, threads: parallel::available(), most_tokens: None }
    }
}

/// What shows how large the numbers inside of a model are: nothing, prose and code.
const SAMPLES: [&str; 3] = [
    "",
    "Where is a connection opened, and who closes it again when the request takes too long?",
    "pub fn read_config(path: &Path) -> Result<Config> {\n    let text = fs::read_to_string(path)?;\n    \
     // Lines that start with `#` say nothing.\n    let lines = text.lines().filter(|line| !line.starts_with('#'));\n    \
     lines.map(parse_line).collect()\n}\n\ndef total(self, items=None, *, rate=0.19):\n    return sum(i.price for i in items) * (1 + rate)",
];

/// Refuses a folder whose config asks for what is not supported; the weights need not be there.
pub(crate) fn check_config(folder: &Path) -> Result<()> {
    Config::read(folder).map(drop)
}

/// One text, or two of which the second starts at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Input {
    ids: Vec<u32>,
    second: usize,
}

/// A sentence transformer.
#[derive(Debug)]
pub struct Encoder {
    id: ModelId,
    config: Config,
    tokenizer: WordPiece,
    weights: Weights,
    kernels: Kernels,
    threads: usize,
}

impl Encoder {
    /// Reads a folder as Hugging Face lays it out.
    pub fn open(folder: &Path, name: &str, options: Options) -> Result<Self> {
        let mut config = Config::read(folder)?;
        // The marks of start and end are two of them.
        config.longest = config.longest.min(options.most_tokens.unwrap_or(usize::MAX).max(3));
        let tokenizer = tokenizer(folder)?;
        if tokenizer.len() > config.vocabulary || !tokenizer.has_marks() {
            let message = format!(
                "the tokenizer does not fit: {} pieces for {}, or no `[CLS]` and `[SEP]`",
                tokenizer.len(),
                config.vocabulary
            );
            return Err(Failure::new(ErrorCode::ModelInvalid, message));
        }
        let mut weights = Weights::open(&folder.join("model.safetensors"), &config)?;
        let (kernels, threads) = (Kernels::best(), options.threads);
        if options.precision == Precision::Int8 {
            let samples = SAMPLES.map(|text| tokenizer.encode(text, config.longest));
            pass::to_integers(kernels, &config, &mut weights, &samples);
        }
        let id = ModelId { provider: Provider::Candle, name: name.to_owned() };
        Ok(Self { id, config, tokenizer, weights, kernels, threads })
    }

    /// The most tokens of a text that are looked at, with the marks of start and end.
    pub fn longest(&self) -> usize {
        self.config.longest
    }

    /// The ids that a text is turned into.
    pub fn tokens(&self, text: &str, kind: TextKind) -> Vec<u32> {
        let prefix = match kind {
            TextKind::Query => &self.config.query_prefix,
            TextKind::Passage => &self.config.passage_prefix,
        };
        if prefix.is_empty() {
            return self.tokenizer.encode(text, self.config.longest);
        }
        self.tokenizer.encode(&format!("{prefix}{text}"), self.config.longest)
    }

    /// The ids of two texts that are read together. The first keeps at most half of the room, the second is cut.
    fn pair(&self, first: &str, second: &str) -> Input {
        let longest = self.config.longest;
        let mut ids = self.tokenizer.encode(first, (longest / 2 + 1).min(longest));
        let start = ids.len();
        // Without the mark of the start.
        let room = (longest - start.min(longest)).max(1);
        ids.extend(self.tokenizer.encode(second, room + 1).into_iter().skip(1));
        Input { ids, second: start }
    }

    /// The vectors of texts that are tokens already.
    pub fn embed_tokens(&self, texts: &[Vec<u32>], cancel: &Cancel) -> Result<Vectors> {
        let mut vectors = Vectors::zeros(texts.len(), self.config.hidden);
        let batches = batches(texts);
        let encode = |batch: &Vec<usize>| {
            let input = |at: &usize| Input { ids: texts[*at].clone(), second: texts[*at].len() };
            let inputs: Vec<Input> = batch.iter().map(input).collect();
            (batch.clone(), self.encode(&inputs))
        };
        // All batches weigh nothing: vectors are small.
        let ahead = Ahead { weigh: |_: &Vec<usize>| 0, budget: u64::MAX };
        parallel::in_order(&batches, self.threads, ahead, cancel, encode, |(batch, found)| {
            for (at, vector) in batch.into_iter().zip(found.chunks_exact(self.config.hidden)) {
                vectors.row_mut(at).copy_from_slice(vector);
            }
            Ok(())
        })?;
        Ok(vectors)
    }

    /// The vectors of one batch, one after the other.
    fn encode(&self, texts: &[Input]) -> Vec<f32> {
        let texts: Vec<&Input> = texts.iter().collect();
        let rows = self.rows(&texts);
        let mut start = 0;
        let lengths = texts.iter().map(|text| text.ids.len() * self.config.hidden);
        lengths
            .flat_map(|length| {
                start += length;
                self.pool(&rows[start - length..start])
            })
            .collect()
    }

    /// What the last layer says of every token of a batch, text after text.
    fn rows(&self, texts: &[&Input]) -> Vec<f32> {
        let ids: Vec<(&[u32], usize)> =
            texts.iter().map(|text| (text.ids.as_slice(), text.second)).collect();
        let mut pass = Pass::new(self.kernels, &self.config, &self.weights, &ids);
        for layer in &self.weights.layers {
            pass.through(layer);
        }
        pass.rows
    }

    fn pool(&self, rows: &[f32]) -> Vec<f32> {
        let mut tokens = rows.chunks_exact(self.config.hidden);
        let mut vector = tokens.next().unwrap_or_default().to_vec();
        if self.config.pooling == Pooling::Mean {
            for row in tokens {
                vector.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            let count = (rows.len() / self.config.hidden) as f32;
            vector.iter_mut().for_each(|value| *value /= count);
        }
        if self.config.normalize {
            to_unit_length(&mut vector);
        }
        vector
    }
}

impl Embedder for Encoder {
    fn id(&self) -> &ModelId {
        &self.id
    }

    fn dimension(&self) -> usize {
        self.config.hidden
    }

    fn embed(&self, texts: &[&str], kind: TextKind, cancel: &Cancel) -> Result<Vectors> {
        let tokens: Vec<Vec<u32>> = texts.iter().map(|text| self.tokens(text, kind)).collect();
        self.embed_tokens(&tokens, cancel)
    }
}

fn tokenizer(folder: &Path) -> Result<WordPiece> {
    if let Some(bytes) = fs::read_if_present(&folder.join("tokenizer.json"))? {
        return WordPiece::from_tokenizer_json(&bytes);
    }
    let bytes = fs::read(&folder.join("vocab.txt"))?;
    WordPiece::from_vocab(&String::from_utf8_lossy(&bytes), true)
}

/// Positions of texts, the longest first, so that the last batch of a thread is a short one.
fn batches(texts: &[Vec<u32>]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(texts[*at].len()), *at));
    let (mut batches, mut tokens) = (Vec::<Vec<usize>>::new(), usize::MAX);
    for at in order {
        let length = texts[at].len();
        match batches.last_mut() {
            Some(batch) if tokens + length <= BATCH_TOKENS => {
                batch.push(at);
                tokens += length;
            },
            _ => {
                batches.push(vec![at]);
                tokens = length;
            },
        }
    }
    batches
}

#[cfg(test)]
mod tests;
