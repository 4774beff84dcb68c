//! Segments: the frozen format, damage, and merging against building.

use gik_base::ErrorCode;
use gik_base::mmap::Bytes;
use proptest::prelude::*;

use super::*;
use crate::document::{Analyzed, ChunkNo, Document, FileNo};
use crate::tombstones::Tombstones;
use crate::{Query, Searcher};

fn document(number: u32, name: &str, body: &str) -> Analyzed {
    Document {
        chunk: ChunkNo(number),
        file: FileNo(number / 3),
        labels: number % 4,
        tie: u64::from(number),
        fields: [name, "", "src lib", "", body],
    }
    .analyze()
}

fn build(documents: &[Analyzed]) -> Vec<u8> {
    build_on(1, documents)
}

fn build_on(threads: usize, documents: &[Analyzed]) -> Vec<u8> {
    let mut writer = SegmentWriter::new();
    for document in documents {
        writer.add(document);
    }
    writer.finish(threads)
}

fn open(bytes: &[u8]) -> Segment {
    Segment::open(Bytes::Owned(bytes.to_vec())).unwrap()
}

fn sample(n_docs: u32) -> Vec<Analyzed> {
    (0..n_docs)
        .map(|number| {
            let word = ["alpha", "betaGamma", "delta_epsilon", "zeta9"][number as usize % 4];
            let body = format!("common {word} rare{number} ").repeat(1 + number as usize % 3);
            document(number, word, &body)
        })
        .collect()
}

#[test]
fn a_segment_is_the_same_for_any_number_of_threads() {
    let documents = sample(12_000);
    let alone = build(&documents);
    for threads in [2, 3, 8] {
        assert!(build_on(threads, &documents) == alone, "{threads}");
    }
}

#[test]
fn documents_come_back_as_they_were_added() {
    let segment = open(&build(&sample(10)));
    assert_eq!(segment.n_docs(), 10);
    let entry = segment.doc(DocNo(7));
    assert_eq!((entry.chunk, entry.file, entry.labels, entry.tie), (ChunkNo(7), FileNo(2), 3, 7));
    assert_eq!(segment.docs_of_file(FileNo(2)), [DocNo(6), DocNo(7), DocNo(8)]);
    assert_eq!(segment.docs_of_file(FileNo(9)), []);
    assert_eq!(segment.doc(DocNo(10)).length, 0);
    segment.verify().unwrap();
}

#[test]
fn documents_of_a_file_are_found_in_any_order_of_files() {
    let mut documents = sample(9);
    documents.rotate_left(4);
    documents.swap(0, 5);
    let segment = open(&build(&documents));
    for file in 0..4 {
        let all = (0..segment.n_docs()).map(DocNo);
        let expected: Vec<DocNo> = all.filter(|doc| segment.doc(*doc).file.0 == file).collect();
        assert_eq!(segment.docs_of_file(FileNo(file)), expected);
    }
}

#[test]
fn an_empty_segment_is_a_segment() {
    let segment = open(&build(&[]));
    let none = Tombstones::default();
    assert_eq!((segment.n_docs(), segment.n_terms()), (0, 0));
    let searcher = Searcher::new([(&segment, &none)]);
    assert_eq!(searcher.search(&Query::parse("x").unwrap(), 10, &|_| true), []);
    assert_eq!(merge(&[(&segment, &none)]), build(&[]));
    assert_eq!(merge(&[]), build(&[]));
}

#[test]
fn terms_are_found_and_only_those() {
    let segment = open(&build(&sample(500)));
    let df = |term: &str| segment.find(term.as_bytes()).map_or(0, |list| list.df());
    assert_eq!(df("common"), 500);
    assert_eq!(df("betagamma"), 125);
    assert_eq!(df("delta_epsilon"), 125);
    assert_eq!(df("rare499"), 1);
    for absent in ["", "a", "rar", "rare500", "zzz", "\u{ffff}"] {
        assert_eq!(df(absent), 0, "{absent}");
    }
    let mut docs = Vec::new();
    segment.find(b"gamma").unwrap().for_each(|doc, weighted| docs.push((doc, weighted)));
    assert!(docs.iter().map(|&(doc, _)| doc).eq((1..500).step_by(4)));
    assert_eq!(docs[0], (1, 8 + 2));
}

