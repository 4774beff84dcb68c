//! Tests of the crate as a whole, and what they share: a folder with an index, and files to put into it.

mod copies;
mod damage;
mod files;
mod fts;
mod generations;
mod graph;
mod lent;
mod model;
mod opening;
mod projection;
mod vectors;
mod views;

use std::path::PathBuf;

use gik_base::{FileKey, FileStat, Result, fs, hash};
use gik_index::{ChunkNo, Document, FileNo, Query, Searcher};

use crate::{
    Access, ChunkRecord, FileOrigin, FileRecord, FileState, RemoteState, Signature, Snapshot,
    Stage, Store, SymbolRow, Writer,
};

/// A temporary folder for one index, in memory where the system offers that.
struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        Self { dir }
    }

    /// With an index that holds these files.
    fn with(files: &[Sample]) -> Self {
        let folder = Self::new();
        folder.put(files);
        folder
    }

    fn database(&self) -> PathBuf {
        self.dir.path().join("branch/index.sqlite")
    }

    fn lexical(&self) -> PathBuf {
        self.dir.path().join("branch/lexical")
    }

    fn try_open(&self, access: Access) -> Result<Store> {
        Store::open(&self.database(), &self.lexical(), access)
    }

    fn writable(&self) -> Store {
        self.try_open(Access::ReadWrite).unwrap()
    }

    fn readable(&self) -> Store {
        self.try_open(Access::ReadOnly).unwrap()
    }

    /// Puts files in with one commit of its own.
    fn put(&self, files: &[Sample]) {
        let mut store = self.writable();
        change(&mut store, |writer| {
            for file in files {
                file.put(writer);
            }
        });
    }

    /// Names in the lexical folder.
    fn lexical_files(&self) -> Vec<String> {
        let paths = fs::list_dir(&self.lexical()).unwrap();
        paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
    }

    /// Moves everything from the log to the database, as SQLite itself does at the end of a connection.
    fn write_back(&self) {
        self.sql("PRAGMA wal_checkpoint");
    }

    /// Runs SQL behind the back of the store.
    fn sql(&self, text: &str) {
        rusqlite::Connection::open(self.database()).unwrap().execute_batch(text).unwrap();
    }
}

/// One commit.
fn change(store: &mut Store, work: impl FnOnce(&mut Writer<'_>)) -> u64 {
    let mut writer = store.writer().unwrap();
    work(&mut writer);
    writer.commit().unwrap()
}

fn key(path: &str) -> FileKey {
    FileKey::from_text(path)
}

/// A file to put in. Every text is a chunk of one line, and its first word is the name of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sample {
    path: String,
    base: &'static str,
    language: &'static str,
    texts: Vec<String>,
    origin: FileOrigin,
    stage: Stage,
    skipped: Option<&'static str>,
    content: Option<String>,
    remote: Option<RemoteState>,
}

impl Sample {
    fn new(path: &str, texts: &[&str]) -> Self {
        Self {
            path: path.to_owned(),
            base: "code",
            language: "rust",
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
            origin: FileOrigin::File,
            stage: Stage::Structure,
            skipped: None,
            content: None,
            remote: None,
        }
    }

