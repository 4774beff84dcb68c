//! What is staged and what is changed, against the index that git itself writes.

use std::ops::Range;

use gik_base::ErrorCode;

use super::super::{Against, Repository};
use super::Repo;

fn told(repository: &Repository, against: Against) -> Vec<(String, bool, bool, Vec<Range<usize>>)> {
    let found = repository.uncommitted(against).unwrap();
    found
        .into_iter()
        .map(|it| {
            let lines = it.hunks.into_iter().map(|(_, new)| new).collect();
            (it.key, it.old.is_some(), it.new.is_some(), lines)
        })
        .collect()
}

#[test]
fn what_is_staged_and_what_is_changed_are_told_apart() {
    for version in ["2", "4"] {
        let repo = Repo::new();
        repo.git(&format!("config index.version {version}"));
        repo.write("a.txt", "one\ntwo\nthree\n");
        repo.write("dir/b.txt", "same\n");
        repo.write("dir/gone.txt", "gone\n");
        repo.commit("first");
        assert_eq!(told(&repo.open(), Against::Files), []);
        assert_eq!(told(&repo.open(), Against::Index), []);
        repo.write("a.txt", "one\nTWO\nthree\n");
        repo.git("add a.txt");
        repo.write("a.txt", "one\nTWO\nthree\nfour\n");
        std::fs::remove_file(repo.root.join("dir/gone.txt")).unwrap();
        repo.write("dir/new.txt", "new\n");
        repo.git("add dir/new.txt");
        repo.write("unknown.txt", "left out\n");
        let staged = told(&repo.open(), Against::Index);
        let names: Vec<&str> = staged.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(names, ["a.txt", "dir/new.txt"], "version {version}");
        assert_eq!((staged[0].3.clone(), staged[1].1), (vec![1..2; 1], false));
        let files = told(&repo.open(), Against::Files);
        let names: Vec<(&str, bool)> = files.iter().map(|it| (it.0.as_str(), it.2)).collect();
        assert_eq!(names, [("a.txt", true), ("dir/gone.txt", false), ("dir/new.txt", true)]);
        assert_eq!(files[0].3, [1..2, 3..4]);
    }
}

#[test]
fn a_broken_index_is_told() {
    let repo = Repo::new();
    repo.write("a.txt", "one\n");
    repo.commit("first");
    for broken in [&b"DIRX"[..], b"DIRC\0\0\0\x02\0\0\0\x09", b"DIRC\0\0\0\x09\0\0\0\0"] {
        std::fs::write(repo.root.join(".git/index"), broken).unwrap();
        let failure = repo.open().uncommitted(Against::Index).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::HistoryMissing);
    }
}
