//! All vectors of a base at once: another model makes them anew, another backend takes them over.
//!
//! Either is one change of the index. `mmap` keeps the old vectors until it commits; the other backends have one file,
//! so a rewrite that is stopped leaves vectors missing, and the next run makes them.

use gik_base::{Result, clock, env};
use gik_ledger::Held;
use gik_models::Vectors;
use gik_store::{Access, ChunkOfVector, EmbeddingModel, Snapshot, Store};

use super::embed::{Embedded, Filling, target_of};
use super::{build_state, model_info};
use crate::Workspace;
use crate::embedding::cache::Cached;
use crate::embedding::{BaseModel, Compatibility, read_info};

/// Makes all vectors of a base anew and says how many there are now.
pub(crate) fn reembed(ws: &Workspace<'_>, base: &str) -> Result<u64> {
    let home = env::gik_home();
    let reader = ws.store(Access::ReadOnly)?;
    let found = BaseModel::of(ws, &reader.snapshot()?, base)?;
    let model = found.config.open(home.as_deref(), &ws.ctx.cancel)?;
    let identity = found.config.identity_of(home.as_deref(), &model)?;
    let cached = Cached::new(&ws.settings, &model, &identity);
    let filling = Filling { ws, found: &found, model: &cached, identity: &identity };
    let progress = ws.ctx.progress;
    progress.begin("embedding", Some(reader.snapshot()?.n_chunks_of(base)?));
    drop(reader);
    let made = made_anew(&filling, cached.keeps());
    progress.end();
    let (held, n_made) = made?;
    cached.trim();
    model_info::keep(ws, &held, base, &identity, clock::now())?;
    model_info::note_reindexed(ws, &held, base)?;
    build_state::tell_vectors(ws);
    Ok(n_made)
}

fn made_anew(filling: &Filling<'_>, has_cache: bool) -> Result<(Held, u64)> {
    let &Filling { ws, found, identity, .. } = filling;
    // A slow model does its work before the lock is taken; what it made is read from the cache then.
    if has_cache {
        prepare(filling)?;
    }
    let held = ws.hold()?;
    let n_made = rewritten(ws, found, identity, filling.batch(), |snapshot, chunks| {
        if !has_cache {
            ws.ctx.progress.advance(chunks.len() as u64);
        }
        filling.embed(snapshot, chunks)
    })?;
    Ok((held, n_made))
}

/// Has the vectors of all chunks of a base made and kept in the cache.
fn prepare(filling: &Filling<'_>) -> Result<()> {
    let store = filling.ws.store(Access::ReadOnly)?;
    let snapshot = store.snapshot()?;
    let mut after = None;
    loop {
        let (base, batch) = (&filling.found.base, filling.batch());
        let chunks = snapshot.chunks_for_vectors(base, filling.identity, after, batch)?;
        let Some(last) = chunks.last() else { return Ok(()) };
        after = Some((last.chunk.file, last.chunk.id));
        filling.ws.ctx.progress.advance(chunks.len() as u64);
        filling.embed(&snapshot, chunks)?;
    }
}

/// Sees to it that the vectors of a base are kept as the config says, and that the files which tell of them are there.
pub(super) fn complete(ws: &Workspace<'_>, found: &BaseModel) -> Result<()> {
    let Some(model) = &found.model else { return Ok(()) };
    let is_converted = found.compatibility == Compatibility::BackendMismatch;
    let is_told = read_info(&ws.branch, &found.base).is_some() && found.has_meta(&ws.branch);
    if !is_converted && is_told {
        return Ok(());
    }
    let held = ws.hold()?;
    let now = clock::now();
    if is_converted {
        rewritten(ws, found, model, CONVERTED, |snapshot, chunks| {
            stored(snapshot, found, model, chunks)
        })?;
    } else {
        let mut store = ws.store(Access::ReadWrite)?;
        let mut writer = store.writer()?;
        writer.put_vectors(&target_of(found, model, now), &[])?;
        writer.commit()?;
    }
    model_info::keep(ws, &held, &found.base, model, now)
}

/// Chunks whose vectors are converted at a time.
const CONVERTED: usize = 8192;

/// Puts what `of` gives for every chunk of a base, in one change. The caller holds the writers' lock.
fn rewritten(
    ws: &Workspace<'_>,
    found: &BaseModel,
    model: &EmbeddingModel,
    batch: usize,
    of: impl Fn(&Snapshot<'_>, Vec<ChunkOfVector>) -> Result<Embedded>,
) -> Result<u64> {
    // The vectors as they were, while the writer replaces them.
    let reader: Store = ws.store(Access::ReadOnly)?;
    let snapshot = reader.snapshot()?;
    let mut store = ws.store(Access::ReadWrite)?;
    let mut writer = store.writer()?;
    let target = target_of(found, model, clock::now());
    let mut after = None;
    let mut n_made = 0;
    loop {
        let chunks = snapshot.chunks_for_vectors(&found.base, model, after, batch)?;
        let Some(last) = chunks.last() else { break };
        after = Some((last.chunk.file, last.chunk.id));
        n_made += of(&snapshot, chunks)?.put(&mut writer, &target)?;
    }
    writer.commit()?;
    Ok(n_made)
}

/// The vectors that chunks have.
fn stored(
    snapshot: &Snapshot<'_>,
    found: &BaseModel,
    model: &EmbeddingModel,
    chunks: Vec<ChunkOfVector>,
) -> Result<Embedded> {
    let ids: Vec<_> = chunks.iter().map(|of| of.chunk.id).collect();
    let vectors = snapshot.vectors(&found.base, model, &ids)?;
    let at = vectors.iter().enumerate().filter(|(_, vector)| vector.is_some());
    let at: Vec<usize> = at.map(|(at, _)| at).collect();
    let numbers: Vec<f32> = vectors.into_iter().flatten().flatten().collect();
    Ok(Embedded { chunks, at, parts: vec![Vectors::of(model.dimension, numbers)] })
}
