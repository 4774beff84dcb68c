//! What opening makes, keeps and refuses.

use gik_base::ErrorCode;
use rusqlite::Connection;

use super::{Folder, Sample, change};
use crate::{Access, Store};

/// Name, declared type, whether it must not be null, place in the primary key.
type Column = (String, String, bool, u32);

fn columns(connection: &Connection, table: &str) -> Vec<Column> {
    let mut statement = connection.prepare(&format!("PRAGMA table_info({table})")).unwrap();
    let rows = statement
        .query_map([], |row| Ok((row.get(1)?, row.get(2)?, row.get(3)?, row.get(5)?)))
        .unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn names(connection: &Connection, kind: &str) -> Vec<String> {
    let mut statement = connection
        .prepare(
            "SELECT name FROM sqlite_master WHERE type = ?1 AND name NOT LIKE 'sqlite_%' ORDER BY name",
        )
        .unwrap();
    statement.query_map([kind], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// A column of the published schema: `!` for not null, `*` for the primary key.
fn column(text: &str) -> Column {
    let (name, kind) = text.split_once(' ').unwrap();
    let bare = kind.trim_end_matches(['!', '*']);
    (name.to_owned(), bare.to_owned(), kind.contains('!'), u32::from(kind.contains('*')))
}

/// The tables of the on-device schema with their columns in order; what GIK adds comes after.
const TABLES: &[(&str, &[&str])] = &[
    ("meta", &["key TEXT*", "value TEXT!"]),
    (
        "workspace",
        &["id INTEGER*", "root_path TEXT!", "created_at INTEGER!", "updated_at INTEGER!"],
    ),
    (
        "files",
        &[
            "id INTEGER*",
            "path TEXT!",
            "lang TEXT!",
            "mtime INTEGER!",
            "size INTEGER!",
            "sha256 TEXT!",
            "is_binary INTEGER!",
        ],
    ),
    ("embedding_models", &["id INTEGER*", "name TEXT!", "dim INTEGER!", "created_at INTEGER!"]),
    (
        "embeddings",
        &[
            "chunk_id INTEGER*",
            "model_id INTEGER!",
            "offset_bytes INTEGER!",
            "length_bytes INTEGER!",
            "norm REAL!",
        ],
    ),
];

#[test]
fn a_new_index_has_the_published_schema() {
    let folder = Folder::new();
    let store = folder.writable();
    assert_eq!(store.meta("schema_version").unwrap().as_deref(), Some("10"));
    let connection = &store.connection;
    for (table, published) in TABLES {
        let found = columns(connection, table);
        let published: Vec<Column> = published.iter().map(|text| column(text)).collect();
        assert_eq!(found[..published.len()], published, "{table}");
    }
    assert_eq!(
        names(connection, "table"),
        [
            "chunk_rows",
            "contents",
            "embedding_models",
            "embeddings",
            "facts",
            "files",
            "graph_changed",
            "graph_edges",
            "graph_ends",
            "graph_files",
            "graph_looked",
            "meta",
            "remotes",
            "segments",
            "symbol_rows",
            "symbol_scopes",
            "unprojected",
            "vector_indexes",
            "workspace"
        ]
    );
    assert_eq!(
        names(connection, "index"),
        ["idx_embeddings_model", "idx_files_lang", "idx_files_mtime", "idx_symbols_name"]
    );
    assert_eq!(names(connection, "view"), ["chunks", "symbols"]);
    let pragma = |name: &str| {
        connection
            .query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, rusqlite::types::Value>(0))
            .unwrap()
    };
    assert_eq!(pragma("journal_mode"), "wal".to_owned().into());
    assert_eq!(pragma("synchronous"), 1.into());
    assert_eq!(pragma("temp_store"), 2.into());
    assert_eq!(pragma("foreign_keys"), 1.into());
}

#[test]
fn a_path_is_unique_and_facts_go_with_their_file() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha beta"])]);
    let store = folder.writable();
    let connection = &store.connection;
    let again = connection.execute(
        "INSERT INTO files(path, lang, mtime, size, sha256, base, inode, origin, lines, n_chunks, n_symbols,
                           mode, stage, first_chunk, first_symbol)
         VALUES ('a.rs', '', 0, 0, '', 'code', 0, 'file', 0, 0, 0, 'code', 2, 1, 1)",
        [],
    );
    assert!(again.unwrap_err().to_string().contains("UNIQUE"));
    connection.execute("INSERT INTO facts SELECT id, x'' FROM files", []).unwrap();
    connection.execute("DELETE FROM files", []).unwrap();
    let left: i64 =
        connection.query_row("SELECT count(*) FROM facts", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[test]
fn reopening_changes_nothing() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha beta"])]);
    let bytes = || std::fs::read(folder.database()).unwrap();
    let before = (bytes(), folder.lexical_files());
    for access in [Access::ReadWrite, Access::ReadOnly, Access::ReadWrite] {
        let store = folder.try_open(access).unwrap();
        assert_eq!(store.snapshot().unwrap().generation(), 1);
    }
    assert!((bytes(), folder.lexical_files()) == before);
}

#[test]
fn an_index_of_a_newer_version_is_refused_and_kept() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    folder.sql("UPDATE meta SET value = '11' WHERE key = 'schema_version'");
    for access in [Access::ReadWrite, Access::ReadOnly] {
        let failure = folder.try_open(access).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::StoreNewer);
        assert!(!failure.hints().is_empty());
    }
    folder.sql("UPDATE meta SET value = '10' WHERE key = 'schema_version'");
    assert_eq!(folder.readable().snapshot().unwrap().files().unwrap().len(), 1);
}

