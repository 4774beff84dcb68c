//! Real files and the real system: each wait ends with a change, not with a time.

use std::sync::mpsc;
use std::{fs, thread};

use super::*;

/// Far longer than any change takes to be heard of.
const PATIENCE: Duration = Duration::from_secs(60);

struct Watched {
    _dir: tempfile::TempDir,
    root: PathBuf,
    watcher: Watcher,
}

impl Watched {
    fn new(files: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut watched = Self { watcher: Watcher::by_events(&root), _dir: dir, root };
        for file in files {
            watched.write(file, "");
        }
        watched.follow(&[""]);
        watched
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Watches those scopes and gives how many folders that are.
    fn follow(&mut self, scopes: &[&str]) -> usize {
        let scopes: Vec<FileKey> = scopes.iter().map(|key| FileKey::from_text(*key)).collect();
        let options = WalkOptions::default();
        match self.watcher.follow(&scopes, &[], &options, &Cancel::default()).unwrap() {
            Following::Events(folders) => folders,
            other @ (Following::Polling(_) | Following::Refused(_)) => panic!("{other:?}"),
        }
    }

    /// Whether a change is heard of, and not the end of our patience.
    fn hears(&mut self) -> bool {
        let started = Instant::now();
        assert!(self.watcher.wait(Some(PATIENCE), &Cancel::default()));
        self.follow(&[""]);
        started.elapsed() < PATIENCE
    }

    fn folders(&self) -> Vec<String> {
        let state = self.watcher.heard.lock();
        let relative = |folder: &PathBuf| {
            folder.strip_prefix(&self.root).unwrap().to_str().unwrap().to_owned()
        };
        state.folders.iter().map(relative).collect()
    }
}

#[test]
fn only_folders_that_the_walk_enters_are_watched() {
    let watched = Watched::new(&[
        "src/deep/a.rs",
        "node_modules/x/index.js",
        "target/CACHEDIR.TAG",
        "target/debug/x.rs",
        ".guided/knowledge/x",
    ]);
    assert_eq!(watched.folders(), ["", "src", "src/deep"]);
}

#[test]
fn scopes_are_watched_with_the_folders_above_them() {
    let mut watched = Watched::new(&["a/b/c/x.rs", "a/other/y.rs", "z/z.rs", "one.md"]);
    assert_eq!(watched.follow(&["a/b", "one.md", "gone/later"]), 4);
    assert_eq!(watched.folders(), ["", "a", "a/b", "a/b/c"]);
}

#[test]
fn a_new_folder_is_watched_once_it_was_heard_of() {
    let mut watched = Watched::new(&["a.rs"]);
    watched.write("new/deep/b.rs", "");
    assert!(watched.hears());
    assert_eq!(watched.folders(), ["", "new", "new/deep"]);
    watched.write("new/deep/b.rs", "changed");
    assert!(watched.hears());
}

#[test]
fn a_folder_that_was_replaced_is_still_watched() {
    let mut watched = Watched::new(&["src/a.rs"]);
    fs::remove_dir_all(watched.root.join("src")).unwrap();
    watched.write("src/a.rs", "again");
    assert!(watched.hears());
    watched.write("src/a.rs", "and again");
    assert!(watched.hears());
    fs::rename(watched.root.join("src"), watched.root.join("lib")).unwrap();
    assert!(watched.hears());
    assert_eq!(watched.folders(), ["", "lib"]);
    watched.write("lib/a.rs", "moved");
    assert!(watched.hears());
}

#[test]
fn a_switch_of_branches_is_heard_of() {
    let mut watched = Watched::new(&["a.rs", ".git/config"]);
    watched.write(".git/HEAD", "ref: refs/heads/main\n");
    watched.follow(&[""]);
    drop(watched.watcher.heard.lock().end_burst());
    watched.write(".git/HEAD.lock", "ref: refs/heads/other\n");
    let head = watched.root.join(".git/HEAD");
    fs::rename(watched.root.join(".git/HEAD.lock"), head).unwrap();
    assert!(watched.hears());
}

#[test]
fn a_wait_ends_when_asked_to_stop() {
    let watched = Watched::new(&["a.rs"]);
    let cancel = Cancel::default();
    let (done, ended) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| done.send(watched.watcher.wait(None, &cancel)).unwrap());
        cancel.cancel();
        assert!(!ended.recv_timeout(PATIENCE).unwrap());
    });
}

#[test]
fn an_ignored_file_does_not_end_a_wait() {
    let watched = Watched::new(&["a.rs"]);
    watched.write(".ignore", "*.log\n");
    assert!(watched.watcher.wait(None, &Cancel::default()));
    let cancel = Cancel::default();
    let (done, ended) = mpsc::channel();
    let has_burst = || watched.watcher.heard.lock().burst.is_some();
    let wait_until = |is_so: &dyn Fn() -> bool| {
        let started = Instant::now();
        while !is_so() {
            assert!(started.elapsed() < PATIENCE);
            thread::yield_now();
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| done.send(watched.watcher.wait(None, &cancel)).unwrap());
        watched.write("run.log", "started");
        wait_until(&has_burst);
        wait_until(&|| !has_burst());
        watched.write("a.rs", "changed");
        wait_until(&has_burst);
        assert!(ended.try_recv().is_err(), "the log ended the wait");
        assert!(ended.recv_timeout(PATIENCE).unwrap());
    });
}

#[test]
fn polling_asks_for_a_look_again_and_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut watcher = Watcher::by_polling(dir.path(), Duration::from_millis(1));
    let (options, cancel) = (WalkOptions::default(), Cancel::default());
    let following = watcher.follow(&[FileKey::default()], &[], &options, &cancel).unwrap();
    assert!(matches!(following, Following::Polling(_)));
    assert!(watcher.wait(None, &cancel));
    assert!(watcher.wait(None, &cancel));
}

#[test]
fn a_look_waits_for_the_end_of_a_checkout() {
    let mut watched = Watched::new(&["a.rs", ".git/HEAD", ".git/index.lock"]);
    watched.follow(&[""]);
    watched.write("a.rs", "half of it");
    let lock = watched.root.join(".git/index.lock");
    let cancel = Cancel::default();
    let (done, ended) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| done.send(watched.watcher.wait(None, &cancel)).unwrap());
        assert!(ended.recv_timeout(Duration::from_secs(1)).is_err(), "the lock is still there");
        fs::remove_file(&lock).unwrap();
        assert!(ended.recv_timeout(PATIENCE).unwrap());
    });
}

#[test]
fn files_are_named_by_the_real_path_of_their_folder() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    fs::create_dir(root.join("real")).unwrap();
    assert_eq!(real(&root.join("real/../real/HEAD")), Some(root.join("real/HEAD")));
    assert_eq!(real(Path::new("/no/such/folder/HEAD")), None);
}
