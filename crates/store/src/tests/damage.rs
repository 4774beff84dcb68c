//! Damage is told as such, whatever the bytes; nothing panics, nothing leaves the folder.

use gik_base::{ErrorCode, Result};
use gik_testkit::Rng;

use super::{Folder, Sample, find};
use crate::Access;

fn filled() -> Folder {
    let texts: Vec<String> = (0..40).map(|n| format!("name{n} alpha beta word{n}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let files: Vec<Sample> = (0..8).map(|n| Sample::new(&format!("f{n}.rs"), &texts)).collect();
    let folder = Folder::with(&files);
    folder.write_back();
    folder
}

/// Opens the index and reads all there is.
fn read_all(folder: &Folder, access: Access) -> Result<()> {
    let store = folder.try_open(access)?;
    {
        let snapshot = store.snapshot()?;
        for file in snapshot.files()? {
            snapshot.chunks_of(file.id)?;
            snapshot.symbols_of(file.id)?;
            snapshot.content_of(file.id)?;
            snapshot.remote_of(file.id)?;
        }
        snapshot.base_counts()?;
        snapshot.language_counts(None)?;
        snapshot.skip_counts()?;
        snapshot.unprojected()?;
    }
    let findings = store.verify()?;
    if findings.is_empty() {
        return Ok(());
    }
    Err(gik_base::Failure::new(ErrorCode::StoreBroken, findings.join(", ")))
}

fn code_of(result: Result<()>) -> Option<ErrorCode> {
    result.err().map(|failure| failure.code())
}

#[test]
fn a_file_that_is_no_database_is_damage() {
    for bytes in [&b"not a database"[..], &[0xff; 8192], b"SQLite format 3\0 and no more"] {
        let folder = filled();
        std::fs::write(folder.database(), bytes).unwrap();
        for access in [Access::ReadWrite, Access::ReadOnly] {
            assert_eq!(code_of(read_all(&folder, access)), Some(ErrorCode::StoreBroken));
        }
    }
}

#[test]
fn a_garbage_header_is_damage() {
    let folder = filled();
    let whole = std::fs::read(folder.database()).unwrap();
    let mut rng = Rng::new(1);
    for _ in 0..40 {
        let mut bytes = whole.clone();
        for byte in &mut bytes[..100] {
            *byte = u8::try_from(rng.below(256)).unwrap();
        }
        std::fs::write(folder.database(), &bytes).unwrap();
        for access in [Access::ReadOnly, Access::ReadWrite] {
            assert_eq!(code_of(read_all(&folder, access)), Some(ErrorCode::StoreBroken));
        }
    }
}

#[test]
fn a_database_that_was_cut_is_damage() {
    let folder = filled();
    let whole = std::fs::read(folder.database()).unwrap();
    for length in [100, 511, 512, 4095, 4096, 4097, whole.len() / 2, whole.len() - 5000] {
        for access in [Access::ReadOnly, Access::ReadWrite] {
            std::fs::write(folder.database(), &whole[..length]).unwrap();
            let code = code_of(read_all(&folder, access));
            assert_eq!(code, Some(ErrorCode::StoreBroken), "{length} of {} bytes", whole.len());
        }
    }
}

#[test]
fn garbage_in_any_page_is_damage_or_harmless_and_never_a_panic() {
    let folder = filled();
    let whole = std::fs::read(folder.database()).unwrap();
    let n_pages = whole.len() / 4096;
    let mut rng = Rng::new(2);
    let mut n_found = 0;
    for page in 0..n_pages {
        let mut bytes = whole.clone();
        for byte in &mut bytes[page * 4096 + usize::from(page == 0) * 100..][..3000] {
            *byte = u8::try_from(rng.below(256)).unwrap();
        }
        std::fs::write(folder.database(), &bytes).unwrap();
        for access in [Access::ReadOnly, Access::ReadWrite] {
            let code = code_of(read_all(&folder, access));
            assert!(matches!(code, None | Some(ErrorCode::StoreBroken)), "page {page}: {code:?}");
            n_found += usize::from(code.is_some());
        }
    }
    assert!(n_found > n_pages, "{n_found} of {n_pages} pages");
}

#[test]
fn a_garbage_log_never_hides_the_last_checkpoint() {
    let folder = filled();
    let mut log = folder.database().into_os_string();
    log.push("-wal");
    std::fs::write(&log, [0x5a; 10_000]).unwrap();
    assert_eq!(code_of(read_all(&folder, Access::ReadOnly)), None);
    assert_eq!(code_of(read_all(&folder, Access::ReadWrite)), None);
}

#[test]
fn garbage_in_a_log_that_holds_the_last_change_leaves_the_change_before() {
    let folder = filled();
    folder.put(&[Sample::new("f0.rs", &["changed"])]);
    let mut log = folder.database().into_os_string();
    log.push("-wal");
    let whole = std::fs::read(&log).unwrap();
    assert!(!whole.is_empty(), "the change is in the log");
    let mut rng = Rng::new(4);
    for _ in 0..40 {
        let mut bytes = whole.clone();
        let at = rng.within(0..bytes.len() - 64);
        bytes[at..at + 64].fill(0x5a);
        std::fs::write(&log, &bytes).unwrap();
        for access in [Access::ReadOnly, Access::ReadWrite] {
            let code = code_of(read_all(&folder, access));
            assert!(matches!(code, None | Some(ErrorCode::StoreBroken)), "byte {at}: {code:?}");
        }
    }
}

#[test]
fn a_damaged_segment_is_told_by_reading_or_verifying() {
    let folder = filled();
    let [name] = &folder.lexical_files()[..] else { panic!("one commit makes one segment") };
    let path = folder.lexical().join(name);
    let whole = std::fs::read(&path).unwrap();
    let mut rng = Rng::new(3);
    for _ in 0..100 {
        let mut bytes = whole.clone();
        for _ in 0..rng.within(1..20) {
            let at = rng.within(0..bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
        bytes.truncate(if rng.one_in(3) { rng.within(0..bytes.len()) } else { bytes.len() });
        if bytes == whole {
            continue;
        }
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let store = folder.readable();
        match store.snapshot() {
            Ok(snapshot) => {
                // Wrong answers are possible, a panic is not.
                let parts = snapshot.segments().iter().map(|row| (&row.segment, &row.tombstones));
                let query = gik_index::Query::parse("\"alpha beta\" name7 word3").unwrap();
                gik_index::Searcher::new(parts).search(&query, 10, &|_| true);
            },
            Err(failure) => assert_eq!(failure.code(), ErrorCode::StoreBroken, "{failure:?}"),
        }
        assert_ne!(store.verify().unwrap(), Vec::<String>::new());
    }
}

#[test]
fn a_missing_segment_is_damage_for_readers_and_writers() {
    let folder = filled();
    for name in folder.lexical_files() {
        std::fs::remove_file(folder.lexical().join(name)).unwrap();
    }
    let mut store = folder.writable();
    assert_eq!(store.snapshot().unwrap_err().code(), ErrorCode::StoreBroken);
    assert_eq!(store.writer().unwrap_err().code(), ErrorCode::StoreBroken);
    assert_ne!(store.verify().unwrap(), Vec::<String>::new());
    // Neither failure left a transaction behind.
    assert!(store.connection.is_autocommit());
}

#[test]
fn a_segment_that_is_another_one_is_damage() {
    let folder = filled();
    let other = Folder::with(&[Sample::new("z.rs", &["other words"])]);
    let name = &folder.lexical_files()[0];
    std::fs::copy(other.lexical().join(name), folder.lexical().join(name)).unwrap();
    let failure = folder.readable().snapshot().unwrap_err();
    assert_eq!(failure.code(), ErrorCode::StoreBroken);
}

#[test]
fn names_of_segments_cannot_leave_the_folder() {
    for name in
        ["../outside.seg", "/etc/passwd", "..", ".", "", "a/b.seg", ".hidden", "a\\b", "ä.seg"]
    {
        let folder = filled();
        let outside = folder.lexical().parent().unwrap().join("outside.seg");
        std::fs::copy(folder.lexical().join(&folder.lexical_files()[0]), &outside).unwrap();
        folder.sql(&format!("UPDATE segments SET name = '{name}'"));
        let mut store = folder.writable();
        assert_eq!(store.snapshot().unwrap_err().code(), ErrorCode::StoreBroken, "{name}");
        assert_eq!(store.writer().unwrap_err().code(), ErrorCode::StoreBroken, "{name}");
        let elsewhere = folder.dir.path().join("elsewhere");
        let copied = store.copy_to(&elsewhere.join("index.sqlite"), &elsewhere.join("lexical"));
        assert_eq!(copied.unwrap_err().code(), ErrorCode::StoreBroken, "{name}");
        assert!(outside.exists());
    }
}

#[test]
fn a_damaged_list_of_the_dead_is_damage() {
    let folder = filled();
    folder.sql("UPDATE segments SET tombstones = x'ffffffffffffffffff'");
    let failure = folder.readable().snapshot().unwrap_err();
    assert_eq!(failure.code(), ErrorCode::StoreBroken);
}

#[test]
fn rows_without_a_file_and_words_without_a_chunk_are_found() {
    let folder = filled();
    folder.sql("PRAGMA foreign_keys = OFF; DELETE FROM files WHERE path = 'f0.rs'");
    let findings = folder.readable().verify().unwrap();
    let list = "the list of files is not that of the database";
    assert_eq!(findings, ["database: 80 chunks or symbols without a file", list]);
    folder.sql("DELETE FROM chunk_rows WHERE file_id NOT IN (SELECT id FROM files)");
    folder.sql(
        "DELETE FROM symbol_rows WHERE file_id NOT IN (SELECT id FROM files);
         DELETE FROM symbol_scopes WHERE id NOT IN (SELECT id FROM symbol_rows)",
    );
    let findings = folder.readable().verify().unwrap();
    assert_eq!(findings, ["lexical: 320 living documents for 280 chunks", list]);
}

#[test]
fn values_of_the_wrong_kind_are_damage() {
    for statement in [
        "UPDATE files SET path = CAST(x'ff00' AS TEXT) WHERE path = 'f3.rs'",
        "UPDATE files SET mtime = 'yesterday'",
        "UPDATE files SET n_chunks = -1",
        "UPDATE chunk_rows SET start_line = -1",
        "UPDATE chunk_rows SET n_bytes = 5000000000",
        "UPDATE chunk_rows SET n_lines = 4294967295",
        "UPDATE chunk_rows SET chunk_type = 6",
        "UPDATE chunk_rows SET qualified = x'ff'",
        "UPDATE chunk_rows SET content_sha256 = x'00'",
        "UPDATE symbol_rows SET start_col = 1.5",
        "UPDATE symbol_rows SET kind = 18",
        "UPDATE symbol_rows SET visibility = -1",
        "UPDATE symbol_rows SET descriptor = 5",
        "UPDATE symbol_rows SET signature = 4294967296",
        "UPDATE symbol_rows SET name_at = -5000",
        "UPDATE segments SET name = x'ff'",
    ] {
        let folder = filled();
        folder.sql(statement);
        let code = code_of(read_all(&folder, Access::ReadOnly));
        assert_eq!(code, Some(ErrorCode::StoreBroken), "{statement}");
    }
}

#[test]
fn an_undamaged_index_reads_well() {
    let folder = filled();
    assert_eq!(code_of(read_all(&folder, Access::ReadOnly)), None);
    assert_eq!(find(&folder.readable().snapshot().unwrap(), "alpha").len(), 320);
}
