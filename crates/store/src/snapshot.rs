//! Reading one generation.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use gik_base::{ErrorCode, Failure, FileKey, FileStat, Result, hash};
use gik_index::{ChunkNo, FileNo};
use rusqlite::{Connection, OptionalExtension as _, Row};

use crate::failure::sql;
use crate::file_list::{self, Named};
use crate::packed::{CHUNK_KINDS, number, ranges, sum, with_name, word};
use crate::store::meta;
use crate::symbols::symbol_query;
use crate::vectors::{Bases, OpenedBases};
use crate::{
    ChunkRow, Count, Facts, FileOrigin, FileRow, FileState, RemoteState, SegmentRow, Stage, Store,
    SymbolPlace, SymbolRow, Unprojected, lexical, symbols,
};

/// The value of `meta` that names the list of files and what changed since it was written.
pub(crate) const FILE_LIST: &str = "file_list";

macro_rules! file_columns {
    () => {
        "id, path, base, lang, size, mtime, inode, sha256, origin, skip_code, skip_detail, n_chunks, n_symbols, stage"
    };
}

/// What [`chunk_row`] reads.
macro_rules! chunk_columns {
    () => {
        "c.id, c.file_id, c.chunk_type, c.ordinal, c.start_line, c.n_lines, c.byte_start, c.n_bytes, \
         c.content_sha256, c.name, c.qualified, c.utf16_start, c.utf16_end"
    };
}

pub(crate) use chunk_columns;

