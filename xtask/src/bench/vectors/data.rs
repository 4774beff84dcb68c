//! Vectors to measure with, and what is nearest to each question.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use gik_base::Cancel;
use gik_index::vectors::{Best, Kernels, Neighbour};
use gik_models::{ENCODER_ARITHMETIC, Embedder, Encoder, Options, StaticModel, TextKind};
use gik_testkit::Rng;

use crate::stop::{Result, Stop};
use crate::{corpus, models, workspace};

/// The label of vectors of MiniLM.
pub(super) const MINILM: &str = "MiniLM";
/// The label of vectors of the built-in table.
const STATIC: &str = "built-in table";

/// What a reader must know of the vectors.
pub(super) fn notes(n_real: usize) -> Vec<String> {
    vec![
        format!(
            "MiniLM: {n_real} windows of {LINES} lines of real code in many languages, the first {TOKENS} tokens of each; \
             larger sets are filled up with points between two of them. Questions are {N_QUESTIONS} other windows."
        ),
        "Built-in table: as many windows of real code as rows, each embedded.".to_owned(),
    ]
}

const LINES: usize = 16;
/// Half as many as a window has on average: twice as many windows can be embedded.
const TOKENS: usize = 64;
const WINDOWS_PER_FILE: usize = 24;
const BATCH: usize = 1_024;
const N_QUESTIONS: usize = 200;

/// Vectors and questions of one dimension, each of length 1.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) label: &'static str,
    pub(super) dimension: usize,
    pub(super) vectors: Vec<f32>,
    pub(super) questions: Vec<f32>,
}

impl Data {
    pub(super) fn len(&self) -> usize {
        self.vectors.len() / self.dimension
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = (u32, &[f32])> {
        (0..).zip(self.vectors.chunks_exact(self.dimension))
    }

    pub(super) fn questions(&self) -> impl Iterator<Item = &[f32]> {
        self.questions.chunks_exact(self.dimension)
    }

    /// The rows that are nearest to each question.
    pub(super) fn exact(&self, answers: usize) -> Vec<Vec<u32>> {
        self.questions().map(|question| self.nearest(question, answers)).collect()
    }

    /// The rows that are nearest to a question, by comparing all.
    pub(super) fn nearest(&self, question: &[f32], answers: usize) -> Vec<u32> {
        let kernels = Kernels::best();
        let mut best = Best::new(answers);
        for (id, vector) in self.rows() {
            let score = kernels.dot(question, vector);
            best.push(Neighbour { score, id: u64::from(id), row: id });
        }
        best.into_sorted().into_iter().map(|found| found.row).collect()
    }
}

/// A set for each count, grown from `n_real` vectors of MiniLM, and one of the built-in table.
pub(super) fn all(root: &Path, counts: &[usize], n_real: usize) -> Result<Vec<Data>> {
    let texts = windows(root, n_real + N_QUESTIONS)?;
    let real = cached(root, &texts)?;
    let dimension = real.len() / texts.len();
    let (questions, real) = real.split_at(N_QUESTIONS * dimension);
    let mut all = Vec::new();
    for &count in counts {
        let vectors = grow(real, dimension, count);
        all.push(Data { label: MINILM, dimension, vectors, questions: questions.to_vec() });
    }
    // As many as there are windows of real code for, and not more than take a minute.
    let count = counts.iter().copied().max().unwrap_or(n_real).min(100_000);
    let texts = windows(root, count + N_QUESTIONS)?;
    let table = StaticModel::builtin().map_err(|error| Stop::Failed(error.to_string()))?;
    let mut vectors = embed(&table, &texts)?;
    let dimension = table.dimension();
    let rest = vectors.split_off(N_QUESTIONS * dimension);
    all.push(Data { label: STATIC, dimension, vectors: rest, questions: vectors });
    Ok(all)
}

/// Windows of lines, evenly from all languages and files, the first ones for questions.
fn windows(root: &Path, count: usize) -> Result<Vec<String>> {
    let mut groups = Vec::new();
    for corpus in &corpus::table(root)? {
        let mut files = Vec::new();
        for package in corpus.fetch(root)? {
            for file in workspace::all_files(&package.folder)? {
                if files.len() > count {
                    break;
                }
                let Ok(text) = std::fs::read_to_string(package.folder.join(file)) else { continue };
                let lines: Vec<&str> = text.lines().collect();
                let windows = lines.chunks_exact(LINES).map(|lines| lines.join("\n"));
                let windows = windows.filter(|text| (200..2_000).contains(&text.len()));
                files.push(windows.take(WINDOWS_PER_FILE).collect::<Vec<_>>());
            }
        }
        groups.push(corpus::spread(&files, count));
    }
    let mut texts = corpus::spread(&groups, usize::MAX);
    // The same window in two packages is one.
    let mut seen = std::collections::BTreeSet::new();
    texts.retain(|text| seen.insert(gik_base::hash::fast64(text.as_bytes())));
    texts.truncate(count);
    // Neighbours in a file must not be questions and answers of each other.
    let mut rng = Rng::new(1);
    for at in (1..texts.len()).rev() {
        texts.swap(at, rng.within(0..at + 1));
    }
    Ok(texts)
}

/// The vectors of MiniLM, which take minutes, kept below the target folder. What is there after an interruption stays.
fn cached(root: &Path, texts: &[String]) -> Result<Vec<f32>> {
    let hash = gik_base::hash::fast64(texts.join("\n").as_bytes());
    let path = root.join(format!("target/vectors/minilm-{ENCODER_ARITHMETIC}-{hash:016x}.f32"));
    workspace::create_folder(&root.join("target/vectors"))?;
    let bytes = std::fs::read(&path).unwrap_or_default();
    let mut vectors: Vec<f32> =
        bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let options = Options { threads: 2, most_tokens: Some(TOKENS), ..Options::default() };
    let encoder = Encoder::open(&models::minilm()?, models::MODEL, options)
        .map_err(|failure| Stop::Failed(failure.to_string()))?;
    let n_done = vectors.len() / encoder.dimension();
    vectors.truncate(n_done * encoder.dimension());
    let failed = |error| Stop::on_path("write", &path, error);
    let mut file = File::options().append(true).create(true).open(&path).map_err(failed)?;
    file.set_len(vectors.len() as u64 * 4).map_err(failed)?;
    for (batch, texts) in texts[n_done..].chunks(BATCH).enumerate() {
        eprintln!("bench: embedding, {} windows of code are done", n_done + batch * BATCH);
        let made = embed(&encoder, texts)?;
        let bytes: Vec<u8> = made.iter().flat_map(|number| number.to_le_bytes()).collect();
        file.write_all(&bytes).map_err(failed)?;
        vectors.extend(made);
    }
    Ok(vectors)
}

fn embed(embedder: &dyn Embedder, texts: &[String]) -> Result<Vec<f32>> {
    let mut all = Vec::new();
    for texts in texts.chunks(1_024) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = embedder.embed(&texts, TextKind::Passage, &Cancel::default());
        let vectors = vectors.map_err(|failure| Stop::Failed(failure.to_string()))?;
        for row in vectors.rows() {
            all.extend(unit(row.iter().copied()));
        }
    }
    Ok(all)
}

