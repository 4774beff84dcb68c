//! Making and migrating the database.
//!
//! `meta.schema_version` says what is there. Everything in it can be derived again, so an older version is emptied and
//! filled anew by the next look at the files. A newer version is refused, not guessed at.

use gik_base::{ErrorCode, Failure, Result, ids};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};

use crate::failure::sql;

/// The version this program writes.
pub(crate) const SCHEMA_VERSION: u32 = 10;

const SCHEMA: &str = include_str!("schema.sql");

/// Brings the database to [`SCHEMA_VERSION`]. Says whether it was empty or had to be emptied for that.
pub(crate) fn migrate(connection: &mut Connection) -> Result<bool> {
    if version(connection)? == SCHEMA_VERSION {
        return Ok(false);
    }
    // Another process may migrate at the same moment: look again inside the transaction.
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sql)?;
    if version(&transaction)? != SCHEMA_VERSION {
        empty(&transaction)?;
        transaction.execute_batch(SCHEMA).map_err(sql)?;
        // Generations count from nothing again; this tells them from those of the index before.
        transaction
            .execute("INSERT INTO meta(key, value) VALUES ('index_id', ?1)", [ids::new_uuid()])
            .map_err(sql)?;
    }
    transaction.commit().map_err(sql)?;
    Ok(true)
}

/// Removes all tables and views. Those of the full-text index are part of a virtual table and go with it.
fn empty(connection: &Connection) -> Result<()> {
    crate::fts::remove(connection)?;
    let found: Vec<(String, String)> = connection
        .prepare(
            "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'
             -- What others refer to comes last.
             ORDER BY type = 'table', name IN ('files', 'embedding_models')",
        )
        .and_then(|mut statement| {
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
        .map_err(sql)?;
    for (kind, name) in found {
        let quoted = name.replace('"', "\"\"");
        connection.execute_batch(&format!("DROP {kind} \"{quoted}\"")).map_err(sql)?;
    }
    Ok(())
}

/// Fails on triggers, and on views that are not those of the schema: they would run as part of this program.
fn refuse_programs(connection: &Connection) -> Result<()> {
    let found: Vec<(String, Option<String>)> = connection
        .prepare("SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')")
        .and_then(|mut statement| {
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
        .map_err(sql)?;
    let is_ours = |text: &Option<String>| {
        text.as_ref().is_some_and(|text| SCHEMA.contains(&format!("\n{text};\n")))
    };
    match found.into_iter().find(|(_, text)| !is_ours(text)) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::new(
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
    let text: String = connection
        .query_row("SELECT value FROM meta WHERE key = 'schema_version'", [], |row| row.get(0))
        .map_err(sql)?;
    let found = text.parse().ok().filter(|found: &u32| *found > 0).ok_or_else(|| {
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
    // What another version made is emptied before anything of it could run.
    if found == SCHEMA_VERSION {
        refuse_programs(connection)?;
    }
    Ok(found)
}
