//! How good an answer is, by where the files that count came.

use gik_contract::RagChunk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::labels::Labelled;
use crate::answer::rounded;

/// So many pieces of evidence are looked at.
pub(super) const DEPTH: usize = 10;
/// How one question was answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The name of the question, or its line.
    pub id: String,
    /// The question.
    pub query: String,
    /// Its category.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub category: String,
    /// 1 where all files that count come first, 0 where none comes.
    pub ndcg: f64,
    /// Where the first file that counts came, from 1; absent where none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u64>,
    /// Tokens of the evidence up to the first file that counts; absent where none came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// How long it took.
    pub ms: f64,
}

/// Averages over questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Measures {
    /// How many questions.
    pub queries: u64,
    /// Mean NDCG over the first 10.
    pub ndcg: f64,
    /// Mean of one over the rank of the first file that counts.
    pub mrr: f64,
    /// Share of questions with a file that counts first.
    pub hit1: f64,
    /// … among the first five.
    pub hit5: f64,
    /// … among the first ten.
    pub hit10: f64,
    /// Mean tokens up to the first file that counts, where one came.
    pub tokens_to_target: f64,
    /// Half of the questions were answered in so much time.
    pub p50_ms: f64,
    /// 19 of 20 were.
    pub p95_ms: f64,
}

/// Looks where the targets of a question came. A file comes where its first piece of evidence does.
pub(super) fn outcome(label: &Labelled, found: &[RagChunk], ms: f64) -> Outcome {
    let found = &found[..found.len().min(DEPTH)];
    let first = ranks(label, found.iter().map(|chunk| chunk.path.as_str())).into_iter().min();
    let tokens = |rank: usize| {
        let bytes: usize = found[..=rank].iter().map(|chunk| chunk.snippet.len()).sum();
        crate::detail::tokens(bytes)
    };
    Outcome {
        id: label.id.clone(),
        query: label.query.clone(),
        category: label.category.clone(),
        ndcg: rounded(ndcg(label, found.iter().map(|chunk| chunk.path.as_str()))),
        rank: first.map(|rank| rank as u64 + 1),
        tokens: first.map(tokens),
        ms,
    }
}

/// How near the files that were found are to all targets first.
pub(super) fn ndcg<'f>(label: &Labelled, found: impl Iterator<Item = &'f str>) -> f64 {
    let gain = |rank: usize| 1.0 / libm::log2(rank as f64 + 2.0);
    let ideal: f64 = (0..label.targets().count().min(DEPTH)).map(gain).sum();
    ranks(label, found).into_iter().map(gain).sum::<f64>() / ideal
}

/// Where the targets came that did, from 0.
fn ranks<'f>(label: &Labelled, found: impl Iterator<Item = &'f str>) -> Vec<usize> {
    let found: Vec<&str> = found.take(DEPTH).collect();
    let rank_of = |target: &str| found.iter().position(|path| *path == target);
    label.targets().filter_map(rank_of).collect()
}

impl Measures {
    pub(super) fn of<'o>(outcomes: impl Iterator<Item = &'o Outcome>) -> Self {
        let outcomes: Vec<&Outcome> = outcomes.collect();
        let n = outcomes.len().max(1) as f64;
        let mean = |value: &dyn Fn(&Outcome) -> f64| {
            rounded(outcomes.iter().map(|outcome| value(outcome)).sum::<f64>() / n)
        };
        let within = |depth: u64| {
            mean(&|outcome| f64::from(u8::from(outcome.rank.is_some_and(|rank| rank <= depth))))
        };
        let tokens: Vec<u64> = outcomes.iter().filter_map(|outcome| outcome.tokens).collect();
        let mut times: Vec<f64> = outcomes.iter().map(|outcome| outcome.ms).collect();
        times.sort_by(f64::total_cmp);
        let percentile = |share: usize| {
            let at = (times.len() * share).div_ceil(100).saturating_sub(1);
            times.get(at).copied().unwrap_or_default()
        };
        Self {
            queries: outcomes.len() as u64,
            ndcg: mean(&|outcome| outcome.ndcg),
            mrr: mean(&|outcome| outcome.rank.map_or(0.0, |rank| 1.0 / rank as f64)),
            hit1: within(1),
            hit5: within(5),
            hit10: within(10),
            tokens_to_target: rounded(
                tokens.iter().sum::<u64>() as f64 / tokens.len().max(1) as f64,
            ),
            p50_ms: percentile(50),
            p95_ms: percentile(95),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labelled(relevant: &[&str]) -> Labelled {
        let relevant = relevant.iter().map(|path| (*path).to_owned()).collect();
        Labelled { id: "q".to_owned(), query: "where".to_owned(), relevant, ..Labelled::default() }
    }

    fn found(paths: &[&str]) -> Vec<RagChunk> {
        let chunk = |path: &&str| -> RagChunk {
            serde_json::from_value(serde_json::json!({
                "base": "code", "score": 1.0, "path": path, "startLine": 1, "endLine": 1, "snippet": "12345678",
            }))
            .unwrap()
        };
        paths.iter().map(chunk).collect()
    }

    #[test]
    fn a_file_counts_where_its_first_piece_comes() {
        for (relevant, paths, ndcg, rank, tokens) in [
            (&["a"][..], &["a", "b"][..], 1.0, Some(1), Some(2)),
            (&["a"], &["b", "b", "a", "a"], 0.5, Some(3), Some(6)),
            (&["a", "b"], &["a", "c", "b"], 0.9197, Some(1), Some(2)),
            (&["a"], &["b"], 0.0, None, None),
            (&["a"], &["b", "b", "b", "b", "b", "b", "b", "b", "b", "b", "a"], 0.0, None, None),
        ] {
            let outcome = outcome(&labelled(relevant), &found(paths), 1.0);
            assert_eq!(
                (outcome.ndcg, outcome.rank, outcome.tokens),
                (ndcg, rank, tokens),
                "{paths:?}"
            );
        }
    }

    #[test]
    fn averages_are_over_all_questions_and_times_are_ranks() {
        let one = |ndcg, rank: Option<u64>, ms| Outcome {
            ndcg,
            rank,
            tokens: rank.map(|rank| rank * 10),
            ms,
            ..outcome(&labelled(&["a"]), &[], 0.0)
        };
        let outcomes = [one(1.0, Some(1), 3.0), one(0.5, Some(4), 1.0), one(0.0, None, 2.0)];
        let measures = Measures::of(outcomes.iter());
        assert_eq!((measures.queries, measures.ndcg, measures.mrr), (3, 0.5, 0.4167));
        assert_eq!((measures.hit1, measures.hit5, measures.hit10), (0.3333, 0.6667, 0.6667));
        assert_eq!((measures.tokens_to_target, measures.p50_ms, measures.p95_ms), (25.0, 2.0, 3.0));
        assert_eq!(Measures::of([].iter()).queries, 0);
    }
}
