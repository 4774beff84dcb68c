//! Is a file still the one that the index saw? Its hash tells; a process that answers many asks it once for each state of a
//! file.
//!
//! 1. The state is looked at after the last byte was read: bytes that changed meanwhile come with another one.
//! 2. A state is told by size, inode and the time of the last change of any kind, which the system sets and no program does.
//! 3. It counts where it was clearly over when the file was read, and on file systems that are known to keep such times.

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use gik_base::collections::HashMap;
use gik_base::hash::Digest;
use gik_base::{FileStat, FolderStat, clock, fs, hash};
use gik_discover::is_racy;

/// Far more than the files of a day's answers.
const MOST: usize = 4096;

/// The hash that each file had in a state.
static PROVEN: LazyLock<Mutex<HashMap<PathBuf, (FileStat, Digest)>>> =
    LazyLock::new(Mutex::default);

/// The bytes of a file as they are now, if they have that hash.
pub(crate) fn read(path: &Path, sha256: &Digest) -> Option<Vec<u8>> {
    let looked_at_ns = clock::now_ns();
    let (bytes, stat) = fs::read_with_stat(path).unwrap_or(None)?;
    if is_proven(path, &stat, sha256) {
        return Some(bytes);
    }
    if hash::sha256(&bytes) != *sha256 {
        return None;
    }
    if !is_racy(stat.mtime_ns, looked_at_ns) && FolderStat::can_be_trusted(path) {
        let mut all = proven();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(path.to_owned(), (stat, *sha256));
    }
    Some(bytes)
}

fn is_proven(path: &Path, stat: &FileStat, sha256: &Digest) -> bool {
    proven().get(path).is_some_and(|(known, hash)| known == stat && hash == sha256)
}

fn proven() -> MutexGuard<'static, HashMap<PathBuf, (FileStat, Digest)>> {
    PROVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use gik_testkit::Tree;

    use super::*;

    /// Asks until the clock has gone on far enough for the state to count.
    fn prove(path: &Path, sha256: &Digest) {
        while FolderStat::can_be_trusted(path) && !proven().contains_key(path) {
            assert!(read(path, sha256).is_some());
        }
    }

    #[test]
    fn a_file_is_hashed_again_when_anything_about_it_changed() {
        let tree = Tree::new("//- a.txt\nold text\n");
        let path = tree.path("a.txt");
        let old = hash::sha256(b"old text\n");
        assert_eq!(read(&path, &hash::sha256(b"other")), None);
        prove(&path, &old);
        assert_eq!(read(&path, &old).as_deref(), Some(&b"old text\n"[..]));
        assert_eq!(read(&path, &hash::sha256(b"other")), None, "another index saw another file");
        // As long as before, and with the time it had before: only the system's own time tells.
        let modified = std::fs::metadata(&path).unwrap().modified().unwrap();
        std::fs::write(&path, "new text\n").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        assert_eq!(read(&path, &old), None);
        assert!(read(&path, &hash::sha256(b"new text\n")).is_some());
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read(&path, &old), None);
    }

    #[test]
    fn what_was_written_just_now_is_not_trusted() {
        let tree = Tree::new("//- a.txt\n");
        let path = tree.path("a.txt");
        let mut before = hash::sha256(b"");
        // No state is clearly over before the next one begins, and all are of one size.
        for n in 0..50u32 {
            let text = format!("{n:04}");
            std::fs::write(&path, &text).unwrap();
            assert_eq!(read(&path, &before), None);
            before = hash::sha256(text.as_bytes());
            assert_eq!(read(&path, &before).as_deref(), Some(text.as_bytes()));
        }
    }
}