/// One generation; the read transaction ends when the last snapshot of the store is dropped.
#[derive(Debug)]
pub struct Snapshot<'a> {
    pub(crate) connection: &'a Connection,
    n_snapshots: &'a Cell<u32>,
    segments: Vec<SegmentRow>,
    generation: u64,
    file_list: &'a Path,
    pub(crate) bases: &'a Bases,
    /// Vectors are opened when they are asked for.
    pub(crate) vectors: RefCell<OpenedBases>,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn new(store: &'a Store) -> Result<Self> {
        // Snapshots of one store that live at the same time share its transaction, and so the generation.
        if store.n_snapshots.get() == 0 {
            store.connection.execute_batch("BEGIN DEFERRED").map_err(sql)?;
        }
        store.n_snapshots.set(store.n_snapshots.get() + 1);
        let mut snapshot = Self {
            connection: &store.connection,
            n_snapshots: &store.n_snapshots,
            segments: Vec::new(),
            generation: 0,
            file_list: &store.file_list,
            bases: &store.bases,
            vectors: RefCell::default(),
        };
        // From here on a failure drops `snapshot`, which ends the transaction.
        snapshot.generation =
            snapshot.meta("generation")?.and_then(|text| text.parse().ok()).unwrap_or(0);
        snapshot.segments = lexical::load(&store.connection, &store.lexical_dir)?;
        Ok(snapshot)
    }

    /// Counts up with every change.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// What tells this state from every other one, also of an index that was made anew.
    pub fn identity(&self) -> Result<String> {
        let index = self.meta("index_id")?.unwrap_or_default();
        Ok(format!("{index}:{}", self.generation))
    }

    /// A value of the `meta` table.
    pub fn meta(&self, key: &str) -> Result<Option<String>> {
        meta(self.connection, key)
    }

    /// The lexical segments.
    pub fn segments(&self) -> &[SegmentRow] {
        &self.segments
    }

    /// Every known file, sorted by name.
    pub fn files(&self) -> Result<Vec<FileRow>> {
        match listed_files(self.connection, self.file_list)? {
            Some(files) => Ok(files),
            None => stored_files(self.connection),
        }
    }

    /// What names the list of files: snapshots with the same one have the same files. None while it has no name.
    pub fn list_of_files(&self) -> Result<Option<String>> {
        Ok(self.meta(FILE_LIST)?.filter(|name| !name.is_empty()))
    }

    /// One file by its row id.
    pub fn file(&self, id: FileNo) -> Result<Option<FileRow>> {
        stored_file(self.connection, id)
    }

    /// One file by its name.
    pub fn file_by_key(&self, key: &FileKey) -> Result<Option<FileRow>> {
        self.connection
            .prepare_cached(concat!("SELECT ", file_columns!(), " FROM files WHERE path = ?1"))
            .and_then(|mut statement| statement.query_row([key.as_str()], file_row).optional())
            .map_err(sql)
    }

    /// One chunk by its row id.
    pub fn chunk(&self, id: ChunkNo) -> Result<Option<ChunkRow>> {
        self.connection
            .prepare_cached(concat!(
                "SELECT ",
                chunk_columns!(),
                " FROM chunk_rows AS c WHERE c.id = ?1"
            ))
            .and_then(|mut statement| statement.query_row([id.0], chunk_row).optional())
            .map_err(sql)
    }

    /// The chunks of a file in the order of its lines.
    pub fn chunks_of(&self, file: FileNo) -> Result<Vec<ChunkRow>> {
        let mut chunks = self.query(
            concat!(
                "SELECT ",
                chunk_columns!(),
                " FROM files AS f JOIN chunk_rows AS c
                    ON c.id >= f.first_chunk AND c.id < f.first_chunk + f.n_chunks
                  WHERE f.id = ?1 ORDER BY c.id"
            ),
            [file.0],
            chunk_row,
        )?;
        // They come in the order they were put in, which is this one nearly always.
        chunks.sort_by_key(|row| row.bytes.start);
        Ok(chunks)
    }

    /// Files that changed since the contract files were last written, sorted by name.
    pub fn unprojected(&self) -> Result<Vec<Unprojected>> {
        self.query("SELECT path, base, is_listed FROM unprojected ORDER BY path", [], |row| {
            Ok(Unprojected {
                key: FileKey::from_text(row.get::<_, String>(0)?),
                base: row.get(1)?,
                is_listed: row.get(2)?,
            })
        })
    }

    /// The symbols of a file in the order of its lines.
    pub fn symbols_of(&self, file: FileNo) -> Result<Vec<SymbolRow>> {
        let mut symbols = self.query(
            symbol_query!(
                "FROM files AS f
                   JOIN symbol_rows AS s ON s.id >= f.first_symbol AND s.id < f.first_symbol + f.n_symbols
                   LEFT JOIN symbol_scopes AS c ON c.id = s.id - s.scope
                 WHERE f.id = ?1 ORDER BY s.id"
            ),
            [file.0],
            symbols::read,
        )?;
        // They come in the order they were put in, which is this one nearly always.
        symbols.sort_by_key(|row| row.bytes.start);
        Ok(symbols)
    }

    /// The first and the last line of each symbol that begins in a part of a file, in the order of [`Self::symbols_of`].
    pub fn symbol_lines(&self, file: FileNo, bytes: &Range<usize>) -> Result<Vec<(u32, u32)>> {
        let mut symbols = self.query(
            "SELECT s.start_line, s.n_lines, s.byte_start
               FROM files AS f
               JOIN symbol_rows AS s ON s.id >= f.first_symbol AND s.id < f.first_symbol + f.n_symbols
              WHERE f.id = ?1 AND s.byte_start >= ?2 AND s.byte_start < ?3 ORDER BY s.id",
            (file.0, number(bytes.start), number(bytes.end)),
            |row| Ok((row.get::<_, i64>(2)?, (row.get(0)?, sum(row, 0, 1)?))),
        )?;
        // As there, nearly always in order.
        symbols.sort_by_key(|(start, _)| *start);
        Ok(symbols.into_iter().map(|(_, lines)| lines).collect())
    }

    /// All symbols of that name, by file and place.
    pub fn symbols_named(&self, name: &str) -> Result<Vec<SymbolRow>> {
        let mut symbols = self.query(
            symbol_query!(
                "FROM symbol_rows AS s LEFT JOIN symbol_scopes AS c ON c.id = s.id - s.scope
                 WHERE s.name = ?1 ORDER BY s.id"
            ),
            [name],
            symbols::read,
        )?;
        // They come in the order they were put in, which is this one nearly always.
        symbols.sort_by_key(|row| (row.file, row.bytes.start));
        Ok(symbols)
    }

    /// Symbols of exactly this name, by row.
    pub fn places_of(&self, name: &str) -> Result<Vec<SymbolPlace>> {
        self.query(
            "SELECT s.id, s.file_id, s.kind, c.container
               FROM symbol_rows AS s LEFT JOIN symbol_scopes AS c ON c.id = s.id - s.scope
              WHERE s.name = ?1 ORDER BY s.id",
            [name],
            symbols::read_place,
        )
    }

    /// Where a symbol is in [`Self::symbols_of`] its file.
    pub fn nth_symbol(&self, row: i64) -> Result<u32> {
        let found = self.query(
            "SELECT count(*)
               FROM symbol_rows AS s JOIN files AS f ON f.id = s.file_id
                    JOIN symbol_rows AS o ON o.id >= f.first_symbol AND o.id < f.first_symbol + f.n_symbols
              WHERE s.id = ?1
                AND (o.byte_start < s.byte_start OR o.byte_start = s.byte_start AND o.id < s.id)",
            [row],
            |row| row.get(0),
        )?;
        Ok(found.first().copied().unwrap_or_default())
    }

    /// Files with a symbol of exactly this name: those that are wanted, and no more than so many.
    pub fn files_naming(
        &self,
        name: &str,
        most: usize,
        is_wanted: impl Fn(FileNo) -> bool,
    ) -> Result<BTreeSet<FileNo>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT file_id FROM symbol_rows WHERE name = ?1")
            .map_err(sql)?;
        let mut rows = statement.query([name]).map_err(sql)?;
        let mut found = BTreeSet::new();
        while found.len() < most
            && let Some(row) = rows.next().map_err(sql)?
        {
            found.extend(Some(FileNo(row.get(0).map_err(sql)?)).filter(|file| is_wanted(*file)));
        }
        Ok(found)
    }

    /// Calls `each` with every name that a symbol has, once, in the order of bytes.
    pub fn for_each_symbol_name(&self, mut each: impl FnMut(&str)) -> Result<()> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT DISTINCT name FROM symbol_rows ORDER BY name")
            .map_err(sql)?;
        let mut rows = statement.query([]).map_err(sql)?;
        while let Some(row) = rows.next().map_err(sql)? {
            each(row.get_ref(0).map_err(sql)?.as_str().map_err(|error| sql(error.into()))?);
        }
        Ok(())
    }

    /// What is known of a file beyond its rows.
    pub fn facts_of(&self, file: FileNo) -> Result<Facts> {
        let bytes: Option<Vec<u8>> = self
            .connection
            .prepare_cached("SELECT bytes FROM facts WHERE file_id = ?1")
            .and_then(|mut statement| statement.query_row([file.0], |row| row.get(0)).optional())
            .map_err(sql)?;
        match bytes {
            None => Ok(Facts::default()),
            Some(bytes) => Facts::from_bytes(&bytes).ok_or_else(|| {
                Failure::new(
                    ErrorCode::StoreBroken,
                    format!("the facts of file {} are damaged", file.0),
                )
            }),
        }
    }

    /// The text of a source that is not a file of the workspace.
    pub fn content_of(&self, file: FileNo) -> Result<Option<String>> {
        self.connection
            .prepare_cached("SELECT text FROM contents WHERE file_id = ?1")
            .and_then(|mut statement| statement.query_row([file.0], |row| row.get(0)).optional())
            .map_err(sql)
    }

    /// What a server said about a page.
    pub fn remote_of(&self, file: FileNo) -> Result<Option<RemoteState>> {
        self.connection
            .prepare_cached("SELECT etag, last_modified FROM remotes WHERE file_id = ?1")
            .and_then(|mut statement| {
                statement
                    .query_row([file.0], |row| {
                        Ok(RemoteState { etag: row.get(0)?, last_modified: row.get(1)? })
                    })
                    .optional()
            })
            .map_err(sql)
    }

    /// Files, chunks and symbols per base, sorted by base.
    pub fn base_counts(&self) -> Result<Vec<Count>> {
        Ok(Count::per_base(&self.files()?))
    }

    /// Files, chunks and symbols per mode, sorted by mode.
    pub fn mode_counts(&self) -> Result<Vec<Count>> {
        self.query(
            "SELECT mode, count(*), sum(n_chunks), sum(n_symbols)
             FROM files WHERE skip_code IS NULL GROUP BY mode ORDER BY mode",
            [],
            count_row,
        )
    }

    /// Indexed files per language, in one mode or in all.
    pub fn language_counts(&self, mode: Option<&str>) -> Result<BTreeMap<String, u64>> {
        let counts = self.query(
            "SELECT lang, count(*) FROM files
             WHERE skip_code IS NULL AND lang <> '' AND (?1 IS NULL OR mode = ?1) GROUP BY lang",
            [mode],
            |row| Ok((row.get(0)?, count(row, 1)?)),
        )?;
        Ok(counts.into_iter().collect())
    }

    /// Files without chunks, per reason.
    pub fn skip_counts(&self) -> Result<BTreeMap<String, u64>> {
        Ok(FileRow::skip_counts(&self.files()?))
    }

    pub(crate) fn query<T>(
        &self,
        text: &str,
        parameters: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut statement = self.connection.prepare_cached(text).map_err(sql)?;
        let rows = statement.query_map(parameters, read).map_err(sql)?;
        rows.collect::<rusqlite::Result<Vec<T>>>().map_err(sql)
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        self.n_snapshots.set(self.n_snapshots.get() - 1);
        if self.n_snapshots.get() == 0 {
            // Ending a read transaction loses nothing, also when it fails.
            drop(self.connection.execute_batch("ROLLBACK"));
        }
    }
}

