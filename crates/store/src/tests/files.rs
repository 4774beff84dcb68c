//! A file is put in, replaced and removed as a whole.

use std::collections::BTreeSet;

use gik_base::{FileKey, FileStat};
use gik_index::FileNo;
use gik_testkit::Rng;

use super::{Folder, Sample, change, chunks, find, found_paths, key, living};
use crate::{FileOrigin, FileState, RemoteState, Snapshot, Store};

fn assert_whole(store: &Store) {
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
    let snapshot = store.snapshot().unwrap();
    assert_eq!(living(&snapshot), chunks(&snapshot));
}

fn id_of(snapshot: &Snapshot<'_>, path: &str) -> FileNo {
    snapshot.file_by_key(&key(path)).unwrap().unwrap().id
}

fn page(texts: &[&str], etag: &str) -> Sample {
    Sample {
        origin: FileOrigin::Url,
        base: "docs",
        language: "markdown",
        content: Some(texts.join("\n")),
        remote: Some(RemoteState { etag: Some(etag.to_owned()), last_modified: None }),
        ..Sample::new("https://example.org/page", texts)
    }
}

#[test]
fn rows_and_words_become_visible_together() {
    let folder = Folder::with(&[]);
    let reader = folder.readable();
    let mut store = folder.writable();
    let mut writer = store.writer().unwrap();
    assert_eq!(writer.generation(), 2);
    Sample::new("a.rs", &["alpha beta", "gamma"]).put(&mut writer);
    {
        let before = reader.snapshot().unwrap();
        assert_eq!((before.generation(), living(&before), chunks(&before)), (1, 0, 0));
        assert_eq!(before.files().unwrap(), []);
    }
    assert_eq!(writer.commit().unwrap(), 2);
    let after = reader.snapshot().unwrap();
    assert_eq!((after.generation(), living(&after), chunks(&after)), (2, 2, 2));
    assert_eq!(found_paths(&after, "gamma"), ["a.rs"]);
}

#[test]
fn what_was_put_in_comes_out() {
    let folder = Folder::with(&[
        page(&["alpha beta", "gamma"], "v1"),
        Sample { skipped: Some("binary"), texts: Vec::new(), ..Sample::new("blob.bin", &[]) },
    ]);
    let store = folder.readable();
    let snapshot = store.snapshot().unwrap();
    let files = snapshot.files().unwrap();
    let paths: Vec<&str> = files.iter().map(|file| file.key.as_str()).collect();
    assert_eq!(paths, ["blob.bin", "https://example.org/page"]);
    assert_eq!(
        files[0].state,
        FileState::Skipped { code: "binary".to_owned(), detail: "why".to_owned() }
    );
    let file = &files[1];
    assert_eq!(snapshot.file(file.id).unwrap().as_ref(), Some(file));
    assert_eq!((file.origin, file.n_chunks, &*file.language), (FileOrigin::Url, 2, "markdown"));
    assert_eq!(file.stat, FileStat { size: 16, mtime_ns: -5, inode: u64::MAX });

    let rows = snapshot.chunks_of(file.id).unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[1].lines, rows[1].bytes.clone(), rows[1].ordinal), ((2, 2), 11..16, 1));
    assert_eq!((rows[1].name.as_str(), rows[1].utf16.clone()), ("gamma", rows[1].bytes.clone()));
    assert_eq!(snapshot.chunk(rows[1].id).unwrap().as_ref(), Some(&rows[1]));
    let symbols = snapshot.symbols_of(file.id).unwrap();
    assert_eq!((symbols[0].name.as_str(), symbols[0].start), ("alpha", (1, 0)));
    assert_eq!(snapshot.content_of(file.id).unwrap().as_deref(), Some("alpha beta\ngamma"));
    assert_eq!(snapshot.remote_of(file.id).unwrap().unwrap().etag.as_deref(), Some("v1"));

    let counts = snapshot.base_counts().unwrap();
    assert_eq!(counts.len(), 1);
    assert_eq!((counts[0].name.as_str(), counts[0].files, counts[0].chunks), ("docs", 1, 2));
    assert_eq!(snapshot.language_counts(None).unwrap(), [("markdown".to_owned(), 1)].into());
    assert_eq!(snapshot.skip_counts().unwrap(), [("binary".to_owned(), 1)].into());
    assert_eq!(snapshot.file_by_key(&FileKey::from_text("nothing")).unwrap(), None);
    let is_binary: Vec<bool> = {
        let mut statement =
            store.connection.prepare("SELECT is_binary FROM files ORDER BY path").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(is_binary, [true, false]);
}

