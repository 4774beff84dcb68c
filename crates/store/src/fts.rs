//! The FTS5 table of chunks, for people who query the file with SQL. Built on request, kept up to date from then on.
//!
//! Not for GIK's own answers: `bm25()` scores every match, which takes a hundred milliseconds where the lexical
//! segments take one.

use gik_base::Result;
use rusqlite::Connection;

use crate::failure::sql;

const CREATE: &str = "CREATE VIRTUAL TABLE IF NOT EXISTS fts_chunks USING fts5(
  content,
  path UNINDEXED,
  chunk_id UNINDEXED,
  tokenize = 'unicode61'
)";

/// Whether the table is there.
pub(crate) fn exists(connection: &Connection) -> Result<bool> {
    connection
        .prepare_cached("SELECT 1 FROM sqlite_master WHERE name = 'fts_chunks'")
        .and_then(|mut statement| statement.exists([]))
        .map_err(sql)
}

/// Makes the table, empty.
pub(crate) fn create(connection: &Connection) -> Result<()> {
    connection.execute_batch(CREATE).map_err(sql)
}

/// Removes the table.
pub(crate) fn remove(connection: &Connection) -> Result<()> {
    connection.execute_batch("DROP TABLE IF EXISTS fts_chunks").map_err(sql)
}

/// Adds one chunk. Its row id is the chunk's, so that removal needs no search.
pub(crate) fn insert(connection: &Connection, chunk: i64, path: &str, text: &str) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO fts_chunks(rowid, content, path, chunk_id) VALUES (?1, ?2, ?3, ?1)",
        )
        .and_then(|mut statement| statement.execute((chunk, text, path)))
        .map_err(sql)?;
    Ok(())
}

/// Removes the chunks of a file.
pub(crate) fn remove_file(connection: &Connection, file: u32) -> Result<()> {
    connection
        .prepare_cached(
            "DELETE FROM fts_chunks WHERE rowid IN
               (SELECT c.id FROM files AS f JOIN chunk_rows AS c
                ON c.id >= f.first_chunk AND c.id < f.first_chunk + f.n_chunks WHERE f.id = ?1)",
        )
        .and_then(|mut statement| statement.execute([file]))
        .map_err(sql)?;
    Ok(())
}
