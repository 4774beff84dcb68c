//! `cargo xtask bench`: how long the life of a knowledge repository takes, against what the machine could do at best.
//!
//! Both sides of every ratio are measured in one run on one tree: `walk` and `bare` are the bare walk, `program` and `child` run the
//! release binary, `embed` measures embedders, `vectors` the backends of vectors, `query` answers, `graph`
//! edges, `lifecycle` and `ingest` are the two orders of events, `series` the numbers, `bars` and `scale` what they must
//! reach, `report` where they are written.

mod bare;
mod bars;
mod child;
mod embed;
mod graph;
mod host;
mod ingest;
mod lifecycle;
mod options;
mod package;
mod program;
pub(crate) mod python;
mod query;
mod report;
mod scale;
mod series;
mod vectors;
mod walk;
mod warm;

use std::path::Path;

use tempfile::TempDir;

use crate::process;
use crate::stop::{Result, Stop};
use crate::tree;
use crate::workspace;

use bars::Verdict;
pub(crate) use embed::run as embed;
use options::{Defaults, Options};
use program::{Program, Rounds};
pub(crate) use query::run as query;
use report::Page;
use series::{Results, Step, Subject};
pub(crate) use vectors::run as vectors;

/// The second one has about 25,000 chunks, which is what the bar for questions is about.
const LIFECYCLE: Defaults = Defaults {
    name: "lifecycle",
    counts: &[1_000, 5_700, 10_000, 50_000],
    quick_counts: &[1_000, 10_000],
};
/// About 500 and 5,000 files, and more than 20,000.
const INGEST: Defaults =
    Defaults { name: "ingest", counts: &[500, 5_000, 21_000], quick_counts: &[500, 5_000] };
/// The last one is what the bars for one file and for packs are about.
const GRAPH: Defaults =
    Defaults { name: "graph", counts: &[500, 5_000, 21_000], quick_counts: &[500, 5_000] };

/// Measures generated trees and one real package, prints the table and keeps it below `bench/runs`.
pub(crate) fn lifecycle(args: &[&str]) -> Result<()> {
    let options = options::parse(args, &LIFECYCLE)?;
    let root = workspace::root();
    if cfg!(debug_assertions) {
        return in_release(&root, LIFECYCLE.name, args);
    }
    let (temporary, program) = prepare(&root, options.rounds)?;
    let mut results = Vec::new();
    for &count in &options.counts {
        let folder = temporary.path().join(format!("tree-{count}"));
        eprintln!("bench: {count} generated files");
        let extent = tree::generate(&folder, count)?;
        let subject = Subject::generated(extent);
        results.push(lifecycle::run(&program, &folder, subject)?);
        remove(&folder)?;
    }
    let folder = temporary.path().join("package");
    let subject = package::copy_largest(&root, &folder)?;
    eprintln!("bench: {}", subject.label);
    results.push(lifecycle::run(&program, &folder, subject)?);

    let host = host::describe(&root);
    let page = Page {
        title: "Lifecycle",
        host: &host,
        rounds: options.rounds,
        columns: &[("walk + stat", Step::WalkStat), ("walk + read", Step::WalkRead)],
        notes: &[],
    };
    let verdicts = bars::judge(&results);
    publish(&root, &options, &page, &results, &verdicts)
}

/// Measures trees of real packages, prints the table and keeps it below `bench/runs`.
pub(crate) fn ingest(args: &[&str]) -> Result<()> {
    let options = options::parse(args, &INGEST)?;
    let root = workspace::root();
    if cfg!(debug_assertions) {
        return in_release(&root, INGEST.name, args);
    }
    let files = ingest::trees::candidates(&root)?;
    let (temporary, program) = prepare(&root, options.rounds)?;
    let (mut results, mut notes) = (Vec::new(), Vec::new());
    for &count in &options.counts {
        let folder = temporary.path().join(format!("tree-{count}"));
        eprintln!("bench: {count} files of real packages");
        let subject = ingest::trees::build(&files, count, &folder)?;
        let measured = ingest::run(&program, &folder, subject)?;
        notes.extend(measured.notes);
        results.push(measured.results);
        remove(&folder)?;
    }
    notes.dedup();

    let host = host::describe(&root);
    let page = Page {
        title: "Ingest",
        host: &host,
        rounds: options.rounds,
        columns: &[
            ("walk + stat", Step::WalkStat),
            ("walk + read", Step::WalkRead),
            ("words", Step::Tokenize),
            ("syntax trees", Step::Parse),
        ],
        notes: &notes,
    };
    let verdicts = scale::judge(ingest::bars::BARS, &results);
    publish(&root, &options, &page, &results, &verdicts)
}

/// Measures edges in trees of real packages, prints the table and keeps it below `bench/runs`.
pub(crate) fn graph(args: &[&str]) -> Result<()> {
    let options = options::parse(args, &GRAPH)?;
    let root = workspace::root();
    if cfg!(debug_assertions) {
        return in_release(&root, GRAPH.name, args);
    }
    let files = ingest::trees::candidates(&root)?;
    let (temporary, program) = prepare(&root, options.rounds)?;
    let mut results = Vec::new();
    for &count in &options.counts {
        let folder = temporary.path().join(format!("tree-{count}"));
        eprintln!("bench: {count} files of real packages");
        let subject = ingest::trees::build(&files, count, &folder)?;
        results.push(graph::run(&program, &folder, subject)?);
        remove(&folder)?;
    }

    let host = host::describe(&root);
    let notes = [
        "Edges are timed by `gik pack --timings`, packs and questions by a client of `gik serve`; each of them looks at all files first.",
        "One file changed: a function more in it, so that whoever rests on its names is resolved again.",
        "Questions are about the symbols that most others name.",
    ];
    let page = Page {
        title: "Graph",
        host: &host,
        rounds: options.rounds,
        columns: &[("walk + stat", Step::WalkStat), ("syntax trees", Step::Parse)],
        notes: &notes.map(str::to_owned),
    };
    let verdicts = scale::judge(graph::bars::BARS, &results);
    publish(&root, &options, &page, &results, &verdicts)
}

/// The lower bounds are measured in this process; those of a build for development would say nothing.
fn in_release(root: &Path, name: &str, args: &[&str]) -> Result<()> {
    let mut command = process::cargo(root);
    command.args(["run", "--quiet", "--release", "--package", "xtask", "--"]);
    process::run(command.args(["bench", name]).args(args))
}

/// The release binary and a folder for trees, removed at the end.
fn prepare(root: &Path, rounds: Rounds) -> Result<(TempDir, Program)> {
    let temporary = tempfile::Builder::new()
        .prefix("gik-bench-")
        .tempdir()
        .map_err(|error| Stop::Failed(format!("no temporary folder: {error}")))?;
    let binary = process::build_gik(root, "release")?;
    let walker = process::build(root, "xtask", "bare-walk", "release")?;
    let home = temporary.path().join("home");
    Ok((temporary, Program { binary, walker, home, rounds }))
}

/// The next tree needs the page cache more than the last one.
fn remove(folder: &Path) -> Result<()> {
    std::fs::remove_dir_all(folder).map_err(|error| Stop::on_path("remove", folder, error))
}

fn publish(
    root: &Path,
    options: &Options,
    page: &Page<'_>,
    results: &[Results],
    verdicts: &[Verdict],
) -> Result<()> {
    let summary = report::summary(page, results, verdicts);
    print!("{summary}");
    let written = report::write(root, &options.name, &summary, &report::csv(results))?;
    eprintln!("bench: written to {written}");
    Ok(())
}
