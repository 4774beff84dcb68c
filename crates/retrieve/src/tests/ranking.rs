//! In which order chunks come: signals and ties.

use gik_base::FileKey;
use gik_testkit::Rng;

use super::{Chunk, Index, Ties, chunk, names, places};
use crate::signals::Weights;
use crate::{Current, Found};

/// Asks two files whose words score the same and returns the signals of the first, having seen them make the
/// difference.
fn winner(chunks: &[Chunk; 2], question: &str) -> (String, Vec<&'static str>) {
    let index = Index::new(chunks);
    let results = index.results(question, |_| {});
    let [first, second] = results.found.as_slice() else { panic!("{results:?}") };
    assert!((first.lexical - second.lexical).abs() < 1e-12);
    assert!(first.score > second.score);
    (places(&results.found).remove(0), names(if names(first).is_empty() { second } else { first }))
}

#[test]
fn the_signals_of_a_result_are_its_score() {
    let index = Index::new(&[
        chunk("src/commit.rs", "commit", "commit journal"),
        chunk("src/commit.rs", "", "commit commit"),
        chunk("tests/commit.rs", "commit", "commit"),
        chunk("docs/journal.md", "", "the journal of a commit"),
        chunk("src/z.rs", "", "journal"),
    ]);
    for question in ["commit", "commit journal", "how does commit_later use the journal"] {
        let results = index.results(question, |_| {});
        assert!(results.found.len() >= 3);
        for found in &results.found {
            let sum: f64 = found.signals.iter().map(|(_, part)| part).sum();
            assert!((found.score - sum).abs() < 1e-9, "{found:?}");
        }
    }
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
    // In a sentence only what is written as a name is one.
    let in_sentence = |question: &str| names(&index.results(question, |_| {}).found[0]);
    assert_eq!(in_sentence("who may commit filler"), [""; 0]);
    assert_eq!(in_sentence("who calls commit_later with filler"), ["definition"]);
    // Two letters name too many things.
    let index = Index::new(&[chunk("src/a.rs", "do", "go")]);
    assert_eq!(names(&index.results("do", |_| {}).found[0]), [""; 0]);
}

#[test]
fn other_forms_of_a_word_are_found_and_count_less() {
    let index = Index::new(&[
        chunk("src/a.rs", "", "the handler is registered"),
        chunk("src/b.rs", "", "the handler is register"),
        chunk("src/c.rs", "", "the ctx of a handle"),
        chunk("src/d.rs", "", "nothing of the kind"),
    ]);
    assert_eq!(index.ask("registered", |_| {}), ["src/a.rs:1", "src/b.rs:1"]);
    assert_eq!(index.ask("context handling", |_| {})[0], "src/c.rs:1");
    assert_eq!(index.ask("+registered", |_| {}), ["src/a.rs:1"]);
}

#[test]
fn a_file_of_which_much_is_found_goes_up() {
    let index = Index::new(&[
        chunk("src/a.rs", "", "alpha beta filler"),
        chunk("src/b.rs", "", "alpha beta filler"),
        chunk("src/b.rs", "", "alpha filler"),
        chunk("src/b.rs", "", "beta filler"),
    ]);
    assert_eq!(index.ask("alpha beta", |_| {})[0], "src/b.rs:1");
}

