//! A copy is equal at first and independent ever after.

use super::{Folder, Sample, change, find, found_paths, key};
use crate::Access;

fn filled() -> Folder {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha", "beta"])]);
    folder.put(&[Sample::new("b.rs", &["alpha gamma"])]);
    folder.put(&[Sample::new("a.rs", &["alpha delta"])]);
    folder
}

/// Copies an index whose changes are partly in the log, as a running process has it.
fn copy(folder: &Folder, access: Access) -> Folder {
    let copy = Folder::new();
    let store = folder.try_open(access).unwrap();
    store.copy_to(&copy.database(), &copy.lexical()).unwrap();
    copy
}

#[test]
fn a_copy_says_the_same() {
    for access in [Access::ReadOnly, Access::ReadWrite] {
        let folder = filled();
        let _writer_keeps_the_log = folder.writable();
        folder.put(&[Sample::new("c.rs", &["alpha epsilon"])]);
        let copy = copy(&folder, access);
        let (here, there) = (folder.readable(), copy.readable());
        assert_eq!(there.verify().unwrap(), Vec::<String>::new());
        let (here, there) = (here.snapshot().unwrap(), there.snapshot().unwrap());
        assert_eq!(there.generation(), here.generation());
        assert_eq!(there.files().unwrap(), here.files().unwrap());
        assert_eq!(there.unprojected().unwrap(), here.unprojected().unwrap());
        assert_eq!(find(&there, "alpha delta"), find(&here, "alpha delta"));
        assert_eq!(copy.lexical_files(), folder.lexical_files());
    }
}

#[cfg(unix)]
#[test]
fn segments_are_shared_on_disk() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = filled();
    let copy = copy(&folder, Access::ReadOnly);
    for name in folder.lexical_files() {
        let inode = |folder: &Folder| folder.lexical().join(&name).metadata().unwrap().ino();
        assert_eq!(inode(&copy), inode(&folder));
    }
}

#[test]
fn a_copy_and_its_origin_go_their_own_ways() {
    let folder = filled();
    let copy = copy(&folder, Access::ReadOnly);
    for n in 0..15 {
        copy.put(&[Sample::new("b.rs", &[&format!("zeta{n} zeta")])]);
        folder.put(&[Sample::new("c.rs", &[&format!("eta{n} eta")])]);
    }
    for (folder, here, gone) in [(&copy, "zeta", "eta gamma"), (&folder, "eta gamma", "zeta")] {
        let mut store = folder.writable();
        store.sweep().unwrap();
        assert_eq!(store.verify().unwrap(), Vec::<String>::new());
        let snapshot = store.snapshot().unwrap();
        assert_ne!(found_paths(&snapshot, here), Vec::<String>::new());
        assert_eq!(found_paths(&snapshot, gone), Vec::<String>::new());
    }
}

#[test]
fn a_copy_replaces_what_was_there() {
    let folder = filled();
    let copy = Folder::with(&[Sample::new("old.rs", &["old"])]);
    let mut store = copy.writable();
    change(&mut store, |writer| writer.create_fts().unwrap());
    drop(store);
    folder.readable().copy_to(&copy.database(), &copy.lexical()).unwrap();
    let store = copy.readable();
    assert!(!store.has_fts().unwrap());
    assert_eq!(store.snapshot().unwrap().file_by_key(&key("old.rs")).unwrap(), None);
    assert_eq!(copy.lexical_files(), folder.lexical_files());
}
