//! The backend sqlite-vec: a `vec0` table in a database of its own, `vectors.sqlite`.
//!
//! The place of a vector is the row id of its chunk. The extension finds candidates; scores are computed here, so that
//! they are those of the other backends. The database counts its changes, and the extent names the count.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::{Result, fs};
use gik_index::vectors::{Best, Kernels, Metric, Neighbour};
use gik_index::{ChunkNo, DocNo, FileNo, Tombstones};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Row};

use super::{
    Entry, Extent, Finished, Found, Question, RowMeta, VectorChange, VectorIndex, extension,
    norm_of,
};
use crate::failure::sql;

const FILE: &str = "vectors.sqlite";
/// The state of an index whose database is not looked at.
const FRESH: &str = "1 fresh";
/// Candidates of the first look.
const FIRST_LOOK: usize = 64;
/// The most rows that `vec0` gives at once.
const LARGEST_LOOK: usize = 4096;
/// How far the extension's distance may be from the exact one.
const TOLERANCE: f64 = 1e-4;

/// An empty index; the database that is there counts no more.
pub(super) fn fresh() -> Extent {
    Extent { state: FRESH.to_owned(), dead: Tombstones::default() }
}

/// Whether a name is that of the database or of a file beside it.
pub(super) fn is_ours(name: &str) -> bool {
    name.strip_prefix(FILE).is_some_and(|rest| ["", "-journal", "-wal", "-shm"].contains(&rest))
}

fn state_of(n_changes: u64) -> String {
    format!("1 {n_changes}")
}

/// The database, if there is one that counts.
#[derive(Debug)]
pub(super) struct SqliteVec {
    connection: Option<Connection>,
    dimension: usize,
    is_whole: bool,
    dead: Tombstones,
}

/// A row that passed the filter, with its distance from the question where it was asked for.
struct Candidate {
    meta: RowMeta,
    check: u64,
    distance: f64,
    vector: Vec<f32>,
}

impl SqliteVec {
    pub(super) fn open(dir: &Path, dimension: usize, extent: &Extent) -> Result<Self> {
        let path = dir.join(FILE);
        let dead = extent.dead.clone();
        if ["", FRESH].contains(&extent.state.as_str()) || !fs::exists(&path) {
            let is_whole = ["", FRESH].contains(&extent.state.as_str());
            return Ok(Self { connection: None, dimension, is_whole, dead });
        }
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)
            .and_then(|connection| {
                connection.busy_timeout(Duration::from_secs(30)).map(|()| connection)
            })
            .map_err(sql)?;
        extension::load(&connection)?;
        // The file may have come with somebody's workspace: nothing in its schema is to be run.
        connection.pragma_update(None, "trusted_schema", false).map_err(sql)?;
        let found = meta(&connection, "changes")?.zip(meta(&connection, "embedding_dim")?);
        let Some((n_changes, _)) = found.filter(|(_, found)| *found == dimension as u64) else {
            return Ok(Self { connection: None, dimension, is_whole: false, dead });
        };
        let is_whole = extent.state == state_of(n_changes);
        Ok(Self { connection: Some(connection), dimension, is_whole, dead })
    }

    /// The nearest rows by the extension, or all rows; and how far the farthest was, unless those were all.
    fn candidates(
        &self,
        connection: &Connection,
        question: &Question<'_>,
        look: Option<usize>,
    ) -> Result<(Vec<Candidate>, Option<f64>)> {
        let (text, vector, limit) = match look {
            Some(limit) => (
                "WITH near AS (
                   SELECT rowid, distance FROM chunk_embeddings WHERE embedding MATCH ?1 AND k = ?2
                 )
                 SELECT r.rowid, r.file_id, r.labels, r.content_check, near.distance, e.embedding
                 FROM near JOIN chunk_rowids AS r ON r.rowid = near.rowid
                 JOIN chunk_embeddings AS e ON e.rowid = near.rowid",
                to_bytes(question.vector),
                limit as u64,
            ),
            None => (
                "SELECT r.rowid, r.file_id, r.labels, r.content_check, 0.0, e.embedding
                 FROM chunk_embeddings AS e JOIN chunk_rowids AS r ON r.rowid = e.rowid
                 WHERE ?1 IS NOT NULL AND ?2 IS NOT NULL",
                Vec::new(),
                0,
            ),
        };
        let mut statement = connection.prepare_cached(text).map_err(sql)?;
        let mut rows = statement.query((vector, limit.cast_signed())).map_err(sql)?;
        let (mut found, mut n_rows, mut farthest) = (Vec::new(), 0, 0.0);
        while let Some(row) = rows.next().map_err(sql)? {
            n_rows += 1;
            let candidate = candidate(row).map_err(sql)?;
            farthest = f64::max(farthest, candidate.distance);
            let is_sound = candidate.vector.len() == self.dimension;
            let is_dead = self.dead.contains(DocNo(candidate.meta.chunk.0));
            if is_sound && !is_dead && (question.filter)(candidate.meta) {
                found.push(candidate);
            }
        }
        let is_all = look.is_none_or(|limit| n_rows < limit);
        Ok((found, (!is_all).then_some(farthest)))
    }
}