fn count_row(row: &Row<'_>) -> rusqlite::Result<Count> {
    Ok(Count {
        name: row.get(0)?,
        files: count(row, 1)?,
        chunks: count(row, 2)?,
        symbols: count(row, 3)?,
    })
}

fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.unsigned_abs())
}

/// Every file from the list beside the database, if that is the one it names.
pub(crate) fn listed_files(
    connection: &Connection,
    file_list: &Path,
) -> Result<Option<Vec<FileRow>>> {
    let Some(named) = meta(connection, FILE_LIST)?.and_then(|text| Named::parse(&text)) else {
        return Ok(None);
    };
    let files = file_list::read(file_list, &named);
    files.map(|files| with_stored(connection, files, &named.changed)).transpose()
}

/// Files, but these rows as the database has them; sorted by name.
pub(crate) fn with_stored(
    connection: &Connection,
    mut files: Vec<FileRow>,
    rows: &BTreeSet<u32>,
) -> Result<Vec<FileRow>> {
    if rows.is_empty() {
        return Ok(files);
    }
    let mut stored = BTreeMap::new();
    for &row in rows {
        stored.extend(stored_file(connection, FileNo(row))?.map(|file| (row, file)));
    }
    // Most have their name still, and are where they were.
    files.retain_mut(|file| {
        if !rows.contains(&file.id.0) {
            return true;
        }
        let has_moved = stored.get(&file.id.0).is_none_or(|new| new.key != file.key);
        if !has_moved && let Some(new) = stored.remove(&file.id.0) {
            *file = new;
        }
        !has_moved
    });
    if !stored.is_empty() {
        files.extend(stored.into_values());
        // This sort is quick on what is nearly sorted.
        files.sort_by(|a, b| a.key.cmp(&b.key));
    }
    Ok(files)
}

