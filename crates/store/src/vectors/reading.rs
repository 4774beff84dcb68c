//! Asking the vectors of one generation.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use gik_base::collections::HashMap;
use gik_base::hash::Digest;
use gik_base::{Failure, FileKey, Result};
use gik_index::{ChunkNo, FileNo};
use rusqlite::{Connection, OptionalExtension as _};

use super::table::{self, IndexRow};
use super::{Backend, Bases, EmbeddingModel, Found, Question, VectorIndex, check, norm_of};
use crate::failure::sql;
use crate::packed::damaged;
use crate::snapshot::{self, chunk_columns};
use crate::{ChunkRow, Snapshot};

/// The vectors of a base as far as they count in a generation.
#[derive(Debug)]
pub(crate) struct Opened {
    row: IndexRow,
    index: Box<dyn VectorIndex>,
    /// What the rows of the chunks say that were found last: these are asked for their vectors next.
    found: RefCell<HashMap<ChunkNo, Option<Named>>>,
}

/// What the row of a chunk says of its vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Named {
    place: Option<u32>,
    model_id: i64,
    check: u64,
}

impl Opened {
    fn new(row: IndexRow, index: Box<dyn VectorIndex>) -> Self {
        Self { row, index, found: RefCell::default() }
    }

    /// What the row of a chunk says of its vector, in the one generation that this was opened in.
    fn named(&self, connection: &Connection, chunk: ChunkNo) -> Result<Option<Named>> {
        match self.found.borrow().get(&chunk) {
            Some(known) => Ok(*known),
            None => named(connection, &self.row, chunk),
        }
    }

    /// Whether the row of the chunk names this vector and it was made from the chunk as it is.
    fn is_named(&self, connection: &Connection, found: &Found) -> Result<bool> {
        let named = self.named(connection, found.chunk)?;
        self.found.borrow_mut().insert(found.chunk, named);
        let (place, check) = (Some(found.place), found.check);
        Ok(named == Some(Named { place, model_id: self.row.model_id, check }))
    }
}

/// How many chunks of a base have a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Chunks of the base.
    pub chunks: u64,
    /// Those with a vector of the model.
    pub vectors: u64,
}

/// A chunk that has a vector or should have one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkOfVector {
    /// The chunk.
    pub chunk: ChunkRow,
    /// The name of its file.
    pub key: FileKey,
    /// The mode of its file.
    pub mode: String,
    /// Of path, content and model; goes back with the vector.
    pub check: u64,
}

/// Which chunks are looked at.
#[derive(Debug, Clone, Copy)]
struct Rows<'a> {
    base: &'a str,
    /// By its name.
    model: &'a str,
    /// By its row.
    model_id: i64,
    after: Option<(FileNo, ChunkNo)>,
    limit: usize,
}

