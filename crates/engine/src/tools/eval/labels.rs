//! Questions with the files that answer them.

use std::path::Path;

use gik_base::{ErrorCode, Failure, Result, fs};
use serde::Deserialize;

/// A question whose answers are known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Labelled {
    /// What it is called in results; its line where it has no name.
    #[serde(default)]
    pub(super) id: String,
    pub(super) query: String,
    /// Files that answer it.
    pub(super) relevant: Vec<String>,
    /// Files that help as well.
    #[serde(default)]
    pub(super) secondary: Vec<String>,
    #[serde(default)]
    pub(super) category: String,
    /// Files that give the answer away, and are not looked at.
    #[serde(skip)]
    pub(super) hidden: Vec<String>,
    /// Whether it was made from the history, which then must not help to answer it.
    #[serde(skip)]
    pub(super) is_made: bool,
}

impl Labelled {
    /// Every file that counts.
    pub(super) fn targets(&self) -> impl Iterator<Item = &str> {
        self.relevant.iter().chain(&self.secondary).map(String::as_str)
    }
}

/// Reads a file of questions, one a line.
pub(super) fn read(path: &Path) -> Result<Vec<Labelled>> {
    let bytes = fs::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut labelled = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        labelled.push(one(line, number).map_err(|problem| {
            let message = format!("`{}` line {number}: {problem}", path.display());
            Failure::new(ErrorCode::ArgumentInvalid, message).hint(
                "a line is like {\"query\": \"where is the lock taken\", \"relevant\": [\"src/lock.rs\"]}",
            )
        })?);
    }
    if labelled.is_empty() {
        let message = format!("`{}` has no questions", path.display());
        return Err(Failure::new(ErrorCode::ArgumentInvalid, message));
    }
    Ok(labelled)
}

fn one(line: &str, number: usize) -> std::result::Result<Labelled, String> {
    let mut label: Labelled = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if label.query.trim().is_empty() {
        return Err("the question is empty".to_owned());
    }
    if label.targets().next().is_none() {
        return Err("no file answers it".to_owned());
    }
    // A file that is named twice counts once.
    let mut seen = std::collections::BTreeSet::new();
    label.relevant.retain(|path| seen.insert(path.clone()));
    label.secondary.retain(|path| seen.insert(path.clone()));
    if label.id.is_empty() {
        label.id = number.to_string();
    }
    Ok(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_needs_a_question_and_an_answer() {
        let label = one(r#"{"query":"a","relevant":["x"],"other":1}"#, 7).unwrap();
        assert_eq!((label.id.as_str(), label.targets().collect::<Vec<_>>()), ("7", vec!["x"]));
        let label = one(r#"{"query":"a","relevant":["x","x"],"secondary":["x","y"]}"#, 7).unwrap();
        assert_eq!(label.targets().collect::<Vec<_>>(), ["x", "y"]);
        for (line, problem) in [
            (r#"{"query":" ","relevant":["x"]}"#, "the question is empty"),
            (r#"{"query":"a","relevant":[]}"#, "no file answers it"),
            (r#"{"query":"a"}"#, "missing field"),
            ("nonsense", "expected"),
        ] {
            let told = one(line, 1).unwrap_err();
            assert!(told.contains(problem), "{line}: {told}");
        }
    }
}
