//! Generations: what readers see while writers write, and which segment files there are.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use gik_base::ErrorCode;

use super::{Folder, Sample, change, chunks, find, found_paths, living};
use crate::{Stage, Store};

/// Whether every segment that the index names is there.
fn has_all_segments(folder: &Folder) -> bool {
    let store = folder.readable();
    let snapshot = store.snapshot().unwrap();
    let there = folder.lexical_files();
    snapshot.segments().iter().all(|row| there.contains(&row.name))
}

#[test]
fn a_change_that_is_dropped_leaves_the_old_generation() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"]), Sample::new("b.rs", &["beta"])]);
    let mut store = folder.writable();
    let mut writer = store.writer().unwrap();
    let file = Sample::new("a.rs", &["gamma"]).put(&mut writer);
    // Replacing it again writes a segment, which nobody will name.
    Sample::new("a.rs", &["delta"]).put(&mut writer);
    writer.remove_file(file).unwrap();
    writer.set_meta("note", "new").unwrap();
    drop(writer);

    assert_eq!(store.meta("note").unwrap(), None);
    assert!(has_all_segments(&folder));
    {
        let snapshot = store.snapshot().unwrap();
        assert_eq!(snapshot.generation(), 1);
        assert_eq!(found_paths(&snapshot, "alpha beta gamma delta"), ["a.rs", "b.rs"]);
    }
    // The next change takes the same generation and the same names.
    assert_eq!(
        change(&mut store, |writer| {
            Sample::new("c.rs", &["gamma"]).put(writer);
        }),
        2
    );
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
    assert_eq!(found_paths(&store.snapshot().unwrap(), "gamma"), ["c.rs"]);
}

#[test]
fn a_snapshot_outlives_the_files_it_reads() {
    let files: Vec<Sample> =
        (0..20).map(|n| Sample::new(&format!("f{n}.rs"), &["alpha beta", "gamma"])).collect();
    let folder = Folder::with(&files);
    let reader = folder.readable();
    let snapshot = reader.snapshot().unwrap();
    let (before, rows) = (find(&snapshot, "alpha gamma"), snapshot.files().unwrap());
    let names: Vec<String> = snapshot.segments().iter().map(|row| row.name.clone()).collect();

    let mut store = folder.writable();
    for file in &files {
        change(&mut store, |writer| {
            Sample { texts: vec!["delta".to_owned()], ..file.clone() }.put(writer);
        });
    }
    store.sweep().unwrap();
    assert!(names.iter().all(|name| !folder.lexical_files().contains(name)));
    assert_eq!(found_paths(&store.snapshot().unwrap(), "alpha gamma"), Vec::<String>::new());

    assert_eq!(snapshot.generation(), 1);
    assert_eq!(find(&snapshot, "alpha gamma"), before);
    assert_eq!(snapshot.files().unwrap(), rows);
    assert_eq!((living(&snapshot), chunks(&snapshot)), (40, 40));
    drop(snapshot);
    assert_eq!(reader.snapshot().unwrap().generation(), 21);
}

#[test]
fn two_snapshots_of_one_store_are_one_generation() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    let reader = folder.readable();
    let first = reader.snapshot().unwrap();
    folder.put(&[Sample::new("b.rs", &["alpha"])]);
    let second = reader.snapshot().unwrap();
    assert_eq!((first.generation(), second.generation()), (1, 1));
    drop(first);
    assert_eq!(found_paths(&second, "alpha"), ["a.rs"]);
    drop(second);
    assert_eq!(reader.snapshot().unwrap().generation(), 2);
}

#[test]
fn many_updates_keep_segments_few_and_the_index_whole() {
    let folder = Folder::new();
    let mut store = folder.writable();
    for n in 0..120u32 {
        change(&mut store, |writer| {
            let path = format!("f{}.rs", n % 30);
            Sample::new(&path, &[&format!("word{n} alpha"), "beta", "gamma"]).put(writer);
        });
        let n_segments = store.snapshot().unwrap().segments().len();
        assert!(n_segments <= 10, "{n_segments} segments after {n} changes");
        assert_eq!(folder.lexical_files().len(), n_segments);
    }
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
    assert_eq!(living(&store.snapshot().unwrap()), 90);
}

#[test]
fn words_of_files_that_are_taken_apart_later_die_as_a_whole() {
    let folder = Folder::new();
    let mut store = folder.writable();
    let files: Vec<Sample> =
        (0..9).map(|n| Sample::new(&format!("f{n}.rs"), &["alpha beta", "gamma"])).collect();
    let mut writer = store.writer().unwrap();
    for file in &files {
        Sample { stage: Stage::Words, ..file.clone() }.put(&mut writer);
    }
    Sample::new("whole.txt", &["alpha delta"]).put(&mut writer);
    writer.commit_part().unwrap();
    // Named by generation and order: what stays comes first.
    let whole = &folder.lexical_files()[0];
    files.iter().for_each(|file| {
        file.put(&mut writer);
    });
    writer.commit().unwrap();

    let snapshot = store.snapshot().unwrap();
    let kept = snapshot.segments().iter().find(|row| row.name == *whole).unwrap();
    assert_eq!((kept.segment.n_docs(), kept.tombstones.count()), (1, 0), "not written again");
    assert_eq!((snapshot.segments().len(), living(&snapshot)), (2, 19));
    assert_eq!(find(&snapshot, "alpha").len(), 10);
    drop(snapshot);
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
}

