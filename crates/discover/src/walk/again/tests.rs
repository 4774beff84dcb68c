//! The second walk finds what a first one would, whatever happened in between.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;

use super::super::walk;
use super::*;

struct Tree {
    _dir: tempfile::TempDir,
    root: PathBuf,
    seen: Option<Seen>,
}

impl Tree {
    fn new(files: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let tree = Self { _dir: dir, root, seen: None };
        for path in files {
            tree.write(path, path);
        }
        tree
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Makes everything look old, so that times are trusted. Times of change cannot be set, so they are waited for.
    fn settle(&self) {
        fn age(folder: &Path) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    age(&entry.path());
                }
            }
            let old = SystemTime::now() - Duration::from_secs(60);
            std::fs::File::open(folder).unwrap().set_modified(old).unwrap();
        }
        age(&self.root);
        std::thread::sleep(Duration::from_millis(15));
    }

    /// Walks with the help of the walk before.
    fn walk(&mut self) -> Walked {
        let options = WalkOptions { threads: 2, max_file_bytes: 64, ..WalkOptions::default() };
        let cancel = Cancel::default();
        let (walked, seen) = walk_again(&self.root, &options, &cancel, self.seen.clone()).unwrap();
        let fresh = walk(&self.root, &[FileKey::default()], &options, &cancel).unwrap();
        assert_eq!(walked, fresh);
        if let Some(seen) = seen {
            let path = self.root.join(".git/seen");
            std::fs::create_dir_all(self.root.join(".git")).unwrap();
            seen.write(&path).unwrap();
            assert_eq!(Seen::read(&path), Some(seen.clone()));
            self.seen = Some(seen);
        }
        walked
    }

    fn keys(&mut self) -> Vec<String> {
        self.walk().files.iter().map(|file| file.key.to_string()).collect()
    }

    /// Whether the folders were all trusted.
    fn is_settled(&self) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.folders.iter().all(|folder| folder.is_settled))
    }
}

fn settled(files: &[&str]) -> Tree {
    let mut tree = Tree::new(files);
    std::fs::create_dir_all(tree.root.join(".git")).unwrap();
    tree.settle();
    tree.walk();
    // Elsewhere all of this is a first walk again and again.
    if FolderStat::can_be_trusted(&tree.root) {
        assert!(tree.is_settled(), "{:?}", tree.seen);
    }
    tree
}

#[test]
fn what_comes_and_goes_is_found() {
    let mut tree = settled(&["a.txt", "x/b.txt", "x/y/c.txt", "z/d.txt"]);
    assert_eq!(tree.keys(), ["a.txt", "x/b.txt", "x/y/c.txt", "z/d.txt"]);
    tree.write("x/y/new.txt", "");
    std::fs::remove_file(tree.root.join("z/d.txt")).unwrap();
    assert_eq!(tree.keys(), ["a.txt", "x/b.txt", "x/y/c.txt", "x/y/new.txt"]);
    std::fs::rename(tree.root.join("x"), tree.root.join("w")).unwrap();
    tree.write("x/other.txt", "");
    assert_eq!(tree.keys(), ["a.txt", "w/b.txt", "w/y/c.txt", "w/y/new.txt", "x/other.txt"]);
}

#[test]
fn files_that_grow_beyond_the_limit_are_left_out_and_come_back() {
    let mut tree = settled(&["a.txt", "x/b.txt"]);
    tree.write("x/b.txt", &"b".repeat(100));
    assert_eq!(tree.keys(), ["a.txt"]);
    tree.write("x/b.txt", "b");
    assert_eq!(tree.keys(), ["a.txt", "x/b.txt"]);
}

#[test]
fn a_new_ignore_file_counts_for_folders_that_did_not_change() {
    let mut tree = settled(&["a.txt", "x/y/c.txt", "x/y/c.log", "z/d.log"]);
    tree.write("x/.gitignore", "*.log\n");
    assert_eq!(tree.keys(), ["a.txt", "x/.gitignore", "x/y/c.txt", "z/d.log"]);
}

