//! What the numbers of the lifecycle must reach, and how a number is judged. Times are compared with the bare walk of the
//! same tree in the same run.

use super::series::{Results, Step};

pub(super) const MEGABYTE: f64 = 1_048_576.0;

/// Whether a bar was reached.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Verdict {
    pub(super) bar: String,
    /// The measured value; none when the run had no such tree.
    pub(super) measured: Option<Measured>,
}

/// A value beside its limit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measured {
    pub(super) text: String,
    pub(super) reached: bool,
}

impl Verdict {
    /// The word of the report.
    pub(super) fn word(&self) -> &'static str {
        match &self.measured {
            None => "not measured",
            Some(measured) if measured.reached => "ok",
            Some(_) => "missed",
        }
    }
}

/// Every bar, in the order of the report.
pub(super) fn judge(all: &[Results]) -> Vec<Verdict> {
    let bounds = [
        (Step::WalkStat, "walk + stat"),
        // In a small tree the start of a process takes as long as the walk: here both sides are commands.
        (Step::WalkCommand, "walk + stat as a command"),
    ];
    let mut verdicts: Vec<Verdict> =
        bounds.iter().flat_map(|bound| all.iter().map(|results| status(results, *bound))).collect();
    verdicts.push(beyond_walk(all, Step::Update, "one-file update", 60.0));
    verdicts.push(growth(all));
    verdicts.push(beyond_walk(all, Step::Ask, "ask in a new process", 25.0));
    verdicts.push(question(all));
    verdicts.push(memory(all));
    verdicts
}

fn generated(all: &[Results], files: usize) -> Option<&Results> {
    all.iter().find(|results| results.subject.generated == Some(files))
}

/// A value that must not be above its limit.
pub(super) fn within(value: f64, limit: f64, text: String) -> Measured {
    Measured { text, reached: value <= limit }
}

fn status(results: &Results, (bound, name): (Step, &str)) -> Verdict {
    let ratio = || Some(results.median(Step::Status)? / results.median(bound)?);
    Verdict {
        bar: format!("status unchanged ≤ 2× {name} ({})", results.subject.label),
        measured: ratio().map(|ratio| within(ratio, 2.0, format!("{ratio:.2}×"))),
    }
}

fn beyond_walk(all: &[Results], step: Step, name: &str, limit: f64) -> Verdict {
    let extra = || {
        let results = generated(all, 10_000)?;
        Some(results.median(step)? - results.median(Step::WalkStat)?)
    };
    Verdict {
        bar: format!("{name} ≤ {limit} ms beyond the walk at 10k files"),
        measured: extra().map(|extra| within(extra, limit, format!("{extra:.1} ms"))),
    }
}

fn growth(all: &[Results]) -> Verdict {
    let ratio = || {
        let (small, large) = (generated(all, 10_000)?, generated(all, 50_000)?);
        Some(large.median(Step::Index)? / small.median(Step::Index)?)
    };
    Verdict {
        bar: "fresh index of 50k files ≤ 5.5× of 10k".to_owned(),
        measured: ratio().map(|ratio| within(ratio, 5.5, format!("{ratio:.2}×"))),
    }
}

/// The smallest tree with at least 25,000 chunks is the one the bar is about.
fn question(all: &[Results]) -> Verdict {
    let large_enough = all.iter().filter(|results| results.chunks.is_some_and(|n| n >= 25_000));
    let time = || {
        let results = large_enough.min_by_key(|results| results.chunks)?;
        Some((results.chunks?, results.median(Step::Question)?))
    };
    Verdict {
        bar: "soft-OR question ≤ 1 ms at 25k chunks".to_owned(),
        measured: time()
            .map(|(chunks, time)| within(time, 1.0, format!("{time:.2} ms at {chunks} chunks"))),
    }
}

fn memory(all: &[Results]) -> Verdict {
    let peak = generated(all, 50_000).and_then(Results::peak);
    Verdict {
        bar: "peak memory ≤ 400 MB at 50k files".to_owned(),
        measured: peak.map(|peak| {
            let megabytes = peak as f64 / MEGABYTE;
            within(megabytes, 400.0, format!("{megabytes:.0} MB"))
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench::series::Subject;

    fn results(files: usize, times: &[(Step, u64)]) -> Results {
        let label = format!("{files}");
        let subject = Subject { label, generated: Some(files), files, bytes: 1 };
        let mut results = Results::new(subject);
        for (step, millis) in times {
            let series = results.steps.entry(*step).or_default();
            series.add(Duration::from_millis(*millis), Some(300 << 20));
        }
        results
    }

    fn words(all: &[Results]) -> Vec<(&'static str, Option<String>)> {
        let verdicts = judge(all);
        verdicts
            .iter()
            .map(|verdict| (verdict.word(), verdict.measured.clone().map(|measured| measured.text)))
            .collect()
    }

    #[test]
    fn bars_are_judged_on_the_trees_they_name() {
        use Step::{Ask, Index, Question, Status, Update, WalkCommand, WalkStat};
        let mut small = results(
            10_000,
            &[(WalkStat, 50), (Status, 90), (Update, 111), (Index, 1000), (Ask, 60), (Question, 1)],
        );
        small.add(WalkCommand, Duration::from_millis(60), None);
        small.chunks = Some(30_000);
        let large =
            results(50_000, &[(WalkStat, 200), (WalkCommand, 250), (Status, 500), (Index, 5000)]);
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            words(&[small, large]),
            [
                ("ok", text("1.80×")),
                ("missed", text("2.50×")),
                ("ok", text("1.50×")),
                ("ok", text("2.00×")),
                ("missed", text("61.0 ms")),
                ("ok", text("5.00×")),
                ("ok", text("10.0 ms")),
                ("ok", text("1.00 ms at 30000 chunks")),
                ("ok", text("300 MB")),
            ]
        );
    }

    #[test]
    fn a_bar_without_its_tree_is_not_measured() {
        let judged = words(&[results(1_000, &[])]);
        assert!(judged.iter().all(|(word, _)| *word == "not measured"));
    }
}
