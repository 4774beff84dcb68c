//! Which chunks are near the question in meaning?
//!
//! Vectors that are kept find chunks whose words are others, and say how near the candidates are. A candidate without
//! one is embedded when it is asked for: a table of words is quick enough for the few that words have found, and a
//! transformer for fewer. No text of the workspace leaves the machine here, and the question only where the vectors of a
//! base were made by a server, which the user named.

use std::collections::BTreeMap;
use std::time::Instant;

use gik_base::collections::HashSet;
use gik_base::{Failure, Result, env};
use gik_contract::ask::VectorCoverage;
use gik_index::vectors::{Kernels, Metric};
use gik_index::{ChunkNo, FileNo, Query, Scan};
use gik_models::{BUILTIN_DIMENSION, Embedder, Model, TextKind, Vectors};
use gik_retrieve::{Admits, Candidates, Nearness, Scope, is_name, signals};
use gik_store::{EmbeddingModel, RowMeta};

use crate::answer::{Question, Texts};
use crate::embedding::cache::Cached;
use crate::embedding::{BaseModel, EmbeddingConfig};
use crate::finding::Reading;
use crate::modes::Mode;
use crate::{Workspace, bases};

/// So many candidates are looked at, and so many are found by vectors.
const MOST_CANDIDATES: usize = 60;
/// So many by a transformer, and so many tokens of each: about half a second on two cores with all-MiniLM-L6-v2. The
/// bound is a count and no clock, so that every machine gives the same answer.
const MOST_FOR_ENCODERS: usize = 24;
const MOST_TOKENS_FOR_ENCODERS: usize = 96;
/// So much is read for it: a file is read as a whole, to know that it is the one that was indexed.
const MOST_READ_BYTES: u64 = 16 << 20;

/// What an answer says of the models behind it.
#[derive(Debug, Default)]
pub(crate) struct Meaning {
    /// Their names.
    pub(crate) models: Option<String>,
    /// Bases of which some chunks have vectors and others have none.
    pub(crate) partly: BTreeMap<String, VectorCoverage>,
}

/// A model, the question as it sees it, and what it has to do.
struct Reader {
    config: EmbeddingConfig,
    opened: Option<(Model, Vectors)>,
    /// The places of its candidates, with what they say.
    passages: Vec<(usize, String)>,
}

/// A base whose vectors can be asked.
struct Kept {
    base: &'static str,
    model: EmbeddingModel,
    reader: usize,
}

fn not_asked(base: &str, failure: &Failure) -> String {
    format!("the vectors of base `{base}` were not asked: {failure}")
}

/// What is asked, and of what.
pub(crate) struct Asking<'a> {
    pub(crate) reading: &'a Reading<'a>,
    pub(crate) question: &'a Question,
    pub(crate) scope: &'a Scope,
    /// Which chunks count, where files and labels do not tell.
    pub(crate) admits: Option<Admits<'a>>,
}

/// What vectors know of a question.
pub(crate) struct Near {
    readers: Vec<Reader>,
    kept: Vec<Kept>,
    partly: BTreeMap<String, VectorCoverage>,
    /// What is to be said of the vectors there are: warnings and others.
    notes: Vec<(bool, String)>,
    /// The nearest chunks, and how long it took to find them.
    nearest: Vec<ChunkNo>,
    ms: f64,
}