#[test]
fn a_file_that_fills_several_segments_is_still_one_file() {
    let words: Vec<String> = (0..20_000).map(|n| format!("w{n}")).collect();
    let large = Sample::new("large.rs", &[words.join(" ").as_str(); 32]);
    let folder = Folder::new();
    let mut store = folder.writable();
    change(&mut store, |writer| {
        writer.limit_memory(16 << 20);
        large.put(writer);
    });
    {
        let snapshot = store.snapshot().unwrap();
        assert!(snapshot.segments().len() > 1);
        assert_eq!(find(&snapshot, "+w19999").len(), 32);
    }
    change(&mut store, |writer| {
        large.put(writer);
        Sample::new("large.rs", &["small"]).put(writer);
    });
    let snapshot = store.snapshot().unwrap();
    assert_eq!((living(&snapshot), snapshot.segments().len()), (1, 1));
    assert_eq!(find(&snapshot, "+w19999"), []);
}

#[test]
fn an_index_that_loses_all_its_files_has_no_segments() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"]), Sample::new("b.rs", &["beta"])]);
    let mut store = folder.writable();
    let files = store.snapshot().unwrap().files().unwrap();
    change(&mut store, |writer| {
        for file in &files {
            writer.remove_file(file.id).unwrap();
        }
    });
    assert_eq!(folder.lexical_files(), Vec::<String>::new());
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
    assert_eq!(find(&store.snapshot().unwrap(), "alpha"), []);
}

#[test]
fn sweeping_removes_orphans_only() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    folder.put(&[Sample::new("b.rs", &["beta"])]);
    let named = folder.lexical_files();
    let orphans = ["000000000099-0000.seg", "000000000003-0000.seg.12-0.gik-tmp"];
    for name in orphans {
        std::fs::write(folder.lexical().join(name), b"left by a killed writer").unwrap();
    }
    // What the store never makes is not its to remove.
    std::fs::create_dir(folder.lexical().join("folder")).unwrap();
    std::fs::write(folder.lexical().join("README"), b"mine").unwrap();
    let mut store = folder.writable();
    store.sweep().unwrap();
    let mut expected = named;
    expected.extend(["README".to_owned(), "folder".to_owned()]);
    assert_eq!(folder.lexical_files(), expected);
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
}

#[test]
fn sweeping_where_there_is_no_folder_is_fine() {
    let folder = Folder::new();
    folder.writable().sweep().unwrap();
}

#[test]
fn a_commit_stands_though_old_segments_cannot_be_removed() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    let mut store = folder.writable();
    let mut writer = store.writer().unwrap();
    Sample::new("a.rs", &["beta"]).put(&mut writer);
    // The writer has the old segment mapped; a folder in its place cannot be removed as a file.
    let old = folder.lexical().join(&folder.lexical_files()[0]);
    std::fs::remove_file(&old).unwrap();
    std::fs::create_dir(&old).unwrap();
    assert_eq!(writer.commit().unwrap(), 2);
    assert_eq!(found_paths(&store.snapshot().unwrap(), "beta"), ["a.rs"]);
}

#[test]
fn a_second_writer_has_to_wait() {
    let folder = Folder::with(&[]);
    let (mut first, mut second) = (folder.writable(), folder.writable());
    second.connection.busy_timeout(std::time::Duration::ZERO).unwrap();
    let writer = first.writer().unwrap();
    assert_eq!(second.writer().unwrap_err().code(), ErrorCode::StoreBusy);
    drop(writer);
    assert!(second.writer().is_ok());
}

/// Looks at one generation from every side and returns it.
fn look(store: &Store) -> u64 {
    let snapshot = store.snapshot().unwrap();
    let files = snapshot.files().unwrap();
    let named: u64 = files.iter().map(|file| u64::from(file.n_chunks)).sum();
    let counted: u64 = snapshot.base_counts().unwrap().iter().map(|count| count.chunks).sum();
    assert_eq!((living(&snapshot), chunks(&snapshot)), (named, counted));
    assert_eq!(named, counted);
    // Every word of a generation says which change wrote it, and `find` looks up each chunk.
    let generation = snapshot.generation();
    assert_eq!(find(&snapshot, "always").len() as u64, named);
    assert_eq!(find(&snapshot, &format!("+change{}", generation + 1)), []);
    generation
}

