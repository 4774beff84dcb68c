//! Which vectors were made before, in any workspace? A cache for models that take their time.
//!
//! One SQLite file of a user, shared by all processes. A row is found by a hash of model and text, so neither a branch nor
//! a clone nor another workspace makes a vector twice. Vectors are kept as they are: zstd takes only 7 % off them.
//! What the file says is a convenience: where it is damaged it is made anew.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::{Result, fs, hash};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};

use crate::failure::sql;

/// Counts up when rows mean something else.
const VERSION: i64 = 1;
/// What a row takes up beside its numbers.
const ROW_BYTES: i64 = 64;

/// Vectors by model and text.
#[derive(Debug)]
pub struct VectorCache {
    connection: Connection,
}

/// How much a cache holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheSize {
    /// Vectors.
    pub vectors: u64,
    /// What they take up.
    pub bytes: u64,
}

/// Of model and text: the row, and what must stand in it.
struct Key {
    row: i64,
    whole: [u8; 32],
}

impl Key {
    fn of(model: &str, text: &str) -> Self {
        let mut bytes = Vec::with_capacity(model.len() + text.len() + 8);
        bytes.extend((model.len() as u64).to_le_bytes());
        bytes.extend(model.as_bytes());
        bytes.extend(text.as_bytes());
        let whole = hash::sha256(&bytes).0;
        let first = whole.first_chunk::<8>().copied().unwrap_or_default();
        Self { row: i64::from_le_bytes(first) & i64::MAX, whole }
    }
}

impl VectorCache {
    /// Opens the cache, or makes one where there is none or a damaged one.
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        match Self::open_once(path) {
            Ok(cache) => Ok(cache),
            Err(error) if is_damage(&error) => {
                Self::remove(path)?;
                Self::open_once(path).map_err(sql)
            },
            Err(error) => Err(sql(error)),
        }
    }

    fn open_once(path: &Path) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.execute_batch(
            "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
        )?;
        let version = |connection: &Connection| {
            connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
        };
        if version(&connection)? != VERSION {
            let transaction =
                rusqlite::Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)?;
            // Another process may have made it meanwhile.
            if version(&transaction)? != VERSION {
                transaction.execute_batch(&format!(
                    "DROP TABLE IF EXISTS vectors;
                     CREATE TABLE vectors (
                       id INTEGER PRIMARY KEY,  -- 63 bits of `key`
                       key BLOB NOT NULL,       -- sha256 of model and text
                       vector BLOB NOT NULL,    -- float32, little-endian
                       used INTEGER NOT NULL    -- the day it was last asked for
                     );
                     CREATE INDEX idx_vectors_used ON vectors(used);
                     PRAGMA user_version = {VERSION};"
                ))?;
            }
            transaction.commit()?;
        }
        Ok(Self { connection })
    }

    /// Removes the file of a cache and those beside it.
    fn remove(path: &Path) -> Result<()> {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            fs::remove_file_if_present(&PathBuf::from(name))?;
        }
        Ok(())
    }

    /// The vectors of texts, where they are known. `day` is that of the question, counted from any day.
    pub fn get_many(&self, model: &str, texts: &[&str], day: i64) -> Result<Vec<Option<Vec<f32>>>> {
        let mut found = Vec::with_capacity(texts.len());
        let mut old = Vec::new();
        let mut statement = self
            .connection
            .prepare_cached("SELECT vector, used FROM vectors WHERE id = ?1 AND key = ?2")
            .map_err(sql)?;
        for text in texts {
            let key = Key::of(model, text);
            let row: Option<(Vec<f32>, i64)> = statement
                .query_row((key.row, key.whole), |row| {
                    Ok((from_bytes(row.get_ref(0)?.as_blob()?), row.get(1)?))
                })
                .optional()
                .map_err(sql)?;
            found.push(row.map(|(vector, used)| {
                if used < day {
                    old.push(key.row);
                }
                vector
            }));
        }
        drop(statement);
        if !old.is_empty() {
            self.change(
                "UPDATE vectors SET used = ?2 WHERE id = ?1",
                old.iter().map(|row| (*row, day)),
            )?;
        }
        Ok(found)
    }

    /// Keeps vectors of texts.
    pub fn put_many<'v>(
        &self,
        model: &str,
        vectors: impl Iterator<Item = (&'v str, &'v [f32])>,
        day: i64,
    ) -> Result<()> {
        let rows = vectors.map(|(text, vector)| {
            let key = Key::of(model, text);
            let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
            (key.row, key.whole, bytes, day)
        });
        self.change(
            "INSERT OR REPLACE INTO vectors(id, key, vector, used) VALUES (?1, ?2, ?3, ?4)",
            rows,
        )
    }

    fn change<P: rusqlite::Params>(&self, text: &str, rows: impl Iterator<Item = P>) -> Result<()> {
        let transaction =
            rusqlite::Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
                .map_err(sql)?;
        {
            let mut statement = transaction.prepare_cached(text).map_err(sql)?;
            for row in rows {
                statement.execute(row).map_err(sql)?;
            }
        }
        transaction.commit().map_err(sql)
    }

    /// How much the cache holds.
    pub fn size(&self) -> Result<CacheSize> {
        let (vectors, bytes): (i64, i64) = self
            .connection
            .query_row(
                "SELECT count(*), coalesce(sum(length(vector) + ?1), 0) FROM vectors",
                [ROW_BYTES],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .map_err(sql)?;
        Ok(CacheSize { vectors: vectors.unsigned_abs(), bytes: bytes.unsigned_abs() })
    }

    /// What [`VectorCache::gc`] would remove.
    pub fn excess(&self, most_bytes: u64) -> Result<CacheSize> {
        Ok(self.oldest(most_bytes)?.1)
    }

    /// The rows that were not asked for longest, as many as are too many, and how much they take up.
    fn oldest(&self, most_bytes: u64) -> Result<(Vec<i64>, CacheSize)> {
        let mut excess = self.size()?.bytes.saturating_sub(most_bytes);
        let (mut oldest, mut size) = (Vec::new(), CacheSize::default());
        let mut statement = self
            .connection
            .prepare("SELECT id, length(vector) + ?1 FROM vectors ORDER BY used, id")
            .map_err(sql)?;
        let mut rows = statement.query([ROW_BYTES]).map_err(sql)?;
        while excess > 0
            && let Some(row) = rows.next().map_err(sql)?
        {
            let bytes = row.get::<_, i64>(1).map_err(sql)?.unsigned_abs();
            oldest.push(row.get(0).map_err(sql)?);
            excess = excess.saturating_sub(bytes);
            size.vectors += 1;
            size.bytes += bytes;
        }
        Ok((oldest, size))
    }

    /// Removes what was not asked for longest, until no more than `most_bytes` are left. Says what went.
    pub fn gc(&self, most_bytes: u64) -> Result<CacheSize> {
        let (oldest, removed) = self.oldest(most_bytes)?;
        if oldest.is_empty() {
            return Ok(removed);
        }
        self.change("DELETE FROM vectors WHERE id = ?1", oldest.into_iter().map(|row| (row,)))?;
        let shrunk =
            self.connection.prepare("PRAGMA incremental_vacuum").and_then(|mut statement| {
                // Each step frees a page.
                let mut rows = statement.query([])?;
                while rows.next()?.is_some() {}
                Ok(())
            });
        shrunk.map_err(sql)?;
        Ok(removed)
    }
}

