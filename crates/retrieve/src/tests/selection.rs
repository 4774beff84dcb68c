//! Which chunks are found: filters, limits, what is gone.

use gik_base::ErrorCode;
use gik_index::{ChunkNo, Document, FileNo};
use gik_store::Stage;

use super::{CODE, Chunk, DOCS, Index, chunk, names, record};
use crate::{Admits, Step, signals};

#[test]
fn a_hit_carries_its_rows_scores_and_words() {
    let index =
        Index::new(&[chunk("src/a.rs", "open", "alpha beta"), chunk("src/b.rs", "close", "gamma")]);
    let results = index.results("beta alpha missing", |_| {});
    let [found] = results.found.as_slice() else { panic!("{results:?}") };
    assert_eq!((found.file.key.as_str(), found.chunk.name.as_str()), ("src/a.rs", "open"));
    assert_eq!(found.matched, ["beta", "alpha"]);
    assert!(found.lexical > 0.0);
    assert!((found.score - (1.0 + signals::Weights::default().file)).abs() < 1e-12);
    assert_eq!(names(found), [""; 0]);
    let steps: Vec<Step> = results.timings.iter().map(|(step, _)| *step).collect();
    assert_eq!(steps, [Step::Understand, Step::Lexical, Step::Fuse, Step::Cut]);
}

#[test]
fn a_file_gives_no_more_than_its_share() {
    let mut chunks: Vec<Chunk> = (0..5).map(|_| chunk("src/many.rs", "", "alpha alpha")).collect();
    chunks.push(chunk("src/one.rs", "", "alpha and many other words that lower its score"));
    let index = Index::new(&chunks);
    let ask = |per_file| index.ask("alpha", |request| request.per_file = per_file);
    for (per_file, expected) in [(0, 0), (1, 2), (2, 3), (4, 5), (100, 6)] {
        let places = ask(per_file);
        assert_eq!(places.len(), expected, "{per_file}: {places:?}");
        // What other files say comes before ever more of the same one.
        let place = places.iter().position(|place| place == "src/one.rs:1");
        assert_eq!(place, (expected > 0).then_some(per_file.min(2)));
    }
}

#[test]
fn a_file_with_very_many_chunks_does_not_crowd_out_the_others() {
    let mut chunks: Vec<Chunk> = Vec::new();
    for path in ["src/huge.rs", "src/large.rs"] {
        chunks.extend((0..150).map(|_| chunk(path, "", "alpha alpha alpha")));
    }
    let others = ["src/a.rs", "src/b.rs", "src/c.rs"];
    chunks.extend(others.map(|path| chunk(path, "", "alpha among quite a few other words")));
    let index = Index::new(&chunks);
    let results = index.results("alpha", |request| request.limit = 7);
    let mut files: Vec<&str> = results.found.iter().map(|found| found.file.key.as_str()).collect();
    assert!(files[..4].iter().all(|path| path.ends_with("ge.rs")));
    files.sort_unstable();
    files.dedup();
    assert_eq!(files, ["src/a.rs", "src/b.rs", "src/c.rs", "src/huge.rs", "src/large.rs"]);
    assert_eq!(results.timings.len(), 4);
}

#[test]
fn the_limit_is_kept_and_the_best_come_first() {
    let chunks: Vec<Chunk> =
        (1..=30).map(|n| chunk(&format!("src/f{n:02}.rs"), "", &"alpha ".repeat(n))).collect();
    let index = Index::new(&chunks);
    let all = index.ask("alpha", |request| request.limit = 1000);
    assert_eq!(all.len(), 30);
    for limit in [0, 1, 7, 30] {
        assert_eq!(index.ask("alpha", |request| request.limit = limit), all[..limit]);
    }
    assert_eq!(index.ask("alpha", |request| request.limit = usize::MAX), all);
    let results = index.results("alpha", |request| request.limit = 30);
    assert!(results.found.is_sorted_by(|a, b| a.score >= b.score));
}

#[test]
fn a_question_without_words_finds_nothing() {
    let index = Index::new(&[chunk("src/a.rs", "", "alpha")]);
    for question in ["", "   ", "?!", "-alpha", "nothing like this"] {
        assert_eq!(index.ask(question, |_| {}), [""; 0], "{question}");
    }
    assert_eq!(Index::new(&[]).ask("alpha", |_| {}), [""; 0]);
}

#[test]
fn bases_are_chosen_by_label() {
    let index = Index::new(&[chunk("src/a.rs", "", "alpha"), chunk("docs/a.md", "", "alpha")]);
    for (labels, expected) in [
        (CODE, &["src/a.rs:1"][..]),
        (DOCS, &["docs/a.md:1"]),
        (CODE | DOCS, &["docs/a.md:1", "src/a.rs:1"]),
        (4, &[]),
        (0, &[]),
    ] {
        let mut places = index.ask("alpha", |request| request.filter.base_labels = labels);
        places.sort();
        assert_eq!(places, expected, "{labels}");
    }
}

#[test]
fn languages_are_chosen_by_id() {
    let index = Index::new(&[chunk("src/a.rs", "", "alpha"), chunk("docs/a.md", "", "alpha")]);
    let ask = |languages: &[&str]| {
        index.ask("alpha", |request| {
            request.filter.languages = languages.iter().map(|id| (*id).to_owned()).collect();
        })
    };
    assert_eq!(ask(&["rust"]), ["src/a.rs:1"]);
    assert_eq!(ask(&["markdown"]), ["docs/a.md:1"]);
    assert_eq!(ask(&["rust", "markdown"]).len(), 2);
    assert_eq!(ask(&["python"]), [""; 0]);
}

