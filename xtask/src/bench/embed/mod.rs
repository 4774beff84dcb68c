//! How fast do texts become vectors? The built-in table and MiniLM, against ONNX Runtime with the same texts, one after the
//! other in every round.
//!
//! With one thread times are those of the processor, which other programs of the machine disturb least; with two they
//! are of the clock.

mod chunks;
mod peer;

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use gik_base::Cancel;
use gik_models::encoder::multiply_tiles;
use gik_models::{Embedder, Encoder, Options, Precision, StaticModel, TextKind};

use super::bars::{Measured, Verdict};
use super::series::Series;
use super::{host, in_release, report};
use crate::models;
use crate::stop::{Result, Stop};
use crate::workspace;

use peer::Peer;

const NAME: &str = "embed";
/// The table is so fast that one pass over the chunks would be too short to time.
const STATIC_PASSES: usize = 20;

/// Seconds for all chunks.
#[derive(Debug, Clone, Copy)]
struct Times {
    wall: f64,
    processor: Option<f64>,
}

/// Who embeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Engine {
    Static,
    Ours(Precision),
    Onnx(&'static str),
}

impl Engine {
    const ALL: &[Self] = &[
        Self::Static,
        Self::Ours(Precision::F32),
        Self::Onnx("f32"),
        Self::Ours(Precision::Int8),
        Self::Onnx("int8"),
    ];

    fn label(self) -> String {
        match self {
            Self::Static => "built-in table".to_owned(),
            Self::Ours(Precision::F32) => "MiniLM, f32".to_owned(),
            Self::Ours(Precision::Int8) => "MiniLM, int8".to_owned(),
            Self::Onnx(kind) => format!("MiniLM, ONNX Runtime {kind}"),
        }
    }
}

/// What every engine does.
#[derive(Debug, Clone, Copy)]
struct Work {
    chunks: usize,
    tokens: usize,
    /// Of rows with weights.
    multiplications: f64,
}

/// One engine with so many threads.
#[derive(Debug)]
struct Row {
    engine: Engine,
    threads: usize,
    seconds: Series,
}

/// Measures, prints the table and keeps it below `bench/runs`.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let (count, rounds) = match args {
        [] => (300, 3),
        ["--quick"] => (150, 3),
        other => {
            let message = format!("unknown option `{}`", other.join(" "));
            return Err(Stop::Usage(format!("{message}\nhint: cargo xtask bench embed [--quick]")));
        },
    };
    let root = workspace::root();
    if cfg!(debug_assertions) {
        return in_release(&root, NAME, args);
    }
    let model = models::minilm()?;
    let peer = Peer::prepare(&root, &model)?;
    let counter = open(&model, Precision::F32, 1)?;
    let texts = chunks::choose(&root, &counter, count)?;
    let tokens: usize =
        texts.iter().map(|text| counter.tokens(text, TextKind::Passage).len()).sum();
    let work = Work {
        chunks: texts.len(),
        tokens,
        multiplications: tokens as f64 * counter.multiplications_of_token() as f64,
    };
    drop(counter);

    let mut rows: Vec<Row> = Engine::ALL
        .iter()
        .flat_map(|engine| [1, 2].map(|threads| (*engine, threads)))
        .filter(|(engine, threads)| *engine != Engine::Static || *threads == 1)
        .map(|(engine, threads)| Row { engine, threads, seconds: Series::default() })
        .collect();
    for round in 0..rounds {
        eprintln!("bench: round {} of {rounds}", round + 1);
        for row in &mut rows {
            let times = measure(row, &model, &peer, &texts)?;
            let seconds = if row.threads == 1 { times.processor } else { None };
            row.seconds.add_millis(seconds.unwrap_or(times.wall) * 1e3);
        }
    }
    let peaks = [Precision::F32, Precision::Int8].map(|precision| (precision, peak(precision)));
    let summary = summary(&root, &rows, &work, rounds, &peaks);
    print!("{summary}");
    let name = if args.is_empty() { NAME.to_owned() } else { format!("{NAME}-quick") };
    let written = report::write(&root, &name, &summary, &csv(&rows))?;
    eprintln!("bench: written to {written}");
    Ok(())
}

