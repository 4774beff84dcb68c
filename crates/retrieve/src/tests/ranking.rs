//! In which order chunks come: signals and ties.

use gik_testkit::Rng;

use super::{Chunk, Index, Ties, chunk, names, places};
use crate::signals;

/// Asks two files whose words score the same and returns the signals of the first, having seen them make the
/// difference.
fn winner(chunks: &[Chunk; 2], question: &str) -> (String, Vec<&'static str>) {
    let index = Index::new(chunks);
    let results = index.results(question, |_| {});
    let [first, second] = results.found.as_slice() else { panic!("{results:?}") };
    assert!((first.lexical - second.lexical).abs() < 1e-12);
    assert!(first.score > second.score);
    for found in &results.found {
        let factor: f64 = found.signals.iter().map(|(_, factor)| factor).product();
        assert!((found.score - found.lexical * factor).abs() < 1e-9);
    }
    (places(&results.found).remove(0), names(if names(first).is_empty() { second } else { first }))
}

#[test]
fn the_definition_of_what_is_asked_goes_up() {
    // The same words in the same fields: one name is asked for as a whole, the other has it as a part.
    let index = Index::new(&[
        chunk("src/a.rs", "commit", "filler"),
        chunk("src/b.rs", "commit_later", "filler"),
    ]);
    let results = index.results("commit", |_| {});
    assert_eq!(places(&results.found), ["src/a.rs:1", "src/b.rs:1"]);
    let signals: Vec<_> = results.found.iter().map(names).collect();
    assert_eq!(signals, [vec!["definition"], vec![]]);
    let found = &results.found[0];
    assert!((found.score - found.lexical * signals::DEFINITION).abs() < 1e-9);
    // Two letters name too many things.
    let index = Index::new(&[chunk("src/a.rs", "do", "go")]);
    assert_eq!(names(&index.results("do", |_| {}).found[0]), [""; 0]);
}

#[test]
fn a_definition_can_overtake_better_words() {
    let index = Index::new(&[
        chunk(
            "src/a.rs",
            "other",
            "commit commit commit commit commit commit commit commit commit",
        ),
        chunk("src/b.rs", "commit", "filler filler"),
    ]);
    let results = index.results("commit", |_| {});
    assert_eq!(places(&results.found)[0], "src/b.rs:1");
}

#[test]
fn a_file_named_after_a_word_of_the_question_goes_up() {
    for (named, other) in [
        ("src/journal.rs", "src/a.rs"),
        ("src/Journal.spec.rs", "src/a.spec.rs"),
        ("src/write-ahead.rs", "src/a.rs"),
    ] {
        let chunks =
            [chunk(other, "", "journal write-ahead"), chunk(named, "", "journal write-ahead")];
        let (first, signals) = winner(&chunks, "journal write-ahead");
        assert_eq!(first, format!("{named}:1"));
        assert_eq!(signals[0], "stem");
    }
    let index = Index::new(&[chunk("pkg/__init__.py", "", "init")]);
    assert_eq!(names(&index.results("init", |_| {}).found[0]), [""; 0]);
}

#[test]
fn tests_and_copies_go_down_unless_asked_for() {
    for noisy in
        ["tests/a.rs", "src/a_test.rs", "vendor/lib/a.rs", "src/a.spec.ts", "Examples/a.rs"]
    {
        let chunks =
            [chunk(noisy, "", "alpha test beta"), chunk("src/z.rs", "", "alpha test beta")];
        let (first, signals) = winner(&chunks, "alpha beta");
        assert_eq!((first.as_str(), signals), ("src/z.rs:1", vec!["noise"]), "{noisy}");
        let asked = Index::new(&chunks).results("alpha test", |_| {});
        assert!(asked.found.iter().all(|found| names(found).is_empty()), "{noisy}");
    }
}

#[test]
fn the_order_does_not_depend_on_who_came_first() {
    let mut chunks: Vec<Chunk> = Vec::new();
    for n in 0..12 {
        for _ in 0..3 {
            chunks.push(chunk(&format!("src/f{n}.rs"), "", "alpha beta"));
        }
    }
    for ties in [Ties::Content, Ties::Equal] {
        let expected = Index::with_ties(&chunks, ties).ask("alpha beta", |_| {});
        assert_eq!(expected.len(), 10);
        for seed in 0..5 {
            let mut shuffled = chunks.clone();
            Rng::new(seed).shuffle(&mut shuffled);
            let places = Index::with_ties(&shuffled, ties).ask("alpha beta", |_| {});
            assert_eq!(places, expected, "{ties:?}");
        }
    }
}
