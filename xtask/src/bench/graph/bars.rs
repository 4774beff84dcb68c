//! What the graph must reach, as a table.

use super::super::scale::{Bar, Trees, Value};
use super::super::series::Step;

/// Every bar.
pub(in crate::bench) const BARS: &[Bar] = &[
    Bar {
        name: "edges of all files ≤ 0.6× syntax trees",
        value: Value::Ratio(Step::EdgesFresh, Step::Parse),
        limit: 0.6,
        trees: Trees::All,
    },
    Bar {
        name: "edges after one file changed ≤ 30 ms",
        value: Value::Time(Step::EdgesUpdate),
        limit: 30.0,
        trees: Trees::Large,
    },
    Bar {
        name: "warm pack ≤ 50 ms beyond its look at the files",
        value: Value::Time(Step::PackBeyond),
        limit: 50.0,
        trees: Trees::Large,
    },
];

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::bars::Verdict;
    use super::super::super::scale::judge;
    use super::super::super::series::{Results, Subject};
    use super::*;

    fn results(files: usize, times: &[(Step, u64)]) -> Results {
        let subject = Subject { label: files.to_string(), generated: None, files, bytes: 1 };
        let mut results = Results::new(subject);
        for (step, millis) in times {
            results.add(*step, Duration::from_millis(*millis), None);
        }
        results
    }

    #[test]
    fn times_are_judged_on_large_trees_and_ratios_on_all() {
        use Step::{EdgesFresh, EdgesUpdate, PackBeyond, Parse};
        let small = results(500, &[(EdgesFresh, 70), (Parse, 100), (EdgesUpdate, 99)]);
        let large = results(
            20_000,
            &[(EdgesFresh, 600), (Parse, 1000), (EdgesUpdate, 31), (PackBeyond, 50)],
        );
        let verdicts = judge(BARS, &[small, large]);
        let words: Vec<&str> = verdicts.iter().map(Verdict::word).collect();
        assert_eq!(words, ["missed", "ok", "missed", "ok"]);
        assert_eq!(verdicts[2].bar, "edges after one file changed ≤ 30 ms (20000 files)");
    }
}
