//! Commits that answer a question.

use gik_contract::ask::CommitEvent;
use gik_index::{Query, Searcher, Tombstones};

use super::{Past, moment};
use crate::answer::rounded;

/// Words of questions that ask for reasons and for what happened. Words that are as much at home in questions for code
/// are not among them: "when", "since", "commit", "reason".
const ASKS_WHY: &[&str] = &[
    "why",
    "rationale",
    "motivation",
    "warum",
    "weshalb",
    "wieso",
    "pourquoi",
    "perché",
    "зачем",
    "почему",
];
/// Two words that ask for it only together, the first ones and the second ones.
const ASKS_WHY_TOGETHER: &[(&[&str], &[&str])] = &[
    (
        &["who"],
        &["wrote", "added", "changed", "introduced", "removed", "fixed", "committed", "made"],
    ),
    (&["since"], &["when"]),
    (&["reason", "reasons"], &["for", "behind", "why"]),
    (&["which", "what"], &["commit", "commits"]),
    (&["commit", "git"], &["history"]),
];
/// So many commits are told.
const MOST_EVENTS: usize = 3;
/// So many files of a commit are named.
const MOST_FILES: usize = 10;

/// Whether a question asks for what commits tell.
pub(crate) fn answers_why(question: &str) -> bool {
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let is_one = |word: &String| ASKS_WHY.contains(&word.as_str());
    let are_two = |pair: &[String]| {
        let [first, second] = [&pair[0], &pair[1]].map(String::as_str);
        ASKS_WHY_TOGETHER
            .iter()
            .any(|(firsts, seconds)| firsts.contains(&first) && seconds.contains(&second))
    };
    words.iter().any(is_one) || words.windows(2).any(are_two)
}

/// Whether a word only says what kind of answer is wanted.
fn is_of_the_question(word: &str) -> bool {
    ASKS_WHY.contains(&word) || ASKS_WHY_TOGETHER.iter().any(|(firsts, _)| firsts.contains(&word))
}

/// The commits that answer best by the words of their messages: those that have at least half of the words asked for.
pub(crate) fn commit_events(past: &Past, query: &Query) -> Vec<CommitEvent> {
    let none = Tombstones::default();
    let searcher = Searcher::new([(&past.words, &none)]);
    let asked: Vec<usize> = (0..query.terms().len().min(u64::BITS as usize))
        .filter(|at| !is_of_the_question(&query.terms()[*at]))
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
            ["Why is it rounded?", "who wrote the lock", "since when", "Reason for the cache"]
        {
            assert!(answers_why(question), "{question}");
        }
        for question in [
            "how are sessions stored",
            "whoami",
            "parse config",
            "when is the cache cleared",
            "events since the last sync",
            "who calls the parser",
            "how does a transaction commit",
            "shell history",
            "error reason codes",
            "linear regression",
        ] {
            assert!(!answers_why(question), "{question}");
        }
    }
}
