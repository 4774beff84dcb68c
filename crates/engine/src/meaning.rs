//! Which of the candidates are near the question in meaning? The model of their base embeds them when they are asked for.
//!
//! It needs no vectors on disk: a table of words is quick enough for the few chunks that words have found, and a
//! transformer for fewer. What is not on this machine is never asked here, so that a question stays on it; the built-in
//! model stands in for it.

use std::time::Instant;

use gik_base::{Result, env};
use gik_models::{BUILTIN_DIMENSION, Embedder, Model, TextKind, Vectors};
use gik_retrieve::{Candidates, is_name};
use gik_store::Snapshot;

use crate::Workspace;
use crate::answer::Texts;
use crate::embedding::{EmbeddingConfig, passage};

/// So many candidates are looked at.
const MOST_CANDIDATES: usize = 60;
/// So many by a transformer, and so many tokens of each: about half a second on two cores with all-MiniLM-L6-v2. The
/// bound is a count and no clock, so that every machine gives the same answer.
const MOST_FOR_ENCODERS: usize = 24;
const MOST_TOKENS_FOR_ENCODERS: usize = 96;
/// So much is read for it: a file is read as a whole, to know that it is the one that was indexed.
const MOST_READ_BYTES: u64 = 16 << 20;

/// A model and what it has to do.
struct Reader {
    config: EmbeddingConfig,
    /// The places of its candidates, with what they say.
    passages: Vec<(usize, String)>,
}

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
    let mut readers: Vec<Reader> = Vec::new();
    let mut nearness: Vec<Option<f64>> = Vec::new();
    let mut read_bytes = 0;
    for (at, found) in candidates.found().take(MOST_CANDIDATES).enumerate() {
        read_bytes += found.file.stat.size;
        if read_bytes > MOST_READ_BYTES {
            break;
        }
        let reader = reader_of(ws, &found.file.base, &mut readers)?;
        if !reader.config.is_table() && reader.passages.len() == MOST_FOR_ENCODERS {
            break;
        }
        nearness.push(None);
        if let Some(text) = texts.of(ws, snapshot, found)? {
            reader.passages.push((at, passage(&found.file.key, text)));
        }
    }
    readers.retain(|reader| !reader.passages.is_empty());
    if readers.is_empty() {
        return Ok(None);
    }
    let mut names = Vec::new();
    for reader in &readers {
        let model = reader.config.open(env::gik_home().as_deref(), &ws.ctx.cancel)?;
        let passages: Vec<&str> = reader.passages.iter().map(|(_, text)| text.as_str()).collect();
        let asked = model.embed(&[question], TextKind::Query, &ws.ctx.cancel)?;
        let vectors = model.embed(&passages, TextKind::Passage, &ws.ctx.cancel)?;
        for ((at, _), near) in reader.passages.iter().zip(cosines(&model, &asked, &vectors)) {
            nearness[*at] = Some(near);
        }
        names.push(model.id().name.clone());
    }
    candidates.weigh(&nearness, started.elapsed().as_secs_f64() * 1e3);
    Ok(Some(names.join(", ")))
}

/// The model of a base among those that are needed so far.
fn reader_of<'r>(
    ws: &Workspace<'_>,
    base: &str,
    readers: &'r mut Vec<Reader>,
) -> Result<&'r mut Reader> {
    let mut config = EmbeddingConfig::of(&ws.settings, base)?;
    let says_nothing_new = config.is_builtin() && config.dimension == Some(BUILTIN_DIMENSION);
    if !config.provider.is_local() || says_nothing_new {
        config = EmbeddingConfig::builtin();
    }
    if !config.is_table() {
        let own = config.max_tokens.unwrap_or(MOST_TOKENS_FOR_ENCODERS);
        config.max_tokens = Some(own.min(MOST_TOKENS_FOR_ENCODERS));
    }
    let known = readers.iter().position(|reader| reader.config == config);
    let at = known.unwrap_or_else(|| {
        readers.push(Reader { config, passages: Vec::new() });
        readers.len() - 1
    });
    Ok(&mut readers[at])
}

/// How near each vector is to the question; summed in order, so that every machine gives the same.
fn cosines(model: &Model, asked: &Vectors, vectors: &Vectors) -> Vec<f64> {
    let dot = |one: &[f32], other: &[f32]| -> f64 {
        one.iter().zip(other).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum()
    };
    let question = asked.row(0);
    let length = |row: &[f32]| {
        // Models of others need not give vectors of length one.
        let length = if model.is_builtin() { 1.0 } else { dot(row, row).sqrt() };
        if length > 0.0 { length } else { 1.0 }
    };
    vectors.rows().map(|row| dot(question, row) / (length(question) * length(row))).collect()
}