#[test]
fn an_ignore_file_that_changes_counts_at_once() {
    let mut tree = settled(&["x/.gitignore", "x/y/c.txt", "x/y/c.log"]);
    std::fs::write(tree.root.join("x/.gitignore"), "*.log\n").unwrap();
    assert_eq!(tree.keys(), ["x/.gitignore", "x/y/c.txt"]);
    std::fs::write(tree.root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    std::fs::create_dir_all(tree.root.join(".git/info")).unwrap();
    std::fs::write(tree.root.join(".git/info/exclude"), "*.txt\n").unwrap();
    assert_eq!(tree.keys(), ["x/.gitignore"]);
}

#[test]
fn a_marker_makes_a_known_folder_derived() {
    let mut tree = settled(&["target/a.txt", "b.txt"]);
    assert_eq!(tree.keys(), ["b.txt", "target/a.txt"]);
    tree.write("target/CACHEDIR.TAG", "");
    assert_eq!(tree.keys(), ["b.txt"]);
    std::fs::remove_file(tree.root.join("target/CACHEDIR.TAG")).unwrap();
    assert_eq!(tree.keys(), ["b.txt", "target/a.txt"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_became_a_link_is_not_followed() {
    let mut tree = settled(&["x/y/c.txt", "b.txt"]);
    std::fs::rename(tree.root.join("x"), tree.root.join("real")).unwrap();
    std::os::unix::fs::symlink("real", tree.root.join("x")).unwrap();
    assert_eq!(tree.keys(), ["b.txt", "real/y/c.txt"]);
}

#[test]
fn other_folders_in_the_places_of_known_ones_mean_a_full_walk() {
    for at in 0..3 {
        let changes: [fn(&mut FolderStat); 2] = [|stat| stat.device += 1, |stat| stat.inode += 1];
        for change in changes {
            let mut tree = settled(&["a.txt", "x/b.txt", "x/y/c.txt"]);
            let Some(seen) = &mut tree.seen else { return };
            change(&mut seen.folders[at].stat);
            assert_eq!(tree.keys(), ["a.txt", "x/b.txt", "x/y/c.txt"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn folders_whose_names_are_no_text_are_looked_into() {
    use std::os::unix::ffi::OsStrExt as _;
    let mut tree = settled(&["a.txt"]);
    let folder = tree.root.join(std::ffi::OsStr::from_bytes(b"a\xff"));
    // Some file systems refuse such names.
    if std::fs::create_dir(&folder).is_err() {
        return;
    }
    tree.settle();
    tree.seen = None;
    assert_eq!(tree.keys(), ["a.txt"]);
    std::fs::write(folder.join("b.txt"), "").unwrap();
    assert_eq!(tree.walk().files.len(), 2);
}

#[test]
fn many_changed_folders_mean_a_full_walk() {
    let paths: Vec<String> = (0..60).map(|n| format!("d{n}/f.txt")).collect();
    let mut tree = settled(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    for path in &paths[..40] {
        tree.write(&path.replace("f.txt", "g.txt"), "");
    }
    assert_eq!(tree.walk().files.len(), 100);
}

#[test]
fn a_folder_that_was_too_new_is_trusted_after_the_next_look() {
    let mut tree = Tree::new(&["x/a.txt", "y/b.txt"]);
    std::fs::create_dir_all(tree.root.join(".git")).unwrap();
    tree.settle();
    tree.write("x/c.txt", "");
    tree.walk();
    if tree.seen.is_none() {
        return;
    }
    assert!(!tree.is_settled());
    tree.settle();
    tree.walk();
    assert!(tree.is_settled());
}

#[test]
fn a_folder_written_in_the_moment_of_the_look_is_listed_again() {
    let mut tree = Tree::new(&["x/a.txt"]);
    // On a busy machine the moment would be over before the look.
    let soon = SystemTime::now() + Duration::from_secs(60);
    std::fs::File::open(tree.root.join("x")).unwrap().set_modified(soon).unwrap();
    tree.walk();
    assert!(!tree.is_settled());
    tree.write("x/b.txt", "");
    assert_eq!(tree.keys(), ["x/a.txt", "x/b.txt"]);
}

#[test]
fn damage_is_told_from_what_was_written() {
    let tree = settled(&["x/a.txt"]);
    let Some(seen) = tree.seen else { return };
    let good = seen.to_bytes();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x41;
        assert_eq!(Seen::from_bytes(&bad), None, "byte {at}");
        assert_eq!(Seen::from_bytes(&good[..at]), None, "cut at {at}");
    }
}

#[test]
fn what_was_seen_is_read_as_it_was_written() {
    let Some(mut seen) = settled(&["x/a.txt", "x/y/b.txt", "ü/c.txt", "ý/d.txt", "e.txt"]).seen
    else {
        return;
    };
    assert_eq!(Seen::from_bytes(&seen.to_bytes()), Some(seen.clone()));
    // Steps from one folder to the next may be as long as numbers are.
    let stats = [(i64::MIN, u64::MAX), (i64::MAX, 0), (-1, u64::MAX), (0, 1)];
    for (folder, (time, number)) in seen.folders.iter_mut().zip(stats) {
        (folder.stat.mtime_ns, folder.stat.ctime_ns) = (time, -time.max(-7));
        (folder.stat.inode, folder.stat.device) = (number, !number);
    }
    assert_eq!(Seen::from_bytes(&seen.to_bytes()), Some(seen));
}

#[test]
fn names_that_lead_out_of_the_workspace_are_not_believed() {
    let Some(mut seen) = settled(&["x/a.txt"]).seen else { return };
    assert!(Seen::from_bytes(&seen.to_bytes()).is_some());
    for key in ["../a.txt", "/etc/passwd", "x/../../a", "x//a", "./a", "y/a.txt"] {
        seen.files[0].key = FileKey::from_text(key);
        assert_eq!(Seen::from_bytes(&seen.to_bytes()), None, "{key}");
    }
    for key in ["..", "/etc", "x/..", "x//y", "./x", "x/"] {
        let Some(mut seen) = settled(&["x/a.txt"]).seen else { return };
        (seen.folders[1].key, seen.files) = (key.to_owned(), Vec::new());
        assert_eq!(Seen::from_bytes(&seen.to_bytes()), None, "{key}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_history_gives_what_a_first_walk_gives(
        steps in prop::collection::vec((0..7u8, 0..5usize, 0..5usize), 1..25),
    ) {
        const NAMES: [&str; 5] = ["a", "b", "venv", "d", "e"];
        let mut tree = settled(&["a/a/f.txt", "b/f.txt", "b/d/f.log", "d/e/venv/f.txt", "f.txt"]);
        for (step, at, to) in steps {
            let (one, two) = (NAMES[at], NAMES[to]);
            let folder = tree.root.join(one).join(two);
            // Steps that are not possible now are left out.
            match step {
                0 => drop(std::fs::write(folder.join("new.txt"), one)),
                1 => drop(std::fs::create_dir_all(folder.join("in"))),
                2 => drop(std::fs::remove_dir_all(&folder)),
                3 => drop(std::fs::rename(tree.root.join(one), tree.root.join(two).join("m"))),
                4 => drop(std::fs::write(tree.root.join(one).join(".gitignore"), "*.log\nd/\n")),
                5 => drop(std::fs::remove_file(tree.root.join(one).join(".gitignore"))),
                _ => tree.settle(),
            }
            tree.walk();
        }
    }
}
