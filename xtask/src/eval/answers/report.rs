//! Figures of answers: lines for the terminal and the committed table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

/// What one question got.
#[derive(Debug, Clone)]
struct Score {
    corpus: String,
    category: String,
    is_dependency: bool,
    ndcg: f64,
    rank: Option<u64>,
    tokens: Option<u64>,
}

/// What all questions got.
#[derive(Debug, Clone, Default)]
pub(super) struct Scores(Vec<Score>);

/// In front of the figure that the tests compare with.
const GATE: &str = "Questions about packages the product is built with: NDCG@10 ";

impl Scores {
    /// Takes the results of one package.
    pub(super) fn add(&mut self, corpus: &str, is_dependency: bool, results: &Value) {
        let score = |result: &Value| Score {
            corpus: corpus.to_owned(),
            category: result["category"].as_str().unwrap_or("other").to_owned(),
            is_dependency,
            ndcg: result["ndcg"].as_f64().unwrap_or_default(),
            rank: result["rank"].as_u64(),
            tokens: result["tokens"].as_u64(),
        };
        self.0.extend(results.as_array().into_iter().flatten().map(score));
    }

    pub(super) fn ndcg(&self) -> f64 {
        mean(self.0.iter().map(|score| score.ndcg))
    }

    fn by(&self, name: impl Fn(&Score) -> &str) -> Vec<(String, Self)> {
        let mut groups: BTreeMap<&str, Vec<Score>> = BTreeMap::new();
        for score in &self.0 {
            groups.entry(name(score)).or_default().push(score.clone());
        }
        groups.into_iter().map(|(name, scores)| (name.to_owned(), Self(scores))).collect()
    }

    /// Questions, NDCG@10, hits among the first and the first five, tokens to the first target.
    fn row(&self) -> String {
        let within = |depth: u64| {
            mean(self.0.iter().map(|it| f64::from(u8::from(it.rank.is_some_and(|it| it <= depth)))))
        };
        let tokens =
            mean(self.0.iter().filter_map(|score| score.tokens).map(|tokens| tokens as f64));
        let n = self.0.len();
        format!("{n} | {:.3} | {:.3} | {:.3} | {tokens:.0}", self.ndcg(), within(1), within(5))
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Every package and every category in a line.
pub(super) fn lines(scores: &Scores) -> String {
    let groups =
        scores.by(|score| &score.corpus).into_iter().chain(scores.by(|score| &score.category));
    let all = [("all".to_owned(), scores.clone())];
    let line = |(name, scores): (String, Scores)| format!("{name:<16} {}\n", scores.row());
    groups.chain(all).map(line).collect()
}

/// The table for `bench/`.
pub(super) fn document(scores: &Scores, without: &[(&str, Scores)]) -> String {
    let mut text = String::from(
        "# Answers about real packages\n\n\
         Written by `cargo xtask eval code --update`: the questions of `eval/answers.jsonl`, each package indexed by\n\
         itself, the first ten pieces of evidence looked at. `eval/README.md` tells how they were labelled and what the\n\
         measures are.\n",
    );
    let mut table = |title: &str, groups: &[(String, Scores)]| {
        let _ = write!(
            text,
            "\n| {title} | questions | NDCG@10 | hit@1 | hit@5 | tokens |\n|---|--:|--:|--:|--:|--:|\n"
        );
        for (name, scores) in groups {
            let _ = writeln!(text, "| {name} | {} |", scores.row());
        }
    };
    table("package", &scores.by(|score| &score.corpus));
    table("category", &scores.by(|score| &score.category));
    let left_out =
        without.iter().map(|(signal, scores)| (format!("without {signal}"), scores.clone()));
    let all = [("everything".to_owned(), scores.clone())];
    table("signals", &all.into_iter().chain(left_out).collect::<Vec<_>>());
    let gate = Scores(scores.0.iter().filter(|score| score.is_dependency).cloned().collect());
    let _ = write!(text, "\n{GATE}{:.4}\n", gate.ndcg());
    text
}

/// The figure of [`document`] that the tests compare with.
pub(super) fn gate_figure(document: &str) -> Option<f64> {
    document.lines().find_map(|line| line.strip_prefix(GATE)?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_reads_what_the_table_says() {
        let mut scores = Scores::default();
        let result = |ndcg: f64| serde_json::json!([{"category": "symbol", "ndcg": ndcg, "rank": 1, "tokens": 8}]);
        scores.add("own", true, &result(0.5));
        scores.add("other", false, &result(1.0));
        let text = document(&scores, &[("path", scores.clone())]);
        assert_eq!(gate_figure(&text), Some(0.5));
        assert!(text.contains("| everything | 2 | 0.750 | 1.000 | 1.000 | 8 |"), "{text}");
        assert!(
            text.contains("| without path | 2 |") && text.contains("| own | 1 | 0.500 |"),
            "{text}"
        );
        assert_eq!(gate_figure("nothing"), None);
    }
}
