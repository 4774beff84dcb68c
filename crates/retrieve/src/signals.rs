//! The one table of what moves a result up or down. Weights are few and round on purpose: each must help on
//! repositories nobody tuned for.
//!
//! A score is put together in this order. What each step adds or takes away is named in [`crate::Found::signals`], and
//! together they are the score.
//!
//! | signal | weight | what it says |
//! |---|---|---|
//! | `words` | 1 | the words of the question occur, compared with the chunk that has most of them |
//! | `filter` | 1 | the question has no words, only conditions, and the chunk meets them |
//! | `opening` | [`Weights::opening`] | the comments of the chunk begin with the words of the question: what they say first is what the code is for |
//! | `meaning` | [`Weights::meaning`] | the chunk is near the question in meaning, compared with the nearest one |
//! | `reranker` | [`Weights::reranker`] | a model that the user chose says that the chunk answers the question, compared with the best one |
//! | `path` | [`Weights::path`], [`Weights::path_of_name`] | the file or its folder is named after words of the question |
//! | `named` | [`Weights::named`] | the question names the file, or a line of the chunk: a path, a frame of a stack trace |
//! | `recent` | [`Weights::recent`] | the file changed lately, compared with the newest commit |
//! | `together` | [`Weights::together`] | the file changes together with one of the best, by the history of the repository |
//! | `locality` | [`Weights::locality`] | the chunk is near the place where the reader is: its line, file, folder; only where that is given |
//! | `definition` | × [`Weights::definition`] | the chunk defines what the question names |
//! | `noise` | × [`Weights::noise`] | a test, example, fixture, vendored or compatibility file, unless the question asks for such |
//! | `docs` | × [`Weights::docs`] | a document, unless the question asks for documents: code is what it speaks of |
//! | `file` | [`Weights::file`] | the best chunk of a file of which much was found, compared with the file of which most was |
//! | `again` | × [`Weights::again`] | a file that has been shown is shown again |

use gik_base::collections::HashMap;
use gik_store::{ChunkRow, FileRow};

use crate::candidates::{FilePast, Found};
use crate::question::{Asked, whole};
use crate::search::Current;

/// How much each signal counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// What a chunk gains whose comments begin with every word of the question.
    pub opening: f64,
    /// What the nearest chunk in meaning gains, where the best by its words gains one.
    pub meaning: f64,
    /// What the best chunk gains by a reranker, where one was chosen.
    pub reranker: f64,
    /// What a file gains that is named after every word of the question.
    pub path: f64,
    /// The same for a question of one word, which is a name more than a topic.
    pub path_of_name: f64,
    /// The question names the place.
    pub named: f64,
    /// What a file gains that the newest commit changed.
    pub recent: f64,
    /// What a file gains that always changes with one of the best.
    pub together: f64,
    /// What the chunk gains in which the reader is.
    pub locality: f64,
    /// The chunk defines the asked name.
    pub definition: f64,
    /// Tests, examples, vendored copies.
    pub noise: f64,
    /// Documents beside code.
    pub docs: f64,
    /// What the best chunk gains of the file of which most was found, as a share of the best score.
    pub file: f64,
    /// What is left of the score of a chunk for each better one of the same file.
    pub again: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            opening: 0.3,
            meaning: 0.5,
            reranker: 0.5,
            path: 0.8,
            path_of_name: 0.5,
            named: 1.0,
            recent: 0.0,
            together: 0.0,
            locality: 0.4,
            definition: 1.75,
            noise: 0.5,
            docs: 0.8,
            file: 0.3,
            again: 0.5,
        }
    }
}

impl Weights {
    /// Every weight by its name.
    pub const FIELDS: &[&str] = &[
        "opening",
        "meaning",
        "reranker",
        "path",
        "path_of_name",
        "named",
        "locality",
        "recent",
        "together",
        "definition",
        "noise",
        "docs",
        "file",
        "again",
    ];

