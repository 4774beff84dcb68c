//! What is told of the tables of `lancedb` alone: others can read them, versions come and go, they may be elsewhere.

use std::collections::BTreeSet;

use gik_testkit::python::{self, BUCKET, ObjectStorage};
use serde_json::{Value, json};

use super::*;

const SCHEMA: &[(&str, &str, bool)] = &[
    ("id", "uint64", false),
    ("vector", "fixed_size_list<item: float>[24]", false),
    ("payload", "string", false),
    ("base", "string", false),
    ("branch", "string", true),
    ("source_type", "string", false),
    ("path", "string", true),
    ("tags", "list<item: string>", true),
    ("revision_id", "string", true),
    ("created_at", "timestamp[us, tz=UTC]", false),
    ("updated_at", "timestamp[us, tz=UTC]", false),
];

/// A bench whose place is that of a base, as the store has it.
fn of_base(location: Option<Location>) -> Bench {
    let mut bench = Bench::new(Backend::LanceDb, 7);
    let tables = Tables { branch: Some("main".to_owned()), location };
    bench.place = Bases { dir: bench.dir.path().to_owned(), tables }.place("code").unwrap();
    bench
}

/// What Python sees of the table of a bench.
fn seen(bench: &Bench, vector: &[f32]) -> Value {
    let location = bench.place.tables.location.as_ref();
    let uri = location.map_or_else(|| bench.place.dir.to_str().unwrap(), |at| &at.url);
    let options = location.and_then(|at| at.endpoint.as_ref()).map(|endpoint| {
        json!({
            "endpoint": endpoint,
            "allow_http": "true",
            "region": "us-east-1",
            "aws_access_key_id": "test",
            "aws_secret_access_key": "test",
        })
    });
    let asked = json!({ "uri": uri, "options": options, "vector": vector });
    let seen = python::output_of(include_str!("lancedb.py"), &asked.to_string());
    serde_json::from_str(&seen).unwrap()
}

/// Python sees exactly the rows of the bench, and the same neighbours.
fn assert_readable(bench: &mut Bench) -> Value {
    let vector = bench.vector();
    let seen = seen(bench, &vector);
    let rows: Vec<u32> = bench.rows.keys().copied().collect();
    assert_eq!(seen["rows"], json!(rows));
    assert_eq!(seen["schema"], json!(SCHEMA));
    assert_eq!(seen["below"], rows.len());
    let question = Question { vector: &vector, k: 10, metric: Metric::Cosine, filter: &|_| true };
    let nearest: BTreeSet<u64> =
        bench.expected(&question).iter().map(|found| u64::from(found.chunk.0)).collect();
    // Vectors that are there twice come in any order.
    let near = seen["near"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap());
    assert_eq!(near.collect::<BTreeSet<u64>>(), nearest);
    seen
}

#[test]
fn the_package_of_python_reads_the_table() {
    let mut bench = of_base(None);
    let come: Vec<_> = (0..40).map(|chunk| (chunk, bench.vector())).collect();
    bench.change(&[], &come);
    let come: Vec<_> = (30..50).map(|chunk| (chunk, bench.vector())).collect();
    bench.change(&[3, 4], &come);
    let seen = assert_readable(&mut bench);
    let payload = &seen["payload"];
    assert_eq!(payload["file"], "src/a \"b\".rs");
    let kept =
        bench.rows.values().find(|kept| payload["chunk_id"] == format!("ck:{}", kept.meta.chunk.0));
    assert_eq!(payload["check"], format!("{:016x}", kept.unwrap().check));
}

#[test]
fn a_table_in_any_folder_is_found_again() {
    for name in ["feature%2Fx", "with space", "a#b?c", "ünïcode"] {
        let mut bench = of_base(None);
        bench.place.dir = bench.dir.path().join(name).join("index");
        let come: Vec<_> = (0..5).map(|chunk| (chunk, bench.vector())).collect();
        bench.change(&[], &come);
        bench.check();
        assert!(bench.place.dir.join("vectors.lance/_versions").is_dir(), "{name}");
    }
    let mut bench = of_base(None);
    let url = bench.dir.path().join("elsewhere/code").to_str().unwrap().to_owned();
    bench.place.tables.location = Some(Location { url, endpoint: None, region: None });
    let row = (1, bench.vector());
    bench.change(&[], &[row]);
    bench.check();
    assert!(bench.dir.path().join("elsewhere/code/vectors.lance/_versions").is_dir());
    assert!(!bench.place.dir.join("vectors.lance").exists());
}

