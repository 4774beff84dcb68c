//! Commits that answer a question.

use gik_contract::ask::CommitEvent;
use gik_index::{Query, Searcher, Tombstones};

use super::{Past, moment};
use crate::answer::rounded;

/// Words of questions that ask for reasons, times or people, and not for code.
const ASKS_WHY: &[&str] = &[
    "why",
    "reason",
    "reasons",
    "rationale",
    "motivation",
    "when",
    "who",
    "since",
    "commit",
    "commits",
    "committed",
    "history",
    "introduced",
    "regression",
    "warum",
    "weshalb",
    "wieso",
    "pourquoi",
    "perché",
    "зачем",
    "почему",
];
/// So many commits are told.
const MOST_EVENTS: usize = 3;
/// So many files of a commit are named.
const MOST_FILES: usize = 10;

/// Whether a question asks for what commits tell.
pub(crate) fn answers_why(question: &str) -> bool {
    let mut words = question.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ASKS_WHY.contains(&word.to_lowercase().as_str()))
}

/// The commits that answer best by the words of their messages: those that have at least half of the words asked for.
pub(crate) fn commit_events(past: &Past, query: &Query) -> Vec<CommitEvent> {
    let none = Tombstones::default();
    let searcher = Searcher::new([(&past.words, &none)]);
    let asked: Vec<usize> = (0..query.terms().len().min(u64::BITS as usize))
        .filter(|at| !answers_why(&query.terms()[*at]))
        .collect();
    let hits = searcher.search(query, MOST_EVENTS, &|_| true);
    let answers = hits.into_iter().filter(|hit| {
        let matched = asked.iter().filter(|at| hit.matched & 1 << **at != 0).count();
        matched > 0 && matched * 2 >= asked.len()
    });
    answers
        .filter_map(|hit| {
            let commit = past.kept.commit(past.kept.number_of(hit.tie)?)?;
            Some(CommitEvent {
                id: commit.id.to_string(),
                score: rounded(hit.score.as_f64()),
                time: moment(commit.authored),
                subject: commit.subject().to_owned(),
                body: Some(commit.body().to_owned()).filter(|body| !body.is_empty()),
                author: commit.author,
                files: commit.files.into_iter().take(MOST_FILES).collect(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_for_reasons_are_known_by_their_words() {
        for question in
            ["Why is it rounded?", "who wrote the lock", "since when", "reason for the cache"]
        {
            assert!(answers_why(question), "{question}");
        }
        for question in ["how are sessions stored", "whoami", "parse config"] {
            assert!(!answers_why(question), "{question}");
        }
    }
}