    /// The weight of a name; `None` where there is none.
    pub fn field(&mut self, name: &str) -> Option<&mut f64> {
        Some(match name {
            "opening" => &mut self.opening,
            "meaning" => &mut self.meaning,
            "reranker" => &mut self.reranker,
            "path" => &mut self.path,
            "path_of_name" => &mut self.path_of_name,
            "named" => &mut self.named,
            "locality" => &mut self.locality,
            "recent" => &mut self.recent,
            "together" => &mut self.together,
            "definition" => &mut self.definition,
            "noise" => &mut self.noise,
            "docs" => &mut self.docs,
            "file" => &mut self.file,
            "again" => &mut self.again,
            _ => return None,
        })
    }

    /// Whether the history of the repository counts.
    pub fn use_past(&self) -> bool {
        self.recent > 0.0 || self.together > 0.0
    }

    /// The signals that can be left out.
    pub fn names() -> impl Iterator<Item = &'static str> {
        // Half of the signal `path`.
        Self::FIELDS.iter().copied().filter(|name| *name != "path_of_name")
    }

    /// The same without a signal; `None` where there is none of that name.
    #[must_use]
    pub fn without(mut self, signal: &str) -> Option<Self> {
        if !Self::names().any(|name| name == signal) {
            return None;
        }
        let is_factor = matches!(signal, "definition" | "noise" | "docs" | "again");
        *self.field(signal)? = f64::from(is_factor);
        if signal == "path" {
            self.path_of_name = 0.0;
        }
        Some(self)
    }
}

/// A chunk without any of the words is a candidate from this cosine on. With the built-in model, 39 of 40 questions about
/// something else stay below 0.27, and half of those that have an answer have a chunk above 0.49.
pub const NEAR: f64 = 0.3;
/// A chunk whose cosine is this much below that of the nearest gains nothing.
const MEANING_SPAN: f64 = 0.3;
/// What a folder named after a word is worth, beside a file.
pub(crate) const FOLDER: f64 = 0.75;
/// So many of the best chunks tell how much of a file was found.
const FILE_CHUNKS: usize = 50;

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

/// What a chunk gains whose comments begin with this share of the question. A sentence with one word of it is about
/// something else, mostly; one with all of them is about it.
pub(crate) fn opening(weights: &Weights, share: f64) -> f64 {
    weights.opening * share * share
}

/// What is nearer to the question gains more, the nearest one all.
pub(crate) fn meaning(weights: &Weights, cosine: f64, nearest: f64) -> f64 {
    weights.meaning * (1.0 - (nearest - cosine) / MEANING_SPAN).clamp(0.0, 1.0)
}

/// What scores higher by the reranker gains more, the best one all.
pub(crate) fn reranker(weights: &Weights, score: f64, best: f64, span: f64) -> f64 {
    weights.reranker * (1.0 - (best - score) / span).clamp(0.0, 1.0)
}

/// Whether a chunk that has none of the words may be shown for its meaning: where it is among the nearest.
pub(crate) fn is_near(cosine: f64, nearest: f64) -> bool {
    nearest - cosine <= MEANING_SPAN / 2.0
}

/// What a file gains of whose place this share of the words speak.
pub(crate) fn path(weights: &Weights, asked: &Asked, share: f64) -> f64 {
    share * if asked.is_name { weights.path_of_name } else { weights.path }
}

/// What a file gains by its past.
pub(crate) fn of_past(weights: &Weights, past: FilePast) -> [Signal; 2] {
    [("recent", weights.recent * past.recent), ("together", weights.together * past.together)]
}

/// What a chunk gains by its distance from the reader: all in the chunk at the line, less in the file, in its folder, and
/// in folders that share a part of the way.
pub(crate) fn locality(
    weights: &Weights,
    current: &Current,
    chunk: &ChunkRow,
    file: &FileRow,
) -> f64 {
    const FILE: f64 = 0.8;
    const FOLDER_OF_FILE: f64 = 0.5;
    let folders = |path: &str| {
        let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders).to_owned();
        folders.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let share = if file.key == current.path {
        let is_here = |line: &u32| (chunk.lines.0..=chunk.lines.1).contains(line);
        if current.line.as_ref().is_some_and(is_here) { 1.0 } else { FILE }
    } else {
        let (ours, theirs) = (folders(current.path.as_str()), folders(file.key.as_str()));
        let shared = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
        let most = ours.len().max(theirs.len());
        // Whoever is in no folder is near the other files that are in none.
        FOLDER_OF_FILE * if most == 0 { 1.0 } else { shared as f64 / most as f64 }
    };
    weights.locality * share
}