/// The first `count`, or all and as many points between two of them.
fn grow(real: &[f32], dimension: usize, count: usize) -> Vec<f32> {
    let n_real = real.len() / dimension;
    let mut vectors = real[..count.min(n_real) * dimension].to_vec();
    vectors.reserve_exact(count.saturating_sub(n_real) * dimension);
    let mut rng = Rng::new(2);
    for _ in n_real..count {
        let mut any = || {
            let at = rng.within(0..n_real) * dimension;
            &real[at..at + dimension]
        };
        let (a, b) = (any(), any());
        let share = (rng.below(600) + 200) as f32 / 1_000.0;
        vectors.extend(unit(a.iter().zip(b).map(|(a, b)| a * share + b * (1.0 - share))));
    }
    vectors
}

fn unit(numbers: impl Iterator<Item = f32>) -> Vec<f32> {
    let vector: Vec<f32> = numbers.collect();
    let norm = Kernels::best().norm(&vector);
    if norm > 0.0 { vector.iter().map(|number| number / norm).collect() } else { vector }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_sets_start_with_the_real_ones() {
        let real = [1.0, 0.0, 0.0, 1.0];
        assert_eq!(grow(&real, 2, 1), [1.0, 0.0]);
        let grown = grow(&real, 2, 9);
        assert_eq!(grown[..4], real);
        assert_eq!(grown.len(), 18);
        assert_eq!(grown, grow(&real, 2, 9));
        let data = Data { label: MINILM, dimension: 2, vectors: grown, questions: vec![0.0, 1.0] };
        assert_eq!(data.exact(1), [[1]]);
    }
}
