//! What patterns need, which files are left, and that none of those that match is missing.

use gik_base::mmap::Bytes;
use proptest::prelude::*;
use regex::RegexBuilder;

use super::*;
use crate::{ChunkNo, DocNo, Document, FileNo, Segment, SegmentWriter, Tombstones};

const PLAIN: u32 = 2;

/// A segment with one file for each text, in one document.
fn segment(texts: &[&str]) -> Segment {
    let mut writer = SegmentWriter::new();
    for (number, text) in (0..).zip(texts) {
        let document = Document {
            chunk: ChunkNo(number),
            file: FileNo(number),
            labels: 1 | if has_plain_words(text) { PLAIN } else { 0 },
            tie: 0,
            fields: ["", "", "", "", text],
        };
        writer.add(&document.analyze());
    }
    Segment::open(Bytes::Owned(writer.finish(1))).unwrap()
}

/// The files that a pattern leaves; `None` where these are all.
fn left(segment: &Segment, n_files: u32, pattern: &str) -> Option<Vec<u32>> {
    let nobody = Tombstones::default();
    let files = Needs::of_pattern(pattern).files([(segment, &nobody)], PLAIN)?;
    Some((0..n_files).filter(|file| files.contains(FileNo(*file))).collect())
}

fn letters(text: &str) -> Needs {
    Needs::Letters(text.to_owned())
}

#[test]
fn a_pattern_needs_the_letters_that_each_match_has() {
    for (pattern, expected) in [
        ("read_file", letters("read_file")),
        ("__init__", letters("init")),
        ("fn take_lock\\(", letters("take_lock")),
        ("ReadFile", letters("readfile")),
        ("(?i)Kiss", letters("kiss")),
        ("[Rr]ead", letters("read")),
        ("read(File)+s", letters("readfile")),
        ("read(File)*s", letters("read")),
        ("\\bread\\b", letters("read")),
        ("größe", Needs::Nothing),
        ("a.b", Needs::Nothing),
        ("\\w+", Needs::Nothing),
        ("(", Needs::Nothing),
        ("(?-u:[a-z])read", letters("read")),
        ("open.*close", Needs::All(vec![letters("open"), letters("close")])),
        ("open|close", Needs::Any(vec![letters("open"), letters("close")])),
        ("open|x", Needs::Nothing),
        (
            "(open|close)d_lock",
            Needs::All(vec![
                Needs::Any(vec![letters("open"), letters("close")]),
                letters("d_lock"),
            ]),
        ),
    ] {
        assert_eq!(Needs::of_pattern(pattern), expected, "{pattern}");
    }
    let both = Needs::of_all(["read", "\\d", "write"]);
    assert_eq!(both, Needs::All(vec![letters("read"), letters("write")]));
}

#[test]
fn files_without_the_letters_are_left_out() {
    let mut texts = vec!["fn read_file()", "readFile", "to read", "file: 3", "write"];
    texts.resize(30, "common");
    let segment = segment(&texts);
    let left = |pattern: &str| left(&segment, texts.len() as u32, pattern);
    assert_eq!(left("read"), Some(vec![0, 1, 2]));
    assert_eq!(left("ad_fi"), Some(vec![0]));
    assert_eq!(left("dfi"), Some(vec![1]));
    assert_eq!(left("read.*file"), Some(vec![0, 1]));
    assert_eq!(left("write|to read"), Some(vec![0, 1, 2, 4]));
    assert_eq!(left("nowhere"), Some(vec![]));
    assert_eq!(left("."), None);
    assert_eq!(left("common"), None, "nearly all files have it");
    assert_eq!(left("write|common"), None);
    assert_eq!(left("write.*common"), Some(vec![4]));
}

#[test]
fn a_dead_document_is_in_no_file() {
    let segment = segment(&["read", "a read", "b", "c", "d", "e"]);
    let mut dead = Tombstones::default();
    dead.insert(DocNo(1));
    let files = Needs::of_pattern("read").files([(&segment, &dead)], PLAIN).unwrap();
    assert!(files.contains(FileNo(0)) && !files.contains(FileNo(1)));
}

