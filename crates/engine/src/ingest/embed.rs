//! Stage 3: every chunk gets its vector, after its words can be searched.
//!
//! Texts are read and embedded without the writers' lock, a batch at a time, and each batch is a generation of its own:
//! who is stopped or killed keeps the batches before. A chunk that went or changed meanwhile takes no vector.

use gik_base::parallel::Ahead;
use gik_base::{ErrorCode, Result, clock, env, parallel};
use gik_contract::Timestamp;
use gik_index::vectors::Metric;
use gik_index::{ChunkNo, FileNo};
use gik_models::{Embedder as _, TextKind, Vectors};
use gik_store::{
    Access, ChunkOfVector, Coverage, EmbeddingModel, FileOrigin, FileRow, Snapshot, VectorRow,
    VectorTarget, Writer,
};

use super::{build_state, model_info, rewrite};
use crate::embedding::cache::Cached;
use crate::embedding::{BaseModel, EmbeddingConfig, read_info};
use crate::projection::{chunk_uid, text_on_disk};
use crate::{Workspace, bases, modes};

/// How long it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As long as it does.
    All,
    /// As long as one batch takes: whoever calls comes back for the next.
    Batch,
    /// As long as tables of tokens need: other models are left for later.
    Tables,
    /// Next to no time, because an answer waits: a few vectors of a table, where there are vectors at all.
    Few,
}

/// So many chunks are few: a table needs a small part of the time that reading their files has just taken.
const FEW: u64 = 1000;
/// Chunks of a batch, for a table: a fifth of a second.
const BATCH: usize = 8192;
/// For other models, which take as long for fewer.
const SLOW_BATCH: usize = 256;
/// Text that may wait for its turn.
const AHEAD_BYTES: u64 = 32 << 20;

/// Gives chunks of all bases their vectors, as far as the effort goes, and says how many took one. A base whose model
/// cannot be used is left as it is, with a warning: its words are indexed.
pub(crate) fn fill(ws: &Workspace<'_>, effort: Effort) -> Result<u64> {
    let mut n_made = 0;
    for base in bases::FILE_BASES {
        n_made += match fill_base(ws, base, effort) {
            Err(failure) if is_passing(failure.code()) => {
                if matches!(effort, Effort::All | Effort::Tables) {
                    let hints = failure.hints().iter().map(|hint| format!("; {hint}"));
                    let hints: String = hints.collect();
                    ws.ctx.progress.warn(&format!(
                        "chunks of base `{base}` are without vectors: {failure}{hints}"
                    ));
                }
                0
            },
            other => other?,
        };
    }
    if n_made > 0 {
        build_state::tell_vectors(ws);
    }
    Ok(n_made)
}

/// Whether any base had vectors, whatever became of them.
pub(crate) fn had_vectors(ws: &Workspace<'_>) -> bool {
    bases::FILE_BASES.iter().any(|base| read_info(&ws.branch, base).is_some())
}

/// Whether the words can be searched all the same.
fn is_passing(code: ErrorCode) -> bool {
    !matches!(code, ErrorCode::Interrupted | ErrorCode::Internal | ErrorCode::StoreBroken)
}

