//! Changing the vectors of a base, as part of a change of the index.

use gik_base::hash::Digest;
use gik_base::{Result, fs};
use gik_contract::Timestamp;
use gik_index::vectors::Metric;
use gik_index::{ChunkNo, DocNo, FileNo};
use rusqlite::OptionalExtension as _;

use super::reading::for_each_vector;
use super::table::{self, IndexRow};
use super::{
    Backend, EmbeddingModel, Entry, Finished, Later, MAX_DIMENSION, RowMeta, VectorChange, backend,
    check, invalid, norm_of,
};
use crate::Writer;
use crate::failure::sql;
use crate::packed::number;

/// Where vectors go.
#[derive(Debug, Clone, Copy)]
pub struct VectorTarget<'a> {
    /// The base.
    pub base: &'a str,
    /// What made them. Vectors of another model are forgotten.
    pub model: &'a EmbeddingModel,
    /// How they are kept. What another backend keeps is forgotten.
    pub backend: Backend,
    /// How they are meant to be compared.
    pub metric: Metric,
    /// The time of the change.
    pub now: Timestamp,
}

/// A vector of a chunk.
#[derive(Debug, Clone, Copy)]
pub struct VectorRow<'a> {
    /// The chunk.
    pub chunk: ChunkNo,
    /// As it was when its text was read: [`crate::ChunkOfVector::check`].
    pub check: u64,
    /// The bits that the words of the chunk carry as well.
    pub labels: u32,
    /// The stable id of the chunk.
    pub uid: &'a str,
    /// The numbers.
    pub vector: &'a [f32],
}

/// A chunk as the database has it.
struct Known {
    file: FileNo,
    path: String,
    content: Digest,
    /// Place of its vector, if it has one.
    place: Option<u32>,
}