#[test]
fn putting_a_file_again_replaces_all_of_it() {
    let folder = Folder::with(&[
        page(&["alpha one", "beta two", "gamma three"], "v1"),
        Sample::new("other.rs", &["alpha"]),
    ]);
    let mut store = folder.writable();
    let first = id_of(&store.snapshot().unwrap(), "https://example.org/page");
    change(&mut store, |writer| {
        page(&["delta four"], "v2").put(writer);
    });
    {
        let snapshot = store.snapshot().unwrap();
        let id = id_of(&snapshot, "https://example.org/page");
        assert_eq!(id, first);
        assert_eq!(snapshot.chunks_of(id).unwrap().len(), 1);
        assert_eq!(snapshot.symbols_of(id).unwrap().len(), 1);
        assert_eq!(snapshot.content_of(id).unwrap().as_deref(), Some("delta four"));
        assert_eq!(snapshot.remote_of(id).unwrap().unwrap().etag.as_deref(), Some("v2"));
        assert_eq!(found_paths(&snapshot, "alpha beta gamma"), ["other.rs"]);
        assert_eq!(found_paths(&snapshot, "delta"), ["https"]);
    }
    assert_whole(&store);

    // What the new state does not have is gone as well.
    change(&mut store, |writer| {
        Sample { skipped: Some("empty"), ..Sample::new("https://example.org/page", &[]) }
            .put(writer);
    });
    {
        let snapshot = store.snapshot().unwrap();
        let id = id_of(&snapshot, "https://example.org/page");
        assert_eq!(snapshot.chunks_of(id).unwrap(), []);
        assert_eq!(snapshot.symbols_of(id).unwrap(), []);
        assert_eq!(snapshot.content_of(id).unwrap(), None);
        assert_eq!(snapshot.remote_of(id).unwrap(), None);
        assert_eq!(found_paths(&snapshot, "delta"), Vec::<String>::new());
    }
    assert_whole(&store);
}

#[test]
fn removing_a_file_removes_all_of_it() {
    let folder =
        Folder::with(&[page(&["alpha", "beta"], "v1"), Sample::new("other.rs", &["alpha"])]);
    let mut store = folder.writable();
    let id = id_of(&store.snapshot().unwrap(), "https://example.org/page");
    change(&mut store, |writer| writer.remove_file(id).unwrap());
    {
        let snapshot = store.snapshot().unwrap();
        assert_eq!(snapshot.file(id).unwrap(), None);
        assert_eq!(snapshot.chunks_of(id).unwrap(), []);
        assert_eq!(snapshot.content_of(id).unwrap(), None);
        assert_eq!(snapshot.remote_of(id).unwrap(), None);
        assert_eq!(found_paths(&snapshot, "alpha beta"), ["other.rs"]);
    }
    assert_whole(&store);
    // A file that is not there can be removed; nothing happens.
    change(&mut store, |writer| writer.remove_file(FileNo(12345)).unwrap());
    assert_whole(&store);
}

#[test]
fn the_last_of_two_puts_in_one_change_counts() {
    let folder = Folder::with(&[]);
    let mut store = folder.writable();
    change(&mut store, |writer| {
        let first = Sample::new("a.rs", &["alpha", "beta"]).put(writer);
        Sample::new("b.rs", &["alpha"]).put(writer);
        assert_eq!(Sample::new("a.rs", &["gamma"]).put(writer), first);
        Sample::new("c.rs", &["gamma"]).put(writer);
    });
    {
        let snapshot = store.snapshot().unwrap();
        assert_eq!(found_paths(&snapshot, "alpha"), ["b.rs"]);
        assert_eq!(found_paths(&snapshot, "gamma"), ["a.rs", "c.rs"]);
    }
    assert_whole(&store);
}

#[test]
fn a_file_put_and_removed_in_one_change_was_never_there() {
    let folder = Folder::with(&[Sample::new("keep.rs", &["alpha"])]);
    let mut store = folder.writable();
    change(&mut store, |writer| {
        let file = Sample::new("a.rs", &["alpha", "beta"]).put(writer);
        writer.remove_file(file).unwrap();
    });
    {
        let snapshot = store.snapshot().unwrap();
        assert_eq!(snapshot.files().unwrap().len(), 1);
        assert_eq!(found_paths(&snapshot, "alpha beta"), ["keep.rs"]);
    }
    assert_whole(&store);

    // The row id is free again and may be given to another file at once.
    change(&mut store, |writer| {
        let file = Sample::new("a.rs", &["alpha"]).put(writer);
        writer.remove_file(file).unwrap();
        assert_eq!(Sample::new("b.rs", &["beta"]).put(writer), file);
        Sample::new("a.rs", &["gamma"]).put(writer);
    });
    {
        let snapshot = store.snapshot().unwrap();
        assert_eq!(found_paths(&snapshot, "alpha"), ["keep.rs"]);
        assert_eq!(found_paths(&snapshot, "beta"), ["b.rs"]);
        assert_eq!(found_paths(&snapshot, "gamma"), ["a.rs"]);
    }
    assert_whole(&store);
}

