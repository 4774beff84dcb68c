//! The derived index is cut, overwritten or removed: the next question makes it anew and answers as before.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};

use gik_testkit::{Rng, Tree};

use super::project::{
    Saved, ask, cut, evidence, gik, indexed_project, knowledge, leave_a_full_log, verify,
};

const PAGE: usize = 4096;

/// A workspace whose database holds everything itself, with nothing left in the log beside it.
fn settled() -> Tree {
    let tree = indexed_project();
    gik(&tree).run(&["reindex"]).success();
    let log = tree.path(&knowledge("index.sqlite-wal"));
    assert!(
        fs::metadata(log).map_or(0, |metadata| metadata.len()) == 0,
        "the log was not folded in"
    );
    tree
}

fn overwrite(tree: &Tree, path: &str, at: usize, bytes: &[u8]) {
    let mut file =
        fs::OpenOptions::new().write(true).open(tree.path(path)).expect("the file is there");
    file.seek(SeekFrom::Start(at as u64)).expect("the place is there");
    file.write_all(bytes).expect("it can be overwritten");
}

fn noise(rng: &mut Rng, length: usize) -> Vec<u8> {
    (0..length).map(|_| rng.next_u64().to_le_bytes()[0]).collect()
}

fn length_of(tree: &Tree, path: &str) -> usize {
    tree.read_bytes(path).len()
}

fn segments(tree: &Tree) -> Vec<String> {
    let found = tree.list_below(&knowledge("lexical"));
    assert!(!found.is_empty(), "there are no segments");
    found
}

/// Whether `verify` can tell the damage from an index that was never made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    AsDamage,
    AsMissing,
}

/// A name for the message, what `verify` makes of it, and the damage.
type Damage<'a> = (&'a str, Seen, &'a dyn Fn(&Tree));

/// Damages the index in many ways; after each the next question heals it.
fn heals(damages: &[Damage<'_>]) {
    let tree = settled();
    let expected = evidence(&ask(&tree));
    let saved = Saved::of(&tree);
    for (name, seen, damage) in damages {
        saved.restore(&tree);
        damage(&tree);
        if *seen == Seen::AsDamage {
            gik(&tree).run(&["verify"]).exit(1);
        }
        let healed = ask(&tree);
        assert!(healed.stderr.contains("made anew"), "{name}: nothing was said\n{}", healed.stderr);
        assert_eq!(evidence(&healed), expected, "{name}");
        let quiet = ask(&tree);
        assert!(!quiet.stderr.contains("made anew"), "{name}: healed twice\n{}", quiet.stderr);
        verify(&tree);
        assert_eq!(saved.missing(&tree), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_cut_or_foreign_database_is_made_anew_by_the_next_question() {
    let database = knowledge("index.sqlite");
    let path = database.as_str();
    heals(&[
        ("emptied", Seen::AsMissing, &|tree| cut(tree, path, 0)),
        ("one byte", Seen::AsMissing, &|tree| cut(tree, path, 1)),
        ("half", Seen::AsDamage, &|tree| cut(tree, path, length_of(tree, path) / 2)),
        ("header only", Seen::AsDamage, &|tree| cut(tree, path, 100)),
        ("last page gone", Seen::AsDamage, &|tree| cut(tree, path, length_of(tree, path) - PAGE)),
        ("garbage header", Seen::AsDamage, &|tree| {
            overwrite(tree, path, 0, &noise(&mut Rng::new(1), 200));
        }),
        ("all garbage", Seen::AsDamage, &|tree| {
            tree.write(path, noise(&mut Rng::new(2), length_of(tree, path)));
        }),
        ("removed", Seen::AsMissing, &|tree| tree.remove(path)),
    ]);
}

#[test]
fn a_missing_or_cut_segment_is_made_anew_by_the_next_question() {
    heals(&[
        ("one removed", Seen::AsDamage, &|tree| tree.remove(&segments(tree)[0])),
        ("all removed", Seen::AsDamage, &|tree| tree.remove(&knowledge("lexical"))),
        ("emptied", Seen::AsDamage, &|tree| cut(tree, &segments(tree)[0], 0)),
        ("half", Seen::AsDamage, &|tree| {
            let path = &segments(tree)[0];
            cut(tree, path, length_of(tree, path) / 2);
        }),
        ("last byte gone", Seen::AsDamage, &|tree| {
            let path = &segments(tree)[0];
            cut(tree, path, length_of(tree, path) - 1);
        }),
        ("garbage header", Seen::AsDamage, &|tree| {
            overwrite(tree, &segments(tree)[0], 0, &noise(&mut Rng::new(3), 64));
        }),
    ]);
}

#[test]
fn every_damaged_page_is_healed_by_a_question_or_by_a_repair() {
    let tree = settled();
    let expected = evidence(&ask(&tree));
    let saved = Saved::of(&tree);
    let path = knowledge("index.sqlite");
    let pages = length_of(&tree, &path) / PAGE;
    let mut rng = Rng::new(0x0da7_a0de);
    let mut healed = 0;
    for page in 0..pages {
        saved.restore(&tree);
        overwrite(&tree, &path, page * PAGE, &noise(&mut rng, PAGE));
        let is_reported = gik(&tree).run(&["verify"]).code != Some(0);
        // A question reads only some of the pages; whatever it read, its answer is right.
        let answer = ask(&tree);
        assert_eq!(evidence(&answer), expected, "page {page}");
        let is_healed = answer.stderr.contains("made anew");
        healed += usize::from(is_healed);
        assert!(is_reported || !is_healed, "page {page} was damaged and `verify` did not say so");
        gik(&tree).run(&["verify", "--repair"]).success();
        verify(&tree);
        assert_eq!(evidence(&ask(&tree)), expected, "page {page} after the repair");
    }
    assert!(healed > 0, "no question ever read a damaged page");
}

#[test]
fn damage_inside_a_segment_is_reported_and_repaired() {
    let tree = settled();
    let expected = evidence(&ask(&tree));
    let saved = Saved::of(&tree);
    let path = segments(&tree)[0].clone();
    let length = length_of(&tree, &path);
    let mut rng = Rng::new(0x5e6);
    for _ in 0..16 {
        saved.restore(&tree);
        let at = rng.within(length / 4..length - 40);
        overwrite(&tree, &path, at, &noise(&mut rng, 32));
        gik(&tree).run(&["verify"]).exit(1);
        // Checksums are read by `verify` alone; a question in the meantime must end, whatever it finds.
        let run = gik(&tree).run(&["ask", "parcels", "--json"]);
        assert!(matches!(run.code, Some(0 | 1)), "{run:?}");
        gik(&tree).run(&["verify", "--repair"]).success();
        assert_eq!(evidence(&ask(&tree)), expected);
    }
}

#[test]
fn a_lost_or_foreign_log_of_the_database_costs_nothing() {
    let tree = settled();
    leave_a_full_log(&tree);
    let saved = Saved::of(&tree);
    // The killed one had not come to its vectors.
    gik(&tree).run(&["index"]).success();
    let expected = evidence(&ask(&tree));
    let log = knowledge("index.sqlite-wal");
    let damages: [&dyn Fn(); 4] = [
        &|| tree.remove(&log),
        &|| cut(&tree, &log, length_of(&tree, &log) / 2),
        &|| overwrite(&tree, &log, 0, &noise(&mut Rng::new(4), 32)),
        &|| tree.write(&log, noise(&mut Rng::new(5), 3 * PAGE)),
    ];
    for damage in damages {
        saved.restore(&tree);
        damage();
        assert_eq!(evidence(&ask(&tree)), expected);
        verify(&tree);
    }
}
