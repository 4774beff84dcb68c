//! From a question to ranked chunks, on small indexes made for each test.

mod ranking;
mod selection;

use gik_base::collections::HashSet;
use gik_base::{FileKey, FileStat, Result, hash};
use gik_index::{Document, Query};
use gik_store::{Access, ChunkRecord, FileOrigin, FileRecord, FileState, Stage, Store};

use crate::signals::Weights;
use crate::{Filter, Found, Request, Results, search};

const CODE: u32 = 1;
const DOCS: u32 = 2;

/// A chunk to search: its file, the name it defines, its text.
#[derive(Debug, Clone)]
struct Chunk {
    path: String,
    name: &'static str,
    doc: String,
    text: String,
    label: u32,
}

fn chunk(path: &str, name: &'static str, text: &str) -> Chunk {
    let label = if path.starts_with("docs/") { DOCS } else { CODE };
    Chunk { path: path.to_owned(), name, doc: String::new(), text: text.to_owned(), label }
}

/// Who breaks a tie.
#[derive(Debug, Clone, Copy)]
enum Ties {
    /// The content, as the product does it.
    Content,
    /// Nothing: all chunks say the same.
    Equal,
}

struct Index {
    _dir: tempfile::TempDir,
    store: Store,
}

impl Index {
    fn new(chunks: &[Chunk]) -> Self {
        Self::with_ties(chunks, Ties::Content)
    }

    /// Puts files in as their first chunks come, each with all its chunks.
    fn with_ties(chunks: &[Chunk], ties: Ties) -> Self {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let (database, lexical) = (dir.path().join("index.sqlite"), dir.path().join("lexical"));
        let mut store = Store::open(&database, &lexical, Access::ReadWrite).unwrap();
        let mut writer = store.writer().unwrap();
        let mut paths: Vec<&str> = Vec::new();
        for path in chunks.iter().map(|chunk| chunk.path.as_str()) {
            if paths.contains(&path) {
                continue;
            }
            paths.push(path);
            let members: Vec<&Chunk> = chunks.iter().filter(|chunk| chunk.path == path).collect();
            let file = writer.put_file(&record(path, members.len())).unwrap();
            for (line, chunk) in (1u32..).zip(members) {
                let uid = format!("ck:{path}:{line}");
                let row = writer.put_chunk(file, &FileKey::from_text(path), &row(chunk, line));
                let document = Document {
                    chunk: row.unwrap(),
                    file,
                    labels: chunk.label,
                    tie: match ties {
                        Ties::Content => hash::fast64(uid.as_bytes()),
                        Ties::Equal => 0,
                    },
                    fields: [chunk.name, "", "", &chunk.doc, &chunk.text],
                };
                writer.put_words(&document.analyze(), Stage::Structure).unwrap();
            }
        }
        writer.commit().unwrap();
        Self { _dir: dir, store }
    }

    fn results(&self, question: &str, adjust: impl FnOnce(&mut Request<'_>)) -> Results {
        self.try_results(question, adjust).unwrap()
    }

    fn try_results(
        &self,
        question: &str,
        adjust: impl FnOnce(&mut Request<'_>),
    ) -> Result<Results> {
        let query = Query::parse(question).unwrap();
        let filter = Filter {
            base_labels: CODE | DOCS,
            mode_labels: u32::MAX,
            languages: Vec::new(),
            other_languages: Vec::new(),
            globs: Vec::new(),
            changed: Vec::new(),
            among: None,
            outside: HashSet::default(),
        };
        let snapshot = self.store.snapshot().unwrap();
        let files = &snapshot.files().unwrap();
        let weights = Weights::default();
        let text = question;
        let mut request = Request {
            text,
            query: &query,
            files,
            filter,
            admits: None,
            scan: None,
            current: None,
            lists_all: false,
            limit: 10,
            per_file: 2,
            weights,
        };
        adjust(&mut request);
        search(&snapshot, &request)
    }

    fn ask(&self, question: &str, adjust: impl FnOnce(&mut Request<'_>)) -> Vec<String> {
        places(&self.results(question, adjust).found)
    }

    fn glob(&self, globs: &[&str]) -> Vec<String> {
        let mut places = self.ask("alpha", |request| {
            request.filter.globs = globs.iter().map(|glob| (*glob).to_owned()).collect();
        });
        places.sort();
        places
    }
}

fn record(path: &str, n_chunks: usize) -> FileRecord {
    FileRecord {
        key: FileKey::from_text(path),
        base: if path.starts_with("docs/") { "docs" } else { "code" }.to_owned(),
        language: if path.ends_with(".rs") { "rust" } else { "markdown" }.to_owned(),
        stat: FileStat::default(),
        sha256: Default::default(),
        lines: n_chunks as u64,
        n_chunks: u32::try_from(n_chunks).unwrap(),
        n_symbols: 0,
        origin: FileOrigin::File,
        mode: "code",
        stage: Stage::Structure,
        state: FileState::Indexed,
    }
}

fn row(chunk: &Chunk, line: u32) -> ChunkRecord<'_> {
    let at = line as usize * 100;
    ChunkRecord {
        kind: "function",
        ordinal: 0,
        lines: (line, line),
        bytes: at..at + 1,
        content_sha256: Default::default(),
        name: chunk.name,
        qualified: "",
        utf16: at..at + 1,
        text: &chunk.text,
    }
}

/// `path:line`, best first.
fn places(found: &[Found]) -> Vec<String> {
    found.iter().map(|found| format!("{}:{}", found.file.key, found.chunk.lines.0)).collect()
}

/// The signals that made the score, but for the words that every chunk has.
fn names(found: &Found) -> Vec<&'static str> {
    let names = found.signals.iter().map(|(name, _)| *name);
    names.filter(|name| !["words", "file"].contains(name)).collect()
}