fn candidate(row: &Row<'_>) -> rusqlite::Result<Candidate> {
    Ok(Candidate {
        meta: RowMeta {
            chunk: ChunkNo(row.get(0)?),
            file: FileNo(row.get(1)?),
            labels: row.get(2)?,
        },
        check: row.get::<_, i64>(3)?.cast_unsigned(),
        distance: row.get::<_, Option<f64>>(4)?.unwrap_or(f64::MAX),
        vector: from_bytes(row.get_ref(5)?.as_blob()?),
    })
}

fn to_bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_ne_bytes()).collect()
}

fn from_bytes(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_ne_bytes(*bytes)).collect()
}

fn meta(connection: &Connection, key: &str) -> Result<Option<u64>> {
    let text: Option<String> = connection
        .query_row("SELECT value FROM db_meta WHERE key = ?1", [key], |row| row.get(0))
        .optional()
        .map_err(sql)?;
    Ok(text.and_then(|text| text.parse().ok()))
}

impl VectorIndex for SqliteVec {
    fn nearest(&self, question: &Question<'_>) -> Result<Vec<Found>> {
        let &Question { vector, k, metric, .. } = question;
        let norm = norm_of(vector, self.dimension)?;
        let Some(connection) = self.connection.as_ref().filter(|_| k > 0) else {
            return Ok(Vec::new());
        };
        let kernels = Kernels::best();
        // The table is made for the cosine, and knows none for vectors without direction.
        let has_flat: bool = connection
            .query_row("SELECT EXISTS (SELECT 1 FROM chunk_rowids WHERE norm = 0)", [], |row| {
                row.get(0)
            })
            .map_err(sql)?;
        let is_offered = metric == Metric::Cosine && norm > 0.0 && !has_flat;
        let mut look = is_offered
            .then_some(k.saturating_mul(2).max(FIRST_LOOK))
            .filter(|n| *n <= LARGEST_LOOK);
        loop {
            let (candidates, farthest) = self.candidates(connection, question, look)?;
            let mut best = Best::new(k);
            for Candidate { meta, check, vector: row, .. } in &candidates {
                let score = kernels.score(metric, (vector, norm), (row, kernels.norm(row)));
                best.push(Neighbour {
                    score,
                    id: u64::from(meta.chunk.0),
                    row: (meta.chunk, *check),
                });
            }
            let best = best.into_sorted();
            // Rows beyond the look are at least as far as the last of it.
            let is_certain = farthest.is_none_or(|farthest| {
                let is_nearer = |score: f32| 1.0 - f64::from(score) + TOLERANCE < farthest;
                best.len() == k && best.last().is_some_and(|last| is_nearer(last.score))
            });
            if is_certain {
                return Ok(best
                    .into_iter()
                    .map(|Neighbour { score, id: _, row: (chunk, check) }| Found {
                        chunk,
                        place: chunk.0,
                        check,
                        score,
                    })
                    .collect());
            }
            look = look.map(|limit| limit * 4).filter(|limit| *limit <= LARGEST_LOOK);
        }
    }

    fn vector(&self, chunk: ChunkNo, place: u32, check: u64) -> Result<Option<Vec<f32>>> {
        let Some(connection) = &self.connection else { return Ok(None) };
        let found: Option<(i64, Vec<f32>)> = connection
            .prepare_cached(
                "SELECT r.content_check, e.embedding
                 FROM chunk_rowids AS r JOIN chunk_embeddings AS e ON e.rowid = r.rowid WHERE r.rowid = ?1",
            )
            .and_then(|mut statement| {
                statement
                    .query_row([place], |row| Ok((row.get(0)?, from_bytes(row.get_ref(1)?.as_blob()?))))
                    .optional()
            })
            .map_err(sql)?;
        let is_living = chunk.0 == place && !self.dead.contains(DocNo(place));
        Ok(found
            .filter(|(found, vector)| {
                is_living && found.cast_unsigned() == check && vector.len() == self.dimension
            })
            .map(|(_, vector)| vector))
    }

    fn holds(&self, chunk: ChunkNo, place: u32, check: u64) -> Result<bool> {
        Ok(self.vector(chunk, place, check)?.is_some())
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }
}

/// A transaction of the database in the making.
#[derive(Debug)]
pub(super) struct SqliteVecChange {
    before: SqliteVec,
    connection: Connection,
    dimension: usize,
    dead: Tombstones,
    path: PathBuf,
    is_fresh: bool,
    is_begun: bool,
}

