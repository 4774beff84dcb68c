//! What people who query the file with SQL see of symbols and chunks.

use gik_index::FileNo;

use super::{Folder, Sample, change};
use crate::packed::{CHUNK_KINDS, SYMBOL_KINDS, VISIBILITIES};
use crate::{ChunkRecord, Signature, SymbolRow, Writer};

/// Tables of the on-device schema that are views here, with the columns in order and the types of their values.
const VIEWS: &[(&str, &[&str])] = &[
    (
        "symbols",
        &[
            "id integer",
            "file_id integer",
            "name text",
            "kind text",
            "container null",
            "signature text",
            "start_line integer",
            "start_col integer",
            "end_line integer",
            "end_col integer",
        ],
    ),
    (
        "chunks",
        &[
            "id integer",
            "file_id integer",
            "chunk_type text",
            "start_line integer",
            "end_line integer",
            "byte_start integer",
            "byte_end integer",
            "content_sha256 text",
            "summary_small null",
            "summary_large null",
        ],
    ),
];

#[test]
fn the_views_have_the_columns_of_the_published_schema() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha beta"])]);
    let store = folder.readable();
    for (view, published) in VIEWS {
        let mut statement = store.connection.prepare(&format!("SELECT * FROM {view}")).unwrap();
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = statement.query([]).unwrap();
        let row = rows.next().unwrap().unwrap();
        let kind = |at: usize| row.get_ref(at).unwrap().data_type().to_string().to_lowercase();
        let found = names.iter().enumerate().map(|(at, name)| format!("{name} {}", kind(at)));
        assert_eq!(found.take(published.len()).collect::<Vec<_>>(), *published, "{view}");
    }
}

#[test]
fn the_views_say_what_the_rows_say() {
    let folder = Folder::new();
    let mut store = folder.writable();
    change(&mut store, symbols_of_all_kinds);
    let snapshot = store.snapshot().unwrap();
    let file = snapshot.files().unwrap().remove(0);
    let expected = snapshot.symbols_of(file.id).unwrap();
    let mut statement = store
        .connection
        .prepare(
            "SELECT name, kind, visibility, container, descriptors, signature, start_line, start_col, end_line,
                    end_col, byte_start, byte_end, utf16_start, utf16_end, name_start
             FROM symbols ORDER BY id",
        )
        .unwrap();
    let mut rows = statement.query([]).unwrap();
    for symbol in &expected {
        let row = rows.next().unwrap().unwrap();
        let text = |at: usize| row.get::<_, Option<String>>(at).unwrap();
        let number = |at: usize| row.get::<_, u32>(at).unwrap();
        assert_eq!(text(0).as_deref(), Some(&*symbol.name));
        assert_eq!(text(1).as_deref(), Some(&*symbol.kind));
        assert_eq!((text(2), text(3)), (symbol.visibility.clone(), symbol.container.clone()));
        assert_eq!(text(4).as_deref(), Some(&*symbol.descriptors));
        let signature = match &symbol.signature {
            Signature::Text(line) => Some(line.clone()),
            Signature::Cut(_) => None,
        };
        assert_eq!(text(5), signature);
        assert_eq!(((number(6), number(7)), (number(8), number(9))), (symbol.start, symbol.end));
        let range = |at: usize| number(at) as usize..number(at + 1) as usize;
        assert_eq!((range(10), range(12)), (symbol.bytes.clone(), symbol.utf16.clone()));
        assert_eq!(number(14) as usize, symbol.name_start);
    }
    assert!(rows.next().unwrap().is_none());
    let mut statement = store
        .connection
        .prepare("SELECT chunk_type, name, qualified FROM chunks ORDER BY id")
        .unwrap();
    let found: Vec<(String, String, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let chunks = snapshot.chunks_of(file.id).unwrap();
    let chunks = chunks.into_iter().map(|chunk| (chunk.kind, chunk.name, chunk.qualified));
    assert_eq!(found, chunks.collect::<Vec<_>>());
    assert_eq!(found.len(), CHUNK_KINDS.len() + 1);
    let qualified: Vec<&str> = found.iter().map(|(_, _, qualified)| &**qualified).collect();
    assert_eq!(qualified, NAMES.map(|(_, qualified)| qualified));
}

/// Names of a chunk, and a qualified name that ends in the first of them, in another, or in none.
const NAMES: [(&str, &str); 7] = [
    ("", ""),
    ("", "Outer"),
    ("größe", "größe"),
    ("größe länge", "Outer::größe"),
    ("größe länge", "Outer::länge"),
    ("größe länge", "Outer::größe länge"),
    ("größe", ""),
];

/// One file with a symbol of every kind and a chunk of every kind, and one of each that has no number.
fn symbols_of_all_kinds(writer: &mut Writer<'_>) {
    let sample = Sample::new("a.rs", &[]);
    let kinds = SYMBOL_KINDS.iter().chain(&["strange"]);
    let mut symbols: Vec<SymbolRow> = Vec::new();
    for (nth, kind) in (0u32..).zip(kinds) {
        let ending = ["().", ".", "#", "/", "!", "(+3).", "(+12)#", "?"][nth as usize % 8];
        let place = nth as usize * 10;
        symbols.push(SymbolRow {
            file: FileNo(0),
            name: format!("name{nth}"),
            kind: (*kind).to_owned(),
            container: (nth % 3 > 0).then(|| format!("Outer{}", nth % 2)),
            qualified: None,
            signature: match nth % 3 {
                0 => Signature::Cut(nth),
                _ => Signature::Text(format!("fn name{nth}")),
            },
            descriptors: format!("Outer{}#name{nth}{ending}", nth % 2),
            visibility: VISIBILITIES
                .iter()
                .chain(&["strange"])
                .nth(nth as usize % 6)
                .map(|it| (*it).to_owned()),
            start: (nth + 1, nth),
            end: (nth + 1 + nth % 2, nth + 7),
            bytes: place..place + 7,
            utf16: place - nth as usize..place + 7 - nth as usize,
            name_start: place + 3,
        });
    }
    let kinds: Vec<&str> = CHUNK_KINDS.iter().copied().chain(["strange"]).collect();
    let mut record = sample.record("", u32::try_from(kinds.len()).unwrap());
    record.n_symbols = u32::try_from(symbols.len()).unwrap();
    let file = writer.put_file(&record).unwrap();
    for ((nth, kind), (names, qualified)) in kinds.into_iter().enumerate().zip(NAMES) {
        let chunk = ChunkRecord {
            kind,
            ordinal: 0,
            lines: (1, 2),
            bytes: nth..nth + 1,
            content_sha256: Default::default(),
            name: names,
            qualified,
            utf16: nth..nth + 1,
            text: "",
        };
        writer.put_chunk(file, &record.key, &chunk).unwrap();
    }
    writer.put_symbols(file, &symbols).unwrap();
}
