//! What the store remembers of files that changed since the contract files were last written.

use super::{Folder, Sample, change, key};
use crate::Store;

/// Path, and whether it came or went.
fn unprojected(store: &Store) -> Vec<(String, bool)> {
    let rows = store.snapshot().unwrap().unprojected().unwrap();
    rows.into_iter().map(|row| (row.key.as_str().to_owned(), row.is_listed)).collect()
}

fn put(store: &mut Store, path: &str, text: &str) {
    change(store, |writer| {
        Sample::new(path, &[text]).put(writer);
    });
}

fn remove(store: &mut Store, path: &str) {
    let id = store.snapshot().unwrap().file_by_key(&key(path)).unwrap().unwrap().id;
    change(store, |writer| writer.remove_file(id).unwrap());
}

fn listed(path: &str) -> (String, bool) {
    (path.to_owned(), true)
}

fn content(path: &str) -> (String, bool) {
    (path.to_owned(), false)
}

#[test]
fn files_that_came_changed_and_went_are_told_apart() {
    let folder = Folder::with(&[
        Sample::new("a.rs", &["alpha"]),
        Sample::new("b.rs", &["alpha"]),
        Sample::new("c.rs", &["alpha"]),
    ]);
    let mut store = folder.writable();
    assert_eq!(unprojected(&store), [listed("a.rs"), listed("b.rs"), listed("c.rs")]);
    store.note_projection(&[("code".to_owned(), "note".to_owned())]).unwrap();
    assert_eq!(unprojected(&store), []);
    assert_eq!(store.meta("projected:code").unwrap().as_deref(), Some("note"));

    put(&mut store, "b.rs", "beta");
    remove(&mut store, "c.rs");
    put(&mut store, "d.rs", "delta");
    assert_eq!(unprojected(&store), [content("b.rs"), listed("c.rs"), listed("d.rs")]);
    let rows = store.snapshot().unwrap().unprojected().unwrap();
    assert!(rows.iter().all(|row| row.base == "code"));
}

#[test]
fn a_file_that_came_stays_one_that_came() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    let mut store = folder.writable();
    put(&mut store, "a.rs", "beta");
    assert_eq!(unprojected(&store), [listed("a.rs")]);
    store.note_projection(&[]).unwrap();
    put(&mut store, "a.rs", "gamma");
    assert_eq!(unprojected(&store), [content("a.rs")]);
    remove(&mut store, "a.rs");
    assert_eq!(unprojected(&store), [listed("a.rs")]);
    put(&mut store, "a.rs", "gamma");
    put(&mut store, "a.rs", "delta");
    assert_eq!(unprojected(&store), [listed("a.rs")]);
}

#[test]
fn a_change_that_is_dropped_marks_nothing() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    let mut store = folder.writable();
    store.note_projection(&[]).unwrap();
    let mut writer = store.writer().unwrap();
    Sample::new("a.rs", &["beta"]).put(&mut writer);
    Sample::new("b.rs", &["beta"]).put(&mut writer);
    drop(writer);
    assert_eq!(unprojected(&store), []);
}

#[test]
fn touching_a_file_is_no_change_of_content() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    let mut store = folder.writable();
    store.note_projection(&[]).unwrap();
    let file = store.snapshot().unwrap().files().unwrap().remove(0);
    change(&mut store, |writer| writer.touch_file(file.id, &file.stat).unwrap());
    assert_eq!(unprojected(&store), []);
}