#[test]
fn the_sizes_of_a_term_are_read_as_they_were_written() {
    let sizes = [0, 1, 6, 7, 8, 63, 64, 200, 70_000];
    let all = sizes.iter().flat_map(|&one| sizes.map(|other| (one, other)));
    let dfs = [1, 2, 63, 64, 128, u32::MAX];
    let all = dfs.iter().flat_map(|&df| all.clone().map(move |(one, other)| (df, one, other)));
    for suffix in ["", "_"] {
        let mut encoder = dictionary::DictionaryEncoder::default();
        for (nth, (df, n_postings, n_positions)) in all.clone().enumerate() {
            let n_positions = suffix.is_empty().then_some(n_positions);
            encoder.add(format!("{nth:04}{suffix}").as_bytes(), df, n_postings, n_positions);
        }
        let (index, blocks) = encoder.finish();
        let mut terms = dictionary::Dictionary { index: &index, blocks: &blocks }.terms();
        for expected in all.clone() {
            let found = terms.next().unwrap();
            let n_positions = found.positions.map(|range| range.len() as u64);
            assert_eq!((found.df, found.postings.len() as u64), (expected.0, expected.1));
            assert_eq!(n_positions, suffix.is_empty().then_some(expected.2));
        }
        assert!(terms.next().is_none());
    }
}

#[test]
fn merging_gives_the_bytes_of_a_fresh_build() {
    let documents = sample(700);
    let parts: Vec<(Segment, Tombstones)> = documents
        .chunks(150)
        .map(|chunk| (open(&build(chunk)), (0..150).step_by(7).map(DocNo).collect()))
        .collect();
    let merged = merge(&parts.iter().map(|(segment, dead)| (segment, dead)).collect::<Vec<_>>());
    let living: Vec<Analyzed> = documents
        .chunks(150)
        .flat_map(|chunk| chunk.iter().enumerate().filter(|(at, _)| at % 7 != 0))
        .map(|(_, document)| document.clone())
        .collect();
    assert!(merged == build(&living));
}

#[test]
fn the_same_documents_give_the_same_bytes() {
    let bytes = build(&sample(300));
    assert!(bytes == build(&sample(300)));
    // The format is frozen by this number: a change needs a new version.
    assert_eq!(gik_base::hash::fast64(&bytes), FROZEN, "format or analyzer changed");
}

const FROZEN: u64 = 1_940_779_654_218_882_992;

#[test]
fn truncated_foreign_and_newer_files_are_refused() {
    let bytes = build(&sample(20));
    let code = |bytes: &[u8]| Segment::open(Bytes::Owned(bytes.to_vec())).unwrap_err().code();
    for n in 0..bytes.len() {
        assert_eq!(code(&bytes[..n]), ErrorCode::StoreBroken);
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(code(&longer), ErrorCode::StoreBroken);
    let mut newer = bytes;
    newer[8] = 3;
    assert_eq!(code(&newer), ErrorCode::StoreBroken);
}

fn use_everything(segment: &Segment) {
    let dead: Tombstones = (0..segment.n_docs()).step_by(3).map(DocNo).collect();
    let searcher = Searcher::new([(segment, &dead)]);
    for text in [
        "common beta rare7",
        "\"common beta gamma\"",
        "+common -\"rare5 common\" zeta",
        "+delta_epsilon -x",
    ] {
        let query = Query::parse(text).unwrap();
        searcher.search(&query, 5, &|_| true);
        searcher.brute(&query, 5, &|_| true);
    }
    for doc in 0..segment.n_docs() {
        segment.docs_of_file(segment.doc(DocNo(doc)).file);
    }
    let merged = merge(&[(segment, &dead), (segment, &Tombstones::default())]);
    open(&merged).verify().unwrap();
}

#[test]
fn damage_is_found_by_verify() {
    let bytes = build(&sample(40));
    for at in (header::HEADER_BYTES..bytes.len()).step_by(11) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let failure = open(&damaged).verify().unwrap_err();
        assert_eq!(failure.code(), ErrorCode::StoreBroken);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn damaged_bytes_never_panic(
        n_docs in prop_oneof![1u32..40, 130u32..300],
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        spare_header in prop::bool::weighted(0.95),
    ) {
        let mut bytes = build(&sample(n_docs));
        let start = if spare_header { header::HEADER_BYTES } else { 0 };
        let n = bytes.len() - start;
        for (index, value) in damage {
            bytes[start + index.index(n)] = value;
        }
        if let Ok(segment) = Segment::open(Bytes::Owned(bytes)) {
            use_everything(&segment);
        }
    }
}