/// The files of a kind that a table has.
fn files(bench: &Bench, of: &str) -> Vec<PathBuf> {
    let folder = bench.place.dir.join("vectors.lance").join(of);
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn versions_and_parts_do_not_pile_up() {
    let mut bench = of_base(None);
    for round in 0..40 {
        let row = (round, bench.vector());
        bench.change(&[], &[row]);
        // The one that counts, and the one before, which others may still read.
        let versions = files(&bench, "_versions").into_iter();
        let n_versions =
            versions.filter(|path| path.extension() == Some("manifest".as_ref())).count();
        assert!(n_versions <= 2, "{n_versions} versions after round {round}");
    }
    let n_parts = files(&bench, "data").len();
    assert!(n_parts <= 36, "{n_parts} parts");
    bench.check();
}

#[test]
fn who_opened_the_version_before_keeps_it() {
    let mut bench = of_base(None);
    let come: Vec<_> = (0..20).map(|chunk| (chunk, bench.vector())).collect();
    bench.change(&[], &come);
    let old = bench.open();
    let old_rows = bench.rows.clone();
    let come: Vec<_> = (10..30).map(|chunk| (chunk, bench.vector())).collect();
    bench.change(&[1, 2, 3], &come);
    for kept in old_rows.values() {
        let vector = old.vector(kept.meta.chunk, kept.place, kept.check).unwrap();
        assert_eq!(vector.as_ref(), Some(&kept.vector));
    }
}

#[test]
fn many_rows_have_an_index() {
    let mut bench = of_base(None);
    let mut come: Vec<_> = (0..9000).map(|chunk| (chunk, bench.vector())).collect();
    // No cosine can be told of it; the index has to do without.
    come[17].1 = vec![0.0; DIMENSION];
    bench.change(&[], &come);
    let gone: Vec<u32> = (0..9000).step_by(50).collect();
    let come: Vec<_> = (9000..9300).map(|chunk| (chunk, bench.vector())).collect();
    bench.change(&gone, &come);
    let index = bench.open();
    let (mut n_right, mut n_all) = (0, 0);
    for at in 0..12 {
        let near = bench.rows.values().nth(at * 700).unwrap().vector.clone();
        let vector: Vec<f32> = near.iter().zip(bench.vector()).map(|(a, b)| a + 0.2 * b).collect();
        for metric in Metric::ALL {
            for filter in
                [&|_| true, &|row: RowMeta| row.labels > 4] as [&dyn Fn(RowMeta) -> bool; 2]
            {
                let question = Question { vector: &vector, k: 10, metric, filter };
                let (found, expected) =
                    (index.nearest(&question).unwrap(), bench.expected(&question));
                assert_eq!(found.len(), 10);
                n_right += found.iter().filter(|found| expected.contains(found)).count();
                n_all += expected.len();
            }
        }
    }
    assert!(n_right * 100 > n_all * 95, "{n_right} of {n_all}");
    // So few pass that the index is of no use.
    let question = Question {
        vector: &[1.0; DIMENSION],
        k: 10,
        metric: Metric::Cosine,
        filter: &|row| row.chunk.0.is_multiple_of(1000) || row.chunk.0 == 17,
    };
    assert_eq!(index.nearest(&question).unwrap(), bench.expected(&question));
    let wanted: Vec<_> = bench
        .rows
        .values()
        .step_by(97)
        .map(|kept| (kept.meta.chunk, kept.place, kept.check))
        .collect();
    let vectors = index.vectors(&wanted).unwrap();
    for ((chunk, ..), vector) in wanted.iter().zip(vectors) {
        assert_eq!(vector.as_ref(), Some(&bench.rows[&chunk.0].vector));
    }
    let kept = bench.rows.values().next().unwrap();
    let wrong = [(kept.meta.chunk, kept.place, kept.check ^ 1), (ChunkNo(0), 0, 1)];
    assert_eq!(index.vectors(&wrong).unwrap(), [None, None]);
    for kept in bench.rows.values() {
        assert!(index.holds(kept.meta.chunk, kept.place, kept.check).unwrap());
    }
    assert_eq!(seen(&bench, &[1.0; DIMENSION])["indices"], json!([["IvfPq", ["vector"]]]));
}

#[test]
fn bytes_that_flip_lose_vectors_and_make_none_wrong() {
    let mut bench = of_base(None);
    let come: Vec<_> = (0..30).map(|chunk| (chunk, bench.vector())).collect();
    bench.change(&[], &come);
    let file = files(&bench, "data").remove(0);
    let whole = std::fs::read(&file).unwrap();
    let mut n_lost = 0;
    for at in (0..30 * DIMENSION * 4).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&file, &bytes).unwrap();
        let index = bench.open();
        for kept in bench.rows.values() {
            match index.vector(kept.meta.chunk, kept.place, kept.check).unwrap() {
                Some(vector) => assert_eq!(vector, kept.vector),
                None => n_lost += 1,
            }
        }
    }
    assert!(n_lost > 0);
    std::fs::write(&file, &whole).unwrap();
    bench.check();
}

