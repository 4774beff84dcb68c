//! Opening the derived index of a branch.

use std::cell::Cell;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::{ErrorCode, Failure, Result, fs};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, TransactionBehavior};

use crate::failure::sql;
use crate::lent::{Lent, Origin};
use crate::vectors::{self, Bases, Tables};
use crate::writer::ORDER_OF_NAMES;
use crate::{Snapshot, Writer, file_list, lexical, schema, snapshot};

/// What the caller wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read, and write while holding the workspace lock.
    ReadWrite,
    /// Only read; works on a read-only tree.
    ReadOnly,
}

/// The derived index of one branch.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Lent,
    /// The log, where this store may write to it.
    log: Option<PathBuf>,
    /// Whether the log is written back at the end, however short it is.
    folds_log: bool,
    /// How many snapshots are alive.
    pub(crate) n_snapshots: Cell<u32>,
    pub(crate) lexical_dir: PathBuf,
    pub(crate) file_list: PathBuf,
    pub(crate) bases: Bases,
}

impl Store {
    /// Opens the index, making or migrating it when writing is allowed.
    pub fn open(database: &Path, lexical_dir: &Path, access: Access) -> Result<Self> {
        let (connection, is_new) = match access {
            Access::ReadWrite => {
                let (connection, is_new) = open_for_writing(database)?;
                (Lent::new(connection, None), is_new)
            },
            Access::ReadOnly => (open_for_reading(database)?, false),
        };
        Ok(Self {
            connection,
            log: (access == Access::ReadWrite).then(|| log_of(database)),
            folds_log: is_new,
            n_snapshots: Cell::new(0),
            lexical_dir: lexical_dir.to_owned(),
            file_list: file_list::path_of(database),
            bases: bases_of(database),
        })
    }

    /// Has tables of `lancedb` kept as the user says.
    #[must_use]
    pub fn with_tables(mut self, tables: Tables) -> Self {
        self.bases.tables = tables;
        self
    }

    /// Makes the order of symbols by name where a change left that to its caller, or was killed before its end.
    pub fn order_names(&self) -> Result<()> {
        self.connection.execute_batch(ORDER_OF_NAMES).map_err(sql)
    }

    /// Does not stay open for others, for who is one of several readers: one of them is enough to keep.
    pub fn close_at_end(&mut self) {
        self.connection.close_at_end();
    }