fn open(model: &Path, precision: Precision, threads: usize) -> Result<Encoder> {
    Encoder::open(model, models::MODEL, Options { precision, threads, ..Options::default() })
        .map_err(|failure| Stop::Failed(failure.to_string()))
}

fn measure(row: &Row, model: &Path, peer: &Peer, texts: &[String]) -> Result<Times> {
    let texts_of = || texts.iter().map(String::as_str).collect::<Vec<_>>();
    match row.engine {
        Engine::Onnx(kind) => peer.run(kind, row.threads, texts),
        Engine::Ours(precision) => timed(&open(model, precision, row.threads)?, &texts_of(), 1),
        Engine::Static => {
            let table = StaticModel::builtin().map_err(|error| Stop::Failed(error.to_string()))?;
            timed(&table, &texts_of(), STATIC_PASSES)
        },
    }
}

/// The time of one pass; a few texts before it warm up.
fn timed(embedder: &dyn Embedder, texts: &[&str], passes: usize) -> Result<Times> {
    let embed = |texts: &[&str]| {
        let vectors = embedder.embed(texts, TextKind::Passage, &Cancel::default());
        vectors.map(drop).map_err(|failure| Stop::Failed(failure.to_string()))
    };
    embed(&texts[..texts.len().min(4)])?;
    let (started, used) = (Instant::now(), processor_seconds());
    for _ in 0..passes {
        embed(texts)?;
    }
    let wall = started.elapsed().as_secs_f64() / passes as f64;
    let processor = processor_seconds().zip(used).map(|(now, then)| (now - then) / passes as f64);
    Ok(Times { wall, processor })
}

/// What this thread has had of the processor, where the system tells it.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

fn median(rows: &[Row], engine: Engine, threads: usize) -> Option<f64> {
    let row = rows.iter().find(|row| row.engine == engine && row.threads == threads)?;
    Some(row.seconds.median()? / 1e3)
}

/// Multiplications a second of one thread that never waits for memory.
fn peak(precision: Precision) -> f64 {
    let rate = |_| {
        let started = Instant::now();
        multiply_tiles(precision, 5_000) as f64 / started.elapsed().as_secs_f64()
    };
    (0..9).map(rate).fold(0.0, f64::max)
}

fn summary(
    root: &Path,
    rows: &[Row],
    work: &Work,
    rounds: usize,
    peaks: &[(Precision, f64)],
) -> String {
    let Work { chunks, tokens, multiplications } = *work;
    let host = host::describe(root);
    let mut text = format!(
        "# Embedding, {}\n\n{}, {} cores; commit {}; release build. Medians of {rounds} rounds; {chunks} chunks of real code, {tokens} tokens.\n\
         Seconds of the processor with one thread, of the clock with two.\n\n\
         | engine | threads | seconds | chunks/s | tokens/s | of peak |\n|---|---|---|---|---|---|\n",
        host.date, host.cpu, host.cores, host.commit
    );
    for row in rows {
        let Some(seconds) = row.seconds.median().map(|millis| millis / 1e3) else { continue };
        let (chunks, tokens) = (chunks as f64 / seconds, tokens as f64 / seconds);
        let label = row.engine.label();
        let peak = peaks.iter().find(|(precision, _)| row.engine == Engine::Ours(*precision));
        let share = peak.map_or_else(String::new, |(_, peak)| {
            let share = multiplications / seconds / (peak * row.threads as f64);
            format!("{:.0} %", share * 100.0)
        });
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {label} | {} | {seconds:.3} | {chunks:.0} | {tokens:.0} | {share} |",
            row.threads
        );
    }
    let notes: Vec<String> = peaks
        .iter()
        .map(|(precision, peak)| {
            let rate = peak / 1e9;
            format!(
                "Peak of {precision:?}: {rate:.0} thousand million multiplications a second on one thread, from the nearest \
                 cache. The share counts products of weights alone, and all of the time."
            )
        })
        .collect();
    report::push_end(&mut text, &notes, &judge(rows, chunks));
    text
}

