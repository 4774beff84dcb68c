//! Any history gives the index that a fresh build of its end gives: rows, words and scores.

use std::collections::BTreeMap;

use gik_index::{ChunkNo, FileNo};
use gik_testkit::Rng;

use super::{Folder, Sample, change, chunks, find, living};
use crate::{
    ChunkRow, Count, FileOrigin, FileRow, RemoteState, Snapshot, Stage, Store, SymbolRow, Writer,
};

const WORDS: &[&str] =
    &["alpha", "beta", "gamma", "readFile", "read_file", "config", "the", "größe", "sha256"];
const QUESTIONS: &[&str] = &[
    "alpha",
    "read file",
    "readFile config",
    "\"alpha beta\"",
    "+gamma alpha -config",
    "the größe",
    "rs md sha256 beta",
];

/// What must be in the store.
#[derive(Debug, Clone, Default)]
struct Model {
    files: BTreeMap<String, (FileNo, Sample)>,
    /// Whether each changed file came or went.
    unprojected: BTreeMap<String, bool>,
    generation: u64,
    with_fts: bool,
}

impl Model {
    fn put(&mut self, id: FileNo, file: Sample) {
        let came = !self.files.contains_key(&file.path);
        *self.unprojected.entry(file.path.clone()).or_default() |= came;
        self.files.insert(file.path.clone(), (id, file));
    }

    fn remove(&mut self, path: &str) {
        self.files.remove(path);
        self.unprojected.insert(path.to_owned(), true);
    }
}

fn random_file(rng: &mut Rng) -> Sample {
    let extension = *rng.pick(&["rs", "md"]);
    let path = format!("dir/f{}.{extension}", rng.below(7));
    let texts: Vec<String> = (0..rng.within(0..4))
        .map(|_| (0..rng.within(1..8)).map(|_| *rng.pick(WORDS)).collect::<Vec<_>>().join(" "))
        .collect();
    let is_page = rng.one_in(4);
    let is_skipped = texts.is_empty() && rng.one_in(2);
    Sample {
        base: rng.pick::<&str>(&["code", "docs"]),
        language: rng.pick::<&str>(&["rust", "markdown", ""]),
        origin: if is_page { FileOrigin::Url } else { FileOrigin::File },
        stage: *rng.pick(&[Stage::Words, Stage::Structure]),
        skipped: is_skipped.then_some("binary"),
        content: is_page.then(|| texts.join("\n")),
        remote: is_page
            .then(|| RemoteState { etag: None, last_modified: Some(rng.below(9).to_string()) }),
        texts,
        ..Sample::new(&path, &[])
    }
}

/// One change of one to four steps, on the store and on the model.
fn step(rng: &mut Rng, writer: &mut Writer<'_>, model: &mut Model) {
    for _ in 0..rng.within(1..5) {
        if rng.one_in(4) && !model.files.is_empty() {
            let files: Vec<(FileNo, Sample)> = model.files.values().cloned().collect();
            let (id, file) = rng.pick(&files);
            writer.remove_file(*id).unwrap();
            model.remove(&file.path);
        } else if rng.one_in(30) {
            writer.remove_fts().unwrap();
            model.with_fts = false;
        } else if rng.one_in(30) {
            writer.create_fts().unwrap();
            model.with_fts = true;
            for (_, file) in model.files.clone().into_values() {
                model.put(file.put(writer), file);
            }
        } else {
            let file = random_file(rng);
            model.put(file.put(writer), file);
        }
    }
}

/// One file without its row ids: rows, chunks, symbols, kept text, what the server said.
type Whole = (FileRow, Vec<ChunkRow>, Vec<SymbolRow>, Option<String>, Option<RemoteState>);

fn without_rows(snapshot: &Snapshot<'_>) -> Vec<Whole> {
    let files = snapshot.files().unwrap();
    files
        .into_iter()
        .map(|file| {
            let chunks = snapshot.chunks_of(file.id).unwrap().into_iter();
            let symbols = snapshot.symbols_of(file.id).unwrap().into_iter();
            (
                FileRow { id: FileNo(0), ..file.clone() },
                chunks.map(|row| ChunkRow { id: ChunkNo(0), file: FileNo(0), ..row }).collect(),
                symbols.map(|row| SymbolRow { file: FileNo(0), ..row }).collect(),
                snapshot.content_of(file.id).unwrap(),
                snapshot.remote_of(file.id).unwrap(),
            )
        })
        .collect()
}

fn counts(snapshot: &Snapshot<'_>) -> (Vec<Count>, [BTreeMap<String, u64>; 2]) {
    let maps = [snapshot.language_counts(None).unwrap(), snapshot.skip_counts().unwrap()];
    (snapshot.base_counts().unwrap(), maps)
}

fn fts_rows(store: &Store) -> Vec<(String, String)> {
    let mut statement = store
        .connection
        .prepare("SELECT path, content FROM fts_chunks ORDER BY path, content")
        .unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn assert_same(store: &Store, model: &Model) {
    let fresh_folder = Folder::new();
    let mut fresh = fresh_folder.writable();
    change(&mut fresh, |writer| {
        if model.with_fts {
            writer.create_fts().unwrap();
        }
        for (_, file) in model.files.values() {
            file.put(writer);
        }
    });
    assert_eq!(store.has_fts().unwrap(), model.with_fts);
    if model.with_fts {
        assert_eq!(fts_rows(store), fts_rows(&fresh));
    }
    let (grown, fresh) = (store.snapshot().unwrap(), fresh.snapshot().unwrap());
    assert_eq!(grown.generation(), model.generation);
    assert_eq!(without_rows(&grown), without_rows(&fresh));
    assert_eq!(counts(&grown), counts(&fresh));
    assert_eq!(living(&grown), chunks(&grown));
    for question in QUESTIONS {
        assert_eq!(find(&grown, question), find(&fresh, question), "{question}");
    }
    let unprojected: BTreeMap<String, bool> = grown
        .unprojected()
        .unwrap()
        .into_iter()
        .map(|row| (row.key.as_str().to_owned(), row.is_listed))
        .collect();
    assert_eq!(unprojected, model.unprojected);
}

fn run(seed: u64, n_changes: usize) {
    let mut rng = Rng::new(seed);
    let folder = Folder::new();
    let mut store = folder.writable();
    let mut model = Model::default();
    for _ in 0..n_changes {
        match rng.below(12) {
            0 => {
                drop(store);
                store = folder.writable();
            },
            1 => store.sweep().unwrap(),
            2 => {
                store.note_projection(&[]).unwrap();
                model.unprojected.clear();
            },
            3 | 4 => {
                let mut forgotten = model.clone();
                step(&mut rng, &mut store.writer().unwrap(), &mut forgotten);
            },
            _ => {
                let mut writer = store.writer().unwrap();
                step(&mut rng, &mut writer, &mut model);
                model.generation = writer.commit().unwrap();
                assert_same(&store, &model);
            },
        }
    }
    assert_same(&store, &model);
    assert_eq!(store.verify().unwrap(), Vec::<String>::new());
}

#[test]
fn any_history_gives_what_a_fresh_build_gives() {
    for seed in 0..6 {
        let history = std::panic::catch_unwind(|| run(seed, 40));
        assert!(history.is_ok(), "the history of seed {seed} went wrong; see above");
    }
}