impl Asking<'_> {
    /// Whether meaning has a say. Names are found by their letters.
    pub(crate) fn asks_for_meaning(&self, query: &Query) -> bool {
        !is_name(self.meant(query.text())) && self.question.weights.meaning > 0.0
    }

    /// Whether a chunk without any of the words may answer. Comments are part of what a vector was made from, and
    /// cannot be told from the rest.
    pub(crate) fn may_be_answered_by_meaning(&self, query: &Query) -> bool {
        let conditions = &self.question.conditions;
        !query.has_hard_parts()
            && !conditions.are_about_texts()
            && conditions.mode != Some(Mode::ExtractedProse)
    }

    /// What is compared.
    fn meant<'q>(&'q self, text: &'q str) -> &'q str {
        self.question.meant.as_deref().unwrap_or(text)
    }

    /// What vectors know of a question, and the chunks nearest to it where they may answer it.
    pub(crate) fn near(&self, text: &str, may_answer: bool) -> Result<Near> {
        let mut near = self.kept(self.meant(text))?;
        if !near.kept.is_empty() && may_answer {
            let started = Instant::now();
            near.nearest = self.nearest(&near.kept, &near.readers)?;
            near.ms = started.elapsed().as_secs_f64() * 1e3;
        }
        Ok(near)
    }

    /// Adds chunks that are near the question and ranks all candidates by how near they are as well.
    pub(crate) fn rerank(
        &self,
        near: Near,
        query: &Query,
        candidates: &mut Candidates,
        texts: &mut Texts,
    ) -> Result<Meaning> {
        let &Reading { ws, snapshot, files, notes, .. } = self.reading;
        let Near { mut readers, kept, partly, notes: said, nearest, ms } = near;
        for (is_warning, note) in &said {
            if *is_warning { notes.warn(note) } else { notes.inform(note) }
        }
        let meant = self.meant(query.text());
        let n_by_words = candidates.found().count();
        if !kept.is_empty() && self.may_be_answered_by_meaning(query) {
            candidates.add_near(snapshot, files, &nearest, ms)?;
        }
        let started = Instant::now();
        // As many are looked at as without vectors, and those that vectors found: an answer must not hang on how many
        // chunks have vectors so far.
        let near: HashSet<ChunkNo> = nearest.into_iter().collect();
        let is_looked_at =
            |at: usize, chunk: ChunkNo| at < MOST_CANDIDATES || near.contains(&chunk);
        let mut nearness = self.stored(&kept, &readers, candidates, &is_looked_at)?;
        let mut read_bytes = 0;
        let mut read_files = HashSet::default();
        for (at, found) in candidates.found().take(MOST_CANDIDATES.min(n_by_words)).enumerate() {
            if nearness[at] != Nearness::Unknown {
                continue;
            }
            if read_files.insert(found.file.id) {
                read_bytes += found.file.stat.size;
            }
            if read_bytes > MOST_READ_BYTES {
                break;
            }
            let Some(reader) = reader_of(ws, &found.file.base, &kept, &mut readers)? else {
                continue;
            };
            if !reader.config.is_table() && reader.passages.len() == MOST_FOR_ENCODERS {
                continue;
            }
            nearness[at] = Nearness::Gone;
            if let Some(text) = texts.of(ws, snapshot, found)? {
                let passage = reader.config.passage(&found.file.key, text);
                reader.passages.push((at, passage));
            }
        }
        readers.retain(|reader| reader.opened.is_some() || !reader.passages.is_empty());
        if readers.is_empty() || nearness.is_empty() {
            return Ok(Meaning { models: None, partly });
        }
        let mut names = Vec::new();
        for reader in &mut readers {
            let passages = std::mem::take(&mut reader.passages);
            let config = reader.config.clone();
            let (model, asked) = reader.open(ws, meant)?;
            names.push(model.id().name.clone());
            if passages.is_empty() {
                continue;
            }
            let identity = config.identity_of(env::gik_home().as_deref(), model)?;
            let texts: Vec<&str> = passages.iter().map(|(_, text)| text.as_str()).collect();
            let vectors =
                Cached::new(&ws.settings, model, &identity).embed(&texts, &ws.ctx.cancel)?;
            for ((at, _), vector) in passages.iter().zip(vectors.rows()) {
                nearness[*at] = Nearness::Known(cosine(model, asked.row(0), vector));
            }
        }
        candidates.weigh(&nearness, started.elapsed().as_secs_f64() * 1e3);
        Ok(Meaning { models: Some(names.join(", ")), partly })
    }

    /// Whether a chunk counts.
    fn takes(&self, file: FileNo, chunk: ChunkNo, labels: u32) -> bool {
        self.scope.takes(file, labels)
            && self.admits.is_none_or(|Admits(admits)| admits(file, chunk))
    }

    /// The bases whose vectors can be asked, with their readers, and those of which only a part can.
    fn kept(&self, meant: &str) -> Result<Near> {
        let Self { reading, question, .. } = *self;
        let Reading { ws, snapshot, counts, .. } = *reading;
        let (mut kept, mut partly, mut notes) = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut readers: Vec<Reader> = Vec::new();
        for &base in
            bases::FILE_BASES.iter().filter(|base| question.conditions.bases.contains(base))
        {
            if snapshot.vector_model(base)?.is_none() {
                continue;
            }
            let found = BaseModel::of(ws, snapshot, base)?;
            if let Some(warning) = found.warning() {
                notes.push((true, warning));
                continue;
            }
            let Some(model) = found.model else { continue };
            let chunks = counts.iter().find(|count| count.name == base).map_or(0, |one| one.chunks);
            let vectors = snapshot.n_vectors(base, &model)?;
            if vectors == 0 {
                continue;
            }
            if vectors < chunks {
                partly.insert(base.to_owned(), VectorCoverage { chunks, vectors });
                let others = "`gik index` makes the others";
                notes.push((
                    false,
                    format!("{vectors} of {chunks} chunks of base `{base}` have vectors: {others}"),
                ));
            }
            if let Some(failure) = snapshot.unreachable_vectors(base)? {
                reading.notes.warn(&not_asked(base, &failure));
                continue;
            }
            let is_local = found.config.provider.is_local();
            // The server need not be asked for what is known.
            let config = EmbeddingConfig { dimension: Some(model.dimension), ..found.config };
            let reader = place_of(usual(config), &mut readers);
            match readers[reader].open(ws, meant) {
                Err(failure) if !is_local => {
                    ws.ctx.progress.warn(&not_asked(base, &failure));
                    continue;
                },
                opened => drop(opened?),
            }
            kept.push(Kept { base, model, reader });
        }
        Ok(Near { readers, kept, partly, notes, nearest: Vec::new(), ms: 0.0 })
    }

    /// The chunks nearest to the question.
    fn nearest(&self, kept: &[Kept], readers: &[Reader]) -> Result<Vec<ChunkNo>> {
        let mut near = Vec::new();
        for Kept { base, model, reader } in kept {
            let Some((_, asked)) = &readers[*reader].opened else { continue };
            let filter = |row: RowMeta| self.takes(row.file, row.chunk, row.labels);
            let nearest = gik_store::Question {
                vector: asked.row(0),
                k: MOST_CANDIDATES,
                metric: Metric::Cosine,
                filter: &filter,
            };
            let found = match self.reading.scan {
                None => self.reading.snapshot.nearest(base, model, &nearest)?,
                Some(scan) => self.compared_with_all(base, model, &nearest, scan)?,
            };
            let is_near = |score: f32| f64::from(score) >= signals::NEAR;
            near.extend(
                found.into_iter().filter(|(_, score)| is_near(*score)).map(|(chunk, _)| chunk),
            );
        }
        Ok(near)
    }

    /// The nearest chunks by comparing every vector there is.
    fn compared_with_all(
        &self,
        base: &str,
        model: &EmbeddingModel,
        nearest: &gik_store::Question<'_>,
        scan: &Scan,
    ) -> Result<Vec<(ChunkNo, f32)>> {
        let kernels = Kernels::best();
        let counting: Vec<ChunkNo> = (scan.documents().iter())
            .map(|it| RowMeta { chunk: it.chunk, file: it.file, labels: it.labels })
            .filter(|row| (nearest.filter)(*row))
            .map(|row| row.chunk)
            .collect();
        let vectors = self.reading.snapshot.vectors(base, model, &counting)?;
        let asked = (nearest.vector, kernels.norm(nearest.vector));
        let mut scored: Vec<(ChunkNo, f32)> = (counting.into_iter().zip(vectors))
            .filter_map(|(chunk, vector)| {
                let vector = vector?;
                let own = (vector.as_slice(), kernels.norm(&vector));
                Some((chunk, kernels.score(nearest.metric, asked, own)))
            })
            .collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        scored.truncate(nearest.k);
        Ok(scored)
    }

    /// How near the candidates are that have a vector.
    fn stored(
        &self,
        kept: &[Kept],
        readers: &[Reader],
        candidates: &Candidates,
        is_looked_at: &dyn Fn(usize, ChunkNo) -> bool,
    ) -> Result<Vec<Nearness>> {
        let mut nearness = vec![Nearness::Unknown; candidates.found().count()];
        for Kept { base, model, reader } in kept {
            let Some((opened, asked)) = &readers[*reader].opened else { continue };
            let (places, chunks): (Vec<usize>, Vec<ChunkNo>) = candidates
                .found()
                .enumerate()
                .filter(|(at, found)| {
                    *found.file.base == **base && is_looked_at(*at, found.chunk.id)
                })
                .map(|(at, found)| (at, found.chunk.id))
                .unzip();
            let vectors = self.reading.snapshot.vectors(base, model, &chunks)?;
            for (at, vector) in places.into_iter().zip(vectors) {
                if let Some(vector) = vector {
                    nearness[at] = Nearness::Known(cosine(opened, asked.row(0), &vector));
                }
            }
        }
        Ok(nearness)
    }
}

