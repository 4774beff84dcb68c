//! The FTS5 table is there on request and follows the chunks.

use super::{Folder, Sample, change, key};
use crate::Store;

/// Paths of the chunks that match, as a person would ask with SQL.
fn matches(store: &Store, words: &str) -> Vec<String> {
    let mut statement = store
        .connection
        .prepare(
            "SELECT fts_chunks.path FROM fts_chunks JOIN chunks ON chunks.id = fts_chunks.chunk_id
             WHERE fts_chunks MATCH ?1 ORDER BY fts_chunks.path",
        )
        .unwrap();
    statement.query_map([words], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

fn rows(store: &Store) -> i64 {
    store.connection.query_row("SELECT count(*) FROM fts_chunks", [], |row| row.get(0)).unwrap()
}

fn with_table() -> (Folder, Store) {
    let files = [Sample::new("a.rs", &["alpha one", "beta"]), Sample::new("b.rs", &["alpha"])];
    let folder = Folder::with(&files);
    let mut store = folder.writable();
    assert!(!store.has_fts().unwrap());
    change(&mut store, |writer| {
        writer.create_fts().unwrap();
        for file in &files {
            file.put(writer);
        }
    });
    (folder, store)
}

#[test]
fn the_published_columns_can_be_asked() {
    let (_folder, store) = with_table();
    assert!(store.has_fts().unwrap());
    assert_eq!(matches(&store, "alpha"), ["a.rs", "b.rs"]);
    let content: String = store
        .connection
        .query_row("SELECT content FROM fts_chunks WHERE fts_chunks MATCH 'one'", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(content, "alpha one");
}

#[test]
fn the_table_follows_replaced_and_removed_files() {
    let (folder, mut store) = with_table();
    drop(store);
    store = folder.writable();
    change(&mut store, |writer| {
        Sample::new("a.rs", &["gamma"]).put(writer);
        Sample::new("c.rs", &["gamma"]).put(writer);
        Sample::new("c.rs", &["delta"]).put(writer);
    });
    assert_eq!(matches(&store, "alpha"), ["b.rs"]);
    assert_eq!(matches(&store, "gamma"), ["a.rs"]);
    assert_eq!(matches(&store, "delta"), ["c.rs"]);
    let id = store.snapshot().unwrap().file_by_key(&key("b.rs")).unwrap().unwrap().id;
    change(&mut store, |writer| writer.remove_file(id).unwrap());
    assert_eq!(matches(&store, "alpha"), Vec::<String>::new());
    assert_eq!(rows(&store), 2);
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
}

#[test]
fn making_the_table_again_starts_empty() {
    let (_folder, mut store) = with_table();
    change(&mut store, |writer| writer.create_fts().unwrap());
    assert_eq!(rows(&store), 0);
}

#[test]
fn a_dropped_change_neither_makes_nor_removes_the_table() {
    let (_folder, mut store) = with_table();
    let mut writer = store.writer().unwrap();
    writer.remove_fts().unwrap();
    Sample::new("a.rs", &["gamma"]).put(&mut writer);
    drop(writer);
    assert!(store.has_fts().unwrap());
    assert_eq!(matches(&store, "alpha"), ["a.rs", "b.rs"]);
}

#[test]
fn the_table_goes_when_it_is_not_wanted_any_more() {
    let (folder, mut store) = with_table();
    change(&mut store, |writer| {
        writer.remove_fts().unwrap();
        Sample::new("a.rs", &["gamma"]).put(writer);
    });
    assert!(!store.has_fts().unwrap());
    let left: i64 = store
        .connection
        .query_row("SELECT count(*) FROM sqlite_master WHERE name LIKE 'fts%'", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(left, 0);
    drop(store);
    folder.put(&[Sample::new("a.rs", &["delta"])]);
}
