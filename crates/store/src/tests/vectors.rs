//! Vectors come and go with their chunks, in every backend, whatever happens between the steps.

use gik_base::{ErrorCode, hash};
use gik_contract::{Timestamp, VectorIndexMeta};
use gik_index::vectors::{Kernels, Metric};
use gik_testkit::Rng;

use super::{Folder, Sample, change, key};
use crate::{
    Backend, Coverage, EmbeddingModel, Question, Snapshot, Store, VectorRow, VectorTarget, Writer,
};

const DIMENSION: usize = 16;

fn model(fingerprint: &str) -> EmbeddingModel {
    EmbeddingModel {
        provider: "static".to_owned(),
        id: "sample".to_owned(),
        fingerprint: fingerprint.to_owned(),
        dimension: DIMENSION,
    }
}

/// What the model makes of a passage.
fn embed(model: &EmbeddingModel, path: &str, content: &hash::Digest) -> Vec<f32> {
    let passage = format!("{}\n{path}\n{content}", model.name());
    let mut rng = Rng::new(hash::fast64(passage.as_bytes()));
    (0..DIMENSION).map(|_| rng.below(2001) as f32 / 1000.0 - 1.0).collect()
}

fn target<'a>(model: &'a EmbeddingModel, backend: Backend) -> VectorTarget<'a> {
    let now = Timestamp::from_second(1_000).unwrap();
    VectorTarget { base: "code", model, backend, metric: Metric::Cosine, now }
}

/// Puts the vectors of up to `limit` chunks that have none, without committing.
fn put_some(
    store_of_rows: &Store,
    writer: &mut Writer<'_>,
    to: &VectorTarget<'_>,
    limit: usize,
) -> usize {
    let missing = {
        let snapshot = store_of_rows.snapshot().unwrap();
        snapshot.without_vectors(to.base, to.model, None, limit).unwrap()
    };
    let vectors: Vec<_> = missing
        .iter()
        .map(|missing| embed(to.model, missing.key.as_str(), &missing.chunk.content_sha256))
        .collect();
    let rows: Vec<_> = missing
        .iter()
        .zip(&vectors)
        .map(|(missing, vector)| VectorRow {
            chunk: missing.chunk.id,
            check: missing.check,
            labels: 1,
            uid: "ck:x",
            vector,
        })
        .collect();
    writer.put_vectors(to, &rows).unwrap()
}

/// Gives every chunk its vector, `limit` per commit.
fn fill(folder: &Folder, to: &VectorTarget<'_>, limit: usize) {
    loop {
        let reader = folder.readable();
        let mut store = folder.writable();
        change(&mut store, |writer| {
            put_some(&reader, writer, to, limit);
        });
        let snapshot = store.snapshot().unwrap();
        if snapshot.without_vectors(to.base, to.model, None, 1).unwrap().is_empty() {
            return;
        }
    }
}

/// Everything that is found is right; returns how many chunks were.
fn assert_right(snapshot: &Snapshot<'_>, model: &EmbeddingModel) -> u64 {
    let mut rng = Rng::new(3);
    let vector: Vec<f32> = (0..DIMENSION).map(|_| rng.below(2001) as f32 - 1000.0).collect();
    let question =
        Question { vector: &vector, k: 10_000, metric: Metric::Cosine, filter: &|_| true };
    let found = snapshot.nearest("code", model, &question).unwrap();
    let kernels = Kernels::Plain;
    for (chunk, score) in &found {
        let chunk = snapshot.chunk(*chunk).unwrap().unwrap();
        let file = snapshot.file(chunk.file).unwrap().unwrap();
        let right = embed(model, file.key.as_str(), &chunk.content_sha256);
        let norms = (kernels.norm(&vector), kernels.norm(&right));
        let right = kernels.score(Metric::Cosine, (&vector, norms.0), (&right, norms.1));
        assert_eq!(score.to_bits(), right.to_bits());
    }
    let chunks: Vec<_> = found.iter().map(|(chunk, _)| *chunk).collect();
    for (chunk, vector) in chunks.iter().zip(snapshot.vectors("code", model, &chunks).unwrap()) {
        let chunk = snapshot.chunk(*chunk).unwrap().unwrap();
        let file = snapshot.file(chunk.file).unwrap().unwrap();
        let right = embed(model, file.key.as_str(), &chunk.content_sha256);
        assert_eq!(vector.as_ref(), Some(&right));
    }
    let five = snapshot.nearest("code", model, &Question { k: 5, ..question }).unwrap();
    assert_eq!(five, found[..found.len().min(5)]);
    found.len() as u64
}