impl Writer<'_> {
    /// Gives chunks their vectors and returns how many took theirs: a chunk that has gone or changed since its text was
    /// read takes none. The vectors count when this change is committed.
    pub fn put_vectors(
        &mut self,
        target: &VectorTarget<'_>,
        rows: &[VectorRow<'_>],
    ) -> Result<usize> {
        let dimension = target.model.dimension;
        if dimension == 0 || dimension > MAX_DIMENSION {
            return Err(invalid(format!("vectors of {dimension} numbers are not kept")));
        }
        // Nothing is changed for the sake of rows of which one is wrong.
        let norms =
            rows.iter().map(|row| norm_of(row.vector, dimension)).collect::<Result<Vec<f32>>>()?;
        let place = self.bases.place(target.base)?;
        let mut index = self.vectors_for(target)?;
        let mut change = target.backend.change(&place, dimension, index.extent.clone())?;
        if !change.before().is_whole() {
            self.forget_missing(target.base, &mut index, &mut *change)?;
        }
        let mut n_taken = 0;
        for (row, norm) in rows.iter().zip(norms) {
            let Some(known) = self.known_chunk(row.chunk, index.model_id)? else { continue };
            if check::of(&known.path, &known.content, &index.model) != row.check {
                continue;
            }
            match known.place {
                Some(place) => change.remove(place),
                None => index.n_vectors += 1,
            }
            let meta = RowMeta { chunk: row.chunk, file: known.file, labels: row.labels };
            let entry = Entry {
                meta,
                check: row.check,
                uid: row.uid,
                path: &known.path,
                vector: row.vector,
            };
            let place = change.put(&entry)?;
            let length = number(dimension * 4);
            self.run(
                "INSERT OR REPLACE INTO embeddings(chunk_id, model_id, offset_bytes, length_bytes, norm)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                (row.chunk.0, index.model_id, i64::from(place) * length, length, norm),
            )?;
            n_taken += 1;
        }
        self.conclude(target.base, index, change.finish()?)?;
        table::write_meta(&place.dir, target)?;
        Ok(n_taken)
    }

    /// Forgets the vectors that are damaged or missing, so that they are made again. Reads all of them.
    pub fn forget_damaged_vectors(&mut self, base: &str) -> Result<u64> {
        let Some(mut index) = self.index_row(base)? else { return Ok(0) };
        let before = index.n_vectors;
        let place = self.bases.place(base)?;
        let mut change = index.backend.change(&place, index.dimension, index.extent.clone())?;
        self.forget_missing(base, &mut index, &mut *change)?;
        let n_forgotten = before - index.n_vectors;
        if n_forgotten > 0 {
            self.conclude(base, index, change.finish()?)?;
        }
        Ok(n_forgotten)
    }

    /// Forgets the vectors of the chunks of a file, which are about to go.
    pub(crate) fn forget_vectors_of(&mut self, file: FileNo) -> Result<()> {
        let places: Vec<(i64, i64)> = self
            .connection
            .prepare_cached(
                "DELETE FROM embeddings
                 WHERE chunk_id >= (SELECT first_chunk FROM files WHERE id = ?1)
                   AND chunk_id < (SELECT first_chunk + n_chunks FROM files WHERE id = ?1)
                 RETURNING offset_bytes, length_bytes",
            )
            .and_then(|mut statement| {
                statement.query_map([file.0], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
            })
            .map_err(sql)?;
        if places.is_empty() {
            return Ok(());
        }
        let base: String = self
            .connection
            .prepare_cached("SELECT base FROM files WHERE id = ?1")
            .and_then(|mut statement| statement.query_row([file.0], |row| row.get(0)))
            .map_err(sql)?;
        let dead = self.dead_vectors.entry(base).or_default();
        dead.extend(places.iter().filter_map(|(offset, length)| {
            offset.checked_div(*length).and_then(|place| u32::try_from(place).ok())
        }));
        Ok(())
    }

    /// Notes the places of vectors whose chunks have gone.
    pub(crate) fn bury_vectors(&mut self) -> Result<()> {
        let bases: Vec<String> = self.dead_vectors.keys().cloned().collect();
        for base in bases {
            if let Some(index) = self.index_row(&base)? {
                index.save(self.connection, &base)?;
            }
        }
        Ok(())
    }

    /// Removes files that the committed generation has no use for.
    pub(crate) fn remove_obsolete_vectors(&mut self) {
        // The change is made. What cannot be removed now is removed with the index.
        for path in std::mem::take(&mut self.obsolete_vectors) {
            drop(backend::remove(&path));
        }
        for (_, Later(prune)) in std::mem::take(&mut self.later_for_vectors) {
            drop(prune());
        }
    }

    /// The vectors of a base with what died in this change.
    fn index_row(&mut self, base: &str) -> Result<Option<IndexRow>> {
        let dead = self.dead_vectors.remove(base).unwrap_or_default();
        let Some(mut index) = IndexRow::load(self.connection, base)? else { return Ok(None) };
        index.n_vectors = index.n_vectors.saturating_sub(dead.len() as u64);
        for place in dead {
            index.extent.dead.insert(DocNo(place));
        }
        Ok(Some(index))
    }

    /// The vectors of a base if they are of the model and the backend, otherwise none in their place.
    fn vectors_for(&mut self, target: &VectorTarget<'_>) -> Result<IndexRow> {
        let (model_id, model) = (self.model_id(target.model, target.now)?, target.model.name());
        let known = self.index_row(target.base)?;
        let extent = match known {
            Some(index) if index.backend == target.backend && index.model_id == model_id => {
                return Ok(index);
            },
            None => target.backend.fresh(&Default::default()),
            Some(index) => {
                self.run(
                    "DELETE FROM embeddings WHERE chunk_id IN (
                       SELECT c.id FROM files AS f
                       CROSS JOIN chunk_rows AS c ON c.id >= f.first_chunk AND c.id < f.first_chunk + f.n_chunks
                       WHERE f.base = ?1)",
                    [target.base],
                )?;
                if index.backend == target.backend {
                    let dir = self.bases.place(target.base)?.dir;
                    self.obsolete_vectors.extend(index.backend.left_behind(&dir, &index.extent));
                    target.backend.fresh(&index.extent)
                } else {
                    self.forget_files(target, index.backend)?;
                    target.backend.fresh(&Default::default())
                }
            },
        };
        let (backend, dimension) = (target.backend, target.model.dimension);
        Ok(IndexRow { backend, model_id, model, dimension, n_vectors: 0, extent })
    }

    /// Marks the files of a backend to be removed once the change is made.
    fn forget_files(&mut self, target: &VectorTarget<'_>, backend: Backend) -> Result<()> {
        for path in fs::list_dir(&self.bases.place(target.base)?.dir)? {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            if name.is_some_and(|name| backend.makes(&name)) {
                self.obsolete_vectors.push(path);
            }
        }
        Ok(())
    }

    fn model_id(&self, model: &EmbeddingModel, now: Timestamp) -> Result<i64> {
        let name = model.name();
        self.run(
            "INSERT OR IGNORE INTO embedding_models(name, dim, created_at) VALUES (?1, ?2, ?3)",
            (&name, number(model.dimension), now.as_second()),
        )?;
        self.connection
            .prepare_cached("SELECT id FROM embedding_models WHERE name = ?1")
            .and_then(|mut statement| statement.query_row([&name], |row| row.get(0)))
            .map_err(sql)
    }

    fn known_chunk(&self, chunk: ChunkNo, model_id: i64) -> Result<Option<Known>> {
        self.connection
            .prepare_cached(
                "SELECT c.file_id, f.path, c.content_sha256, e.offset_bytes / e.length_bytes
                 FROM chunk_rows AS c JOIN files AS f ON f.id = c.file_id
                 LEFT JOIN embeddings AS e ON e.chunk_id = c.id AND e.model_id = ?2 WHERE c.id = ?1",
            )
            .and_then(|mut statement| {
                statement
                    .query_row((chunk.0, model_id), |row| {
                        Ok(Known {
                            file: FileNo(row.get(0)?),
                            path: row.get(1)?,
                            content: Digest(row.get(2)?),
                            place: row.get(3)?,
                        })
                    })
                    .optional()
            })
            .map_err(sql)
    }

    /// Makes what a change of the files did part of this change.
    fn conclude(&mut self, base: &str, mut index: IndexRow, finished: Finished) -> Result<()> {
        let Finished { extent, moved, obsolete, later } = finished;
        self.move_vectors(base, &mut index, &moved)?;
        self.obsolete_vectors.extend(obsolete);
        if let Some(later) = later {
            self.later_for_vectors.insert(base.to_owned(), later);
        }
        index.extent = extent;
        index.save(self.connection, base)
    }

    /// Drops the rows of vectors that the files do not hold.
    fn forget_missing(
        &self,
        base: &str,
        index: &mut IndexRow,
        change: &mut dyn VectorChange,
    ) -> Result<()> {
        let (mut chunks, mut places) = (Vec::new(), Vec::new());
        for_each_vector(self.connection, base, index, |chunk, place, check| {
            if !change.before().holds(chunk, place, check)? {
                chunks.push(chunk);
                places.push(place);
            }
            Ok(())
        })?;
        for place in places {
            change.remove(place);
        }
        self.drop_rows(index, &chunks)
    }

    /// Points the rows at the new places; what has none is gone.
    fn move_vectors(
        &self,
        base: &str,
        index: &mut IndexRow,
        moved: &[(ChunkNo, u32, u32)],
    ) -> Result<()> {
        if moved.is_empty() {
            return Ok(());
        }
        let mut moved = moved.to_vec();
        moved.sort_unstable();
        let mut lost = Vec::new();
        for_each_vector(self.connection, base, index, |chunk, place, _| {
            let is_moved =
                moved.binary_search_by_key(&(chunk, place), |(chunk, old, _)| (*chunk, *old));
            if is_moved.is_err() {
                lost.push(chunk);
            }
            Ok(())
        })?;
        self.drop_rows(index, &lost)?;
        for (chunk, old, new) in moved {
            self.run(
                "UPDATE embeddings SET offset_bytes = ?3 * length_bytes
                 WHERE chunk_id = ?1 AND offset_bytes = ?2 * length_bytes",
                (chunk.0, old, new),
            )?;
        }
        Ok(())
    }

    fn drop_rows(&self, index: &mut IndexRow, chunks: &[ChunkNo]) -> Result<()> {
        for chunk in chunks {
            self.run("DELETE FROM embeddings WHERE chunk_id = ?1", [chunk.0])?;
        }
        index.n_vectors = index.n_vectors.saturating_sub(chunks.len() as u64);
        Ok(())
    }
}
