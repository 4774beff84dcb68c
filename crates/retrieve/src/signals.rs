//! The one table of what moves a result up or down. Weights are few and round on purpose: each must help on
//! repositories nobody tuned for.
//!
//! A score is put together in this order. What each step adds or takes away is named in [`crate::Found::signals`], and
//! together they are the score.
//!
//! | signal | weight | what it says |
//! |---|---|---|
//! | `words` | 1 | the words of the question occur, compared with the chunk that has most of them |
//! | `meaning` | [`MEANING`] | the chunk is near the question in meaning, compared with the nearest one |
//! | `path` | [`PATH`], [`PATH_OF_NAME`] | the file or its folder is named after words of the question |
//! | `definition` | × [`DEFINITION`] | the chunk defines what the question names |
//! | `noise` | × [`NOISE`] | a test, example, fixture, vendored or compatibility file, unless the question asks for such |
//! | `docs` | × [`DOCS`] | a document, unless the question asks for documents: code is what it speaks of |
//! | `file` | [`FILE`] | the best chunk of a file of which much was found, compared with the file of which most was |
//! | `again` | × [`AGAIN`] | a file that has been shown is shown again |

use gik_base::collections::HashMap;
use gik_store::{ChunkRow, FileRow};

use crate::question::{Asked, whole};

/// What the nearest chunk in meaning gains, where the best by its words gains one.
pub const MEANING: f64 = 0.5;
/// A chunk whose cosine is this much below that of the nearest gains nothing.
pub const MEANING_SPAN: f64 = 0.3;
/// What a file gains that is named after every word of the question.
pub const PATH: f64 = 1.2;
/// The same for a question of one word, which is a name more than a topic.
pub const PATH_OF_NAME: f64 = 0.5;
/// What a folder named after a word is worth, beside a file.
pub const FOLDER: f64 = 0.75;
/// The chunk defines the asked name.
pub const DEFINITION: f64 = 1.75;
/// Tests, examples, vendored copies.
pub const NOISE: f64 = 0.5;
/// Documents beside code.
pub const DOCS: f64 = 0.7;
/// What the best chunk gains of the file of which most was found, as a share of the best score.
pub const FILE: f64 = 0.5;
/// So many of the best chunks tell how much of a file was found.
pub const FILE_CHUNKS: usize = 50;
/// What is left of the score of a chunk for each better one of the same file.
pub const AGAIN: f64 = 0.5;

/// What a signal adds to a score or takes from it, by its name.
pub type Signal = (&'static str, f64);

/// Folders and name parts of files that rarely answer a question about how something works.
const NOISE_PARTS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "testdata",
    "testkit",
    "testutil",
    "testutils",
    "spec",
    "specs",
    "__tests__",
    "fixture",
    "fixtures",
    "snapshots",
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "vendor",
    "vendored",
    "third_party",
    "thirdparty",
    "compat",
    "legacy",
    "deprecated",
    "mock",
    "mocks",
];

/// Words of questions that documents answer.
const DOCS_WORDS: &[&str] = &[
    "changelog",
    "contributing",
    "docs",
    "documentation",
    "guide",
    "install",
    "installation",
    "license",
    "manual",
    "readme",
    "tutorial",
];

/// The base of documents.
const DOCS_BASE: &str = "docs";

/// Whether a file is a test, an example or somebody else's: what ranks lower everywhere.
pub fn is_noise_file(file: &FileRow) -> bool {
    let lower = file.key.as_str().to_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let mut parts = folders.split('/').chain(name.split(['.', '_', '-']));
    parts.any(|part| NOISE_PARTS.contains(&part))
}

/// What is nearer to the question gains more, the nearest one all.
pub(crate) fn meaning(cosine: f64, nearest: f64) -> f64 {
    MEANING * (1.0 - (nearest - cosine) / MEANING_SPAN).clamp(0.0, 1.0)
}

/// What a file gains of whose place this share of the words speak.
pub(crate) fn path(asked: &Asked, share: f64) -> f64 {
    share * if asked.is_name { PATH_OF_NAME } else { PATH }
}

/// The factors that apply to a chunk.
pub(crate) fn factors(chunk: &ChunkRow, file: &FileRow, asked: &Asked) -> Vec<Signal> {
    let asks_for = |list: &[&str]| asked.words.iter().any(|word| list.contains(&word.as_str()));
    let is_asked = |name: &str| whole(name).is_some_and(|name| asked.names.contains(&name));
    let mut factors = Vec::new();
    if !asked.names.is_empty() && chunk.name.split(' ').any(is_asked) {
        factors.push(("definition", DEFINITION));
    }
    if is_noise_file(file) && !asks_for(NOISE_PARTS) {
        factors.push(("noise", NOISE));
    }
    if *file.base == *DOCS_BASE && !asks_for(DOCS_WORDS) {
        factors.push(("docs", DOCS));
    }
    factors
}

/// What the best chunk of each file gains because much of the file was found. The chunks come best first, each with
/// its file and its score; the answer has a number for each of the first [`FILE_CHUNKS`].
pub(crate) fn of_files(chunks: impl Iterator<Item = (u32, f64)>) -> Vec<f64> {
    let chunks: Vec<(u32, f64)> = chunks.take(FILE_CHUNKS).collect();
    let best = chunks.first().map_or(0.0, |(_, score)| *score);
    let mut sums: HashMap<u32, f64> = HashMap::default();
    for (file, score) in &chunks {
        *sums.entry(*file).or_default() += score;
    }
    let most = chunks.iter().map(|(file, _)| sums[file]).fold(f64::MIN_POSITIVE, f64::max);
    // Taken out with the first chunk of a file, so that no other one has it.
    let gains = chunks.iter().map(|(file, _)| sums.remove(file).map_or(0.0, |sum| sum / most));
    gains.map(|gain| FILE * best * gain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_in_meaning_gains_all_and_others_less_by_their_distance() {
        for (cosine, expected) in [(0.7, 1.0), (0.55, 0.5), (0.4, 0.0), (-1.0, 0.0), (0.8, 1.0)] {
            assert!((meaning(cosine, 0.7) - expected * MEANING).abs() < 1e-12, "{cosine}");
        }
    }

    #[test]
    fn the_best_chunk_of_each_file_gains_by_what_was_found_of_the_file() {
        let gains = of_files([(1, 1.0), (2, 0.8), (2, 0.7), (1, 0.1), (3, 0.3)].into_iter());
        let expected = [FILE * 1.1 / 1.5, FILE, 0.0, 0.0, FILE * 0.2];
        assert_eq!(gains.len(), 5);
        for (gain, expected) in gains.iter().zip(expected) {
            assert!((gain - expected).abs() < 1e-12, "{gains:?}");
        }
        assert_eq!(of_files((0..80).map(|file| (file, 1.0))).len(), FILE_CHUNKS);
        assert_eq!(of_files(std::iter::empty()), [0.0; 0]);
    }
}