fn assert_all_right(folder: &Folder, model: &EmbeddingModel) {
    let store = folder.readable();
    let snapshot = store.snapshot().unwrap();
    let n_found = assert_right(&snapshot, model);
    let coverage = snapshot.vector_coverage("code", model).unwrap();
    assert_eq!(coverage, Coverage { chunks: n_found, vectors: n_found });
    assert!(snapshot.without_vectors("code", model, None, 10).unwrap().is_empty());
    drop(snapshot);
    assert_eq!(store.verify().unwrap(), [""; 0]);
}

fn samples(n: usize, word: &str) -> Vec<Sample> {
    (0..n)
        .map(|file| {
            let texts: Vec<String> = (0..5).map(|line| format!("{word}{line} of {file}")).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            Sample::new(&format!("f{file}.rs"), &texts)
        })
        .collect()
}

#[test]
fn vectors_follow_their_chunks_through_any_change() {
    for &backend in Backend::ALL {
        let model = model("1");
        let to = target(&model, backend);
        let folder = Folder::with(&samples(6, "one"));
        fill(&folder, &to, 7);
        assert_all_right(&folder, &model);
        // Replaced, removed, and replaced without new vectors.
        folder.put(&samples(2, "two"));
        let mut store = folder.writable();
        let gone = store.snapshot().unwrap().file_by_key(&key("f4.rs")).unwrap().unwrap();
        change(&mut store, |writer| writer.remove_file(gone.id).unwrap());
        {
            let snapshot = store.snapshot().unwrap();
            assert_eq!(assert_right(&snapshot, &model), 15, "{backend:?}");
            let coverage = snapshot.vector_coverage("code", &model).unwrap();
            assert_eq!(coverage, Coverage { chunks: 25, vectors: 15 });
            assert_eq!(snapshot.without_vectors("code", &model, None, 100).unwrap().len(), 10);
        }
        drop(store);
        fill(&folder, &to, 100);
        assert_all_right(&folder, &model);
    }
}

#[test]
fn a_kill_between_the_steps_leaves_right_vectors_and_the_rest_missing() {
    for &backend in Backend::ALL {
        let model = model("1");
        let to = target(&model, backend);
        let folder = Folder::with(&samples(4, "one"));
        fill(&folder, &to, 100);
        folder.put(&samples(1, "two"));
        // Files are written and synced, the transaction never ends.
        for word in ["three", "four"] {
            let reader = folder.readable();
            let mut store = folder.writable();
            let mut writer = store.writer().unwrap();
            samples(3, word)[2].put(&mut writer);
            assert!(put_some(&reader, &mut writer, &to, 100) > 0);
            drop(writer);
            let snapshot = reader.snapshot().unwrap();
            assert_right(&snapshot, &model);
        }
        fill(&folder, &to, 3);
        assert_all_right(&folder, &model);
    }
}

#[test]
fn files_that_vanish_are_filled_again() {
    for &backend in Backend::ALL {
        let model = model("1");
        let to = target(&model, backend);
        let folder = Folder::with(&samples(3, "one"));
        fill(&folder, &to, 100);
        let dir = folder.database().with_file_name("bases").join("code/index");
        std::fs::remove_dir_all(&dir).unwrap();
        {
            let store = folder.readable();
            assert_eq!(store.verify().unwrap().len(), 1);
            let snapshot = store.snapshot().unwrap();
            assert_eq!(assert_right(&snapshot, &model), 0);
            assert_eq!(snapshot.vector_coverage("code", &model).unwrap().vectors, 0);
        }
        fill(&folder, &to, 4);
        assert_all_right(&folder, &model);
    }
}