#[test]
fn comments_that_begin_with_the_question_go_up() {
    const OTHER: &str = "Told apart from all of the others by its own name, in one place and once.";
    let commented = |path: &str, before: &str, behind: &str| Chunk {
        doc: format!("{before} {OTHER} {behind}"),
        ..chunk(path, "", "filler")
    };
    let index = Index::new(&[
        commented("src/a.rs", "", "Does a commit survive a crash?"),
        commented("src/b.rs", "Does a commit survive a crash?", ""),
        commented("src/c.rs", "A commit.", "Does a survive crash?"),
    ]);
    let opening = |found: &Found| {
        found.signals.iter().find(|(name, _)| *name == "opening").map(|(_, gain)| *gain)
    };
    let results = index.results("how does a commit survive a crash", |_| {});
    let gains: Vec<Option<f64>> = results.found.iter().map(opening).collect();
    assert_eq!(places(&results.found), ["src/b.rs:1", "src/c.rs:1", "src/a.rs:1"]);
    assert!((gains[0].unwrap() - Weights::default().opening).abs() < 1e-12, "{gains:?}");
    assert!(gains[1].unwrap() < gains[0].unwrap() / 4.0, "{gains:?}");
    assert_eq!(gains[2], None);
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
fn a_file_named_after_words_of_the_question_goes_up() {
    for (named, other) in [
        ("src/journal.rs", "src/a.rs"),
        ("src/Journal.spec.rs", "src/a.spec.rs"),
        ("src/write-ahead.rs", "src/a.rs"),
        ("src/journaling/a.rs", "src/other/a.rs"),
        ("src/journal/mod.rs", "src/mod.rs"),
    ] {
        let chunks =
            [chunk(other, "", "journal write-ahead"), chunk(named, "", "journal write-ahead")];
        let (first, signals) = winner(&chunks, "journal write-ahead");
        assert_eq!(first, format!("{named}:1"));
        assert_eq!(signals[0], "path");
    }
}

#[test]
fn tests_and_copies_go_down_unless_asked_for() {
    for noisy in
        ["tests/a.rs", "src/a_test.rs", "vendor/lib/a.rs", "src/a.spec.ts", "Examples/a.rs"]
    {
        let chunks =
            [chunk(noisy, "", "alpha tests beta"), chunk("src/z.rs", "", "alpha tests beta")];
        let (first, signals) = winner(&chunks, "alpha beta");
        assert_eq!((first.as_str(), signals), ("src/z.rs:1", vec!["noise"]), "{noisy}");
        let asked = Index::new(&chunks).results("alpha tests", |_| {});
        assert!(asked.found.iter().all(|found| !names(found).contains(&"noise")), "{noisy}");
    }
}

#[test]
fn documents_go_down_unless_asked_for() {
    let chunks =
        [chunk("docs/a.md", "", "alpha guide beta"), chunk("src/z.rs", "", "alpha guide beta")];
    assert_eq!(winner(&chunks, "alpha beta"), ("src/z.rs:1".to_owned(), vec!["docs"]));
    let asked = Index::new(&chunks).results("alpha guide", |_| {});
    assert!(asked.found.iter().all(|found| names(found).is_empty()));
}

#[test]
fn places_that_the_question_names_come_first_even_without_its_words() {
    let index = Index::new(&[
        chunk("src/loud.rs", "", "alpha beta gamma"),
        chunk("src/quiet.rs", "", "one"),
        chunk("src/quiet.rs", "", "two"),
        chunk("src/deep/other.rs", "", "three"),
    ]);
    let trace = "alpha beta failed\n  at /home/x/app/src/quiet.rs:2:7\n  at other.rs";
    let places = index.ask(trace, |_| {});
    assert_eq!(places, ["src/quiet.rs:2", "src/deep/other.rs:1", "src/loud.rs:1"]);
    assert_eq!(index.ask("+alpha src/quiet.rs:1", |_| {}), ["src/loud.rs:1"]);
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

#[test]
fn what_is_near_the_reader_gains_and_nothing_does_without_one() {
    let index = Index::new(&[
        chunk("src/net/http.rs", "", "alpha"),
        chunk("src/net/http.rs", "", "alpha"),
        chunk("src/net/url.rs", "", "alpha"),
        chunk("src/disk/file.rs", "", "alpha"),
        chunk("lib/other.rs", "", "alpha"),
    ]);
    let at = |line| Current { path: FileKey::from_text("src/net/http.rs"), line };
    let gains = |current: Option<Current>| {
        let results = index.results("alpha", |request| request.current = current);
        let gain = |found: &Found| {
            let signal = found.signals.iter().find(|(name, _)| *name == "locality");
            signal.map(|(_, gain)| (gain / Weights::default().locality * 100.0).round())
        };
        let mut gains: Vec<_> = results.found.iter().map(gain).collect();
        gains.sort_by(|a, b| b.partial_cmp(a).unwrap());
        gains
    };
    assert_eq!(gains(None), [None; 5]);
    let percent = |gains: [f64; 5]| gains.map(Some).to_vec();
    assert_eq!(gains(Some(at(Some(2)))), percent([100.0, 80.0, 50.0, 25.0, 0.0]));
    assert_eq!(gains(Some(at(None))), percent([80.0, 80.0, 50.0, 25.0, 0.0]));
}