#[test]
fn texts_whose_words_change_on_their_way_into_the_index_are_not_plain() {
    let long = "a".repeat(64);
    let chain = "ab-".repeat(30);
    for (text, expected) in [
        ("fn read_file(größe: u32) { 東京都 } // ───────────────────────────────────────", true),
        (long.as_str(), true),
        (format!("{long}a").as_str(), false),
        (format!("x {chain}").as_str(), false),
        ("-".repeat(100).as_str(), true),
        ("ab--".repeat(100).as_str(), true),
        ("é".repeat(20).as_str(), false),
        ("cafe\u{301}", false),
        ("Kiſs", false),
        ("5 \u{212a}", false),
    ] {
        assert_eq!(has_plain_words(text), expected, "{text}");
    }
}

#[test]
fn what_is_taken_apart_between_words_has_as_many_runs() {
    let text = "fn größe() // a_b: 3\n";
    let in_parts = |cuts: &[usize]| {
        let mut runs = WordRuns::default();
        let mut start = 0;
        for &cut in cuts.iter().chain([&text.len()]) {
            runs += WordRuns::of(&text[start..cut]);
            start = cut;
        }
        runs
    };
    let whole = WordRuns::of(text);
    assert_eq!(in_parts(&[2, 3, 10]), whole);
    assert_ne!(in_parts(&[4]), whole);
    assert_ne!(WordRuns::of(&text[..text.len() - 2]), whole);
}

/// Words that meet, hide in one another, and change on their way into the index.
fn word() -> impl Strategy<Value = String> {
    let plain = vec![
        "read",
        "readFile",
        "read_file",
        "READ_FILE",
        "__init__",
        "file",
        "HTTPConfig",
        "sha256sum",
        "tree-sitter",
        "größe",
        "東京都read",
        "read東京",
        "cafe",
        "ſee",
        "\u{212a}elvin",
        "kelvin",
        "see",
        "x86_64",
        "a__b",
    ];
    let changed = vec!["cafe\u{301}", "e\u{301}read"];
    prop_oneof![
        12 => prop::sample::select(plain).prop_map(str::to_owned),
        1 => prop::sample::select(changed).prop_map(str::to_owned),
        1 => (60usize..140).prop_map(|n| format!("{}read", "ab_".repeat(n / 3))),
        1 => (60usize..140).prop_map(|n| format!("ab{}read", "_".repeat(n))),
        2 => "[a-eA-E_0-9]{1,6}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    let separator =
        prop::sample::select(vec![" ", "", "-", "--", "\n", "(", "_", "\u{301}", "é", "."]);
    proptest::collection::vec((word(), separator), 0..6)
        .prop_map(|parts| parts.into_iter().map(|(word, after)| word + after).collect())
}

/// A pattern that may well match one of the texts.
fn pattern() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => word().prop_map(|word| regex::escape(&word)),
        4 => (word(), 0usize..6, 1usize..6).prop_map(|(word, from, n)| {
            regex::escape(&word.chars().skip(from).take(n).collect::<String>())
        }),
        2 => prop::sample::select(vec![
            ".", "\\w", "\\w+", "\\b", "^", "$", "\\s", "[Rr]", "[a-e]", "", "\\W?", "(?i)k", "(?-u:[a-z])", "-", "_",
        ]).prop_map(str::to_owned),
    ];
    let inner = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            4 => proptest::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            2 => proptest::collection::vec(inner.clone(), 1..4)
                .prop_map(|parts| format!("(?:{})", parts.join("|"))),
            1 => (inner.clone(), prop::sample::select(vec!["*", "+", "?", "{2}", "{1,3}"]))
                .prop_map(|(part, often)| format!("({part}){often}")),
            1 => inner.prop_map(|part| format!("(?i:{part})")),
        ]
    });
    (inner, prop::bool::weighted(0.3))
        .prop_map(|(pattern, folds)| if folds { format!("(?i){pattern}") } else { pattern })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_file_that_matches_is_left_out(
        texts in proptest::collection::vec(text(), 1..12),
        pattern in pattern(),
    ) {
        let Ok(regex) = RegexBuilder::new(&pattern).multi_line(true).build() else { return Ok(()) };
        let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        // So many that hardly any letters are common.
        texts.resize(80, "");
        if let Some(left) = left(&segment(&texts), texts.len() as u32, &pattern) {
            for (number, text) in (0..).zip(&texts) {
                prop_assert!(!regex.is_match(text) || left.contains(&number), "{pattern:?} {text:?}");
            }
        }
    }
}
