//! How fast are the nearest vectors found, and how many of them? Every backend of the store, against usearch and
//! sqlite-vec as Python offers them, with the same vectors and questions.
//!
//! Times are of the clock with one thread. `data` says what the vectors are, `ours` and `peer` measure.

mod data;
mod ours;
mod peer;

use std::fmt::Write as _;
use std::path::Path;

use gik_store::Backend;

use super::bars::{Measured, Verdict, within};
use super::{host, in_release, report};
use crate::stop::{Result, Stop};
use crate::workspace;

use data::Data;
use peer::Peer;

const NAME: &str = "vectors";
const COUNTS: &[usize] = &[10_000, 100_000, 1_000_000];
const QUICK_COUNTS: &[usize] = &[10_000, 100_000];
/// Vectors of MiniLM that are not made from others.
const N_REAL: usize = 100_000;
const QUICK_N_REAL: usize = 2_000;
/// Beyond so many rows these take minutes to load or build and are left out.
const LARGEST_SIMPLE_FILE: usize = 10_000;
const LARGEST_SQLITE_VEC: usize = 100_000;
const LARGEST_USEARCH: usize = 100_000;
/// Answers of a question.
const ANSWERS: usize = 10;

/// What one engine did with some vectors.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    rows: usize,
    vectors: &'static str,
    engine: String,
    build_s: f64,
    bytes: u64,
    p50_ms: f64,
    p95_ms: f64,
    recall: f64,
    /// Adding and removing a hundred rows.
    update_ms: Option<f64>,
    /// The same without what syncing as many bytes takes.
    beyond_sync_ms: Option<f64>,
    /// Opening alone.
    open_ms: Option<f64>,
    /// The first question after it.
    first_ms: Option<f64>,
}

/// Measures, prints the table and keeps it below `bench/runs`.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let usage = |message: String| {
        Stop::Usage(format!("{message}\nhint: cargo xtask bench vectors [--quick | --rows N,...]"))
    };
    let counts = match args {
        [] => COUNTS.to_vec(),
        ["--quick"] => QUICK_COUNTS.to_vec(),
        ["--rows", list] => {
            let counts: Option<Vec<usize>> =
                list.split(',').map(|n| n.parse().ok().filter(|n| *n >= 1_000)).collect();
            counts.ok_or_else(|| usage(format!("`{list}` are no numbers from 1000 on")))?
        },
        other => return Err(usage(format!("unknown option `{}`", other.join(" ")))),
    };
    let root = workspace::root();
    if cfg!(debug_assertions) {
        return in_release(&root, NAME, args);
    }
    let peer = Peer::prepare(&root);
    let mut rows = Vec::new();
    let n_real = if args.is_empty() { N_REAL } else { QUICK_N_REAL };
    for data in data::all(&root, &counts, n_real)? {
        measure(&data, peer.as_ref().ok(), &mut rows)?;
    }
    let mut notes = data::notes(n_real);
    if let Err(stop) = &peer {
        let reason = stop.message().unwrap_or_default();
        notes.push(format!("The peers could not be installed: {reason}"));
    }
    let summary = summary(&root, &rows, &notes);
    print!("{summary}");
    let name = if args.is_empty() { NAME.to_owned() } else { format!("{NAME}-part") };
    let written = report::write(&root, &name, &summary, &csv(&rows))?;
    eprintln!("bench: written to {written}");
    Ok(())
}

fn measure(data: &Data, peer: Option<&Peer>, rows: &mut Vec<Row>) -> Result<()> {
    eprintln!("bench: {} vectors of {}", data.len(), data.label);
    let nearest = data.exact(ANSWERS);
    rows.push(ours::exact(data));
    for &backend in Backend::ALL {
        let largest = match backend {
            Backend::Mmap | Backend::LanceDb => usize::MAX,
            Backend::SimpleFile => LARGEST_SIMPLE_FILE,
            Backend::SqliteVec => LARGEST_SQLITE_VEC,
        };
        if data.len() <= largest {
            rows.push(ours::measure(backend, data, &nearest)?);
        }
    }
    let Some(peer) = peer.filter(|_| data.label == data::MINILM) else { return Ok(()) };
    rows.push(peer.run("sqlite-vec", data, &nearest)?);
    if data.len() <= LARGEST_USEARCH {
        rows.push(peer.run("usearch", data, &nearest)?);
    }
    Ok(())
}

fn summary(root: &Path, rows: &[Row], notes: &[String]) -> String {
    let host = host::describe(root);
    let mut text = format!(
        "# Vectors, {}\n\n{}, {} cores; commit {}; release build, one thread, warm. {ANSWERS} answers a question.\n\n\
         | rows | vectors | engine | build s | MB | p50 ms | p95 ms | recall@10 | ±100 rows ms | beyond sync ms | open ms | first question ms |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
        host.date, host.cpu, host.cores, host.commit
    );
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |n| format!("{n:.2}"));
    for row in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.2} | {} | {:.3} | {:.3} | {:.4} | {} | {} | {} | {} |",
            row.rows,
            row.vectors,
            row.engine,
            row.build_s,
            row.bytes >> 20,
            row.p50_ms,
            row.p95_ms,
            row.recall,
            number(row.update_ms),
            number(row.beyond_sync_ms),
            number(row.open_ms),
            number(row.first_ms),
        );
    }
    report::push_end(&mut text, notes, &judge(rows));
    text
}

