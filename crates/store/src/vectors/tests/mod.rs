//! The suite that every backend passes, with comparing everything as the oracle.

mod damage;
#[cfg(feature = "lancedb")]
mod lancedb;

use std::collections::BTreeMap;

use gik_testkit::Rng;

use super::*;

const DIMENSION: usize = 24;

/// A row as it was put in, and where the backend said that it is.
#[derive(Debug, Clone)]
struct Kept {
    meta: RowMeta,
    check: u64,
    vector: Vec<f32>,
    place: u32,
}

/// A backend with what it should hold; plays the part of the database.
#[derive(Debug)]
struct Bench {
    dir: tempfile::TempDir,
    place: Place,
    backend: Backend,
    extent: Extent,
    rows: BTreeMap<u32, Kept>,
    rng: Rng,
}

impl Bench {
    fn new(backend: Backend, seed: u64) -> Self {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let place = Place::folder(dir.path());
        let (extent, rows) = (backend.fresh(&Extent::default()), BTreeMap::new());
        Self { dir, place, backend, extent, rows, rng: Rng::new(seed) }
    }

    fn vector(&mut self) -> Vec<f32> {
        (0..DIMENSION).map(|_| self.rng.below(2001) as f32 / 1000.0 - 1.0).collect()
    }

    /// One change: these chunks go, those come or are replaced.
    fn change(&mut self, gone: &[u32], come: &[(u32, Vec<f32>)]) {
        let mut change = self.backend.change(&self.place, DIMENSION, self.extent.clone()).unwrap();
        assert!(change.before().is_whole());
        for chunk in gone {
            change.remove(self.rows.remove(chunk).unwrap().place);
        }
        for (chunk, vector) in come {
            if let Some(known) = self.rows.remove(chunk) {
                change.remove(known.place);
            }
            let meta = RowMeta {
                chunk: ChunkNo(*chunk),
                file: FileNo(chunk / 7),
                labels: 1 << (chunk % 5),
            };
            let check = self.rng.next_u64();
            let uid = format!("ck:{chunk}");
            let entry = Entry { meta, check, uid: &uid, path: "src/a \"b\".rs", vector };
            let place = change.put(&entry).unwrap();
            self.rows.insert(*chunk, Kept { meta, check, vector: vector.clone(), place });
        }
        let finished = change.finish().unwrap();
        for (chunk, old, new) in finished.moved {
            let kept = self.rows.get_mut(&chunk.0).unwrap();
            assert_eq!(kept.place, old);
            kept.place = new;
        }
        for path in finished.obsolete {
            std::fs::remove_file(path).unwrap();
        }
        if let Some(Later(doing)) = finished.later {
            doing().unwrap();
        }
        self.extent = finished.extent;
    }

    fn open(&self) -> Box<dyn VectorIndex> {
        self.backend.open(&self.place, DIMENSION, &self.extent).unwrap()
    }

    fn expected(&self, question: &Question<'_>) -> Vec<Found> {
        let kernels = Kernels::Plain;
        let norm = kernels.norm(question.vector);
        let mut all: Vec<Found> = self
            .rows
            .values()
            .filter(|kept| (question.filter)(kept.meta))
            .map(|kept| {
                let row = (kept.vector.as_slice(), kernels.norm(&kept.vector));
                let score = kernels.score(question.metric, (question.vector, norm), row);
                Found { chunk: kept.meta.chunk, place: kept.place, check: kept.check, score }
            })
            .collect();
        all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        all.truncate(question.k);
        all
    }

    /// Asks everything of what is there now.
    fn check(&mut self) {
        let index = self.open();
        assert!(index.is_whole());
        for kept in self.rows.values() {
            assert!(index.holds(kept.meta.chunk, kept.place, kept.check).unwrap());
            assert!(!index.holds(kept.meta.chunk, kept.place, kept.check ^ 1).unwrap());
        }
        let filters: [&dyn Fn(RowMeta) -> bool; 4] = [
            &|_| true,
            &|row| row.labels & 0b101 != 0,
            &|row| row.file.0.is_multiple_of(2) && row.chunk.0 > 3,
            &|_| false,
        ];
        let mut vectors = vec![self.vector(), vec![0.0; DIMENSION]];
        vectors.extend(self.rows.values().next().map(|kept| kept.vector.clone()));
        for metric in Metric::ALL {
            for filter in filters {
                for (vector, k) in vectors.iter().flat_map(|v| [0, 1, 10, 1000].map(|k| (v, k))) {
                    let question = Question { vector, k, metric, filter };
                    let found = index.nearest(&question).unwrap();
                    assert_eq!(found, self.expected(&question), "{:?} {question:?}", self.backend);
                }
            }
        }
    }
}

#[test]
fn names_come_back() {
    for &backend in Backend::ALL {
        assert_eq!(Backend::from_name(backend.as_str()), Some(backend));
    }
    assert_eq!(Backend::from_name("lancedb"), Some(Backend::LanceDb));
    assert_eq!(Backend::from_name("other:lancedb"), None);
}

