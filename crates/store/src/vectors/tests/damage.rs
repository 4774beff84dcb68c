//! Whatever happens to the files, a vector that is found is the right one.

use super::*;

/// Three changes, so that there are dead places and replaced rows.
fn filled(backend: Backend) -> Bench {
    let mut bench = Bench::new(backend, 9);
    let rows: Vec<_> = (0..12).map(|chunk| (chunk, bench.vector())).collect();
    bench.change(&[], &rows);
    let rows: Vec<_> = (3..6).map(|chunk| (chunk, bench.vector())).collect();
    bench.change(&[8, 9], &rows);
    let row = (20, bench.vector());
    bench.change(&[], &[row]);
    bench
}

/// What is found is among what is right, with the right score; the rest is told as missing. Returns how many were found.
fn assert_right_or_missing(bench: &Bench) -> usize {
    // Damage may also be told as a failure.
    let Ok(index) = bench.backend.open(&bench.place, DIMENSION, &bench.extent) else {
        return 0;
    };
    let vector = &bench.rows[&20].vector;
    let question = Question { vector, k: 100, metric: Metric::Cosine, filter: &|_| true };
    let Ok(found) = index.nearest(&question) else { return 0 };
    let expected = bench.expected(&question);
    // What the database does with every answer: the row of the chunk has to name it.
    let named: Vec<&Found> = found
        .iter()
        .filter(|found| {
            let kept = bench.rows.get(&found.chunk.0);
            kept.is_some_and(|kept| (kept.place, kept.check) == (found.place, found.check))
        })
        .collect();
    for found in &named {
        assert!(expected.contains(found), "{:?} {found:?}", bench.backend);
    }
    named.len()
}

fn files(bench: &Bench) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        std::fs::read_dir(bench.dir.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn files_that_are_cut_anywhere_lose_vectors_and_make_none_wrong() {
    for backend in [Backend::Mmap, Backend::SimpleFile] {
        let bench = filled(backend);
        for file in files(&bench) {
            let whole = std::fs::read(&file).unwrap();
            for length in 0..whole.len() {
                std::fs::write(&file, &whole[..length]).unwrap();
                let n_found = assert_right_or_missing(&bench);
                assert!(n_found < bench.rows.len() || backend == Backend::Mmap);
                assert!(!bench.open().is_whole());
            }
            std::fs::remove_file(&file).unwrap();
            assert_eq!(assert_right_or_missing(&bench), 0);
            std::fs::write(&file, &whole).unwrap();
            assert_eq!(assert_right_or_missing(&bench), bench.rows.len());
        }
    }
}

#[test]
fn bytes_that_flip_lose_vectors_and_make_none_wrong() {
    let bench = filled(Backend::Mmap);
    for file in files(&bench) {
        let whole = std::fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&file, &bytes).unwrap();
            assert_right_or_missing(&bench);
            // Whoever reads everything sees it, wherever it is something that counts.
            let index = bench.open();
            let n_held = bench
                .rows
                .values()
                .filter(|kept| index.holds(kept.meta.chunk, kept.place, kept.check).unwrap())
                .count();
            assert!(bench.rows.len() - n_held <= 1);
        }
        std::fs::write(&file, &whole).unwrap();
    }
}

#[test]
fn garbage_in_a_database_or_in_records_never_panics() {
    for backend in [Backend::SimpleFile, Backend::SqliteVec] {
        let bench = filled(backend);
        let mut rng = Rng::new(11);
        let file = files(&bench).remove(0);
        let whole = std::fs::read(&file).unwrap();
        for _ in 0..60 {
            let mut bytes = whole.clone();
            let at = rng.within(0..bytes.len());
            for byte in bytes.iter_mut().skip(at).take(300) {
                *byte = u8::try_from(rng.below(256)).unwrap();
            }
            std::fs::write(&file, &bytes).unwrap();
            if let Ok(index) = backend.open(&bench.place, DIMENSION, &bench.extent) {
                let vector = &bench.rows[&20].vector;
                let question =
                    Question { vector, k: 100, metric: Metric::Cosine, filter: &|_| true };
                drop(index.nearest(&question));
            }
        }
    }
}

#[test]
fn a_change_that_never_counted_is_written_over() {
    for &backend in Backend::ALL {
        for n_lost in [1, 30] {
            let mut bench = filled(backend);
            let extent = bench.extent.clone();
            let rows = bench.rows.clone();
            let lost: Vec<_> = (30..30 + n_lost).map(|chunk| (chunk, bench.vector())).collect();
            bench.change(&[0, 1], &lost);
            // The database never heard of it.
            bench.extent = extent;
            bench.rows = rows;
            let n_found = assert_right_or_missing(&bench);
            let keeps_both = [Backend::Mmap, Backend::LanceDb].contains(&backend);
            assert!(n_found == bench.rows.len() || !keeps_both);
            if keeps_both {
                let other: Vec<_> = (30..33).map(|chunk| (chunk, bench.vector())).collect();
                bench.change(&[2], &other);
                bench.check();
            } else {
                assert!(!bench.open().is_whole());
            }
        }
    }
}

#[test]
fn garbage_behind_what_counts_is_written_over() {
    let mut bench = filled(Backend::Mmap);
    for file in files(&bench) {
        let mut bytes = std::fs::read(&file).unwrap();
        bytes.extend([0x5a; 77]);
        std::fs::write(&file, bytes).unwrap();
    }
    bench.check();
    let row = (40, bench.vector());
    bench.change(&[], &[row]);
    bench.check();
}
