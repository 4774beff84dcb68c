//! The lexical segments on disk: which belong to a generation, and keeping them few.
//!
//! Segment files are written once, named by the generation that made them and never changed. Which of them count,
//! and which of their documents are dead, is a table of the database, so one SQLite commit switches both.

use std::path::{Path, PathBuf};

use gik_base::mmap::Bytes;
use gik_base::{ErrorCode, Failure, Result, fs};
use gik_index::{Segment, Tombstones};
use rusqlite::Connection;

use crate::failure::sql;

/// The end of the name of every segment file.
pub(crate) const SUFFIX: &str = ".seg";

/// A segment as the database names it.
#[derive(Debug)]
pub struct SegmentRow {
    /// File name in the lexical folder.
    pub name: String,
    /// Its size on disk.
    pub bytes: u64,
    /// The mapped file.
    pub segment: Segment,
    /// Its dead documents.
    pub tombstones: Tombstones,
}

/// Opens every segment of the generation that `connection` sees. A file that is missing is `path-missing`: to a reader
/// it may mean that a writer has gone on meanwhile.
pub(crate) fn load(connection: &Connection, dir: &Path) -> Result<Vec<SegmentRow>> {
    let mut statement = connection
        .prepare_cached("SELECT name, docs, bytes, tombstones FROM segments ORDER BY name")
        .map_err(sql)?;
    let mut rows = statement.query([]).map_err(sql)?;
    let mut segments = Vec::new();
    while let Some(row) = rows.next().map_err(sql)? {
        let name: String = row.get(0).map_err(sql)?;
        let docs: u32 = row.get(1).map_err(sql)?;
        let bytes = row.get::<_, i64>(2).map_err(sql)?.unsigned_abs();
        let tombstones: Vec<u8> = row.get(3).map_err(sql)?;
        let path = path_of(dir, &name)?;
        let segment = Segment::open(Bytes::map(&path)?)?;
        // An index that was removed and made anew gives the same names to other segments.
        if (segment.n_docs(), segment.n_bytes() as u64) != (docs, bytes) {
            return Err(Failure::new(
                ErrorCode::StoreBroken,
                format!("the lexical segment `{name}` belongs to another index"),
            ));
        }
        let tombstones = Tombstones::from_bytes(&tombstones)?;
        segments.push(SegmentRow { name, bytes, segment, tombstones });
    }
    Ok(segments)
}

/// The path of a segment. Names come from a file of the workspace, so they are not trusted to stay inside.
pub(crate) fn path_of(dir: &Path, name: &str) -> Result<PathBuf> {
    if name.is_empty()
        || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.')
        || name.starts_with('.')
    {
        return Err(Failure::new(
            ErrorCode::StoreBroken,
            format!("`{name}` is no name of a segment"),
        ));
    }
    Ok(dir.join(name))
}

/// The failure when a segment that the index names is not there and no writer can have removed it.
pub(crate) fn missing() -> Failure {
    Failure::new(ErrorCode::StoreBroken, "a lexical segment that the index names is missing")
        .hint("run `gik reindex`: it is made anew from the working tree")
}

/// Removes segment files that the committed generation does not name, and nothing else.
pub(crate) fn sweep(connection: &Connection, dir: &Path) -> Result<()> {
    let mut statement =
        connection.prepare_cached("SELECT 1 FROM segments WHERE name = ?1").map_err(sql)?;
    for path in fs::list_dir(dir)? {
        let name =
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_ours = name.ends_with(SUFFIX) || name.ends_with(fs::TEMPORARY_SUFFIX);
        if is_ours && !statement.exists([&name]).map_err(sql)? {
            fs::remove_file_if_present(&path)?;
        }
    }
    Ok(())
}

/// Reads every byte of every segment and counts; returns what is wrong.
pub(crate) fn verify(connection: &Connection, segments: &[SegmentRow]) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    let mut live = 0u64;
    for row in segments {
        if let Err(failure) = row.segment.verify() {
            findings.push(format!("lexical/{}: {failure}", row.name));
        }
        live += u64::from(row.segment.n_docs()).saturating_sub(u64::from(row.tombstones.count()));
    }
    let chunks: i64 =
        connection.query_row("SELECT count(*) FROM chunks", [], |row| row.get(0)).map_err(sql)?;
    if live != chunks.unsigned_abs() {
        findings.push(format!("lexical: {live} living documents for {chunks} chunks"));
    }
    Ok(findings)
}
