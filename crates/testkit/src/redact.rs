//! Makes output comparable: what differs from run to run becomes a name in brackets.
//!
//! | in the output | in the snapshot |
//! |---|---|
//! | the workspace, home and temporary folders | `[ROOT]`, `[HOME]`, `[TEMP]` |
//! | a UUID | `[UUID-1]`, numbered by first appearance |
//! | the first 6 to 12 digits of a known UUID | `[UUID-1:8]`, the same number and the length |
//! | a memory id | `[MEM-1]` |
//! | a sha256 | `[SHA256]` |
//! | a time | `[TIME]`, `[AGO]` |
//! | a duration, and numbers under a duration's key | `[DURATION]` |
//! | the version of gik | `[VERSION]` |
//! | the length of an answer, and of the list of tools | `[LENGTH]` |

use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::Tree;

/// The rules of one snapshot.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    paths: Vec<(String, &'static str)>,
    known_ids: Vec<String>,
    rules: Vec<(Regex, String)>,
}

impl Redactor {
    /// Rules without paths and known ids.
    pub fn new() -> Self {
        Self::default()
    }

    /// Rules that know the folders of a tree and the ids of its timeline and staging.
    pub fn for_tree(tree: &Tree) -> Self {
        let mut redactor = Self::new()
            .path(tree.root(), "[ROOT]")
            .path(tree.home(), "[HOME]")
            .path(tree.outside(), "[TEMP]");
        if tree.exists(".guided/knowledge") {
            for file in tree.list_below(".guided/knowledge") {
                if file.ends_with("/timeline.jsonl") || file.ends_with("/pending.jsonl") {
                    let text = String::from_utf8_lossy(&tree.read_bytes(&file)).into_owned();
                    redactor.known_ids.extend(uuids(&text));
                }
            }
        }
        redactor
    }

    /// A folder and the name that stands for it; folders are tried in the order given.
    #[must_use]
    pub fn path(mut self, path: &Path, name: &'static str) -> Self {
        self.paths.push((path.to_string_lossy().into_owned(), name));
        self
    }

    /// A rule of the test's own, applied before all others.
    #[must_use]
    pub fn rule(mut self, pattern: &str, replacement: &str) -> Self {
        let pattern = Regex::new(pattern).expect("the test's pattern is a regular expression");
        self.rules.push((pattern, replacement.to_owned()));
        self
    }

    /// The text with everything replaced that may differ.
    pub fn apply(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (pattern, replacement) in &self.rules {
            text = pattern.replace_all(&text, replacement.as_str()).into_owned();
        }
        for (path, name) in &self.paths {
            text = text.replace(path.as_str(), name);
        }
        text = SHA256.replace_all(&text, "[SHA256]").into_owned();
        text = TIME.replace_all(&text, "[TIME]").into_owned();
        text = AGO.replace_all(&text, "[AGO]").into_owned();
        text = self.replace_ids(&text);
        text = TIMINGS.replace_all(&text, redact_numbers).into_owned();
        text = DURATION_KEY.replace_all(&text, "$1[DURATION]").into_owned();
        text = DURATION.replace_all(&text, redact_duration).into_owned();
        text = LENGTH.replace_all(&text, "$1[LENGTH]$2").into_owned();
        VERSION.replace_all(&text, "$1[VERSION]").into_owned()
    }

    fn replace_ids(&self, text: &str) -> String {
        let mut known = uuids(text);
        known.extend(self.known_ids.iter().cloned());
        let mut seen_uuids = Numbering::default();
        let mut seen_memories = Numbering::default();
        ID.replace_all(text, |found: &Captures<'_>| {
            let id = &found[0];
            if id.starts_with("mem-") {
                format!("[MEM-{}]", seen_memories.number(id))
            } else if UUID.is_match(id) {
                format!("[UUID-{}]", seen_uuids.number(id))
            } else if let Some(whole) = known.iter().find(|whole| whole.starts_with(id)) {
                format!("[UUID-{}:{}]", seen_uuids.number(whole), id.len())
            } else {
                id.to_owned()
            }
        })
        .into_owned()
    }
}

/// Counts distinct ids in the order they turn up.
#[derive(Default)]
struct Numbering(Vec<String>);

impl Numbering {
    fn number(&mut self, id: &str) -> usize {
        match self.0.iter().position(|seen| seen == id) {
            Some(position) => position + 1,
            None => {
                self.0.push(id.to_owned());
                self.0.len()
            },
        }
    }
}

static SHA256: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9a-f]{64}\b"));
static UUID: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$"));
static ID: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bmem-[0-9a-f][0-9a-f-]{5,}[0-9a-f]\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{6,12}\b",
    )
});
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)| \d\d:\d\d(?::\d\d)?(?: UTC)?)",
    )
});
static AGO: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bjust now\b|\b\d+ (?:second|minute|hour)s? ago\b"));
/// They change with every word of an answer or a help text.
static LENGTH: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"("answerBytes": ?|also pays )\d+(\b)"#));
static DURATION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"( *)(?:\b\d+ min )?\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s)\b"));
static DURATION_KEY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"("(?:elapsed|duration|took|latency)(?:Ms|Us|Micros|Millis|Seconds)?"\s*:\s*)\d+(?:\.\d+)?"#,
    )
});
static TIMINGS: LazyLock<Regex> = LazyLock::new(|| pattern(r#""timings"\s*:\s*\{[^{}]*\}"#));
static NUMBER_VALUE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(:\s*)\d+(?:\.\d+)?"));
static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(\bgik[ /@]v?|"(?:gikVersion|toolVersion)"\s*:\s*")\d+\.\d+\.\d+[0-9A-Za-z.+-]*(?: \([^)]*\))?"#,
    )
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the built-in patterns are regular expressions")
}

fn uuids(text: &str) -> Vec<String> {
    ID.find_iter(text)
        .map(|found| found.as_str())
        .filter(|id| UUID.is_match(id))
        .map(str::to_owned)
        .collect()
}

fn redact_numbers(found: &Captures<'_>) -> String {
    NUMBER_VALUE.replace_all(&found[0], "$1[DURATION]").into_owned()
}

/// Columns align numbers with spaces, whose count changes with the number; two stand for any more.
fn redact_duration(found: &Captures<'_>) -> String {
    let spaces = found[1].len().min(2);
    format!("{}[DURATION]", &found[1][..spaces])
}

#[cfg(test)]
mod tests;