#[test]
fn scores_know_only_what_is_alive() {
    let kept = Sample::new("kept.rs", &["alpha beta"]);
    let folder = Folder::with(&[kept.clone(), Sample::new("gone.rs", &["alpha alpha gamma"; 9])]);
    let mut store = folder.writable();
    let gone = id_of(&store.snapshot().unwrap(), "gone.rs");
    change(&mut store, |writer| writer.remove_file(gone).unwrap());
    let fresh = Folder::with(&[kept]);
    assert_eq!(
        find(&store.snapshot().unwrap(), "alpha beta"),
        find(&fresh.readable().snapshot().unwrap(), "alpha beta")
    );
}

#[test]
fn touching_a_file_changes_its_times_only() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    let mut store = folder.writable();
    let before = store.snapshot().unwrap().files().unwrap().remove(0);
    let stat = FileStat { size: 5, mtime_ns: 99, inode: 7 };
    change(&mut store, |writer| writer.touch_file(before.id, &stat).unwrap());
    let after = store.snapshot().unwrap().files().unwrap().remove(0);
    assert_eq!(after.stat, stat);
    assert_eq!(crate::FileRow { stat: before.stat, ..after }, before);
    assert_whole(&store);
}

#[test]
fn meta_values_and_the_workspace_are_kept_with_the_change() {
    let folder = Folder::with(&[]);
    let mut store = folder.writable();
    change(&mut store, |writer| {
        writer.set_meta("parser", "1").unwrap();
        writer.set_meta("parser", "2").unwrap();
        writer.set_workspace("/one", 5).unwrap();
        writer.set_workspace("/two", 7).unwrap();
    });
    assert_eq!(store.meta("parser").unwrap().as_deref(), Some("2"));
    assert_eq!(store.snapshot().unwrap().meta("nothing").unwrap(), None);
    let row: (String, i64, i64) = store
        .connection
        .query_row("SELECT root_path, created_at, updated_at FROM workspace", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .unwrap();
    assert_eq!(row, ("/two".to_owned(), 5, 7));
}

#[test]
fn symbols_of_a_name_are_found_with_their_places() {
    let folder = Folder::with(&[
        Sample::new("a.rs", &["alpha", "beta", "alpha"]),
        Sample::new("b.rs", &["beta", "alpha"]),
        Sample::new("c.rs", &["alpha"]),
    ]);
    let store = folder.readable();
    let snapshot = store.snapshot().unwrap();
    let found = snapshot.places_of("alpha").unwrap();
    let nth: Vec<u32> = found.iter().map(|one| snapshot.nth_symbol(one.row).unwrap()).collect();
    assert_eq!(nth, [0, 2, 1, 0]);
    for (one, nth) in found.iter().zip(nth) {
        let row = &snapshot.symbols_of(one.file).unwrap()[nth as usize];
        assert_eq!((row.name.as_str(), &row.kind), ("alpha", &one.kind));
    }
    let files: Vec<FileNo> = snapshot.files().unwrap().iter().map(|file| file.id).collect();
    let naming = |most: usize, name: &str| {
        let found = snapshot.files_naming(name, most, |file| file != files[1]).unwrap();
        found.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(naming(9, "alpha"), [files[0], files[2]]);
    assert_eq!(naming(1, "alpha"), [files[0]]);
    assert_eq!(naming(9, "gamma"), []);
}

#[test]
fn the_list_of_files_is_true_after_every_change_and_seldom_written() {
    let folder = Folder::with(&[]);
    let path = crate::file_list::path_of(&folder.database());
    let mut rng = Rng::new(5);
    let (mut names, mut n_written) = (BTreeSet::new(), 0);
    for _ in 0..150 {
        let before = std::fs::read(&path).ok();
        let mut store = folder.writable();
        let name = format!("{}.rs", rng.below(40));
        let known = store.snapshot().unwrap().file_by_key(&key(&name)).unwrap();
        change(&mut store, |writer| match known.filter(|_| rng.below(3) == 0) {
            Some(file) => writer.remove_file(file.id).unwrap(),
            None => {
                Sample::new(&name, &["alpha"]).put(writer);
            },
        });
        let snapshot = store.snapshot().unwrap();
        let stored = crate::snapshot::stored_files(snapshot.connection).unwrap();
        let listed = crate::snapshot::listed_files(snapshot.connection, &path).unwrap();
        assert_eq!(listed.as_ref(), Some(&stored));
        let files: Vec<_> =
            stored.iter().map(|file| (file.id, file.key.as_str().to_owned())).collect();
        names.insert((snapshot.list_of_files().unwrap(), files));
        n_written += usize::from(std::fs::read(&path).ok() != before);
    }
    assert!(n_written < 10, "{n_written}");
    let distinct: BTreeSet<_> = names.iter().map(|(name, _)| name).collect();
    assert_eq!(distinct.len(), names.len(), "one name for two lists");
    // Without the list nothing is lost, and the next change writes it.
    let mut store = folder.writable();
    let before = store.snapshot().unwrap().files().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(store.snapshot().unwrap().files().unwrap(), before);
    change(&mut store, |writer| {
        Sample::new("last.rs", &["alpha"]).put(writer);
    });
    assert!(path.exists());
}