#[test]
fn a_table_that_leads_elsewhere_counts_as_missing() {
    let mut bench = of_base(None);
    let row = (1, bench.vector());
    bench.change(&[], &[row]);
    let mut other = of_base(None);
    other.extent = bench.extent.clone();
    let of = |bench: &Bench| bench.place.dir.join("vectors.lance").to_str().unwrap().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut table = lance::Dataset::open(&of(&bench)).await.unwrap();
        table.shallow_clone(&of(&other), 1, None).await.unwrap();
        let clone = lance::Dataset::open(&of(&other)).await.unwrap();
        assert_eq!(clone.count_rows(None).await.unwrap(), 1);
    });
    let index = other.open();
    assert!(!index.is_whole());
    let kept = &bench.rows[&1];
    assert!(!index.holds(kept.meta.chunk, kept.place, kept.check).unwrap());
}

#[test]
fn object_storage_holds_a_table_like_a_folder() {
    let server = ObjectStorage::start();
    let location = Location {
        url: format!("s3://{BUCKET}/a prefix/shop-main"),
        endpoint: Some(server.endpoint.clone()),
        region: Some("us-east-1".to_owned()),
    };
    let mut bench = of_base(Some(location));
    for _ in 0..6 {
        change_at_random(&mut bench);
        bench.check();
    }
    // A change that nobody heard of.
    let (extent, rows) = (bench.extent.clone(), bench.rows.clone());
    let row = (900, bench.vector());
    bench.change(&[], &[row]);
    (bench.extent, bench.rows) = (extent, rows);
    bench.check();
    let row = (901, bench.vector());
    bench.change(&[], &[row]);
    bench.check();
    assert_readable(&mut bench);
    assert!(!bench.place.dir.join("vectors.lance").exists());
    // The table of another branch is not there yet.
    let mut other = of_base(bench.place.tables.location.clone());
    other.extent = bench.extent.clone();
    assert!(!other.open().is_whole());
    drop(server);
    let index = bench.open();
    let failure = index.unreachable().unwrap();
    assert_eq!(failure.code(), ErrorCode::Io);
    assert!(
        failure.to_string().contains("s3://tables/a prefix/shop-main/code/vectors.lance"),
        "{failure}"
    );
    // What cannot be asked is not taken for lost.
    assert!(index.is_whole());
    let vector = bench.vector();
    let question = Question { vector: &vector, k: 1, metric: Metric::Cosine, filter: &|_| true };
    assert_eq!(index.nearest(&question).unwrap_err().code(), ErrorCode::Io);
    let failure = Backend::LanceDb.change(&bench.place, DIMENSION, bench.extent).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::Io);
}