fn judge(rows: &[Row], chunks: usize) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let pairs = [(Precision::F32, "f32", 1.15), (Precision::Int8, "int8", 1.35)];
    for (precision, kind, least) in pairs {
        for threads in [1, 2] {
            let ours = median(rows, Engine::Ours(precision), threads);
            let ratio = median(rows, Engine::Onnx(kind), threads).zip(ours);
            verdicts.push(Verdict {
                bar: format!("MiniLM ≥ {least}× of ONNX Runtime {kind}, threads: {threads}"),
                measured: ratio.map(|(theirs, ours)| at_least(theirs / ours, least, "×")),
            });
        }
    }
    let table = median(rows, Engine::Static, 1).map(|seconds| chunks as f64 / seconds);
    verdicts.push(Verdict {
        bar: "built-in table ≥ 5000 chunks/s with one thread".to_owned(),
        measured: table.map(|rate| at_least(rate, 5_000.0, " chunks/s")),
    });
    verdicts
}

fn at_least(value: f64, limit: f64, unit: &str) -> Measured {
    let digits = if value < 100.0 { 2 } else { 0 };
    Measured { text: format!("{value:.digits$}{unit}"), reached: value >= limit }
}

fn csv(rows: &[Row]) -> String {
    let mut text = "engine,threads,round,millis\n".to_owned();
    for row in rows {
        for (round, millis) in row.seconds.runs().iter().enumerate() {
            let label = row.engine.label();
            let _ = writeln!(text, "\"{label}\",{},{round},{millis:.4}", row.threads);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(engine: Engine, threads: usize, millis: f64) -> Row {
        let mut seconds = Series::default();
        seconds.add_millis(millis);
        Row { engine, threads, seconds }
    }

    #[test]
    fn bars_compare_equal_numbers_of_threads() {
        let rows = [
            row(Engine::Static, 1, 10.0),
            row(Engine::Ours(Precision::F32), 1, 1_000.0),
            row(Engine::Onnx("f32"), 1, 1_200.0),
            row(Engine::Ours(Precision::Int8), 2, 1_000.0),
            row(Engine::Onnx("int8"), 2, 1_000.0),
        ];
        let verdicts = judge(&rows, 100);
        let words: Vec<&str> = verdicts.iter().map(Verdict::word).collect();
        assert_eq!(words, ["ok", "not measured", "not measured", "missed", "ok"]);
        assert_eq!(verdicts[4].measured.as_ref().unwrap().text, "10000 chunks/s");
    }

    #[test]
    fn the_table_has_a_line_for_each_engine() {
        let rows =
            [row(Engine::Onnx("f32"), 2, 2_000.0), row(Engine::Ours(Precision::Int8), 1, 6_000.0)];
        let work = Work { chunks: 10, tokens: 1_000, multiplications: 3e9 };
        let peaks = [(Precision::Int8, 1e9)];
        let text = summary(&workspace::root(), &rows, &work, 1, &peaks);
        assert!(text.contains("| MiniLM, ONNX Runtime f32 | 2 | 2.000 | 5 | 500 |  |"), "{text}");
        assert!(text.contains("| MiniLM, int8 | 1 | 6.000 | 2 | 167 | 50 % |"), "{text}");
        assert!(csv(&rows).contains("\"MiniLM, ONNX Runtime f32\",2,0,2000.0000"));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(run(&["--fast"]).unwrap_err().message().unwrap().contains("bench embed [--quick]"));
    }
}
