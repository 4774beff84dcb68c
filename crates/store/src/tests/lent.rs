//! Connections that stay open: what they read is what a new one would.

use gik_base::ErrorCode;

use super::{Folder, Sample, found_paths};
use crate::lent::{Lent, Origin};
use crate::{Access, Store, keep_connections_open};

fn found(folder: &Folder, words: &str) -> Vec<String> {
    let store = folder.readable();
    let snapshot = store.snapshot().unwrap();
    found_paths(&snapshot, words)
}

/// Whether a connection is kept that may be used now.
fn is_kept(folder: &Folder) -> bool {
    let origin = Origin::of(&folder.database());
    origin.is_some_and(|origin| Lent::again(&origin).is_some())
}

/// One test for all of it: whether connections are kept is said once, for the whole process.
#[test]
fn connections_are_kept_where_that_was_asked_for() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    assert_eq!(found(&folder, "alpha"), ["a.rs"]);
    assert!(!is_kept(&folder), "nothing is kept where nobody asked for it");
    keep_connections_open();
    a_kept_connection_sees_what_was_written_meanwhile(&folder);
    a_kept_connection_refuses_what_a_new_one_does();
}

fn a_kept_connection_sees_what_was_written_meanwhile(folder: &Folder) {
    assert_eq!(found(folder, "alpha"), ["a.rs"]);
    assert!(is_kept(folder));
    assert_eq!(found(folder, "alpha"), ["a.rs"]);
    folder.put(&[Sample::new("b.rs", &["alpha"])]);
    assert_eq!(found(folder, "alpha"), ["a.rs", "b.rs"]);
    folder.write_back();
    assert!(!is_kept(folder), "the file has changed");
    assert_eq!(found(folder, "alpha"), ["a.rs", "b.rs"]);

    Store::remove(&folder.database(), &folder.lexical()).unwrap();
    assert_eq!(folder.try_open(Access::ReadOnly).unwrap_err().code(), ErrorCode::NoIndexedBase);
    folder.put(&[Sample::new("c.rs", &["alpha"])]);
    assert_eq!(found(folder, "alpha"), ["c.rs"]);
}

fn a_kept_connection_refuses_what_a_new_one_does() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    assert_eq!(found(&folder, "alpha"), ["a.rs"]);
    folder.sql("CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM meta; END");
    assert_eq!(folder.try_open(Access::ReadOnly).unwrap_err().code(), ErrorCode::StoreBroken);
}
