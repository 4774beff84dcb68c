//! Making and migrating the database.
//!
//! `meta.schema_version` says what is there. Each migration is one SQL script that leads from one version to the
//! next in a transaction. A database of a newer version is refused, not guessed at.

use gik_base::{ErrorCode, Failure, Result};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};

use crate::failure::sql;

/// The version this program writes.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// Scripts from version `n` (the position) to `n + 1`. Version 0 is an empty file.
const MIGRATIONS: &[&str] = &[include_str!("schema.sql")];

/// Brings the database to [`SCHEMA_VERSION`].
pub(crate) fn migrate(connection: &mut Connection) -> Result<()> {
    if version(connection)? == SCHEMA_VERSION {
        return Ok(());
    }
    // Another process may migrate at the same moment: look again inside the transaction.
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sql)?;
    let found = version(&transaction)?;
    for script in MIGRATIONS.iter().skip(found as usize) {
        transaction.execute_batch(script).map_err(sql)?;
    }
    transaction.commit().map_err(sql)
}

/// Fails on triggers and views: this program makes none, and those of someone else would run as part of it.
fn refuse_programs(connection: &Connection) -> Result<()> {
    let found: Option<String> = connection
        .query_row("SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')", [], |row| {
            row.get(0)
        })
        .optional()
        .map_err(sql)?;
    match found {
        None => Ok(()),
        Some(name) => Err(Failure::new(
            ErrorCode::StoreBroken,
            format!("the index holds `{name}`, which this program did not make"),
        )),
    }
}

/// The version of the database; fails when it is newer than this program.
pub(crate) fn version(connection: &Connection) -> Result<u32> {
    let has_meta: Option<i64> = connection
        .query_row(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'",
            [],
            |row| row.get(0),
        )
        .optional()
        .map_err(sql)?;
    if has_meta.is_none() {
        return Ok(0);
    }
    refuse_programs(connection)?;
    let text: String = connection
        .query_row("SELECT value FROM meta WHERE key = 'schema_version'", [], |row| row.get(0))
        .map_err(sql)?;
    let found: u32 = text.parse().map_err(|_| {
        Failure::new(ErrorCode::StoreBroken, format!("the index has the schema version `{text}`"))
    })?;
    if found > SCHEMA_VERSION {
        return Err(Failure::new(
            ErrorCode::StoreNewer,
            format!(
                "the index has schema version {found}, this program knows up to {SCHEMA_VERSION}"
            ),
        )
        .hint("update gik, or run `gik reindex` to make the index anew with this version"));
    }
    Ok(found)
}
