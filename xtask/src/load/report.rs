//! What came of it, in figures.

use std::time::Duration;

use super::{Answered, Options};

/// Everything that was counted.
#[derive(Debug)]
pub(super) struct Figures {
    times: Vec<Duration>,
    pieces: usize,
    of_hot: usize,
    problems: Vec<String>,
    pub(super) changes: usize,
    pub(super) memory: Memory,
    pub(super) remembered: usize,
}

/// Of a process, in bytes; zero where the system does not tell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Memory {
    now: u64,
    most: u64,
}

impl Memory {
    pub(super) fn of(pid: u32) -> Self {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
            number.unwrap_or(0) * 1024
        };
        Self { now: bytes("VmRSS:"), most: bytes("VmHWM:") }
    }
}

impl Figures {
    pub(super) fn new(answers: Vec<Answered>) -> Self {
        let mut times: Vec<Duration> = answers.iter().map(|answer| answer.time).collect();
        times.sort_unstable();
        Self {
            times,
            pieces: answers.iter().map(|answer| answer.pieces).sum(),
            of_hot: answers.iter().map(|answer| answer.of_hot).sum(),
            problems: answers.into_iter().filter_map(|answer| answer.problem).collect(),
            changes: 0,
            memory: Memory::default(),
            remembered: 0,
        }
    }

    fn at(&self, share: f64) -> f64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of a length is a place in it"
        )]
        let place = ((self.times.len().saturating_sub(1)) as f64 * share) as usize;
        self.times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    }

    pub(super) fn line(&self) -> String {
        format!(
            "load: {} answers, {} problems, p99 {:.0} ms",
            self.times.len(),
            self.problems.len(),
            self.at(0.99)
        )
    }

    pub(super) fn table(&self, options: &Options) -> String {
        let mega = |bytes: u64| format!("{:.0} MB", bytes as f64 / 1e6);
        let seconds = options.seconds as f64;
        let rows = [
            ("build", if options.dev { "dev" } else { "release" }.to_owned()),
            ("cores", std::thread::available_parallelism().map_or(1, |it| it.get()).to_string()),
            ("files of the index", options.files.to_string()),
            ("clients at once", options.clients.to_string()),
            ("time", format!("{} s", options.seconds)),
            ("changes of files meanwhile", self.changes.to_string()),
            ("answers", self.times.len().to_string()),
            ("answers per second", format!("{:.1}", self.times.len() as f64 / seconds)),
            ("pieces of text compared with the files", self.pieces.to_string()),
            ("of them from files that change", self.of_hot.to_string()),
            ("failures and stale texts", self.problems.len().to_string()),
            ("p50", format!("{:.0} ms", self.at(0.5))),
            ("p99", format!("{:.0} ms", self.at(0.99))),
            ("longest", format!("{:.0} ms", self.at(1.0))),
            ("memory at the end", mega(self.memory.now)),
            ("memory at most", mega(self.memory.most)),
            ("notes remembered before the last kill, all kept", self.remembered.to_string()),
        ];
        let lines: String =
            rows.iter().map(|(name, value)| format!("| {name} | {value} |\n")).collect();
        format!("| what | figure |\n|---|--:|\n{lines}")
    }

    pub(super) fn document(&self, options: &Options) -> String {
        let table = self.table(options);
        format!(
            "# A server under load\n\nWritten by `cargo xtask load --update`: `gik serve` over a generated tree, while clients ask over HTTP \
             (half `ask`, half `search`; half of the questions lead to files that change) and a writer replaces one file every 50 ms.\n\
             Each text in an answer is compared with what its file said between question and answer.\n\
             Before that, 200 notes are remembered. After it the clients go on, four of them remembering more, and the server is killed under them with \
             `kill -9`, three times: each time every note that it ever confirmed is there, `gik verify` passes, and the next answer is right.\n\n\
             Server, clients and writer share the cores.\n\n{table}"
        )
    }

    /// What must not be.
    pub(super) fn problem(&self) -> Option<String> {
        if self.of_hot == 0 {
            return Some("no answer came from a file that changes".to_owned());
        }
        let first = self.problems.first()?;
        Some(format!("{} of {} answers are wrong: {first}", self.problems.len(), self.times.len()))
    }
}