#[test]
fn a_damaged_vector_is_found_forgotten_and_made_again() {
    let model = model("1");
    let to = target(&model, Backend::Mmap);
    let folder = Folder::with(&samples(3, "one"));
    fill(&folder, &to, 100);
    let path = folder.database().with_file_name("bases").join("code/index/embeddings.dat");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[5 * DIMENSION * 4 + 2] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let mut store = folder.writable();
    assert_eq!(assert_right(&store.snapshot().unwrap(), &model), 14);
    assert_eq!(store.verify().unwrap().len(), 1);
    change(&mut store, |writer| assert_eq!(writer.forget_damaged_vectors("code").unwrap(), 1));
    drop(store);
    fill(&folder, &to, 100);
    assert_all_right(&folder, &model);
}

#[test]
fn another_model_or_backend_starts_anew_and_readers_keep_what_they_opened() {
    let folder = Folder::with(&samples(3, "one"));
    let (old, new) = (model("1"), model("2"));
    fill(&folder, &target(&old, Backend::Mmap), 100);
    let reader = folder.readable();
    let snapshot = reader.snapshot().unwrap();
    assert_eq!(assert_right(&snapshot, &old), 15);
    fill(&folder, &target(&new, Backend::Mmap), 100);
    assert_all_right(&folder, &new);
    assert_eq!(assert_right(&snapshot, &old), 15);
    drop(snapshot);
    let store = folder.readable();
    assert_eq!(assert_right(&store.snapshot().unwrap(), &old), 0);
    for backend in [Backend::SimpleFile, Backend::SqliteVec, Backend::Mmap] {
        fill(&folder, &target(&new, backend), 100);
        assert_all_right(&folder, &new);
        let dir = folder.database().with_file_name("bases").join("code/index");
        let meta = std::fs::read(dir.join("meta.json")).unwrap();
        let meta: VectorIndexMeta = serde_json::from_slice(&meta).unwrap();
        assert_eq!((meta.backend.as_str(), meta.dimension), (backend.as_str(), 16));
        let n_files = std::fs::read_dir(&dir).unwrap().count();
        assert_eq!(n_files, if backend == Backend::Mmap { 4 } else { 2 });
    }
}

#[test]
fn a_chunk_that_changed_since_it_was_read_takes_no_vector() {
    let folder = Folder::with(&samples(1, "one"));
    let model = model("1");
    let to = target(&model, Backend::Mmap);
    let reader = folder.readable();
    let missing = reader.snapshot().unwrap().without_vectors("code", &model, None, 9).unwrap();
    folder.put(&samples(1, "two"));
    let mut store = folder.writable();
    let row = VectorRow {
        chunk: missing[0].chunk.id,
        check: missing[0].check,
        labels: 1,
        uid: "ck:x",
        vector: &[0.5; DIMENSION],
    };
    change(&mut store, |writer| {
        assert_eq!(writer.put_vectors(&to, &[row]).unwrap(), 0);
        let wrong = VectorRow { vector: &[0.5], ..row };
        let failure = writer.put_vectors(&to, &[wrong]).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::VectorInvalid);
        let outside = VectorTarget { base: "../x", ..to };
        assert!(writer.put_vectors(&outside, &[]).is_err());
    });
}

#[test]
fn a_copied_branch_has_vectors_of_its_own() {
    for &backend in Backend::ALL {
        let (folder, copy) = (Folder::with(&samples(3, "one")), Folder::new());
        let model = model("1");
        let to = target(&model, backend);
        fill(&folder, &to, 100);
        folder.readable().copy_to(&copy.database(), &copy.lexical()).unwrap();
        folder.put(&samples(1, "two"));
        copy.put(&samples(1, "three"));
        fill(&folder, &to, 100);
        fill(&copy, &to, 100);
        assert_all_right(&folder, &model);
        assert_all_right(&copy, &model);
        Store::remove(&copy.database(), &copy.lexical()).unwrap();
        let dir = copy.database().with_file_name("bases").join("code/index");
        assert_eq!(std::fs::read_dir(dir).unwrap().count(), 0);
    }
}
