//! The index against its oracles, on random corpora with random histories.

use gik_base::mmap::Bytes;
use proptest::prelude::*;

use crate::{
    Analyzed, ChunkNo, DocEntry, DocNo, Document, Field, FieldSet, FileNo, FileSet, Hit, Query,
    Searcher, Segment, SegmentWriter, Tombstones, merge, rank_documents,
};

/// Few different words, so that they meet; some with parts, some that are forms of others, some beyond ASCII.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-d]",
        3 => prop::sample::select(vec!["readFile", "read_file", "read", "file", "HTTPConfig", "config", "the"])
            .prop_map(str::to_owned),
        3 => prop::sample::select(vec!["reader", "reading", "files", "configuration", "cfg", "ctx", "context"])
            .prop_map(str::to_owned),
        1 => prop::sample::select(vec!["größe", "東京都", "x86_64", "sha256"]).prop_map(str::to_owned),
    ]
}

fn text(max_words: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(word(), 0..max_words).prop_map(|words| words.join(" "))
}

#[derive(Debug, Clone)]
struct Chunk {
    fields: [String; 5],
    tie: u64,
    dead: bool,
}

fn chunk() -> impl Strategy<Value = Chunk> {
    let fields = (text(2), text(4), text(3), text(24), text(40));
    (fields, 0u64..4, prop::bool::weighted(0.2)).prop_map(
        |((name, signature, path, doc, body), tie, dead)| Chunk {
            fields: [name, signature, path, doc, body],
            tie,
            dead,
        },
    )
}

fn query() -> impl Strategy<Value = String> {
    let item =
        (prop::sample::select(vec!["", "", "", "+", "-"]), text(4), prop::bool::weighted(0.3));
    proptest::collection::vec(item, 1..5).prop_map(|items| {
        let items = items.into_iter().map(|(sign, text, quoted)| match quoted {
            true => format!("{sign}\"{text}\""),
            false => format!("{sign}{text}"),
        });
        items.collect::<Vec<_>>().join(" ")
    })
}

fn document(number: usize, chunk: &Chunk) -> Document<'_> {
    Document {
        chunk: ChunkNo(number as u32),
        file: FileNo(number as u32 / 4),
        labels: number as u32 % 3,
        tie: chunk.tie,
        fields: chunk.fields.each_ref().map(String::as_str),
    }
}

fn segment(documents: &[Analyzed]) -> Segment {
    let mut writer = SegmentWriter::new();
    for document in documents {
        writer.add(document);
    }
    Segment::open(Bytes::Owned(writer.finish(1))).unwrap()
}

/// Segments of the given sizes, one after the other, with the dead marked.
fn split(chunks: &[Chunk], sizes: &[usize]) -> Vec<(Segment, Tombstones)> {
    let mut parts = Vec::new();
    let mut start = 0;
    for size in sizes.iter().copied().chain([chunks.len()]) {
        let end = (start + size).min(chunks.len());
        if start == end {
            break;
        }
        let analyzed: Vec<_> = (start..end).map(|at| document(at, &chunks[at]).analyze()).collect();
        let dead = (start..end).filter(|&at| chunks[at].dead).map(|at| DocNo((at - start) as u32));
        parts.push((segment(&analyzed), dead.collect()));
        start = end;
    }
    parts
}

fn searcher(parts: &[(Segment, Tombstones)]) -> Searcher<'_> {
    Searcher::new(parts.iter().map(|(segment, dead)| (segment, dead)))
}

/// What must not depend on how the documents are spread over segments.
fn essence(hits: &[Hit]) -> Vec<(ChunkNo, u32, u64)> {
    hits.iter().map(|hit| (hit.chunk, hit.score.0, hit.matched)).collect()
}

