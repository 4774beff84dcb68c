//! Questions from the history: what a commit is about, and the files that it changed.
//!
//! They are put to the files of today, so only files count that still exist, under the names that they have now. What
//! gives the answer away is left out: subjects that name a file, and files that repeat the subject.

use std::collections::{BTreeMap, BTreeSet};

use gik_base::{ErrorCode, Failure, Result};
use gik_discover::history::PastCommit;
use gik_retrieve::signals::is_noise_file;
use gik_store::{Access, FileState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::labels::Labelled;
use crate::projection::text_of;
use crate::{Workspace, bases, history};

/// A commit that changed more files is about too much to be answered by one of them.
const MOST_FILES: usize = 8;
/// A subject of fewer words asks nothing.
const LEAST_WORDS: usize = 3;
/// A stem of fewer letters is a word like any other.
const LONG_STEM: usize = 6;
/// Files that repeat what commits say.
const RECORDS: &[&str] = &["changelog", "changes", "history", "news", "releases", "release_notes"];
/// Subjects that are about no code.
const NO_QUESTIONS: &[&str] =
    &["merge ", "revert ", "fixup!", "squash!", "bump ", "release ", "version ", "wip"];

/// What the questions were made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FromGit {
    /// Commits that were looked at, newest first.
    pub commits: u64,
    /// Commits that made no question, by reason.
    pub left_out: BTreeMap<String, u64>,
}

/// At most so many questions from the newest commits.
pub(super) fn make(ws: &Workspace<'_>, most: usize) -> Result<(Vec<Labelled>, FromGit)> {
    let commits = history::commits(ws)?;
    let store = ws.store(Access::ReadOnly)?;
    let snapshot = store.snapshot()?;
    let files = snapshot.files()?;
    let today: BTreeMap<&str, _> = (files.iter())
        .filter(|file| file.state == FileState::Indexed)
        .map(|file| (file.key.as_str(), file))
        .collect();
    let records: Vec<String> =
        today.keys().filter(|key| is_record(key)).map(|key| (*key).to_owned()).collect();
    let (mut labelled, mut info) = (Vec::new(), FromGit::default());
    let mut seen = BTreeSet::new();
    for commit in &commits {
        if labelled.len() == most {
            break;
        }
        ws.ctx.cancel.check()?;
        info.commits += 1;
        let mut leave_out =
            |reason: &str| *info.left_out.entry(reason.to_owned()).or_default() += 1;
        let query = match question_of(commit) {
            Ok(query) => query,
            Err(reason) => {
                leave_out(reason);
                continue;
            },
        };
        if !seen.insert(query.to_lowercase()) {
            leave_out("asked already");
            continue;
        }
        let mut hidden = records.clone();
        let mut relevant = Vec::new();
        for key in &commit.files {
            let Some(file) = today.get(key.as_str()).filter(|_| !is_record(key)) else { continue };
            let repeats = text_of(ws, &snapshot, file)?.is_some_and(|text| text.contains(&query));
            if repeats { &mut hidden } else { &mut relevant }.push(key.clone());
        }
        // Tests and documents come along with nearly every change; what it is about is the code.
        let is_code = |key: &String| {
            let file = today.get(key.as_str());
            file.is_some_and(|file| *file.base == *bases::CODE && !is_noise_file(file))
        };
        if relevant.iter().any(is_code) {
            relevant.retain(is_code);
        }
        if relevant.is_empty() {
            leave_out("no file of today");
        } else if relevant.len() > MOST_FILES {
            leave_out("too many files");
        } else if relevant.iter().any(|key| names(&query, key)) {
            leave_out("names a file");
        } else {
            let id = commit.id.to_string().chars().take(10).collect();
            labelled.push(Labelled {
                id,
                query,
                relevant,
                hidden,
                is_made: true,
                ..Labelled::default()
            });
        }
    }
    if labelled.is_empty() {
        let message = format!("none of {} commits makes a question", commits.len());
        return Err(Failure::new(ErrorCode::HistoryMissing, message)
            .hint("a subject needs three words, and files that still exist"));
    }
    Ok((labelled, info))
}