impl Snapshot<'_> {
    /// The chunks of a base that are nearest to a vector of the model, nearest first. Only vectors that were made from
    /// the chunk as it is count. A base whose vectors are of another model has none.
    pub fn nearest(
        &self,
        base: &str,
        model: &EmbeddingModel,
        question: &Question<'_>,
    ) -> Result<Vec<(ChunkNo, f32)>> {
        norm_of(question.vector, model.dimension)?;
        let Some(opened) = self.vectors_of(base, model)? else { return Ok(Vec::new()) };
        opened.found.borrow_mut().clear();
        let mut k = question.k;
        loop {
            let found = opened.index.nearest(&Question { k, ..*question })?;
            let is_all = found.len() < k;
            let mut valid = Vec::with_capacity(found.len());
            for found in found {
                if opened.is_named(self.connection, &found)? {
                    valid.push((found.chunk, found.score));
                }
            }
            if is_all || valid.len() >= question.k {
                valid.truncate(question.k);
                return Ok(valid);
            }
            k = k.saturating_mul(2);
        }
    }

    /// How the vectors of a base are kept, where it has any.
    pub fn vector_backend(&self, base: &str) -> Result<Option<Backend>> {
        Ok(self.opened(base)?.map(|opened| opened.row.backend))
    }

    /// How many chunks a base has, and how many of them have a vector of the model.
    pub fn vector_coverage(&self, base: &str, model: &EmbeddingModel) -> Result<Coverage> {
        let (chunks, vectors) = (self.n_chunks_of(base)?, self.n_vectors(base, model)?);
        Ok(Coverage { chunks, vectors })
    }

    /// How many chunks of a base have a vector of the model.
    pub fn n_vectors(&self, base: &str, model: &EmbeddingModel) -> Result<u64> {
        match self.vectors_of(base, model)? {
            None => Ok(0),
            Some(opened) if opened.index.is_whole() => Ok(opened.row.n_vectors),
            Some(opened) => {
                let mut n_missing = 0;
                for_each_vector(self.connection, base, &opened.row, |chunk, place, check| {
                    n_missing += u64::from(!opened.index.holds(chunk, place, check)?);
                    Ok(())
                })?;
                Ok(opened.row.n_vectors.saturating_sub(n_missing))
            },
        }
    }

    /// How many chunks a base has.
    pub fn n_chunks_of(&self, base: &str) -> Result<u64> {
        let chunks: i64 = self
            .connection
            .prepare_cached("SELECT coalesce(sum(n_chunks), 0) FROM files WHERE base = ?1")
            .and_then(|mut statement| statement.query_row([base], |row| row.get(0)))
            .map_err(sql)?;
        Ok(chunks.unsigned_abs())
    }

    /// Up to `limit` chunks of a base that have no vector of the model, in the order of files and chunks, beginning
    /// behind `after`.
    pub fn without_vectors(
        &self,
        base: &str,
        model: &EmbeddingModel,
        after: Option<(FileNo, ChunkNo)>,
        limit: usize,
    ) -> Result<Vec<ChunkOfVector>> {
        let coverage = self.vector_coverage(base, model)?;
        if coverage.vectors == coverage.chunks {
            return Ok(Vec::new());
        }
        let opened = self.vectors_of(base, model)?;
        let model_id = opened.as_ref().map_or(-1, |opened| opened.row.model_id);
        let damaged_index = opened.as_ref().filter(|opened| !opened.index.is_whole());
        let rows = Rows { base, model: &model.name(), model_id, after, limit };
        self.chunks(&rows, damaged_index.is_some(), |chunk, place| match (damaged_index, place) {
            (Some(opened), Some(place)) => {
                Ok(!opened.index.holds(chunk.chunk.id, place, chunk.check)?)
            },
            _ => Ok(true),
        })
    }

    /// Up to `limit` chunks of a base, as [`Snapshot::without_vectors`] gives those that have no vector.
    pub fn chunks_for_vectors(
        &self,
        base: &str,
        model: &EmbeddingModel,
        after: Option<(FileNo, ChunkNo)>,
        limit: usize,
    ) -> Result<Vec<ChunkOfVector>> {
        let rows = Rows { base, model: &model.name(), model_id: -1, after, limit };
        self.chunks(&rows, true, |_, _| Ok(true))
    }

    fn chunks(
        &self,
        rows: &Rows<'_>,
        with_all: bool,
        mut is_wanted: impl FnMut(&ChunkOfVector, Option<u32>) -> Result<bool>,
    ) -> Result<Vec<ChunkOfVector>> {
        let &Rows { base, model, model_id, after, limit } = rows;
        // SQLite takes tables that are crossed in the order of their names here; its own guess is quadratic.
        let text = concat!(
            "SELECT ",
            chunk_columns!(),
            ", f.path, e.offset_bytes, e.length_bytes, f.mode
             FROM files AS f
             CROSS JOIN chunk_rows AS c ON c.id >= f.first_chunk AND c.id < f.first_chunk + f.n_chunks
             LEFT JOIN embeddings AS e ON e.chunk_id = c.id AND e.model_id = ?2
             WHERE f.base = ?1 AND (?3 OR e.chunk_id IS NULL) AND f.id >= ?4 AND (f.id > ?4 OR c.id > ?5)
             ORDER BY f.id, c.id"
        );
        let (file, chunk) =
            after.map_or((-1, -1), |(file, chunk)| (i64::from(file.0), i64::from(chunk.0)));
        let mut statement = self.connection.prepare_cached(text).map_err(sql)?;
        let mut rows = statement.query((base, model_id, with_all, file, chunk)).map_err(sql)?;
        let mut chunks = Vec::new();
        while chunks.len() < limit {
            let Some(row) = rows.next().map_err(sql)? else { break };
            let chunk = snapshot::chunk_row(row).map_err(sql)?;
            let key = FileKey::from_text(row.get::<_, String>(13).map_err(sql)?);
            let check = check::of(key.as_str(), &chunk.content_sha256, model);
            let place = place_of(row, 14).map_err(sql)?;
            let mode = row.get(16).map_err(sql)?;
            let chunk = ChunkOfVector { chunk, key, mode, check };
            if is_wanted(&chunk, place)? {
                chunks.push(chunk);
            }
        }
        Ok(chunks)
    }

    /// The vectors that chunks of a base have of the model, in the order of the chunks. Only a vector that was made from
    /// the chunk as it is counts.
    pub fn vectors(
        &self,
        base: &str,
        model: &EmbeddingModel,
        chunks: &[ChunkNo],
    ) -> Result<Vec<Option<Vec<f32>>>> {
        let Some(opened) = self.vectors_of(base, model)? else {
            return Ok(vec![None; chunks.len()]);
        };
        let mut wanted = Vec::with_capacity(chunks.len());
        let mut at = Vec::with_capacity(chunks.len());
        for (nth, &chunk) in chunks.iter().enumerate() {
            if let Some(Named { place: Some(place), model_id, check }) =
                opened.named(self.connection, chunk)?
                && model_id == opened.row.model_id
            {
                wanted.push((chunk, place, check));
                at.push(nth);
            }
        }
        let mut vectors = vec![None; chunks.len()];
        for (nth, vector) in at.into_iter().zip(opened.index.vectors(&wanted)?) {
            vectors[nth] = vector;
        }
        Ok(vectors)
    }

    /// Why the vectors of a base cannot be asked at the moment.
    pub fn unreachable_vectors(&self, base: &str) -> Result<Option<Failure>> {
        Ok(self.opened(base)?.and_then(|opened| opened.index.unreachable()))
    }

    /// The model whose vectors a base has, by the name that [`EmbeddingModel::name`] gives it.
    pub fn vector_model(&self, base: &str) -> Result<Option<String>> {
        Ok(self.opened(base)?.map(|opened| opened.row.model.clone()))
    }

    /// The vectors of a base; `None` where there are none of the model.
    fn vectors_of(&self, base: &str, model: &EmbeddingModel) -> Result<Option<Rc<Opened>>> {
        Ok(self.opened(base)?.filter(|opened| opened.row.model == model.name()))
    }

    /// Opens the vectors of a base once; `None` where there are none.
    fn opened(&self, base: &str) -> Result<Option<Rc<Opened>>> {
        if let Some(known) = self.vectors.borrow().get(base) {
            return Ok(known.clone());
        }
        let opened = open(self.connection, self.bases, base)?.map(Rc::new);
        self.vectors.borrow_mut().insert(base.to_owned(), opened.clone());
        Ok(opened)
    }
}

