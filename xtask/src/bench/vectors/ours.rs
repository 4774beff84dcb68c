//! The backends of the store.

use std::path::Path;
use std::time::Instant;

use gik_base::fs;
use gik_index::vectors::Metric;
use gik_index::{ChunkNo, FileNo};
use gik_store::{Backend, Entry, Extent, Found, Place, Question, RowMeta};

use super::data::Data;
use super::{ANSWERS, Row, percentile, recall};
use crate::stop::{Result, Stop};

/// How often an index is opened.
const OPENED: usize = 5;
const UPDATES: usize = 15;
const CHANGED_ROWS: u32 = 100;
/// Comparing all a few times is enough to time it.
const EXACT_QUESTIONS: usize = 20;

fn failed(failure: gik_base::Failure) -> Stop {
    Stop::Failed(failure.to_string())
}

fn millis(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}

/// Comparing everything in memory.
pub(super) fn exact(data: &Data) -> Row {
    let mut times = Vec::new();
    for question in data.questions().take(EXACT_QUESTIONS) {
        let started = Instant::now();
        std::hint::black_box(data.nearest(question, ANSWERS));
        times.push(millis(started));
    }
    Row {
        rows: data.len(),
        vectors: data.label,
        engine: "all in memory".to_owned(),
        build_s: 0.0,
        bytes: data.vectors.len() as u64 * 4,
        p50_ms: percentile(&mut times, 50),
        p95_ms: percentile(&mut times, 95),
        recall: 1.0,
        update_ms: None,
        beyond_sync_ms: None,
        open_ms: None,
        first_ms: None,
    }
}

/// Builds, asks and changes an index.
pub(super) fn measure(backend: Backend, data: &Data, nearest: &[Vec<u32>]) -> Result<Row> {
    let dir = tempfile::tempdir().map_err(|error| Stop::Failed(format!("no folder: {error}")))?;
    let place = Place::folder(dir.path());
    let started = Instant::now();
    let mut change = backend.change(&place, data.dimension, Extent::default()).map_err(failed)?;
    let mut places = Vec::with_capacity(data.len());
    for (id, vector) in data.rows() {
        places.push(change.put(&entry(id, vector)).map_err(failed)?);
    }
    let mut extent = change.finish().map_err(failed)?.extent;
    let build_s = started.elapsed().as_secs_f64();
    let bytes = size_of(dir.path())?;

    let (mut opens, mut firsts) = (Vec::new(), Vec::new());
    for vector in data.questions().take(OPENED) {
        let started = Instant::now();
        let index = backend.open(&place, data.dimension, &extent).map_err(failed)?;
        opens.push(millis(started));
        let started = Instant::now();
        index.nearest(&question(vector)).map_err(failed)?;
        firsts.push(millis(started));
    }
    let index = backend.open(&place, data.dimension, &extent).map_err(failed)?;
    let (mut times, mut found) = (Vec::new(), Vec::new());
    for vector in data.questions() {
        let started = Instant::now();
        let answers = index.nearest(&question(vector)).map_err(failed)?;
        times.push(millis(started));
        found.push(answers.iter().map(|Found { chunk, .. }| chunk.0).collect());
    }
    drop(index);

    let (mut updates, mut beyond) = (Vec::new(), Vec::new());
    for round in 0..UPDATES {
        let bare = sync_alone(dir.path(), data.dimension)?;
        let started = Instant::now();
        let mut change = backend.change(&place, data.dimension, extent).map_err(failed)?;
        for at in 0..CHANGED_ROWS {
            let id = at * 7 + u32::try_from(round).unwrap_or_default() * 1_000;
            let id = id % u32::try_from(places.len()).unwrap_or(u32::MAX);
            change.remove(places[id as usize]);
            let vector = &data.vectors[id as usize * data.dimension..][..data.dimension];
            places[id as usize] = change.put(&entry(id, vector)).map_err(failed)?;
        }
        extent = change.finish().map_err(failed)?.extent;
        let took = millis(started);
        updates.push(took);
        beyond.push((took - bare).max(0.0));
    }
    Ok(Row {
        rows: data.len(),
        vectors: data.label,
        engine: backend.as_str().to_owned(),
        build_s,
        bytes,
        p50_ms: percentile(&mut times, 50),
        p95_ms: percentile(&mut times, 95),
        recall: recall(&found, nearest),
        update_ms: Some(percentile(&mut updates, 50)),
        beyond_sync_ms: Some(percentile(&mut beyond, 50)),
        open_ms: Some(percentile(&mut opens, 50)),
        first_ms: Some(percentile(&mut firsts, 50)),
    })
}

fn entry(id: u32, vector: &[f32]) -> Entry<'_> {
    let meta = RowMeta { chunk: ChunkNo(id), file: FileNo(id / 8), labels: 1 };
    Entry { meta, check: u64::from(id), uid: "ck:0123456789abcdef", path: "src/lib.rs", vector }
}

fn question(vector: &[f32]) -> Question<'_> {
    Question { vector, k: ANSWERS, metric: Metric::Cosine, filter: &|_| true }
}

/// How long it takes to write and sync as many bytes as the rows of a change have, to as many files.
fn sync_alone(dir: &Path, dimension: usize) -> Result<f64> {
    let rows = CHANGED_ROWS as usize;
    let probes = [dimension * 4, dimension / 8, 32].map(|bytes| vec![7u8; bytes * rows]);
    let paths = [0, 1, 2].map(|at| dir.join(format!("probe-{at}")));
    for path in &paths {
        drop(fs::open_to_patch(path).map_err(failed)?);
    }
    let started = Instant::now();
    for (path, bytes) in paths.iter().zip(&probes) {
        let end = fs::metadata(path).map_err(failed)?.len();
        fs::overwrite(path, end, bytes).map_err(failed)?;
    }
    Ok(millis(started))
}

fn size_of(dir: &Path) -> Result<u64> {
    let paths = fs::list_dir(dir).map_err(failed)?;
    paths.iter().map(|path| fs::metadata(path).map(|file| file.len()).map_err(failed)).sum()
}