    /// A consistent view of one generation.
    pub fn snapshot(&self) -> Result<Snapshot<'_>> {
        // A writer may merge segments away between the read of their names and the opening of the files.
        for _ in 0..8 {
            match Snapshot::new(self) {
                Err(failure) if failure.code() == ErrorCode::PathMissing => {},
                other => return other,
            }
        }
        Err(lexical::missing())
    }

    /// Starts a change. The caller holds the workspace lock.
    pub fn writer(&mut self) -> Result<Writer<'_>> {
        Writer::new(self)
    }

    /// Has the log written back when this store is closed, as for a new index: whoever copies the files then needs no
    /// log.
    pub fn fold_log(&mut self) {
        self.folds_log = true;
    }

    /// A value of the `meta` table.
    pub fn meta(&self, key: &str) -> Result<Option<String>> {
        meta(&self.connection, key)
    }

    /// Whether the FTS5 table is kept.
    pub fn has_fts(&self) -> Result<bool> {
        crate::fts::exists(&self.connection)
    }

    /// Files of which a chunk has no vector; `None` where no base has vectors.
    pub fn files_without_vectors(&self) -> Result<Option<u64>> {
        vectors::files_without(&self.connection)
    }

    /// Notes that the contract files were written: nothing is unprojected any more, and `written` says for each base
    /// what was written. The caller holds the workspace lock.
    pub fn note_projection(&mut self, written: &[(String, String)]) -> Result<()> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(sql)?;
        transaction.execute("DELETE FROM unprojected", []).map_err(sql)?;
        for (base, note) in written {
            transaction
                .execute(
                    "INSERT INTO meta(key, value) VALUES (?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2",
                    (format!("projected:{base}"), note),
                )
                .map_err(sql)?;
        }
        transaction.commit().map_err(sql)
    }

    /// Checks every page of the database and every byte of the segments. Returns what is wrong.
    pub fn verify(&self) -> Result<Vec<String>> {
        let mut findings = Vec::new();
        // All of it is one generation: a writer that commits meanwhile must not look like damage.
        let snapshot = match self.snapshot() {
            Err(failure) if failure.code() == ErrorCode::StoreBroken => {
                findings.push(format!("index: {failure}"));
                None
            },
            other => Some(other?),
        };
        let mut statement = self.connection.prepare("PRAGMA integrity_check(20)").map_err(sql)?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).map_err(sql)?;
        for row in rows {
            let line = row.map_err(sql)?;
            if line != "ok" {
                findings.push(format!("database: {line}"));
            }
        }
        let orphans: i64 = self
            .connection
            .query_row(
                "SELECT (SELECT count(*) FROM chunk_rows AS c LEFT JOIN files AS f ON f.id = c.file_id
                         WHERE f.id IS NULL OR c.id < f.first_chunk OR c.id >= f.first_chunk + f.n_chunks)
                      + (SELECT count(*) FROM symbol_rows AS s LEFT JOIN files AS f ON f.id = s.file_id
                         WHERE f.id IS NULL OR s.id < f.first_symbol OR s.id >= f.first_symbol + f.n_symbols)
                      + (SELECT count(*) FROM symbol_scopes WHERE id NOT IN (SELECT id FROM symbol_rows))
                      + (SELECT count(*) FROM facts WHERE file_id NOT IN (SELECT id FROM files))",
                [],
                |row| row.get(0),
            )
            .map_err(sql)?;
        if orphans != 0 {
            findings.push(format!("database: {orphans} chunks or symbols without a file"));
        }
        if let Some(snapshot) = snapshot {
            findings.extend(vectors::verify(&self.connection, &self.bases)?);
            findings.extend(lexical::verify(&self.connection, snapshot.segments())?);
            if snapshot.files()? != snapshot::stored_files(&self.connection)? {
                findings.push("the list of files is not that of the database".to_owned());
            }
        }
        Ok(findings)
    }

    /// Removes segment files that no generation names; the caller holds the workspace lock.
    pub fn sweep(&mut self) -> Result<()> {
        lexical::sweep(&self.connection, &self.lexical_dir)
    }

    /// Copies this generation to another branch. Segment files never change, so they are linked where possible.
    pub fn copy_to(&self, database: &Path, lexical_dir: &Path) -> Result<()> {
        Self::remove(database, lexical_dir)?;
        if let Some(parent) = database.parent() {
            fs::create_dir_all(parent)?;
        }
        let snapshot = self.snapshot()?;
        fs::create_dir_all(lexical_dir)?;
        for row in snapshot.segments() {
            let from = lexical::path_of(&self.lexical_dir, &row.name)?;
            fs::link_or_copy(&from, &lexical_dir.join(&row.name))?;
        }
        // The list of files is named by the database, so it is the list of the copy as well.
        if fs::exists(&self.file_list) {
            fs::link_or_copy(&self.file_list, &file_list::path_of(database))?;
        }
        vectors::copy_files(&self.connection, &self.bases, &bases_of(database))?;
        drop(snapshot);
        // The caller holds the writers' lock, so the generation is still the one whose segments were linked.
        self.connection
            .execute("VACUUM INTO ?1", [AsText(database.as_os_str().as_encoded_bytes())])
            .map_err(sql)?;
        Ok(())
    }

    /// Removes the index from the disk, for making it anew. The caller holds the workspace lock.
    pub fn remove(database: &Path, lexical_dir: &Path) -> Result<()> {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let mut name = database.as_os_str().to_owned();
            name.push(suffix);
            fs::remove_file_if_present(Path::new(&name))?;
        }
        fs::remove_file_if_present(&file_list::path_of(database))?;
        vectors::remove_all(&bases_of(database).dir)?;
        fs::remove_dir_all_if_present(lexical_dir)
    }
}

/// A log beyond this, or that of a new index, is written back when the store is closed. Otherwise the log stays: writing
/// it back takes longer than most changes, and SQLite does it by itself when the log has grown to four times this.
const LARGEST_LOG_BYTES: u64 = 1 << 20;

impl Drop for Store {
    fn drop(&mut self) {
        let is_large = |log: &PathBuf| {
            fs::symlink_metadata_if_present(log)
                .is_ok_and(|found| found.is_some_and(|log| log.len() > LARGEST_LOG_BYTES))
        };
        if self.folds_log || self.log.as_ref().is_some_and(is_large) {
            // Readers may be in the way and are not waited for; then the next writer does it.
            drop(self.connection.busy_timeout(Duration::ZERO));
            drop(self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)"));
        }
    }
}

/// Bytes that SQLite takes as text: the name of a file need not be UTF-8.
struct AsText<'a>(&'a [u8]);

impl ToSql for AsText<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Text(self.0)))
    }
}

/// Also says whether the index was made by this.
fn open_for_writing(database: &Path) -> Result<(Connection, bool)> {
    if let Some(parent) = database.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut connection = Connection::open(database).map_err(sql)?;
    keep_plans(&connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(sql)?;
    connection.busy_timeout(Duration::from_secs(30)).map_err(sql)?;
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
             PRAGMA foreign_keys = ON; PRAGMA cache_size = -16384;",
        )
        .map_err(sql)?;
    let is_new = schema::migrate(&mut connection)?;
    Ok((connection, is_new))
}