fn fill_base(ws: &Workspace<'_>, base: &str, effort: Effort) -> Result<u64> {
    let store = ws.store(Access::ReadOnly)?;
    let snapshot = store.snapshot()?;
    let mut found = BaseModel::of(ws, &snapshot, base)?;
    if found.compatibility.needs_reindex() {
        if effort == Effort::All
            && let Some(warning) = found.warning()
        {
            ws.ctx.progress.warn(&warning);
        }
        return Ok(0);
    }
    if matches!(effort, Effort::Tables | Effort::Few) && !found.config.is_table() {
        return Ok(0);
    }
    let coverage = match &found.model {
        Some(model) => snapshot.vector_coverage(base, model)?,
        None => Coverage { chunks: snapshot.n_chunks_of(base)?, vectors: 0 },
    };
    let n_missing = coverage.chunks.saturating_sub(coverage.vectors);
    let is_too_much = effort == Effort::Few && (coverage.vectors == 0 || n_missing > FEW);
    drop(snapshot);
    drop(store);
    if effort == Effort::All && coverage.vectors > 0 {
        rewrite::complete(ws, &found)?;
    }
    if n_missing == 0 || is_too_much {
        return Ok(0);
    }
    // Only one who may take long converts what another backend keeps.
    if let Some(kept_by) = found.kept_by.filter(|_| effort != Effort::All) {
        found.backend = kept_by;
    }
    let home = env::gik_home();
    let model = found.config.open(home.as_deref(), &ws.ctx.cancel)?;
    let identity = found.config.identity_of(home.as_deref(), &model)?;
    let progress = ws.ctx.progress;
    progress.begin("embedding", Some(n_missing));
    let cached = Cached::new(&ws.settings, &model, &identity);
    let filling = Filling { ws, found: &found, model: &cached, identity: &identity };
    let filled = filling.run(effort);
    progress.end();
    cached.trim();
    filled
}

/// One base and its model.
#[derive(Clone, Copy)]
pub(super) struct Filling<'a> {
    pub(super) ws: &'a Workspace<'a>,
    pub(super) found: &'a BaseModel,
    pub(super) model: &'a Cached<'a>,
    pub(super) identity: &'a EmbeddingModel,
}

impl Filling<'_> {
    fn run(&self, effort: Effort) -> Result<u64> {
        let batch = self.batch();
        let mut after: Option<(FileNo, ChunkNo)> = None;
        let mut n_made = 0;
        loop {
            let store = self.ws.store(Access::ReadOnly)?;
            let snapshot = store.snapshot()?;
            let missing =
                snapshot.without_vectors(&self.found.base, self.identity, after, batch)?;
            let Some(last) = missing.last() else { return Ok(n_made) };
            after = Some((last.chunk.file, last.chunk.id));
            let n_chunks = missing.len() as u64;
            let embedded = self.embed(&snapshot, missing)?;
            drop(snapshot);
            drop(store);
            n_made += self.put(&embedded)?;
            self.ws.ctx.progress.advance(n_chunks);
            if effort == Effort::Batch && n_made > 0 {
                return Ok(n_made);
            }
        }
    }

    /// The vectors of chunks whose text is still the one that was indexed.
    pub(super) fn embed(
        &self,
        snapshot: &Snapshot<'_>,
        chunks: Vec<ChunkOfVector>,
    ) -> Result<Embedded> {
        let ws = self.ws;
        let files = files_of(snapshot, &chunks)?;
        // A table is quick, so that reading is most of the work; other models have threads of their own.
        let table = self.model.table();
        let mut read: Vec<Passage> = Vec::new();
        let mut parts: Vec<Vectors> = Vec::new();
        let work = |file: &FileOfChunks<'_>| -> Result<(Vec<Passage>, Option<Vectors>)> {
            let passages = file.passages(ws, &self.found.config);
            let vectors = table
                .map(|table| table.embed(&texts_of(&passages), TextKind::Passage, &ws.ctx.cancel));
            let vectors = vectors.transpose()?;
            Ok((passages, vectors))
        };
        let ahead =
            Ahead { weigh: |file: &FileOfChunks<'_>| file.file.stat.size, budget: AHEAD_BYTES };
        parallel::in_order(&files, ws.threads(), ahead, &ws.ctx.cancel, work, |worked| {
            let (passages, vectors) = worked?;
            parts.extend(vectors);
            read.extend(passages);
            Ok(())
        })?;
        if table.is_none() {
            parts.push(self.model.embed(&texts_of(&read), &ws.ctx.cancel)?);
        }
        let at: Vec<usize> = read.into_iter().map(|(at, _)| at).collect();
        Ok(Embedded { chunks, at, parts })
    }

    fn put(&self, embedded: &Embedded) -> Result<u64> {
        let Self { ws, found, identity, .. } = self;
        if embedded.at.is_empty() {
            return Ok(0);
        }
        let held = ws.hold()?;
        let mut store = ws.store(Access::ReadWrite)?;
        let mut writer = store.writer()?;
        let now = clock::now();
        let n_taken = embedded.put(&mut writer, &target_of(found, identity, now))?;
        writer.commit()?;
        if found.kept_by.is_none() {
            store.fold_log();
        }
        model_info::keep(ws, &held, &found.base, identity, now)?;
        Ok(n_taken)
    }

    pub(super) fn batch(&self) -> usize {
        if self.found.config.is_table() { BATCH } else { SLOW_BATCH }
    }
}

