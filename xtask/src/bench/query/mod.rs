//! How long does an answer take? In one process that stays open, and as a command typed anew, against ripgrep and semble
//! on the same tree.
//!
//! ripgrep finds lines that have one of the words and ranks nothing: it is what people type instead. semble answers in
//! one process as well.

mod peer;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::bars::{MEGABYTE, Verdict, within};
use super::program::{Program, Rounds};
use super::{child, host, in_release, ingest, prepare, remove, report};
use crate::stop::{Result, Stop};
use crate::workspace;

use peer::Peer;

const NAME: &str = "query";
/// Files of real packages that make about 1,200, 22,000 and 110,000 chunks.
const COUNTS: &[usize] = &[150, 3_400, 17_500];
const QUICK_COUNTS: &[usize] = &[150, 3_400];

/// What is asked: how, where, names, messages.
pub(super) const QUESTIONS: &[&str] = &[
    "where is the error of a request reported",
    "how are command line arguments parsed",
    "read a configuration file and merge defaults",
    "what happens when a connection is closed by the other side",
    "cache entries that expire after some time",
    "convert a date to a string in the local time zone",
    "split text into tokens",
    "retry with a delay after a failure",
    "how are routes matched to handlers",
    "write bytes to a buffer and grow it",
    "compare two versions",
    "lock that several threads wait for",
    "escape characters in a url",
    "tests for parsing numbers",
    "parseOptions",
    "render a template with variables",
    "index out of bounds",
    "walk a directory and skip ignored files",
    "compress data in chunks",
    "who calls the logger at start-up",
];

/// The times of one way to ask on one tree.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    way: String,
    p50_ms: f64,
    p95_ms: f64,
    peak: Option<u64>,
}

impl Row {
    fn of(way: &str, mut millis: Vec<f64>, peak: Option<u64>) -> Self {
        millis.sort_by(f64::total_cmp);
        let at = |percent: usize| {
            let place = (millis.len() * percent).div_ceil(100).saturating_sub(1);
            millis.get(place).copied().unwrap_or(f64::NAN)
        };
        Self { way: way.to_owned(), p50_ms: at(50), p95_ms: at(95), peak }
    }
}

/// Everything that was measured on one tree.
#[derive(Debug)]
struct Measured {
    files: usize,
    chunks: u64,
    warm: Row,
    cold: Row,
    /// The command without starting the process and looking at the files.
    beyond: Row,
    others: Vec<Row>,
}

/// Measures, prints the table and keeps it below `bench/runs`.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let (counts, rounds) = match args {
        [] => (COUNTS, 5),
        ["--quick"] => (QUICK_COUNTS, 2),
        other => {
            let message = format!("unknown option `{}`", other.join(" "));
            return Err(Stop::Usage(format!("{message}\nhint: cargo xtask bench query [--quick]")));
        },
    };
    let root = workspace::root();
    if cfg!(debug_assertions) {
        return in_release(&root, NAME, args);
    }
    let files = ingest::trees::candidates(&root)?;
    let (temporary, program) = prepare(&root, Rounds { fresh: 1, steady: rounds })?;
    let peer = Peer::prepare(&root);
    let mut all = Vec::new();
    for &count in counts {
        let folder = temporary.path().join(format!("tree-{count}"));
        eprintln!("bench: {count} files of real packages");
        ingest::trees::build(&files, count, &folder)?;
        all.push(measure(&program, &folder, count, peer.as_ref().ok())?);
        remove(&folder)?;
    }
    let mut notes = vec![
        format!("{} questions, {rounds} times each.", QUESTIONS.len()),
        "semble has a table of random numbers for a model, as its own is on a server: its times count, its answers do not.".to_owned(),
    ];
    if let Err(stop) = &peer {
        let reason = stop.message().unwrap_or_default();
        notes.push(format!("semble could not be installed: {reason}"));
    }
    let summary = summary(&root, &all, &notes);
    print!("{summary}");
    let name = if args.is_empty() { NAME.to_owned() } else { format!("{NAME}-quick") };
    let written = report::write(&root, &name, &summary, &csv(&all))?;
    eprintln!("bench: written to {written}");
    Ok(())
}