#[test]
fn an_index_of_an_older_version_is_emptied_for_being_made_anew() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    folder.sql(
        "UPDATE meta SET value = '1' WHERE key = 'schema_version'; DROP TABLE facts; CREATE TABLE old(x);
         CREATE VIEW other AS SELECT x FROM old; CREATE TRIGGER t AFTER INSERT ON old BEGIN DELETE FROM files; END;
         ALTER TABLE files DROP COLUMN skip_detail",
    );
    let failure = folder.try_open(Access::ReadOnly).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::NoIndexedBase);
    let snapshot_is_empty = folder.writable().snapshot().unwrap().files().unwrap().is_empty();
    assert!(snapshot_is_empty);
    assert_eq!(folder.readable().verify().unwrap(), Vec::<String>::new());
}

#[test]
fn a_version_that_makes_no_sense_is_damage() {
    for statement in [
        "UPDATE meta SET value = 'one' WHERE key = 'schema_version'",
        "UPDATE meta SET value = '-1' WHERE key = 'schema_version'",
        "UPDATE meta SET value = '0' WHERE key = 'schema_version'",
        "UPDATE meta SET value = x'ff' WHERE key = 'schema_version'",
        "DELETE FROM meta",
    ] {
        let folder = Folder::with(&[]);
        folder.sql(statement);
        let failure = folder.try_open(Access::ReadWrite).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::StoreBroken, "{statement}: {failure:?}");
    }
}

#[test]
fn triggers_and_views_of_someone_else_are_refused() {
    for statement in [
        "CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM facts; END",
        "CREATE VIEW v AS SELECT 1",
        "DROP VIEW chunks; CREATE VIEW chunks AS SELECT 1",
    ] {
        let folder = Folder::with(&[]);
        folder.sql(statement);
        for access in [Access::ReadWrite, Access::ReadOnly] {
            let failure = folder.try_open(access).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::StoreBroken, "{statement}: {failure:?}");
        }
    }
}

#[test]
fn reading_where_nothing_was_made_says_so_and_makes_nothing() {
    let folder = Folder::new();
    let missing = folder.try_open(Access::ReadOnly).unwrap_err();
    assert_eq!(missing.code(), ErrorCode::NoIndexedBase);
    assert!(!folder.database().exists());

    // A writer that was killed before its first commit leaves an empty file.
    std::fs::create_dir_all(folder.database().parent().unwrap()).unwrap();
    std::fs::write(folder.database(), b"").unwrap();
    let empty = folder.try_open(Access::ReadOnly).unwrap_err();
    assert_eq!(empty.code(), ErrorCode::NoIndexedBase);
}

#[test]
fn an_index_that_was_removed_is_made_anew_whatever_was_left() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    // A process killed while removing leaves the log and the segments behind.
    let open = folder.writable();
    folder.put(&[Sample::new("b.rs", &["beta"])]);
    std::fs::remove_file(folder.database()).unwrap();
    let mut store = folder.writable();
    assert_eq!(store.snapshot().unwrap().files().unwrap(), []);
    change(&mut store, |writer| {
        Sample::new("c.rs", &["gamma"]).put(writer);
    });
    store.sweep().unwrap();
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
    drop((open, store));

    Store::remove(&folder.database(), &folder.lexical()).unwrap();
    Store::remove(&folder.database(), &folder.lexical()).unwrap();
    assert_eq!(std::fs::read_dir(folder.database().parent().unwrap()).unwrap().count(), 0);
}

#[test]
fn only_reading_cannot_write() {
    let folder = Folder::with(&[]);
    let failure = folder.readable().writer().unwrap_err();
    assert_eq!(failure.code(), ErrorCode::WorkspaceReadOnly);
}

#[cfg(target_os = "linux")]
#[test]
fn folders_with_any_name_can_hold_an_index() {
    use std::os::unix::ffi::OsStrExt as _;
    for name in [&b"100%?#&"[..], b"not utf8 \xff", b"file:x?mode=ro"] {
        let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
        let there = folder.dir.path().join(std::ffi::OsStr::from_bytes(name));
        let (database, lexical) = (there.join("index.sqlite"), there.join("lexical"));
        folder.readable().copy_to(&database, &lexical).unwrap();
        for access in [Access::ReadWrite, Access::ReadOnly] {
            let store = Store::open(&database, &lexical, access).unwrap();
            assert_eq!(super::found_paths(&store.snapshot().unwrap(), "alpha"), ["a.rs"]);
        }
        let connection = crate::store::open_unchanging(&database).unwrap();
        assert_eq!(crate::schema::version(&connection).unwrap(), 10);
    }
}