/// The vectors of bases that were asked for; `None` where there are none.
pub(crate) type OpenedBases = BTreeMap<String, Option<Rc<Opened>>>;

fn open(connection: &Connection, bases: &Bases, base: &str) -> Result<Option<Opened>> {
    let Some(row) = IndexRow::load(connection, base)? else { return Ok(None) };
    let index = row.backend.open(&bases.place(base)?, row.dimension, &row.extent)?;
    Ok(Some(Opened::new(row, index)))
}

fn named(connection: &Connection, index: &IndexRow, chunk: ChunkNo) -> Result<Option<Named>> {
    connection
        .prepare_cached(
            "SELECT e.offset_bytes, e.length_bytes, e.model_id, c.content_sha256, f.path
             FROM embeddings AS e JOIN chunk_rows AS c ON c.id = e.chunk_id JOIN files AS f ON f.id = c.file_id
             WHERE e.chunk_id = ?1",
        )
        .and_then(|mut statement| {
            statement
                .query_row([chunk.0], |row| {
                    let model_id: i64 = row.get(2)?;
                    let check = check::of(row.get_ref(4)?.as_str()?, &Digest(row.get(3)?), &index.model);
                    Ok(Named { place: place_of(row, 0)?, model_id, check })
                })
                .optional()
        })
        .map_err(sql)
}