#[test]
fn paths_are_chosen_by_patterns_and_left_out_with_an_exclamation_mark() {
    let index = Index::new(&[
        chunk("src/a.rs", "", "alpha"),
        chunk("src/deep/b.rs", "", "alpha"),
        chunk("docs/c.md", "", "alpha"),
    ]);
    assert_eq!(index.glob(&["*.rs"]), ["src/a.rs:1", "src/deep/b.rs:1"]);
    assert_eq!(index.glob(&["src/*.rs"]), ["src/a.rs:1"]);
    assert_eq!(index.glob(&["docs", "deep"]), ["docs/c.md:1", "src/deep/b.rs:1"]);
    assert_eq!(index.glob(&["!deep/"]), ["docs/c.md:1", "src/a.rs:1"]);
    assert_eq!(index.glob(&["*.rs", "!src/deep/**"]), ["src/a.rs:1"]);
    // What is left out stays out, wherever it is written.
    assert_eq!(index.glob(&["!src/deep/**", "*.rs"]), ["src/a.rs:1"]);
    assert_eq!(index.glob(&["."]).len(), 3);
    assert_eq!(index.glob(&["*.py"]), [""; 0]);
    assert_eq!(index.glob(&["*", "!*"]), [""; 0]);

    for glob in ["a[", "!a["] {
        let globs = vec![glob.to_owned()];
        let failure = index.try_results("alpha", |it| it.filter.globs = globs).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::ArgumentInvalid);
    }
}

#[test]
fn languages_times_and_single_chunks_can_be_left_out() {
    let index = Index::new(&[
        chunk("src/a.rs", "", "alpha"),
        chunk("src/a.rs", "", "alpha beta"),
        chunk("docs/c.md", "", "alpha"),
    ]);
    let rust = || vec!["rust".to_owned()];
    let without_rust = index.ask("alpha", |it| it.filter.other_languages = rust());
    assert_eq!(without_rust, ["docs/c.md:1"]);
    for (times, expected) in [(0..=0, 3), (i64::MIN..=-1, 0), (1..=i64::MAX, 0)] {
        let found = index.ask("alpha", |it| it.filter.changed = vec![times]);
        assert_eq!(found.len(), expected);
    }
    let second = index.results("beta", |_| {}).found[0].chunk.id;
    assert_eq!(second, ChunkNo(2));
    let found = index.ask("alpha", |it| it.admits = Some(Admits(&|_, chunk| chunk == ChunkNo(2))));
    assert_eq!(found, ["src/a.rs:2"]);
}

#[test]
fn conditions_without_words_are_for_all_that_meets_them() {
    let index = Index::new(&[
        chunk("src/b.rs", "", "beta"),
        chunk("src/a.rs", "", "alpha"),
        chunk("src/a.rs", "", "gamma"),
        chunk("src/tests/c.rs", "", "alpha"),
        chunk("docs/c.md", "", "alpha"),
    ]);
    let places = |per_file: usize| {
        index.ask("", |request| {
            request.lists_all = true;
            request.filter.base_labels = CODE;
            request.per_file = per_file;
        })
    };
    assert_eq!(places(1), ["src/a.rs:1", "src/b.rs:1", "src/tests/c.rs:1"]);
    assert_eq!(places(2).len(), 4);
    let found = index.results("", |request| request.lists_all = true).found;
    assert!(found.iter().all(|found| found.signals[0] == ("filter", 1.0)));
}

#[test]
fn filters_apply_before_the_limit() {
    let mut chunks: Vec<Chunk> =
        (0..200).map(|n| chunk(&format!("src/f{n}.rs"), "", "alpha alpha alpha")).collect();
    chunks.push(chunk("docs/rare.md", "", "alpha among quite a few other words"));
    let index = Index::new(&chunks);
    let globbed = index.ask("alpha", |request| request.filter.globs = vec!["docs".to_owned()]);
    assert_eq!(globbed, ["docs/rare.md:1"]);
    assert_eq!(index.ask("alpha", |request| request.filter.base_labels = DOCS), ["docs/rare.md:1"]);
}

#[test]
fn what_was_removed_is_not_found() {
    let mut index = Index::new(&[chunk("src/a.rs", "", "alpha"), chunk("src/b.rs", "", "alpha")]);
    let gone = index.store.snapshot().unwrap().files().unwrap()[0].id;
    let mut writer = index.store.writer().unwrap();
    writer.remove_file(gone).unwrap();
    writer.commit().unwrap();
    assert_eq!(index.ask("alpha", |_| {}), ["src/b.rs:1"]);
}

#[test]
fn words_without_a_row_are_passed_over() {
    let mut index = Index::new(&[chunk("src/a.rs", "", "alpha")]);
    let mut writer = index.store.writer().unwrap();
    let file = writer.put_file(&record("src/b.rs", 0)).unwrap().0;
    // Damage that the store cannot see at opening: words of a chunk, and of a file, that are not there.
    for (chunk, file) in [(900, file), (901, 950)] {
        let document = Document {
            chunk: ChunkNo(chunk),
            file: FileNo(file),
            labels: CODE,
            tie: 1,
            fields: ["", "", "", "", "alpha alpha alpha"],
        };
        writer.put_words(&document.analyze(), Stage::Structure).unwrap();
    }
    writer.commit().unwrap();
    assert_eq!(index.ask("alpha", |_| {}), ["src/a.rs:1"]);
}