/// Where the vectors of a base go.
pub(super) fn target_of<'a>(
    found: &'a BaseModel,
    model: &'a EmbeddingModel,
    now: Timestamp,
) -> VectorTarget<'a> {
    let (base, backend) = (found.base.as_str(), found.backend);
    VectorTarget { base, model, backend, metric: Metric::Cosine, now }
}

impl Embedded {
    /// Gives the chunks their vectors, as part of a change.
    pub(super) fn put(&self, writer: &mut Writer<'_>, target: &VectorTarget<'_>) -> Result<u64> {
        let uids: Vec<String> = self
            .at
            .iter()
            .map(|&at| chunk_uid(&self.chunks[at].chunk, &self.chunks[at].key))
            .collect();
        let vectors = self.parts.iter().flat_map(Vectors::rows);
        let rows: Vec<VectorRow<'_>> = self
            .at
            .iter()
            .zip(&uids)
            .zip(vectors)
            .map(|((&at, uid), vector)| {
                let of = &self.chunks[at];
                let labels = bases::label(target.base) | modes::label(&of.mode);
                VectorRow { chunk: of.chunk.id, check: of.check, labels, uid, vector }
            })
            .collect();
        Ok(writer.put_vectors(target, &rows)? as u64)
    }
}

/// What a model reads of a chunk, with the place of the chunk.
type Passage = (usize, String);

fn texts_of(passages: &[Passage]) -> Vec<&str> {
    passages.iter().map(|(_, text)| text.as_str()).collect()
}

/// Chunks and the vectors of some of them.
pub(super) struct Embedded {
    pub(super) chunks: Vec<ChunkOfVector>,
    /// The places of those that have one.
    pub(super) at: Vec<usize>,
    pub(super) parts: Vec<Vectors>,
}

/// A file and the chunks of it that are to be read.
struct FileOfChunks<'a> {
    file: FileRow,
    /// Its text, where that is kept in the index.
    kept: Option<String>,
    first: usize,
    chunks: &'a [ChunkOfVector],
}

impl FileOfChunks<'_> {
    /// What a model reads of each chunk, with the place of the chunk.
    fn passages(&self, ws: &Workspace<'_>, config: &EmbeddingConfig) -> Vec<Passage> {
        let read;
        let text = match self.file.origin {
            FileOrigin::File => {
                read = text_on_disk(&ws.root, &self.file);
                read.as_deref()
            },
            FileOrigin::Archive | FileOrigin::Url => self.kept.as_deref(),
        };
        let Some(text) = text else { return Vec::new() };
        let passage = |(at, of): (usize, &ChunkOfVector)| {
            let text = text.get(of.chunk.bytes.clone())?;
            Some((self.first + at, config.passage(&of.key, text)))
        };
        self.chunks.iter().enumerate().filter_map(passage).collect()
    }
}

fn files_of<'a>(
    snapshot: &Snapshot<'_>,
    chunks: &'a [ChunkOfVector],
) -> Result<Vec<FileOfChunks<'a>>> {
    let mut files = Vec::new();
    let mut first = 0;
    for chunks in chunks.chunk_by(|one, other| one.chunk.file == other.chunk.file) {
        if let Some(file) = snapshot.file(chunks[0].chunk.file)? {
            let kept = match file.origin {
                FileOrigin::File => None,
                FileOrigin::Archive | FileOrigin::Url => snapshot.content_of(file.id)?,
            };
            files.push(FileOfChunks { file, kept, first, chunks });
        }
        first += chunks.len();
    }
    Ok(files)
}
