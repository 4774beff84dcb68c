//! What indexing must reach, as a table: every bar is a number of a tree beside a lower bound of the same run.

use super::super::scale::{Bar, Trees, Value};
use super::super::series::Step;

/// Every bar.
pub(in crate::bench) const BARS: &[Bar] = &[
    Bar {
        name: "fresh index ≤ 1.6× syntax trees",
        value: Value::Ratio(Step::Index, Step::Parse),
        limit: 1.6,
        trees: Trees::All,
    },
    Bar {
        name: "words searchable ≤ 4× walk + read + words",
        value: Value::Ratio(Step::FirstAnswer, Step::Tokenize),
        limit: 4.0,
        trees: Trees::All,
    },
    Bar {
        name: "index unchanged ≤ 1.4× walk + stat",
        value: Value::Ratio(Step::Unchanged, Step::WalkStat),
        limit: 1.4,
        trees: Trees::All,
    },
    Bar {
        name: "status unchanged ≤ 1.4× walk + stat",
        value: Value::Ratio(Step::Status, Step::WalkStat),
        limit: 1.4,
        trees: Trees::All,
    },
    Bar {
        name: "one-file update ≤ 20 ms beyond the walk",
        value: Value::Beyond(Step::Update, Step::WalkStat),
        limit: 20.0,
        trees: Trees::Large,
    },
    Bar {
        name: "index on disk ≤ 1.0× of the text",
        value: Value::IndexSize,
        limit: 1.0,
        trees: Trees::All,
    },
    Bar { name: "peak memory ≤ 700 MB", value: Value::Peak, limit: 700.0, trees: Trees::Large },
];

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::bars::Verdict;
    use super::super::super::scale::judge;
    use super::super::super::series::{Results, Subject};
    use super::*;

    fn results(files: usize, times: &[(Step, u64)]) -> Results {
        let label = format!("{files}");
        let subject = Subject { label, generated: None, files, bytes: 1_000 };
        let mut results = Results::new(subject);
        for (step, millis) in times {
            results.add(*step, Duration::from_millis(*millis), Some(600 << 20));
        }
        results.index_bytes = 1_500;
        results
    }

    #[test]
    fn every_bar_is_judged_on_the_trees_it_is_about() {
        use Step::{FirstAnswer, Index, Parse, Status, Tokenize, Unchanged, Update, WalkStat};
        let small = results(500, &[(Index, 160), (Parse, 100)]);
        let large = results(
            20_000,
            &[
                (Index, 170),
                (Parse, 100),
                (FirstAnswer, 30),
                (Tokenize, 10),
                (Unchanged, 13),
                (Status, 15),
                (WalkStat, 10),
                (Update, 35),
            ],
        );
        let verdicts = judge(BARS, &[small, large]);
        let words: Vec<&str> = verdicts.iter().map(Verdict::word).collect();
        let not = "not measured";
        assert_eq!(
            words,
            [
                "ok", "missed", not, "ok", not, "ok", not, "missed", "missed", "missed", "missed",
                "ok"
            ]
        );
        assert_eq!(verdicts[0].bar, "fresh index ≤ 1.6× syntax trees (500 files)");
    }

    #[test]
    fn a_bar_without_its_tree_is_not_measured() {
        let verdicts = judge(BARS, &[results(10, &[])]);
        assert_eq!(verdicts.iter().filter(|verdict| verdict.word() == "not measured").count(), 6);
    }
}