/// The bars are about the default backend.
fn judge(rows: &[Row]) -> Vec<Verdict> {
    let ours: Vec<&Row> = rows.iter().filter(|row| row.engine == Backend::Mmap.as_str()).collect();
    let mut verdicts = Vec::new();
    for (count, limit) in [(10_000, 0.2), (100_000, 1.0), (1_000_000, 8.0)] {
        let row = ours.iter().find(|row| row.rows == count && row.vectors == data::MINILM);
        verdicts.push(Verdict {
            bar: format!("p50 ≤ {limit} ms at {count} rows"),
            measured: row.map(|row| within(row.p50_ms, limit, format!("{:.3} ms", row.p50_ms))),
        });
    }
    let most =
        |value: fn(&Row) -> Option<f64>| ours.iter().filter_map(|row| value(row)).reduce(f64::max);
    let least = ours.iter().map(|row| row.recall).reduce(f64::min);
    verdicts.push(Verdict {
        bar: "recall@10 ≥ 0.99 everywhere".to_owned(),
        measured: least
            .map(|least| Measured { text: format!("{least:.4}"), reached: least >= 0.99 }),
    });
    for (name, limit, value) in [
        ("±100 rows ≤ 1 ms beyond the sync", 1.0, most(|row| row.beyond_sync_ms)),
        ("open ≤ 5 ms", 5.0, most(|row| row.open_ms)),
    ] {
        verdicts.push(Verdict {
            bar: name.to_owned(),
            measured: value.map(|value| within(value, limit, format!("{value:.2} ms"))),
        });
    }
    verdicts
}

fn csv(rows: &[Row]) -> String {
    let mut text =
        "rows,vectors,engine,build_s,bytes,p50_ms,p95_ms,recall,update_ms,beyond_sync_ms,open_ms,first_ms\n"
            .to_owned();
    let number = |value: Option<f64>| value.map_or_else(String::new, |n| format!("{n:.4}"));
    for row in rows {
        let _ = writeln!(
            text,
            "{},\"{}\",{},{:.3},{},{:.4},{:.4},{:.4},{},{},{},{}",
            row.rows,
            row.vectors,
            row.engine,
            row.build_s,
            row.bytes,
            row.p50_ms,
            row.p95_ms,
            row.recall,
            number(row.update_ms),
            number(row.beyond_sync_ms),
            number(row.open_ms),
            number(row.first_ms)
        );
    }
    text
}

/// The value below which so many of a hundred are.
fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get((values.len().saturating_sub(1)) * percent / 100).copied().unwrap_or_default()
}

/// The share of the right answers that were given.
fn recall(found: &[Vec<u32>], nearest: &[Vec<u32>]) -> f64 {
    let right = found.iter().zip(nearest);
    let n_right: usize =
        right.map(|(found, nearest)| found.iter().filter(|id| nearest.contains(id)).count()).sum();
    n_right as f64 / nearest.iter().map(Vec::len).sum::<usize>().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rows: usize, p50_ms: f64) -> Row {
        Row {
            rows,
            vectors: data::MINILM,
            engine: Backend::Mmap.as_str().to_owned(),
            build_s: 1.0,
            bytes: 3 << 20,
            p50_ms,
            p95_ms: 1.0,
            recall: 0.995,
            update_ms: Some(2.0),
            beyond_sync_ms: Some(0.5),
            open_ms: None,
            first_ms: Some(0.3),
        }
    }

    #[test]
    fn bars_are_judged_by_their_numbers() {
        let words: Vec<&str> =
            judge(&[row(10_000, 0.1), row(100_000, 2.0)]).iter().map(Verdict::word).collect();
        assert_eq!(words, ["ok", "missed", "not measured", "ok", "ok", "not measured"]);
    }

    #[test]
    fn the_table_and_the_file_have_a_line_for_each_row() {
        let rows = [row(10_000, 0.1)];
        let text = summary(&workspace::root(), &rows, &["A note.".to_owned()]);
        assert!(text.contains("| 10000 | MiniLM | other:mmap | 1.00 | 3 | 0.100 | 1.000 | 0.9950 | 2.00 | 0.50 | – | 0.30 |"), "{text}");
        assert!(text.contains("- A note.\n"));
        assert!(csv(&rows).ends_with(
            "10000,\"MiniLM\",other:mmap,1.000,3145728,0.1000,1.0000,0.9950,2.0000,0.5000,,0.3000\n"
        ));
    }

    #[test]
    fn shares_and_percentiles_are_counted() {
        assert!((recall(&[vec![1, 2], vec![3]], &[vec![2, 9], vec![3, 4]]) - 0.5).abs() < 1e-9);
        assert!((percentile(&mut [3.0, 1.0, 2.0], 50) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn nonsense_is_refused() {
        for args in [&["--fast"][..], &["--rows", "x"], &["--rows", "10"]] {
            assert!(run(args).unwrap_err().message().unwrap().contains("bench vectors [--quick"));
        }
    }
}