fn open_for_reading(database: &Path) -> Result<Lent> {
    // The state of the file before it is opened: a change meanwhile makes the next look differ.
    let mut origin = Origin::of(database);
    if let Some(mut lent) = origin.as_ref().and_then(Lent::again) {
        if schema::version(&lent).is_ok_and(|version| version == schema::SCHEMA_VERSION) {
            return Ok(lent);
        }
        lent.close_at_end();
    }
    if !fs::exists(database) {
        return Err(Failure::new(
            ErrorCode::NoIndexedBase,
            format!("there is no index at `{}`", database.display()),
        ));
    }
    // On a read-only tree nobody writes, so a file whose log holds nothing may be read as it is. SQLite itself waits ten
    // seconds there for someone to repair a log that a killed writer had only begun.
    let connection = if !fs::is_writable(database) && is_log_empty(database)? {
        origin = None;
        open_unchanging(database)?
    } else {
        match open_shared(database) {
            Ok(connection) => connection,
            // Where the side files cannot be made or a full disk has no room for them, no writer can write either.
            Err(error)
                if (needs_side_files(&error) || lacks_room(&error)) && is_log_empty(database)? =>
            {
                origin = None;
                open_unchanging(database)?
            },
            Err(error) if needs_side_files(&error) => {
                return Err(Failure::new(
                    ErrorCode::WorkspaceReadOnly,
                    "the last changes of the index are in its log, which cannot be read in a folder that is read-only",
                )
                .hint("run `gik reindex` once where the folder can be written to")
                .caused_by(sql(error)));
            },
            Err(error) => return Err(sql(error)),
        }
    };
    keep_plans(&connection)?;
    if schema::version(&connection)? != schema::SCHEMA_VERSION {
        return Err(Failure::new(ErrorCode::NoIndexedBase, "the index has not been made yet"));
    }
    Ok(Lent::new(connection, origin))
}

/// How much of the database is read in place. The system maps what surrounds a row as well, and all of it stays in the
/// memory of a process that answers many; rows behind that are read by calls, which takes hardly longer.
const MAPPED: u32 = 32 << 20;

/// Has statements planned once: otherwise SQLite plans many of them anew for every value that is looked up, which takes
/// longer than looking.
fn keep_plans(connection: &Connection) -> Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(sql)?;
    Ok(())
}

/// A connection is used by one thread at a time, so SQLite need not lock it for every value that is read.
const READING: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY
    .union(OpenFlags::SQLITE_OPEN_URI)
    .union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Opens for reading beside writers.
fn open_shared(database: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(database, READING)?;
    connection.busy_timeout(Duration::from_secs(30))?;
    map(&connection)?;
    // The first read is what fails where the side files of the log cannot be made.
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
    Ok(connection)
}

/// Opens for reading without locks and log.
pub(crate) fn open_unchanging(database: &Path) -> Result<Connection> {
    let mut address = "file:".to_owned();
    for &byte in database.as_os_str().as_encoded_bytes() {
        if byte.is_ascii() && !matches!(byte, b'%' | b'?' | b'#') {
            address.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(address, "%{byte:02x}");
        }
    }
    address.push_str("?immutable=1");
    let connection = Connection::open_with_flags(address, READING).map_err(sql)?;
    map(&connection).map_err(sql)?;
    Ok(connection)
}

/// Has the beginning read in place, before anything is read.
fn map(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!("PRAGMA mmap_size = {MAPPED};"))
}

/// Whether the failure is that of a tree in which the side files of the log cannot be made or locked.
fn needs_side_files(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::ErrorCode as Sqlite;
    matches!(
        error.sqlite_error_code(),
        Some(
            Sqlite::CannotOpen
                | Sqlite::ReadOnly
                | Sqlite::PermissionDenied
                | Sqlite::FileLockingProtocolFailed
        )
    )
}

/// Whether there is no room for the side files of the log.
fn lacks_room(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi;
    let code = error.sqlite_error().map_or(0, |error| error.extended_code);
    [
        ffi::SQLITE_FULL,
        ffi::SQLITE_IOERR_SHMSIZE,
        ffi::SQLITE_IOERR_SHMMAP,
        ffi::SQLITE_IOERR_SHMOPEN,
    ]
    .contains(&code)
}

/// Whether the log beside the database is missing or holds no page.
fn is_log_empty(database: &Path) -> Result<bool> {
    const HEADER_BYTES: u64 = 32;
    let found = fs::symlink_metadata_if_present(&log_of(database))?;
    Ok(found.is_none_or(|metadata| metadata.len() <= HEADER_BYTES))
}

/// Where the bases of the branch of a database are.
fn bases_of(database: &Path) -> Bases {
    Bases { dir: database.with_file_name("bases"), tables: Tables::default() }
}

fn log_of(database: &Path) -> PathBuf {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log)
}

pub(crate) fn meta(connection: &Connection, key: &str) -> Result<Option<String>> {
    use rusqlite::OptionalExtension as _;
    connection
        .prepare_cached("SELECT value FROM meta WHERE key = ?1")
        .and_then(|mut statement| statement.query_row([key], |row| row.get(0)).optional())
        .map_err(sql)
}