/// The subject without what only machines read: a type, a scope, the number of a request.
fn question_of(commit: &PastCommit) -> std::result::Result<String, &'static str> {
    if commit.is_bulk {
        return Err("too many files");
    }
    if commit.parents.len() > 1 {
        return Err("a merge");
    }
    let subject = commit.subject().trim();
    let lower = subject.to_lowercase();
    if NO_QUESTIONS.iter().any(|start| lower.starts_with(start)) {
        return Err("about no code");
    }
    let is_scope = |front: &str| !front.is_empty() && front.len() <= 40 && !front.contains(". ");
    let rest = match subject.split_once(": ") {
        Some((front, rest)) if is_scope(front) && front.split(' ').count() <= 2 => rest,
        _ => subject,
    };
    let rest = match rest.rsplit_once(" (#") {
        Some((front, number))
            if number.trim_end_matches(')').bytes().all(|b| b.is_ascii_digit()) =>
        {
            front
        },
        _ => rest,
    };
    let rest = rest.trim();
    if rest.split_whitespace().count() < LEAST_WORDS {
        return Err("too few words");
    }
    Ok(rest.to_owned())
}

/// Whether a question gives a file away: by its path, its name, or a stem that is no plain word.
fn names(query: &str, key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key);
    let stem = name.split('.').next().unwrap_or(name);
    let is_plain = stem.chars().all(|c| c.is_lowercase()) || stem.len() < LONG_STEM;
    let has_word = |wanted: &str| {
        query
            .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
            .any(|word| word == wanted)
    };
    query.contains(key)
        || (name.contains('.') && query.contains(name))
        || (!is_plain && has_word(stem))
}

fn is_record(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key).to_lowercase();
    RECORDS.contains(&name.split('.').next().unwrap_or(&name))
}

#[cfg(test)]
mod tests {
    use gik_discover::history::ObjectId;

    use super::*;

    fn commit(message: &str) -> PastCommit {
        let id = ObjectId::from_hex(&"1".repeat(40)).unwrap();
        PastCommit {
            id,
            parents: vec![id],
            author: String::new(),
            mail: String::new(),
            authored: 0,
            committed: 0,
            message: message.to_owned(),
            files: Vec::new(),
            is_bulk: false,
        }
    }

    #[test]
    fn a_subject_is_a_question_without_what_machines_read() {
        for (message, question) in [
            ("Round the total\n\nBody", Ok("Round the total")),
            ("fix(till)!: round the total twice (#12)", Ok("round the total twice")),
            ("ask and why: two lists of words", Ok("ask and why: two lists of words")),
            ("Merge branch 'a' into b", Err("about no code")),
            ("Bump serde to 2", Err("about no code")),
            ("fix: typo", Err("too few words")),
        ] {
            let made = question_of(&commit(message));
            assert_eq!(made.as_deref().map_err(|reason| *reason), question, "{message}");
        }
        let merge = PastCommit { parents: vec![commit("").id; 2], ..commit("Take the other side") };
        assert_eq!(question_of(&merge), Err("a merge"));
    }

    #[test]
    fn a_question_that_names_a_file_gives_it_away() {
        for (query, key, gives_away) in [
            ("split src/till.rs in two", "src/till.rs", true),
            ("split till.rs in two", "src/till.rs", true),
            ("the till is split in two", "src/till.rs", false),
            ("the vector_cache is split", "src/vector_cache.rs", true),
            ("the Dockerfile is smaller now", "Dockerfile", true),
            ("the vectors are cached", "src/vector_cache.rs", false),
        ] {
            assert_eq!(names(query, key), gives_away, "{query}");
        }
        assert!(is_record("docs/CHANGELOG.md") && !is_record("src/changed.rs"));
    }
}
