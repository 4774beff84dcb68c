//! The one table of what moves a result up or down, apart from its words.
//!
//! | signal | factor | when |
//! |---|---|---|
//! | `definition` | [`DEFINITION`] | the chunk defines what a word of the question names exactly |
//! | `stem` | [`STEM`] | the file is named after a word of the question |
//! | `noise` | [`NOISE`] | a test, example, fixture, vendored or compatibility file, unless the question asks for such |
//!
//! | `meaning` | [`meaning`] | how near its vector is to that of the question, compared with the nearest candidate |
//!
//! Factors multiply the lexical score. They are few on purpose: each must help on repositories nobody tuned for.

use gik_store::{ChunkRow, FileRow};

/// The chunk defines the asked name.
pub const DEFINITION: f64 = 1.6;
/// The file is named after a word of the question.
pub const STEM: f64 = 1.25;
/// Tests, examples, vendored copies.
pub const NOISE: f64 = 0.55;

/// A candidate whose cosine is this much below that of the nearest one keeps half of its score.
pub const MEANING_HALVES_AT: f64 = 0.2;

/// The factor for a candidate with that cosine, where the nearest one has `nearest`.
pub fn meaning(cosine: f64, nearest: f64) -> f64 {
    MEANING_HALVES_AT / (MEANING_HALVES_AT + (nearest - cosine).max(0.0))
}

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

/// A named factor.
pub type Signal = (&'static str, f64);

/// Whether a file is a test, an example or somebody else's: what ranks lower everywhere.
pub fn is_noise_file(file: &FileRow) -> bool {
    is_noise(&path_parts(file.key.as_str()))
}

fn is_noise(parts: &[String]) -> bool {
    parts.iter().any(|part| NOISE_PARTS.contains(&part.as_str()))
}

/// The factors that apply to a chunk. `terms` are the words of the question, lower-case.
pub fn of(chunk: &ChunkRow, file: &FileRow, terms: &[String]) -> Vec<Signal> {
    let mut signals = Vec::new();
    if chunk.name.split(' ').any(|name| name.len() > 2 && is_asked(name, terms)) {
        signals.push(("definition", DEFINITION));
    }
    let parts = path_parts(file.key.as_str());
    // `__init__.py` is no file about `init`.
    if let Some(stem) = parts.last()
        && stem.len() > 2
        && !stem.starts_with("__")
        && is_asked(stem, terms)
    {
        signals.push(("stem", STEM));
    }
    if is_noise(&parts) && !terms.iter().any(|term| NOISE_PARTS.contains(&term.as_str())) {
        signals.push(("noise", NOISE));
    }
    signals
}

/// Whether a name as a whole is one of the terms.
fn is_asked(name: &str, terms: &[String]) -> bool {
    // A plain identifier is its own term, and nearly all names are plain.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.starts_with('_')
        && !name.ends_with('_')
        && name.len() <= 64;
    if is_plain {
        return terms.iter().any(|term| term.eq_ignore_ascii_case(name));
    }
    let mut written: Vec<(String, u32)> = Vec::new();
    gik_index::analyze(name, &mut |term, position| written.push((term.to_owned(), position)));
    match written.as_slice() {
        // The whole comes first, at the position of its first part.
        [(whole, _)] | [(whole, 0), (_, 0), ..] => terms.contains(whole),
        _ => false,
    }
}

/// Folder names, then the words of the file's stem, then the stem as a whole; all lower-case.
fn path_parts(path: &str) -> Vec<String> {
    let lower = path.to_lowercase();
    let mut parts: Vec<String> = lower.split('/').map(str::to_owned).collect();
    let Some(name) = parts.pop() else { return Vec::new() };
    let stem = name.trim_start_matches('.').split('.').next().unwrap_or_default().to_owned();
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
    fn the_nearest_in_meaning_keeps_its_score_and_others_lose_by_their_distance() {
        assert!((meaning(0.7, 0.7) - 1.0).abs() < 1e-12);
        assert!((meaning(0.5, 0.7) - 0.5).abs() < 1e-12);
        assert!(meaning(-1.0, 0.7) > 0.0);
        assert!((meaning(0.8, 0.7) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn parts_of_a_path_are_folders_words_and_stem() {
        assert_eq!(
            path_parts("src/Store/open_test.rs"),
            ["src", "store", "open", "test", "rs", "open_test"]
        );
        assert_eq!(path_parts(".gitignore"), ["gitignore", "gitignore"]);
        assert_eq!(path_parts(""), [""]);
    }

    #[test]
    fn names_are_compared_as_the_analyzer_writes_them() {
        for (name, question, expected) in [
            ("parseHTTPConfig", "parseHTTPConfig", true),
            ("parseHTTPConfig", "PARSEHTTPCONFIG", true),
            ("parseHTTPConfig", "parse http config", false),
            ("read_file", "read_file", true),
            ("read_file", "read-file", true),
            ("tree-sitter", "tree_sitter", true),
            ("tree-sitter", "tree", false),
            ("__init__", "init", true),
            ("GRÖSSE", "grösse", true),
            ("caf\u{65}\u{301}", "café", true),
            ("fs::read", "fs", false),
            ("…", "x", false),
        ] {
            let query = gik_index::Query::parse(question).unwrap();
            assert_eq!(is_asked(name, query.terms()), expected, "{name} {question}");
        }
    }
}