impl Reader {
    /// The model and the question as it sees it.
    fn open(&mut self, ws: &Workspace<'_>, question: &str) -> Result<(&Model, &Vectors)> {
        let opened = match self.opened.take() {
            Some(opened) => opened,
            None => {
                let model = self.config.open(env::gik_home().as_deref(), &ws.ctx.cancel)?;
                let asked = model.embed(&[question], TextKind::Query, &ws.ctx.cancel)?;
                (model, asked)
            },
        };
        let (model, asked) = &*self.opened.insert(opened);
        Ok((model, asked))
    }
}

/// The model that embeds candidates of a base. `None` where that is a server: what it has not seen stays here.
fn reader_of<'r>(
    ws: &Workspace<'_>,
    base: &str,
    kept: &[Kept],
    readers: &'r mut Vec<Reader>,
) -> Result<Option<&'r mut Reader>> {
    let mut config = EmbeddingConfig::of(&ws.settings, base)?;
    if !config.provider.is_local() {
        if kept.iter().any(|kept| kept.base == base) {
            return Ok(None);
        }
        // It stands in for a server that has seen nothing of the base.
        config = EmbeddingConfig::builtin();
    }
    let at = match kept.iter().find(|kept| kept.base == base) {
        Some(kept) => kept.reader,
        None => place_of(usual(within_bounds(config)), readers),
    };
    Ok(Some(&mut readers[at]))
}