#[test]
fn an_empty_index_answers_nothing() {
    for &backend in Backend::ALL {
        Bench::new(backend, 1).check();
        let mut bench = Bench::new(backend, 2);
        bench.change(&[], &[]);
        bench.check();
    }
}

#[test]
fn any_sequence_of_changes_gives_what_comparing_everything_gives() {
    for &backend in Backend::ALL {
        for seed in 0..4 {
            let mut bench = Bench::new(backend, seed);
            for _ in 0..8 {
                change_at_random(&mut bench);
                bench.check();
            }
        }
    }
}

fn change_at_random(bench: &mut Bench) {
    let gone: Vec<u32> = bench.rows.keys().copied().collect();
    let gone: Vec<u32> = gone.into_iter().filter(|_| bench.rng.one_in(4)).collect();
    let n_come = bench.rng.within(0..12);
    // Numbers of chunks that went are given again, and some vectors come twice.
    let mut come = BTreeMap::new();
    for _ in 0..n_come {
        let chunk = u32::try_from(bench.rng.below(40)).unwrap();
        let twin = bench.rows.values().next().map(|kept| kept.vector.clone());
        let vector = match twin.filter(|_| bench.rng.one_in(4)) {
            Some(twin) => twin,
            None => bench.vector(),
        };
        come.insert(chunk, vector);
    }
    bench.change(&gone, &come.into_iter().collect::<Vec<_>>());
}

#[test]
fn vectors_without_direction_are_kept() {
    for &backend in Backend::ALL {
        let mut bench = Bench::new(backend, 3);
        let vector = bench.vector();
        let opposite = vector.iter().map(|number| -number).collect();
        bench.change(&[], &[(1, vec![0.0; DIMENSION]), (2, vector), (3, opposite)]);
        bench.check();
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    for &backend in Backend::ALL {
        let mut bench = Bench::new(backend, 4);
        let good = bench.vector();
        bench.change(&[], &[(1, good.clone())]);
        let with = |number: f32| {
            let mut vector = good.clone();
            vector[5] = number;
            vector
        };
        let bad =
            [with(f32::NAN), with(f32::INFINITY), with(f32::MAX), good[1..].to_vec(), Vec::new()];
        let meta = RowMeta { chunk: ChunkNo(2), file: FileNo(1), labels: 1 };
        for vector in &bad {
            let index = bench.open();
            let question = Question { vector, k: 3, metric: Metric::Cosine, filter: &|_| true };
            let failure = index.nearest(&question).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::VectorInvalid);
            let mut change = backend.change(&bench.place, DIMENSION, bench.extent.clone()).unwrap();
            let entry = Entry { meta, check: 1, uid: "u", path: "p", vector };
            let failure = change.put(&entry).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::VectorInvalid);
        }
        bench.check();
    }
    assert!(norm_of(&[0.0, f32::NAN], 2).unwrap_err().to_string().contains("number 1 "));
    assert!(norm_of(&[0.0], 2).unwrap_err().to_string().contains("1 numbers"));
}

#[test]
fn many_rows_are_found_by_their_codes_and_compacted() {
    let mut bench = Bench::new(Backend::Mmap, 5);
    let unit = |vector: Vec<f32>| {
        let norm = Kernels::Plain.norm(&vector);
        vector.iter().map(|number| number / norm).collect::<Vec<f32>>()
    };
    let come: Vec<_> = (0..3000).map(|chunk| (chunk, unit(bench.vector()))).collect();
    bench.change(&[], &come);
    let check = |bench: &mut Bench| {
        let index = bench.open();
        let (mut n_right, mut n_all) = (0, 0);
        for _ in 0..40 {
            // Near to a row, as a question is.
            let near: Vec<f32> = bench.rows.values().nth(7).unwrap().vector.clone();
            let noise = bench.vector();
            let vector = unit(near.iter().zip(noise).map(|(a, b)| a + 0.1 * b).collect());
            for metric in Metric::ALL {
                let question =
                    Question { vector: &vector, k: 10, metric, filter: &|row| row.labels > 1 };
                let (found, expected) =
                    (index.nearest(&question).unwrap(), bench.expected(&question));
                assert_eq!(found[0], expected[0]);
                n_right += found.iter().filter(|found| expected.contains(found)).count();
                n_all += expected.len();
            }
        }
        // Twenty-four bits say little; real vectors have hundreds.
        assert!(n_right * 10 > n_all * 7, "{n_right} of {n_all}");
    };
    check(&mut bench);
    let old = bench.open();
    let old_rows = bench.rows.clone();
    let gone: Vec<u32> = (0..3000).filter(|chunk| chunk % 16 != 15).collect();
    bench.change(&gone, &[]);
    assert!(bench.extent.dead == Tombstones::default());
    assert!(bench.dir.path().join("embeddings.1.dat").exists());
    assert!(!bench.dir.path().join("embeddings.dat").exists());
    check(&mut bench);
    bench.check();
    // Whoever had opened the old files keeps them.
    for kept in old_rows.values() {
        assert!(old.holds(kept.meta.chunk, kept.place, kept.check).unwrap());
    }
}