/// The factors that apply to a chunk.
pub(crate) fn factors(
    weights: &Weights,
    found: &Found,
    is_noise: impl FnOnce() -> bool,
    asked: &Asked,
) -> Vec<Signal> {
    let Found { chunk, file, .. } = found;
    let asks_for = |list: &[&str]| asked.words.iter().any(|word| list.contains(&word.as_str()));
    let is_asked = |name: &str| whole(name).is_some_and(|name| asked.names.contains(&name));
    let mut factors = Vec::new();
    if !asked.names.is_empty() && chunk.name.split(' ').any(is_asked) {
        factors.push(("definition", weights.definition));
    }
    if is_noise() && !asks_for(NOISE_PARTS) {
        factors.push(("noise", weights.noise));
    }
    if *file.base == *DOCS_BASE && !asks_for(DOCS_WORDS) {
        factors.push(("docs", weights.docs));
    }
    factors
}

/// What the best chunk of each file gains because much of the file was found. The chunks come best first, each with
/// its file and its score; the answer has a number for each of the first [`FILE_CHUNKS`].
pub(crate) fn of_files(weights: &Weights, chunks: impl Iterator<Item = (u32, f64)>) -> Vec<f64> {
    let chunks: Vec<(u32, f64)> = chunks.take(FILE_CHUNKS).collect();
    let best = chunks.first().map_or(0.0, |(_, score)| *score);
    let mut sums: HashMap<u32, f64> = HashMap::default();
    for (file, score) in &chunks {
        *sums.entry(*file).or_default() += score;
    }
    let most = chunks.iter().map(|(file, _)| sums[file]).fold(f64::MIN_POSITIVE, f64::max);
    // Taken out with the first chunk of a file, so that no other one has it.
    let gains = chunks.iter().map(|(file, _)| sums.remove(file).map_or(0.0, |sum| sum / most));
    gains.map(|gain| weights.file * best * gain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_in_meaning_gains_all_and_others_less_by_their_distance() {
        let weights = Weights::default();
        for (cosine, expected) in [(0.7, 1.0), (0.55, 0.5), (0.4, 0.0), (-1.0, 0.0), (0.8, 1.0)] {
            let gain = meaning(&weights, cosine, 0.7);
            assert!((gain - expected * weights.meaning).abs() < 1e-12, "{cosine}");
        }
    }

    #[test]
    fn the_best_chunk_of_each_file_gains_by_what_was_found_of_the_file() {
        let weights = Weights { file: 1.0, ..Weights::default() };
        let chunks = [(1, 1.0), (2, 0.8), (2, 0.7), (1, 0.1), (3, 0.3)];
        let gains = of_files(&weights, chunks.into_iter());
        assert_eq!(gains.len(), 5);
        for (gain, expected) in gains.iter().zip([1.1 / 1.5, 1.0, 0.0, 0.0, 0.2]) {
            assert!((gain - expected).abs() < 1e-12, "{gains:?}");
        }
        assert_eq!(of_files(&weights, (0..80).map(|file| (file, 1.0))).len(), FILE_CHUNKS);
        assert_eq!(of_files(&weights, std::iter::empty()), [0.0; 0]);
    }

    #[test]
    fn every_named_signal_can_be_left_out() {
        for name in Weights::names() {
            let all = Weights { recent: 0.1, together: 0.1, ..Weights::default() };
            assert_ne!(all.without(name).unwrap(), all, "{name}");
        }
        assert_eq!(Weights::default().without("words"), None);
    }

    #[test]
    fn every_weight_has_a_name_of_its_own() {
        let mut weights = Weights::default();
        for (number, name) in (1u8..).zip(Weights::FIELDS) {
            *weights.field(name).unwrap() = f64::from(number);
        }
        for (number, name) in (1u8..).zip(Weights::FIELDS) {
            assert!((*weights.field(name).unwrap() - f64::from(number)).abs() < 1e-12, "{name}");
        }
        assert_eq!(weights.field("words"), None);
    }
}