/// What is embedded only to be compared now is not read to its end by a transformer.
fn within_bounds(config: EmbeddingConfig) -> EmbeddingConfig {
    if config.is_table() {
        return config;
    }
    let own = config.max_tokens.unwrap_or(MOST_TOKENS_FOR_ENCODERS);
    EmbeddingConfig { max_tokens: Some(own.min(MOST_TOKENS_FOR_ENCODERS)), ..config }
}

/// A config that says of the built-in model no more than is known of it anyway is that of all who say nothing.
fn usual(config: EmbeddingConfig) -> EmbeddingConfig {
    let says_nothing_new =
        config.is_builtin() && config.dimension.is_none_or(|n| n == BUILTIN_DIMENSION);
    if says_nothing_new { EmbeddingConfig::builtin() } else { config }
}

fn place_of(config: EmbeddingConfig, readers: &mut Vec<Reader>) -> usize {
    readers.iter().position(|reader| reader.config == config).unwrap_or_else(|| {
        readers.push(Reader { config, opened: None, passages: Vec::new() });
        readers.len() - 1
    })
}

/// How near a vector is to the question; summed in order, so that every machine gives the same.
fn cosine(model: &Model, question: &[f32], row: &[f32]) -> f64 {
    let dot = |one: &[f32], other: &[f32]| -> f64 {
        one.iter().zip(other).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum()
    };
    let length = |row: &[f32]| {
        // Models of others need not give vectors of length one.
        let length = if model.is_builtin() { 1.0 } else { dot(row, row).sqrt() };
        if length > 0.0 { length } else { 1.0 }
    };
    dot(question, row) / (length(question) * length(row))
}
