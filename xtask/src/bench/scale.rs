//! Bars as a table: a number of a tree, its limit, and the trees that it is about.

use super::bars::{MEGABYTE, Measured, Verdict, within};
use super::series::{Results, Step};

/// Trees of at least so many files are the ones that some bars are about.
const LARGE: usize = 20_000;

/// A bar.
pub(super) struct Bar {
    pub(super) name: &'static str,
    pub(super) value: Value,
    pub(super) limit: f64,
    pub(super) trees: Trees,
}

/// What is measured.
pub(super) enum Value {
    /// How many times as long as another step.
    Ratio(Step, Step),
    /// How many milliseconds it takes.
    Time(Step),
    /// How many milliseconds more than another step.
    Beyond(Step, Step),
    /// How large the index is beside the text.
    IndexSize,
    /// The largest peak of memory in megabytes.
    Peak,
}

/// The trees that a bar is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trees {
    All,
    Large,
}

/// Every bar on every tree it is about, in the order of the table.
pub(super) fn judge(bars: &[Bar], all: &[Results]) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for bar in bars {
        let is_meant =
            |results: &&Results| bar.trees == Trees::All || results.subject.files >= LARGE;
        let before = verdicts.len();
        for results in all.iter().filter(is_meant) {
            let name = format!("{} ({} files)", bar.name, results.subject.files);
            verdicts.push(Verdict { bar: name, measured: bar.measure(results) });
        }
        if verdicts.len() == before {
            verdicts.push(Verdict { bar: bar.name.to_owned(), measured: None });
        }
    }
    verdicts
}

impl Bar {
    fn measure(&self, results: &Results) -> Option<Measured> {
        let (value, text) = match self.value {
            Value::Ratio(step, bound) => {
                let ratio = results.median(step)? / results.median(bound)?;
                (ratio, format!("{ratio:.2}×"))
            },
            Value::Time(step) => {
                let time = results.median(step)?;
                (time, format!("{time:.1} ms"))
            },
            Value::Beyond(step, bound) => {
                let extra = results.median(step)? - results.median(bound)?;
                (extra, format!("{extra:.1} ms"))
            },
            Value::IndexSize => {
                let ratio = results.index_bytes as f64 / results.subject.bytes as f64;
                (ratio, format!("{ratio:.2}×"))
            },
            Value::Peak => {
                let megabytes = results.peak()? as f64 / MEGABYTE;
                (megabytes, format!("{megabytes:.0} MB"))
            },
        };
        Some(within(value, self.limit, text))
    }
}