#[test]
fn readers_never_see_half_a_commit() {
    let folder = Folder::with(&[Sample::new("f0.rs", &["always change1"])]);
    let done = AtomicBool::new(false);
    let n_seen = [AtomicU64::new(0), AtomicU64::new(0)];
    let mut n = 1;
    std::thread::scope(|scope| {
        for (number, n_seen) in n_seen.iter().enumerate() {
            let (folder, done) = (&folder, &done);
            scope.spawn(move || {
                let mut store = folder.readable();
                let mut last = 0;
                while !done.load(Ordering::Relaxed) {
                    let generation = look(&store);
                    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
                    assert!(generation >= last, "{generation} after {last}");
                    n_seen.fetch_add(u64::from(generation > last), Ordering::Relaxed);
                    last = generation;
                    // One reader keeps its connection, the other comes anew each time, as commands do.
                    if number == 1 {
                        store = folder.readable();
                    }
                }
            });
        }
        let mut store = folder.writable();
        let is_enough = || n_seen.iter().all(|n_seen| n_seen.load(Ordering::Relaxed) >= 10);
        // The bound lets a reader that failed end the test.
        while n < 100 || (!is_enough() && n < 3000) {
            n += 1;
            change(&mut store, |writer| {
                for part in 0..2 {
                    let path = format!("f{}.rs", (n * 7 + part * 3) % 13);
                    let text = format!("always change{n}");
                    let texts = vec![text.as_str(); usize::try_from((n + part) % 4).unwrap()];
                    Sample::new(&path, &texts).put(writer);
                }
            });
        }
        done.store(true, Ordering::Relaxed);
    });
    let store = folder.writable();
    assert_eq!(look(&store), n);
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
}

#[test]
fn a_part_is_a_generation_and_survives_what_follows_it() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"])]);
    let reader = folder.readable();
    let mut store = folder.writable();
    let mut writer = store.writer().unwrap();
    writer.order_names_later().unwrap();
    Sample::new("b.rs", &["beta"]).put(&mut writer);
    writer.commit_part().unwrap();
    assert_eq!(found_paths(&reader.snapshot().unwrap(), "alpha beta"), ["a.rs", "b.rs"]);
    Sample::new("b.rs", &["gamma"]).put(&mut writer);
    assert_eq!(found_paths(&reader.snapshot().unwrap(), "beta gamma"), ["b.rs"]);
    drop(writer);
    assert_eq!(found_paths(&store.snapshot().unwrap(), "gamma"), Vec::<String>::new());
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());

    let mut writer = store.writer().unwrap();
    writer.restage_all().unwrap();
    Sample::new("c.rs", &["delta"]).put(&mut writer);
    let files = writer.commit_from(None).unwrap();
    let stages: Vec<_> = files.iter().map(|file| (file.key.as_str(), file.stage)).collect();
    let (words, structure) = (Stage::Words, Stage::Structure);
    assert_eq!(stages, [("a.rs", words), ("b.rs", words), ("c.rs", structure)]);
    assert_eq!(store.snapshot().unwrap().files().unwrap(), files);
    let order = order_of_names(&store).unwrap();
    assert!(include_str!("../schema.sql").contains(&format!("{order};")), "{order}");
}

/// The index of symbols by name, where there is one.
fn order_of_names(store: &Store) -> Option<String> {
    let query = "SELECT sql FROM sqlite_master WHERE name = 'idx_symbols_name'";
    store.connection.query_row(query, [], |row| row.get(0)).ok()
}

#[test]
fn an_order_of_names_that_was_put_off_for_ever_can_be_made() {
    let folder = Folder::with(&[]);
    let mut store = folder.writable();
    let made = order_of_names(&store);
    let mut writer = store.writer().unwrap();
    writer.order_names_later().unwrap();
    Sample::new("a.rs", &["alpha"]).put(&mut writer);
    writer.commit_part().unwrap();
    drop(writer);
    drop(store);
    let store = folder.writable();
    assert_eq!(order_of_names(&store), None);
    for _ in 0..2 {
        store.order_names().unwrap();
        assert!(made.is_some() && order_of_names(&store) == made);
    }
}

#[test]
fn words_are_about_to_be_written_out_before_they_are() {
    let folder = Folder::with(&[]);
    let mut store = folder.writable();
    let mut writer = store.writer().unwrap();
    writer.limit_memory(1 << 20);
    let mut n_files = 0;
    while !writer.is_full() {
        n_files += 1;
        let text = (0..50).map(|n| format!("word{n}x{n_files} ")).collect::<String>();
        Sample::new(&format!("f{n_files}.rs"), &[&text]).put(&mut writer);
    }
    writer.commit_part().unwrap();
    assert!(!writer.is_full());
    drop(writer);
    assert_eq!(store.snapshot().unwrap().segments().len(), 1, "{n_files} files");
}