fn from_bytes(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// Whether the file is no database, or a broken one.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::ErrorCode as Sqlite;
    matches!(error.sqlite_error_code(), Some(Sqlite::NotADatabase | Sqlite::DatabaseCorrupt))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(name: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache").join(name);
        (folder, path)
    }

    #[test]
    fn a_vector_is_found_by_model_and_text_alone() {
        let (_folder, path) = cache("a.sqlite");
        let vector = [1.0, -0.5, f32::MIN_POSITIVE];
        VectorCache::open(&path)
            .unwrap()
            .put_many("m", [("text", &vector[..])].into_iter(), 1)
            .unwrap();
        let cache = VectorCache::open(&path).unwrap();
        let found = cache.get_many("m", &["text", "other"], 1).unwrap();
        assert_eq!(found, [Some(vector.to_vec()), None]);
        assert_eq!(cache.get_many("n", &["text"], 1).unwrap(), [None]);
        assert_ne!(Key::of("a", "bc").whole, Key::of("ab", "c").whole);
    }

    #[test]
    fn what_was_not_asked_for_longest_goes_first() {
        let (_folder, path) = cache("a.sqlite");
        let cache = VectorCache::open(&path).unwrap();
        let texts: Vec<String> = (0..100).map(|n| format!("text {n}")).collect();
        let vector = [0.5; 64];
        let rows = texts.iter().map(|text| (text.as_str(), &vector[..]));
        cache.put_many("m", rows, 1).unwrap();
        let asked: Vec<&str> = texts[40..60].iter().map(String::as_str).collect();
        cache.get_many("m", &asked, 2).unwrap();
        let size = cache.size().unwrap();
        assert_eq!(size, CacheSize { vectors: 100, bytes: 100 * (256 + 64) });
        assert_eq!(cache.gc(size.bytes).unwrap(), CacheSize::default());
        let removed = cache.gc(size.bytes / 5).unwrap();
        assert_eq!(removed, CacheSize { vectors: 80, bytes: 80 * (256 + 64) });
        assert!(cache.get_many("m", &asked, 2).unwrap().iter().all(Option::is_some));
    }

    #[test]
    fn a_damaged_file_is_made_anew() {
        let (_folder, path) = cache("a.sqlite");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "no database at all, and long enough to be looked at".repeat(100))
            .unwrap();
        let cache = VectorCache::open(&path).unwrap();
        cache.put_many("m", [("text", &[1.0][..])].into_iter(), 1).unwrap();
        assert_eq!(cache.get_many("m", &["text"], 1).unwrap(), [Some(vec![1.0])]);
    }
}
