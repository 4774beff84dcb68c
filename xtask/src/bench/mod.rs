//! `cargo xtask bench`: how long the life of a knowledge repository takes, against what the machine could do at best.
//!
//! Both sides of every ratio are measured in one run on one tree: `walk` is the bare walk, `child` runs the release binary,
//! `lifecycle` the order of events, `series` the numbers, `bars` what they must reach, `report` where they are written.

mod bars;
mod child;
mod host;
mod lifecycle;
mod package;
mod report;
mod series;
mod walk;
mod warm;

use crate::process;
use crate::stop::{Result, Stop};
use crate::tree;
use crate::workspace;

use lifecycle::{Bench, Rounds};
use series::Subject;

const DEFAULT_COUNTS: &[usize] = &[1_000, 10_000, 50_000];
const QUICK_COUNTS: &[usize] = &[1_000, 10_000];

/// What was asked for on the command line.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    counts: Vec<usize>,
    rounds: Rounds,
    name: &'static str,
}

/// Measures generated trees and one real package, prints the table and keeps it below `bench/runs`.
pub(crate) fn lifecycle(args: &[&str]) -> Result<()> {
    let options = parse(args)?;
    let root = workspace::root();
    let temporary = tempfile::Builder::new()
        .prefix("gik-bench-")
        .tempdir()
        .map_err(|error| Stop::Failed(format!("no temporary folder: {error}")))?;
    let bench = Bench {
        binary: process::build_gik(&root, "release")?,
        home: temporary.path().join("home"),
        rounds: options.rounds,
    };

    let mut results = Vec::new();
    for &count in &options.counts {
        let folder = temporary.path().join(format!("tree-{count}"));
        eprintln!("bench: {count} generated files");
        let extent = tree::generate(&folder, count)?;
        let subject = Subject::generated(extent);
        results.push(bench.run(&folder, subject)?);
        // The next tree needs the page cache more than this one.
        std::fs::remove_dir_all(&folder)
            .map_err(|error| Stop::on_path("remove", &folder, error))?;
    }
    let folder = temporary.path().join("package");
    let subject = package::copy_largest(&root, &folder)?;
    eprintln!("bench: {}", subject.label);
    results.push(bench.run(&folder, subject)?);

    let verdicts = bars::judge(&results);
    let host = host::describe(&root);
    let summary = report::summary(&host, options.rounds, &results, &verdicts);
    print!("{summary}");
    let written = report::write(&root, options.name, &summary, &report::csv(&results))?;
    eprintln!("bench: written to {written}");
    Ok(())
}

fn parse(args: &[&str]) -> Result<Options> {
    let mut options = Options {
        counts: DEFAULT_COUNTS.to_vec(),
        rounds: Rounds { fresh: 3, steady: 9 },
        name: "lifecycle",
    };
    let mut counts = None;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match *arg {
            "--quick" => {
                options.counts = QUICK_COUNTS.to_vec();
                options.rounds = Rounds { fresh: 1, steady: 3 };
                options.name = "lifecycle-quick";
            },
            "--files" => {
                let list = rest.next().ok_or_else(|| usage("`--files` needs numbers"))?;
                counts = Some(parse_counts(list)?);
            },
            other => return Err(usage(&format!("unknown option `{other}`"))),
        }
    }
    if let Some(counts) = counts {
        options.counts = counts;
    }
    Ok(options)
}

fn parse_counts(list: &str) -> Result<Vec<usize>> {
    list.split(',')
        .map(|number| match number.trim().parse() {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(usage(&format!("`{number}` is no number of files"))),
        })
        .collect()
}

fn usage(message: &str) -> Stop {
    Stop::Usage(format!("{message}\nhint: cargo xtask bench lifecycle [--quick] [--files N,...]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_combine_in_any_order() {
        let options = parse(&["--files", "5,7", "--quick"]).unwrap();
        assert_eq!(options.counts, [5, 7]);
        assert_eq!(options.name, "lifecycle-quick");
        assert_eq!(parse(&[]).unwrap().counts, DEFAULT_COUNTS);
    }

    #[test]
    fn nonsense_is_refused() {
        for args in [&["--fast"][..], &["--files"], &["--files", "0"], &["--files", "a"]] {
            assert!(matches!(parse(args), Err(Stop::Usage(_))), "{args:?}");
        }
    }
}