/// The place that `offset_bytes` and `length_bytes` tell.
fn place_of(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Option<u32>> {
    let (offset, length): (Option<i64>, Option<i64>) = (row.get(column)?, row.get(column + 1)?);
    let Some((offset, length)) = offset.zip(length) else { return Ok(None) };
    let place = offset.checked_div(length).and_then(|place| u32::try_from(place).ok());
    place.map(Some).ok_or_else(|| damaged(column))
}

/// Calls `each` with chunk, place and check of every row that the vectors of a base have.
pub(super) fn for_each_vector(
    connection: &Connection,
    base: &str,
    index: &IndexRow,
    mut each: impl FnMut(ChunkNo, u32, u64) -> Result<()>,
) -> Result<()> {
    let mut statement = connection
        .prepare_cached(
            "SELECT e.chunk_id, e.offset_bytes, e.length_bytes, c.content_sha256, f.path
             FROM files AS f
             CROSS JOIN chunk_rows AS c ON c.id >= f.first_chunk AND c.id < f.first_chunk + f.n_chunks
             CROSS JOIN embeddings AS e ON e.chunk_id = c.id
             WHERE f.base = ?1 AND e.model_id = ?2 ORDER BY f.id, c.id",
        )
        .map_err(sql)?;
    let mut rows = statement.query((base, index.model_id)).map_err(sql)?;
    while let Some(row) = rows.next().map_err(sql)? {
        let read = || -> rusqlite::Result<_> {
            let check = check::of(row.get_ref(4)?.as_str()?, &Digest(row.get(3)?), &index.model);
            Ok((ChunkNo(row.get(0)?), place_of(row, 1)?.unwrap_or(u32::MAX), check))
        };
        let (chunk, place, check) = read().map_err(sql)?;
        each(chunk, place, check)?;
    }
    Ok(())
}

/// Files of which a chunk has no vector; `None` where no base has vectors.
pub(crate) fn files_without(connection: &Connection) -> Result<Option<u64>> {
    let one = |text: &str| -> Result<i64> {
        connection
            .prepare_cached(text)
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .map_err(sql)
    };
    if one("SELECT count(*) FROM vector_indexes")? == 0 {
        return Ok(None);
    }
    // Counting by file reads a row for every chunk; mostly there is nothing to count.
    let chunks = one("SELECT coalesce(sum(n_chunks), 0) FROM files")?;
    if one("SELECT coalesce(sum(n_vectors), 0) FROM vector_indexes")? == chunks {
        return Ok(Some(0));
    }
    let files = one("SELECT count(*) FROM files AS f WHERE n_chunks > (
           SELECT count(*) FROM embeddings AS e
           WHERE e.chunk_id >= f.first_chunk AND e.chunk_id < f.first_chunk + f.n_chunks)")?;
    Ok(Some(files.unsigned_abs()))
}

/// Reads every vector that counts; returns what is wrong.
pub(crate) fn verify(connection: &Connection, bases: &Bases) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for base in table::bases(connection)? {
        let Some(opened) = open(connection, bases, &base)? else { continue };
        let (mut n_vectors, mut n_broken) = (0, 0u64);
        for_each_vector(connection, &base, &opened.row, |chunk, place, check| {
            n_vectors += 1;
            n_broken += u64::from(!opened.index.holds(chunk, place, check)?);
            Ok(())
        })?;
        if n_broken > 0 {
            findings.push(format!("vectors of `{base}`: {n_broken} are missing or damaged"));
        }
        if n_vectors != opened.row.n_vectors {
            let said = opened.row.n_vectors;
            findings.push(format!("vectors of `{base}`: {n_vectors} where {said} are counted"));
        }
    }
    let orphans: i64 = connection
        .query_row(
            "SELECT count(*) FROM embeddings WHERE chunk_id NOT IN (SELECT id FROM chunk_rows)",
            [],
            |row| row.get(0),
        )
        .map_err(sql)?;
    if orphans != 0 {
        findings.push(format!("database: {orphans} vectors without a chunk"));
    }
    Ok(findings)
}
