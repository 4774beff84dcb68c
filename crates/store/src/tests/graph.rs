//! Who looked at what, and what changed since edges were found.

use std::collections::BTreeSet;

use gik_index::FileNo;
use gik_testkit::Rng;

use super::{Folder, Sample, change};
use crate::{FileGraph, Looked, Store, Writer};

#[test]
fn whoever_looked_at_a_key_is_found_by_it() {
    let folder = Folder::new();
    let mut store = folder.writable();
    let mut rng = Rng::new(3);
    let mut number = |below: u64| u32::try_from(rng.below(below)).unwrap();
    let mut all: BTreeSet<(u32, FileNo)> = BTreeSet::new();
    for _ in 0..20 {
        let mut looked = Looked::default();
        for _ in 0..10 {
            let file = FileNo(number(40));
            // Some in the same row, some that differ in their first bits alone.
            let keys: Vec<u32> = (0..9).map(|_| number(64) | number(4) << 30).collect();
            looked.add(file, &keys);
            all.extend(keys.iter().map(|key| (*key, file)));
        }
        change(&mut store, |writer| writer.put_looked(&mut looked).unwrap());
        let sought: BTreeSet<u32> = (0..6).map(|_| number(64)).collect();
        let looking = all.iter().filter(|(key, _)| sought.contains(key));
        let expected: BTreeSet<FileNo> = looking.map(|(_, file)| *file).collect();
        let found = store.snapshot().unwrap().graph_resting_on(&sought).unwrap();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn what_a_file_rests_on_is_added_where_it_is_not_what_it_was() {
    let folder = Folder::new();
    let mut store = folder.writable();
    let mut put = |keys: &[u32]| {
        let mut looked = Looked::default();
        change(&mut store, |writer| {
            writer.put_graph(FileNo(7), &FileGraph::default(), keys, &mut looked).unwrap();
            writer.put_looked(&mut looked).unwrap();
        });
        let resting = |key| {
            let keys = BTreeSet::from([key]);
            store.snapshot().unwrap().graph_resting_on(&keys).unwrap() == [FileNo(7)]
        };
        [1, 2, 3].map(resting)
    };
    assert_eq!(put(&[1, 2]), [true, true, false]);
    assert_eq!(put(&[1, 2]), [true, true, false]);
    assert_eq!(put(&[3]), [true, true, true]);
    assert_eq!(put(&[1, 2]), [true, true, true]);
}

fn put(writer: &mut Writer<'_>, path: &str, text: &str) {
    Sample::new(path, &[text]).put(writer);
}

/// The files that changed since edges were found.
fn changed(store: &Store) -> Option<Vec<FileNo>> {
    store.snapshot().unwrap().graph_changed().unwrap()
}

#[test]
fn files_that_are_put_in_again_are_noted_until_one_comes_or_goes() {
    let folder = Folder::with(&[Sample::new("a.rs", &["alpha"]), Sample::new("b.rs", &["beta"])]);
    let mut store = folder.writable();
    assert_eq!(changed(&store), None, "edges were never found");
    change(&mut store, |writer| writer.follow_graph(&[]).unwrap());
    assert_eq!(changed(&store), Some(Vec::new()));
    change(&mut store, |writer| put(writer, "b.rs", "gamma"));
    assert_eq!(changed(&store), Some(vec![FileNo(2)]));
    change(&mut store, |writer| put(writer, "a.rs", "gamma"));
    assert_eq!(changed(&store), Some(vec![FileNo(1), FileNo(2)]));
    change(&mut store, |writer| writer.follow_graph(&[FileNo(2)]).unwrap());
    assert_eq!(changed(&store), Some(vec![FileNo(2)]), "its edges could not be found");

    type Ends = fn(&mut Writer<'_>);
    let ends: [(&str, Ends); 4] = [
        ("one came", |writer| put(writer, "c.rs", "delta")),
        ("one went", |writer| writer.remove_file(FileNo(1)).unwrap()),
        ("all are taken apart again", |writer| writer.restage_all().unwrap()),
        ("edges are forgotten", |writer| writer.clear_graph().unwrap()),
    ];
    for (what, end) in ends {
        change(&mut store, |writer| writer.follow_graph(&[]).unwrap());
        assert_eq!(changed(&store), Some(Vec::new()));
        change(&mut store, end);
        assert_eq!(changed(&store), None, "{what}");
        change(&mut store, |writer| put(writer, "b.rs", "again"));
        assert_eq!(changed(&store), None, "{what}, and later another one changed");
    }
}
