//! The numbers of a benchmark: repeated times, their median, the largest peak.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::tree::Extent;

/// What is timed, in the order of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    WalkStat,
    WalkCommand,
    WalkRead,
    Hash,
    Tokenize,
    Parse,
    Ripgrep,
    Ctags,
    Semble,
    Probe,
    Codegraph,
    Index,
    FirstAnswer,
    Unchanged,
    Status,
    Update,
    NewBranch,
    Switch,
    Ask,
    Question,
    EdgesFresh,
    EdgesUpdate,
    EdgesHub,
    Neighbors,
    Callers,
    Impact,
    Path,
    Pack,
    PackBeyond,
}

impl Step {
    /// Every step.
    pub(super) const ALL: &[Self] = &[
        Self::WalkStat,
        Self::WalkCommand,
        Self::WalkRead,
        Self::Hash,
        Self::Tokenize,
        Self::Parse,
        Self::Ripgrep,
        Self::Ctags,
        Self::Semble,
        Self::Probe,
        Self::Codegraph,
        Self::Index,
        Self::FirstAnswer,
        Self::Unchanged,
        Self::Status,
        Self::Update,
        Self::NewBranch,
        Self::Switch,
        Self::Ask,
        Self::Question,
        Self::EdgesFresh,
        Self::EdgesUpdate,
        Self::EdgesHub,
        Self::Neighbors,
        Self::Callers,
        Self::Impact,
        Self::Path,
        Self::Pack,
        Self::PackBeyond,
    ];

    /// The words of the table.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::WalkStat => "bare walk + stat",
            Self::WalkCommand => "bare walk + stat, as a command",
            Self::WalkRead => "bare walk + read",
            Self::Hash => "bare walk + read + sha256",
            Self::Tokenize => "bare walk + read + words",
            Self::Parse => "bare walk + read + syntax trees",
            Self::Ripgrep => "ripgrep, list of files",
            Self::Ctags => "ctags -R",
            Self::Semble => "semble, one question from nothing",
            Self::Probe => "probe, one question",
            Self::Codegraph => "codegraph, fresh",
            Self::Index => "gik index, fresh",
            Self::FirstAnswer => "gik index, fresh, until words can be searched",
            Self::Unchanged => "gik index, nothing changed",
            Self::Status => "gik status, nothing changed",
            Self::Update => "gik index, one file changed",
            Self::NewBranch => "gik index, first time on a branch that differs in 50 files",
            Self::Switch => "gik index, back on a known branch after 50 files changed",
            Self::Ask => "gik ask, new process",
            Self::Question => "soft-OR question, warm, in one process",
            Self::EdgesFresh => "gik pack, its step `edges`: all files",
            Self::EdgesUpdate => "gik pack, its step `edges`: one file changed",
            Self::EdgesHub => "gik pack, its step `edges`: the file that most others name changed",
            Self::Neighbors => "graph_neighbors, served",
            Self::Callers => "graph_callers, served",
            Self::Impact => "impact, served",
            Self::Path => "graph_path, served",
            Self::Pack => "pack, served",
            Self::PackBeyond => "pack, served, beyond its look at the files",
        }
    }

    /// Whether its time grows with the tree, so that it is told beside what looking at the tree takes.
    pub(super) fn is_about_tree(self) -> bool {
        !matches!(
            self,
            Self::Question
                | Self::Neighbors
                | Self::Callers
                | Self::Impact
                | Self::Path
                | Self::Pack
                | Self::PackBeyond
        )
    }
}

/// The times of one step on one tree.
#[derive(Debug, Default)]
pub(super) struct Series {
    millis: Vec<f64>,
    peak: Option<u64>,
}

impl Series {
    /// One more run.
    pub(super) fn add(&mut self, wall: Duration, peak: Option<u64>) {
        self.add_millis(wall.as_secs_f64() * 1e3);
        self.peak = self.peak.max(peak);
    }

    /// One more run that was timed by the program itself.
    pub(super) fn add_millis(&mut self, millis: f64) {
        self.millis.push(millis);
    }

    /// The runs in the order they were made.
    pub(super) fn runs(&self) -> &[f64] {
        &self.millis
    }

    /// The middle of the runs; none before the first.
    pub(super) fn median(&self) -> Option<f64> {
        let mut sorted = self.millis.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        match sorted.len() {
            0 => None,
            odd if odd % 2 == 1 => Some(sorted[middle]),
            _ => Some(f64::midpoint(sorted[middle - 1], sorted[middle])),
        }
    }

    /// The largest peak of memory in bytes, where known.
    pub(super) fn peak(&self) -> Option<u64> {
        self.peak
    }
}

/// A tree that is measured.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    pub(super) label: String,
    /// How many files were generated; none for a real package.
    pub(super) generated: Option<usize>,
    pub(super) files: usize,
    pub(super) bytes: u64,
}

impl Subject {
    /// A generated tree.
    pub(super) fn generated(extent: Extent) -> Self {
        Self {
            label: format!("{} generated files", extent.files),
            generated: Some(extent.files),
            files: extent.files,
            bytes: extent.bytes,
        }
    }
}

/// All numbers of one tree.
#[derive(Debug)]
pub(super) struct Results {
    pub(super) subject: Subject,
    pub(super) steps: BTreeMap<Step, Series>,
    /// Steps inside `gik ask`, as it reports them.
    pub(super) ask_steps: BTreeMap<String, Series>,
    pub(super) chunks: Option<u64>,
    /// What questions are answered from.
    pub(super) index_bytes: u64,
    /// What is written for others to read: sources, graph, stack, timeline.
    pub(super) document_bytes: u64,
}

impl Results {
    /// Nothing measured yet.
    pub(super) fn new(subject: Subject) -> Self {
        let (steps, ask_steps) = (BTreeMap::new(), BTreeMap::new());
        Self { subject, steps, ask_steps, chunks: None, index_bytes: 0, document_bytes: 0 }
    }

    /// One more run of a step.
    pub(super) fn add(&mut self, step: Step, wall: Duration, peak: Option<u64>) {
        self.steps.entry(step).or_default().add(wall, peak);
    }

    /// The median of a step in milliseconds.
    pub(super) fn median(&self, step: Step) -> Option<f64> {
        self.steps.get(&step)?.median()
    }

    /// The largest peak of the program under test, in bytes.
    pub(super) fn peak(&self) -> Option<u64> {
        let ours = self.steps.iter().filter(|(step, _)| step.label().starts_with("gik "));
        ours.filter_map(|(_, series)| series.peak()).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_outliers() {
        let mut series = Series::default();
        assert_eq!(series.median(), None);
        for millis in [5.0, 1.0, 100.0] {
            series.add_millis(millis);
        }
        assert_eq!(series.median(), Some(5.0));
        series.add_millis(7.0);
        assert_eq!(series.median(), Some(6.0));
    }

    #[test]
    fn the_peak_is_the_largest() {
        let mut series = Series::default();
        series.add(Duration::from_millis(1), Some(3));
        series.add(Duration::from_millis(1), Some(2));
        assert_eq!(series.peak(), Some(3));
    }
}