fn everything(_: &DocEntry) -> bool {
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn index_scan_and_texts_agree_whatever_the_history(
        chunks in proptest::collection::vec(chunk(), 1..60),
        sizes in proptest::collection::vec(1usize..20, 0..6),
        queries in proptest::collection::vec(query(), 1..8),
        limit in prop_oneof![1usize..6, Just(100)],
        fields in prop_oneof![
            Just(FieldSet::ALL),
            Just(FieldSet::ALL.without(Field::Doc)),
            Just(FieldSet::only(Field::Doc)),
        ],
    ) {
        let living: Vec<_> = (0..chunks.len()).filter(|&at| !chunks[at].dead).collect();
        let texts: Vec<_> = living.iter().map(|&at| document(at, &chunks[at])).collect();
        let fresh = vec![(segment(&texts.iter().map(Document::analyze).collect::<Vec<_>>()), Tombstones::default())];
        let grown = split(&chunks, &sizes);
        let refs: Vec<_> = grown.iter().map(|(segment, dead)| (segment, dead)).collect();
        let merged = merge(&refs);
        prop_assert!(merged == merge(&[(&fresh[0].0, &fresh[0].1)]), "a merge is a fresh build");
        let merged = vec![(Segment::open(Bytes::Owned(merged)).unwrap(), Tombstones::default())];

        for query in queries {
            let query = Query::parse(&query).unwrap().within(fields);
            let ranked = rank_documents(&texts, &query, limit);
            let expected: Vec<_> = ranked
                .iter()
                .map(|ranked| (texts[ranked.index].chunk, ranked.score.0, ranked.matched))
                .collect();
            let openings: Vec<u64> = ranked.iter().map(|ranked| ranked.opening).collect();
            for parts in [&fresh, &grown, &merged] {
                let searcher = searcher(parts);
                prop_assert_eq!(searcher.n_docs() as usize, living.len());
                prop_assert_eq!(&essence(&searcher.search(&query, limit, &everything)), &expected);
                prop_assert_eq!(&essence(&searcher.brute(&query, limit, &everything)), &expected);
                let prepared = searcher.prepare(&query);
                let mut hits = prepared.search(limit, &everything);
                prepared.mark_openings(&mut hits);
                prop_assert_eq!(hits.iter().map(|hit| hit.opening).collect::<Vec<_>>(), openings.clone());
            }
        }
    }

    #[test]
    fn a_filter_takes_from_the_full_ranking(
        chunks in proptest::collection::vec(chunk(), 1..40), query in query(), limit in 1usize..5,
    ) {
        let parts = split(&chunks, &[7, 13]);
        let searcher = searcher(&parts);
        let query = Query::parse(&query).unwrap();
        let accept = |entry: &DocEntry| entry.labels == 1;
        let all = searcher.brute(&query, usize::MAX, &everything);
        let expected: Vec<_> = all.into_iter().filter(|hit| hit.labels == 1).take(limit).collect();
        prop_assert_eq!(searcher.search(&query, limit, &accept), expected);
    }

    #[test]
    fn some_files_give_what_is_theirs_of_the_full_ranking(
        chunks in proptest::collection::vec(chunk(), 1..40), query in query(), limit in 1usize..5,
        numbers in proptest::collection::btree_set(0u32..20, 0..6),
    ) {
        let parts = split(&chunks, &[7, 13]);
        let searcher = searcher(&parts);
        let query = Query::parse(&query).unwrap();
        let files: FileSet = numbers.iter().copied().map(FileNo).collect();
        let all = searcher.brute(&query, usize::MAX, &everything);
        let own = all.into_iter().filter(|hit| numbers.contains(&hit.file.0) && hit.labels == 1);
        let expected: Vec<_> = own.take(limit).collect();
        let prepared = searcher.prepare(&query);
        let accept = |entry: &DocEntry| entry.labels == 1;
        prop_assert_eq!(prepared.search_among(&files, limit, &accept), expected);
    }
}

/// Thousands of documents, so that lists have many blocks and windows are skipped.
#[test]
fn skipping_over_many_blocks_changes_nothing() {
    let mut state = 7u64;
    let mut next = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let chunks: Vec<Chunk> = (0..6000)
        .map(|_| {
            let n_words = 1 + next(30);
            let words: Vec<String> = (0..n_words)
                .map(|_| {
                    // Low numbers are far more frequent than high ones.
                    let rank = next(400) * next(400) / 400;
                    format!(
                        "w{}",
                        char::from(b'a' + (rank % 26) as u8)
                            .to_string()
                            .repeat(1 + rank as usize / 26)
                    )
                })
                .collect();
            let name = if next(10) == 0 { words[0].clone() } else { String::new() };
            let fields = [name, String::new(), String::new(), String::new(), words.join(" ")];
            Chunk { fields, tie: next(50), dead: next(20) == 0 }
        })
        .collect();
    let parts = split(&chunks, &[4000, 300]);
    let searcher = searcher(&parts);
    for text in [
        "wa wb wc waa wabc",
        "wa wb",
        "waaaa wbbb wa",
        "+wa wb wc",
        "+waa +wb",
        "\"wa wb\" wc",
        "wa -wb -\"wc wd\"",
        "wc wd we wf wg wh wi wj",
    ] {
        let query = Query::parse(text).unwrap();
        for limit in [1, 10, 100, 10_000] {
            let found = searcher.search(&query, limit, &everything);
            assert_eq!(found, searcher.brute(&query, limit, &everything), "{text} {limit}");
            assert!(!found.is_empty(), "{text}");
        }
        let all = searcher.brute(&query, usize::MAX, &everything);
        let prepared = searcher.prepare(&query);
        for (nth, limit) in [(7, 10), (1000, 100), (3, 10_000)] {
            let files: FileSet = (0..6000).step_by(nth).map(FileNo).collect();
            let own = all.iter().filter(|hit| files.contains(hit.file)).take(limit);
            let expected: Vec<Hit> = own.copied().collect();
            assert_eq!(prepared.search_among(&files, limit, &everything), expected, "{text}");
        }
    }
}

#[test]
fn words_in_the_opening_of_comments_are_told() {
    let doc = format!("alpha {}beta", "filler ".repeat(15));
    let document = Document {
        chunk: ChunkNo(1),
        file: FileNo(1),
        labels: 0,
        tie: 0,
        fields: ["", "", "", &doc, "gamma alpha beta"],
    };
    let parts = vec![(segment(&[document.analyze()]), Tombstones::default())];
    let opening_of = |question: &str| {
        let query = Query::parse(question).unwrap();
        let searcher = searcher(&parts);
        let prepared = searcher.prepare(&query);
        let mut hits = prepared.search(1, &everything);
        prepared.mark_openings(&mut hits);
        hits[0].opening
    };
    assert_eq!(opening_of("gamma beta alpha"), 0b100);
    assert_eq!(opening_of("fillers gamma"), 0b1, "in another form");
}