fn measure(program: &Program, tree: &Path, files: usize, peer: Option<&Peer>) -> Result<Measured> {
    let rounds = program.rounds.steady;
    program.gik(tree, &["index"])?;
    let (mut cold, mut beyond, mut words) = (Vec::new(), Vec::new(), Vec::new());
    let (mut peak, mut words_peak, mut chunks) = (None, None, 0);
    for _ in 0..rounds {
        for question in QUESTIONS {
            let start = program.gik(tree, &["--version"])?.wall;
            let asked = program.gik(tree, &["ask", "--json", "--timings", question])?;
            let answer: Value = serde_json::from_str(&asked.stdout)
                .map_err(|error| Stop::Failed(format!("`gik ask --json`: {error}")))?;
            let look = answer["debug"]["timings"]["refresh"].as_f64().unwrap_or_default();
            chunks = answer["coverage"]["chunks"].as_u64().unwrap_or(chunks);
            cold.push(millis(asked.wall));
            beyond.push(millis(asked.wall) - millis(start) - look);
            peak = peak.max(asked.peak);
            if let Some(found) = ripgrep(tree, question) {
                words.push(millis(found.wall));
                words_peak = words_peak.max(found.peak);
            }
        }
    }
    let warm = warm(program, tree, rounds)?;
    let mut others = Vec::new();
    if !words.is_empty() {
        others.push(Row::of("ripgrep, lines with one of the words", words, words_peak));
    }
    if let Some(peer) = peer {
        others.push(peer.run(tree, rounds)?);
    }
    let cold = Row::of("gik ask, new process", cold, peak);
    let beyond = Row::of("gik ask, beyond start and the look at files", beyond, None);
    Ok(Measured { files, chunks, warm, cold, beyond, others })
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Every question in one process, as `gik eval` asks them.
fn warm(program: &Program, tree: &Path, rounds: usize) -> Result<Row> {
    let file = program.home.join("questions.jsonl");
    let mut lines = String::new();
    // The first round warms up; what is right is not asked here.
    for round in 0..=rounds {
        for (at, question) in QUESTIONS.iter().enumerate() {
            let label =
                json!({"id": format!("{round}-{at}"), "query": question, "relevant": ["-"]});
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{label}");
        }
    }
    workspace::write(&file, &lines)?;
    let path = file.to_string_lossy().into_owned();
    let finished = program.gik(tree, &["eval", "--json", &path])?;
    let output: Value = serde_json::from_str(&finished.stdout)
        .map_err(|error| Stop::Failed(format!("`gik eval --json`: {error}")))?;
    let results = output["results"].as_array().into_iter().flatten().skip(QUESTIONS.len());
    let times = results.filter_map(|result| result["ms"].as_f64()).collect();
    Ok(Row::of("gik, one process", times, finished.peak))
}

/// Lines that have a word of the question; nothing where there is no ripgrep.
fn ripgrep(tree: &Path, question: &str) -> Option<child::Finished> {
    let words: Vec<&str> = question.split(' ').filter(|word| word.len() > 3).collect();
    let mut command = Command::new("rg");
    child::run(command.args(["--ignore-case", "--count", &words.join("|")]).current_dir(tree)).ok()
}

fn summary(root: &Path, all: &[Measured], notes: &[String]) -> String {
    let host = host::describe(root);
    let mut text = format!(
        "# Questions, {}\n\n{}, {} cores; commit {}; release build, warm page cache.\n\n\
         | files | chunks | way | p50 ms | p95 ms | peak MB |\n|---|---|---|---|---|---|\n",
        host.date, host.cpu, host.cores, host.commit
    );
    for (measured, row) in rows(all) {
        let peak =
            row.peak.map_or("–".to_owned(), |peak| format!("{:.0}", peak as f64 / MEGABYTE));
        let Measured { files, chunks, .. } = measured;
        let Row { way, p50_ms, p95_ms, .. } = row;
        let _ =
            writeln!(text, "| {files} | {chunks} | {way} | {p50_ms:.2} | {p95_ms:.2} | {peak} |");
    }
    report::push_end(&mut text, notes, &judge(all));
    text
}

fn rows(all: &[Measured]) -> impl Iterator<Item = (&Measured, &Row)> {
    all.iter().flat_map(|measured| {
        let ours = [&measured.warm, &measured.cold, &measured.beyond];
        ours.into_iter().chain(&measured.others).map(move |row| (measured, row))
    })
}

/// A bar is about the smallest tree that has as many chunks.
fn judge(all: &[Measured]) -> Vec<Verdict> {
    let of = |chunks: u64| {
        all.iter().filter(|measured| measured.chunks >= chunks).min_by_key(|one| one.chunks)
    };
    let time = |bar: &str, chunks: u64, limit: f64, value: fn(&Measured) -> f64| Verdict {
        bar: format!("{bar} ≤ {limit} ms at {chunks} chunks"),
        measured: of(chunks).map(|measured| {
            let value = value(measured);
            within(value, limit, format!("{value:.2} ms at {} chunks", measured.chunks))
        }),
    };
    let peak = of(100_000).and_then(|measured| measured.warm.peak);
    vec![
        time("warm p50", 20_000, 3.0, |measured| measured.warm.p50_ms),
        time("warm p50", 100_000, 8.0, |measured| measured.warm.p50_ms),
        time("a command beyond start and look", 20_000, 30.0, |one| one.beyond.p50_ms),
        Verdict {
            bar: "memory of a warm process ≤ 150 MB at 100000 chunks".to_owned(),
            measured: peak.map(|peak| {
                let megabytes = peak as f64 / MEGABYTE;
                within(megabytes, 150.0, format!("{megabytes:.0} MB"))
            }),
        },
    ]
}

fn csv(all: &[Measured]) -> String {
    let mut text = "files,chunks,way,p50_ms,p95_ms,peak_bytes\n".to_owned();
    for (Measured { files, chunks, .. }, row) in rows(all) {
        let Row { way, p50_ms, p95_ms, .. } = row;
        let peak = row.peak.map_or_else(String::new, |peak| peak.to_string());
        let _ = writeln!(text, "{files},{chunks},\"{way}\",{p50_ms:.4},{p95_ms:.4},{peak}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(chunks: u64, warm_ms: f64) -> Measured {
        let row = |ms: f64| Row::of("x", vec![ms], Some(149 << 20));
        let (warm, cold, beyond) = (row(warm_ms), row(50.0), row(29.0));
        Measured { files: 1, chunks, warm, cold, beyond, others: vec![row(9.0)] }
    }

    #[test]
    fn percentiles_are_those_of_the_runs() {
        let row = Row::of("x", (1..=100).rev().map(f64::from).collect(), None);
        assert_eq!((row.p50_ms, row.p95_ms), (50.0, 95.0));
    }

    #[test]
    fn a_bar_is_judged_on_the_smallest_tree_that_is_large_enough() {
        let all = [measured(900, 99.0), measured(120_000, 7.0), measured(21_000, 4.0)];
        let words: Vec<&str> = judge(&all).iter().map(Verdict::word).collect();
        assert_eq!(words, ["missed", "ok", "ok", "ok"]);
        assert!(judge(&all[..1]).iter().all(|verdict| verdict.word() == "not measured"));
        assert_eq!(csv(&all).lines().count(), 13);
    }
}