/// Every file as the database has it, sorted by name.
pub(crate) fn stored_files(connection: &Connection) -> Result<Vec<FileRow>> {
    let mut statement = connection
        .prepare_cached(concat!("SELECT ", file_columns!(), " FROM files"))
        .map_err(sql)?;
    let rows = statement.query_map([], file_row).map_err(sql)?;
    let mut files = rows.collect::<rusqlite::Result<Vec<FileRow>>>().map_err(sql)?;
    files.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    Ok(files)
}

/// One file as the database has it.
pub(crate) fn stored_file(connection: &Connection, id: FileNo) -> Result<Option<FileRow>> {
    connection
        .prepare_cached(concat!("SELECT ", file_columns!(), " FROM files WHERE id = ?1"))
        .and_then(|mut statement| statement.query_row([id.0], file_row).optional())
        .map_err(sql)
}

fn file_row(row: &Row<'_>) -> rusqlite::Result<FileRow> {
    let skip_code: Option<String> = row.get(9)?;
    let state = match skip_code {
        None => FileState::Indexed,
        Some(code) => FileState::Skipped {
            code,
            detail: row.get::<_, Option<String>>(10)?.unwrap_or_default(),
        },
    };
    let origin = row.get_ref(8)?.as_str().map(FileOrigin::from_name).unwrap_or(FileOrigin::File);
    Ok(FileRow {
        id: FileNo(row.get(0)?),
        key: FileKey::from_text(row.get::<_, String>(1)?),
        base: Arc::from(row.get_ref(2)?.as_str()?),
        language: Arc::from(row.get_ref(3)?.as_str()?),
        stat: FileStat {
            size: row.get::<_, i64>(4)?.cast_unsigned(),
            mtime_ns: row.get(5)?,
            inode: row.get::<_, i64>(6)?.cast_unsigned(),
        },
        sha256: hash::Digest::from_hex(row.get_ref(7)?.as_str()?).unwrap_or_default(),
        n_chunks: row.get(11)?,
        n_symbols: row.get(12)?,
        stage: Stage::from_number(row.get(13)?),
        origin,
        state,
    })
}

pub(crate) fn chunk_row(row: &Row<'_>) -> rusqlite::Result<ChunkRow> {
    let (bytes, utf16) = ranges(row, 6, 11)?;
    let name: String = row.get(9)?;
    Ok(ChunkRow {
        id: ChunkNo(row.get(0)?),
        file: FileNo(row.get(1)?),
        kind: word(row, 2, &CHUNK_KINDS)?,
        ordinal: row.get(3)?,
        lines: (row.get(4)?, sum(row, 4, 5)?),
        bytes,
        content_sha256: hash::Digest(row.get(8)?),
        qualified: with_name(row, 10, &name)?,
        name,
        utf16,
    })
}
