//! Which of the candidates are near the question in meaning? The built-in model embeds them when they are asked for.
//!
//! It needs no vectors on disk: a table of words is quick enough for the few chunks that words have found.

use std::time::Instant;

use gik_base::Result;
use gik_models::{Embedder, Model, TextKind};
use gik_retrieve::{Candidates, is_name};
use gik_store::Snapshot;

use crate::Workspace;
use crate::answer::Texts;

/// So many candidates are looked at.
const MOST_CANDIDATES: usize = 60;
/// So much of a chunk says what it is about.
const MOST_BYTES: usize = 2_000;
/// So much is read for it: a file is read as a whole, to know that it is the one that was indexed.
const MOST_READ_BYTES: u64 = 16 << 20;

/// Ranks candidates by how near they are to the question as well. Says which model did.
pub(crate) fn rerank(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    question: &str,
    candidates: &mut Candidates,
    texts: &mut Texts,
) -> Result<Option<String>> {
    // Names are found by their letters.
    if is_name(question) {
        return Ok(None);
    }
    let started = Instant::now();
    let mut passages = Vec::new();
    let mut read_bytes = 0;
    for found in candidates.found().take(MOST_CANDIDATES) {
        read_bytes += found.file.stat.size;
        if read_bytes > MOST_READ_BYTES {
            break;
        }
        let text = texts.of(ws, snapshot, found)?;
        passages.push(text.map(|text| {
            let beginning = &text[..text.floor_char_boundary(MOST_BYTES)];
            format!("{}\n{beginning}", found.file.key)
        }));
    }
    let readable: Vec<&str> = passages.iter().flatten().map(String::as_str).collect();
    if readable.is_empty() {
        return Ok(None);
    }
    let model = Model::builtin()?;
    let asked = model.embed(&[question], TextKind::Query, &ws.ctx.cancel)?;
    let vectors = model.embed(&readable, TextKind::Passage, &ws.ctx.cancel)?;
    let mut rows = vectors.rows();
    let nearness: Vec<Option<f64>> = passages
        .iter()
        .map(|passage| passage.as_ref().and_then(|_| rows.next()))
        .map(|row| row.map(|row| cosine(asked.row(0), row)))
        .collect();
    candidates.weigh(&nearness, started.elapsed().as_secs_f64() * 1e3);
    Ok(Some(model.id().name.clone()))
}

/// Of two vectors of length one; summed in order, so that every machine gives the same.
fn cosine(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum()
}
