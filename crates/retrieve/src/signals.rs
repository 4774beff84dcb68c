//! The one table of what moves a result up or down, apart from its words.
//!
//! | signal | factor | when |
//! |---|---|---|
//! | `definition` | [`DEFINITION`] | the chunk defines what a word of the question names exactly |
//! | `stem` | [`STEM`] | the file is named after a word of the question |
//! | `noise` | [`NOISE`] | a test, example, fixture, vendored or compatibility file, unless the question asks for such |
//!
//! Factors multiply the lexical score. They are few on purpose: each must help on repositories nobody tuned for.

use gik_store::{ChunkRow, FileRow};

/// The chunk defines the asked name.
pub const DEFINITION: f64 = 1.6;
/// The file is named after a word of the question.
pub const STEM: f64 = 1.25;
/// Tests, examples, vendored copies.
pub const NOISE: f64 = 0.55;

/// Folders and name parts of files that rarely answer a question about how something works.
const NOISE_PARTS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "testdata",
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

/// A named factor.
pub type Signal = (&'static str, f64);

/// The factors that apply to a chunk. `terms` are the words of the question, lower-case.
pub fn of(chunk: &ChunkRow, file: &FileRow, terms: &[String]) -> Vec<Signal> {
    let mut signals = Vec::new();
    let asked = |word: &str| terms.iter().any(|term| term == word);
    if chunk.name.split(' ').any(|name| name.len() > 2 && asked(&name.to_lowercase())) {
        signals.push(("definition", DEFINITION));
    }
    let parts = path_parts(file.key.as_str());
    if let Some(stem) = parts.last()
        && stem.len() > 2
        && asked(stem)
    {
        signals.push(("stem", STEM));
    }
    let noise = parts.iter().find(|part| NOISE_PARTS.contains(&part.as_str()));
    if noise.is_some() && !terms.iter().any(|term| NOISE_PARTS.contains(&term.as_str())) {
        signals.push(("noise", NOISE));
    }
    signals
}

/// Folder names, then the words of the file's stem, then the stem as a whole; all lower-case.
fn path_parts(path: &str) -> Vec<String> {
    let lower = path.to_lowercase();
    let mut parts: Vec<String> = lower.split('/').map(str::to_owned).collect();
    let Some(name) = parts.pop() else { return Vec::new() };
    let stem = name.split('.').next().unwrap_or_default().to_owned();
    let words: Vec<String> =
        name.split(['.', '_', '-']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    parts.extend(words);
    parts.push(stem);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_path_are_folders_words_and_stem() {
        assert_eq!(
            path_parts("src/Store/open_test.rs"),
            ["src", "store", "open", "test", "rs", "open_test"]
        );
    }
}