    fn put(&self, writer: &mut Writer<'_>) -> FileNo {
        let key = key(&self.path);
        let whole = self.texts.join("\n");
        let n = u32::try_from(self.texts.len()).unwrap();
        let file = writer.put_file(&self.record(&whole, n)).unwrap();
        let mut at = 0;
        let mut symbols = Vec::new();
        for (line, text) in (1u32..).zip(&self.texts) {
            let (uid, name) = (self.uid(line), first_word(text));
            let record = ChunkRecord {
                kind: "function",
                ordinal: line - 1,
                lines: (line, line),
                bytes: at..at + text.len(),
                content_sha256: hash::sha256(text.as_bytes()),
                name,
                qualified: name,
                utf16: at..at + text.chars().map(char::len_utf16).sum::<usize>(),
                text,
            };
            let chunk = writer.put_chunk(file, &key, &record).unwrap();
            writer
                .put_words(&self.document(chunk, file, &uid, text).analyze(), self.stage)
                .unwrap();
            symbols.push(SymbolRow {
                file,
                name: name.to_owned(),
                qualified: None,
                kind: "function".to_owned(),
                container: None,
                signature: Signature::Text("fn".to_owned()),
                descriptors: uid.clone(),
                visibility: Some("public".to_owned()),
                start: (line, 0),
                end: (line, 1),
                bytes: record.bytes.clone(),
                utf16: record.utf16.clone(),
                name_start: record.bytes.start,
            });
            at += text.len() + 1;
        }
        writer.put_symbols(file, &symbols).unwrap();
        if let Some(content) = &self.content {
            writer.put_content(file, content).unwrap();
        }
        if let Some(remote) = &self.remote {
            writer.put_remote(file, remote).unwrap();
        }
        file
    }

    fn record(&self, whole: &str, n: u32) -> FileRecord {
        FileRecord {
            key: key(&self.path),
            base: self.base.to_owned(),
            language: self.language.to_owned(),
            stat: FileStat { size: whole.len() as u64, mtime_ns: -5, inode: u64::MAX },
            sha256: hash::sha256(whole.as_bytes()),
            lines: u64::from(n),
            n_chunks: n,
            n_symbols: n,
            origin: self.origin,
            mode: "code",
            stage: self.stage,
            state: match self.skipped {
                None => FileState::Indexed,
                Some(code) => {
                    FileState::Skipped { code: code.to_owned(), detail: "why".to_owned() }
                },
            },
        }
    }

    fn document<'t>(
        &'t self,
        chunk: ChunkNo,
        file: FileNo,
        uid: &str,
        text: &'t str,
    ) -> Document<'t> {
        let labels = if self.base == "code" { 1 } else { 2 };
        let tie = hash::fast64(uid.as_bytes());
        Document { chunk, file, labels, tie, fields: [first_word(text), "", &self.path, "", text] }
    }

    fn uid(&self, line: u32) -> String {
        let text = &self.texts[line as usize - 1];
        uid(&self.path, line, hash::sha256(text.as_bytes()))
    }
}

fn uid(path: &str, line: u32, content: hash::Digest) -> String {
    format!("ck:{path}:{line}:{content}")
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// What a question finds: uid, score, matched words and labels, best first.
fn find(snapshot: &Snapshot<'_>, question: &str) -> Vec<(String, u32, u64, u32)> {
    let searcher =
        Searcher::new(snapshot.segments().iter().map(|row| (&row.segment, &row.tombstones)));
    let hits = searcher.search(&Query::parse(question).unwrap(), 1000, &|_| true);
    hits.iter()
        .map(|hit| {
            let chunk =
                snapshot.chunk(hit.chunk).unwrap().expect("a living document has its chunk");
            assert_eq!(chunk.file, hit.file);
            let file = snapshot.file(hit.file).unwrap().unwrap();
            let uid = uid(file.key.as_str(), chunk.lines.0, chunk.content_sha256);
            (uid, hit.score.0, hit.matched, hit.labels)
        })
        .collect()
}

/// The paths of the files a question finds, sorted, each once.
fn found_paths(snapshot: &Snapshot<'_>, question: &str) -> Vec<String> {
    let uids = find(snapshot, question);
    let mut paths: Vec<String> =
        uids.iter().map(|(uid, ..)| uid.split(':').nth(1).unwrap().to_owned()).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// Documents in the segments that are not dead.
fn living(snapshot: &Snapshot<'_>) -> u64 {
    let searcher =
        Searcher::new(snapshot.segments().iter().map(|row| (&row.segment, &row.tombstones)));
    searcher.n_docs()
}

/// Chunks that the rows of all files hold.
fn chunks(snapshot: &Snapshot<'_>) -> u64 {
    let files = snapshot.files().unwrap();
    files.iter().map(|file| snapshot.chunks_of(file.id).unwrap().len() as u64).sum()
}