impl SqliteVecChange {
    pub(super) fn open(dir: &Path, dimension: usize, extent: Extent) -> Result<Self> {
        let before = SqliteVec::open(dir, dimension, &extent)?;
        let path = dir.join(FILE);
        let connection = Connection::open(&path).map_err(sql)?;
        connection.busy_timeout(Duration::from_secs(30)).map_err(sql)?;
        connection.execute_batch("PRAGMA synchronous = FULL").map_err(sql)?;
        extension::load(&connection)?;
        let is_fresh = before.connection.is_none();
        Ok(Self {
            before,
            connection,
            dimension,
            dead: extent.dead,
            path,
            is_fresh,
            is_begun: false,
        })
    }

    fn begin(&mut self) -> Result<()> {
        if self.is_begun {
            return Ok(());
        }
        self.is_begun = true;
        let dimension = self.dimension;
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(sql)?;
        if self.is_fresh {
            self.connection
                .execute_batch(&format!(
                    "DROP TABLE IF EXISTS chunk_embeddings;
                     DROP TABLE IF EXISTS chunk_rowids;
                     DROP TABLE IF EXISTS db_meta;
                     CREATE TABLE db_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
                     CREATE VIRTUAL TABLE chunk_embeddings USING vec0(
                       embedding FLOAT[{dimension}] distance_metric=cosine
                     );
                     CREATE TABLE chunk_rowids (
                       chunk_id TEXT NOT NULL,
                       rowid INTEGER PRIMARY KEY,
                       path TEXT NOT NULL,
                       file_id INTEGER NOT NULL,
                       labels INTEGER NOT NULL,
                       content_check INTEGER NOT NULL,
                       norm REAL NOT NULL
                     );
                     CREATE INDEX idx_flat ON chunk_rowids(norm) WHERE norm = 0;
                     INSERT INTO db_meta(key, value) VALUES ('embedding_dim', '{dimension}');"
                ))
                .map_err(sql)?;
        }
        Ok(())
    }

    fn delete(&self, place: u32) -> Result<()> {
        for text in [
            "DELETE FROM chunk_embeddings WHERE rowid = ?1",
            "DELETE FROM chunk_rowids WHERE rowid = ?1",
        ] {
            self.connection
                .prepare_cached(text)
                .and_then(|mut statement| statement.execute([place]))
                .map_err(sql)?;
        }
        Ok(())
    }
}

impl VectorChange for SqliteVecChange {
    fn before(&self) -> &dyn VectorIndex {
        &self.before
    }

    fn put(&mut self, entry: &Entry<'_>) -> Result<u32> {
        let norm = norm_of(entry.vector, self.dimension)?;
        self.begin()?;
        let RowMeta { chunk, file, labels } = entry.meta;
        // Also what a transaction left that the index never heard of.
        self.delete(chunk.0)?;
        self.connection
            .prepare_cached("INSERT INTO chunk_embeddings(rowid, embedding) VALUES (?1, ?2)")
            .and_then(|mut statement| statement.execute((chunk.0, to_bytes(entry.vector))))
            .map_err(sql)?;
        self.connection
            .prepare_cached(
                "INSERT INTO chunk_rowids(chunk_id, rowid, path, file_id, labels, content_check, norm)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )
            .and_then(|mut statement| {
                statement.execute((
                    entry.uid,
                    chunk.0,
                    entry.path,
                    file.0,
                    labels,
                    entry.check.cast_signed(),
                    norm,
                ))
            })
            .map_err(sql)?;
        // The row is a new one, whatever was there before.
        if self.dead.contains(DocNo(chunk.0)) {
            let mut dead = Tombstones::default();
            for doc in self.dead.iter().filter(|doc| doc.0 != chunk.0) {
                dead.insert(doc);
            }
            self.dead = dead;
        }
        Ok(chunk.0)
    }

    fn remove(&mut self, place: u32) {
        self.dead.insert(DocNo(place));
    }

    fn finish(mut self: Box<Self>) -> Result<Finished> {
        self.begin()?;
        for doc in self.dead.iter() {
            self.delete(doc.0)?;
        }
        let n_changes = meta(&self.connection, "changes")?.unwrap_or(0) + 1;
        self.connection
            .execute(
                "INSERT INTO db_meta(key, value) VALUES ('changes', ?1) ON CONFLICT(key) DO UPDATE SET value = ?1",
                [n_changes.to_string()],
            )
            .map_err(sql)?;
        self.connection.execute_batch("COMMIT").map_err(sql)?;
        fs::sync_parent(&self.path)?;
        let extent = Extent { state: state_of(n_changes), dead: Tombstones::default() };
        Ok(Finished { extent, ..Finished::default() })
    }
}
