//! A throw-away workspace folder with a home folder beside it.
//!
//! The two share one temporary folder, so that nothing a test does reaches the files of the person who runs it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::fixture::{self, Entry};

/// A temporary workspace; removed when dropped.
#[derive(Debug)]
pub struct Tree {
    // Held for its drop.
    _temporary: TempDir,
    base: PathBuf,
    root: PathBuf,
    home: PathBuf,
}

impl Tree {
    /// An empty workspace.
    pub fn empty() -> Self {
        let temporary =
            tempfile::Builder::new().prefix("gik-test-").tempdir().expect("a temporary folder");
        // Some systems keep temporary folders behind a link; the program prints the real path.
        let base = temporary.path().canonicalize().expect("the temporary folder has a real path");
        let root = base.join("root");
        let home = base.join("home");
        for folder in [&root, &home] {
            fs::create_dir(folder).unwrap_or_else(|error| fail("create", folder, &error));
        }
        Self { _temporary: temporary, base, root, home }
    }

    /// A workspace with the files of a fixture: a `//- path` line opens each file, its text follows.
    pub fn new(fixture: &str) -> Self {
        let tree = Self::empty();
        for entry in fixture::parse(fixture) {
            match entry {
                Entry::File { path, text } => tree.write(&path, text),
                Entry::Folder { path } => tree.create_dir(&path),
                Entry::Link { path, target } => tree.link(&path, &target),
            }
        }
        tree
    }

    /// The workspace folder, links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The home folder that programs started by this crate see.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The folder that holds workspace and home, for things a test puts beside both.
    pub fn outside(&self) -> &Path {
        &self.base
    }

    /// The path of a file in the workspace.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Writes a file, making its folders.
    pub fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(relative);
        self.make_parent(&path);
        fs::write(&path, bytes).unwrap_or_else(|error| fail("write", &path, &error));
    }

    /// Adds to the end of a file.
    pub fn append(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(relative);
        let mut all = fs::read(&path).unwrap_or_else(|error| fail("read", &path, &error));
        all.extend_from_slice(bytes.as_ref());
        fs::write(&path, all).unwrap_or_else(|error| fail("write", &path, &error));
    }

    /// Makes a folder and its parents.
    pub fn create_dir(&self, relative: &str) {
        let path = self.path(relative);
        fs::create_dir_all(&path).unwrap_or_else(|error| fail("create", &path, &error));
    }

    /// Removes a file, or a folder with all below it.
    pub fn remove(&self, relative: &str) {
        let path = self.path(relative);
        let removed = if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        removed.unwrap_or_else(|error| fail("remove", &path, &error));
    }

    /// Moves a file or folder, making the new parent.
    pub fn rename(&self, from: &str, to: &str) {
        let to = self.path(to);
        self.make_parent(&to);
        fs::rename(self.path(from), &to).unwrap_or_else(|error| fail("replace", &to, &error));
    }

    /// Makes a symbolic link; the target is written as given.
    pub fn link(&self, relative: &str, target: &str) {
        let path = self.path(relative);
        self.make_parent(&path);
        make_link(target, &path).unwrap_or_else(|error| fail("link", &path, &error));
    }

    /// The text of a file.
    pub fn read(&self, relative: &str) -> String {
        let path = self.path(relative);
        fs::read_to_string(&path).unwrap_or_else(|error| fail("read", &path, &error))
    }

    /// The bytes of a file.
    pub fn read_bytes(&self, relative: &str) -> Vec<u8> {
        let path = self.path(relative);
        fs::read(&path).unwrap_or_else(|error| fail("read", &path, &error))
    }

    /// Whether something is there, a broken link included.
    pub fn exists(&self, relative: &str) -> bool {
        self.path(relative).symlink_metadata().is_ok()
    }

    /// The user's files: paths with `/`, sorted, without `.git` and `.guided`.
    pub fn list(&self) -> Vec<String> {
        let mut all = self.list_below("");
        all.retain(|path| !path.starts_with(".git/") && !path.starts_with(".guided/"));
        all
    }

    /// Every file below a folder of the workspace, `.git` and `.guided` included, sorted.
    pub fn list_below(&self, relative: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.path(relative)];
        while let Some(folder) = folders.pop() {
            let entries =
                fs::read_dir(&folder).unwrap_or_else(|error| fail("list", &folder, &error));
            for entry in entries {
                let path = entry.unwrap_or_else(|error| fail("list", &folder, &error)).path();
                if path.is_dir() && !path.is_symlink() {
                    folders.push(path);
                } else {
                    let relative = path.strip_prefix(&self.root).expect("it is below the root");
                    let parts: Vec<_> =
                        relative.iter().map(|part| part.to_string_lossy()).collect();
                    found.push(parts.join("/"));
                }
            }
        }
        found.sort();
        found
    }

    fn make_parent(&self, path: &Path) {
        assert!(path.starts_with(&self.base), "`{}` leaves the test folder", path.display());
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).unwrap_or_else(|error| fail("create", parent, &error));
        }
    }
}

#[expect(clippy::panic, reason = "the caller is a test; the path belongs in its message")]
fn fail(action: &str, path: &Path, error: &std::io::Error) -> ! {
    panic!("cannot {action} `{}`: {error}", path.display())
}

#[cfg(unix)]
fn make_link(target: &str, path: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(windows)]
fn make_link(target: &str, path: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_file(target, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixture_becomes_files_on_disk() {
        let tree = Tree::new("//- src/a.rs\nfn a() {}\n//- notes/b.md\n# B\n//- empty/\n");
        assert_eq!(tree.list(), ["notes/b.md", "src/a.rs"]);
        assert_eq!(tree.read("src/a.rs"), "fn a() {}\n");
        assert!(tree.exists("empty"));
    }

    #[test]
    fn files_can_be_changed_moved_and_removed() {
        let tree = Tree::new("//- a\none\n//- dir/b\n");
        tree.append("a", "two\n");
        tree.rename("a", "new/place");
        tree.remove("dir");
        assert_eq!(tree.list(), ["new/place"]);
        assert_eq!(tree.read("new/place"), "one\ntwo\n");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_listed_and_not_followed() {
        let tree = Tree::new("//- dir/a\n//- dir/loop -> ../dir\n");
        assert_eq!(tree.list(), ["dir/a", "dir/loop"]);
    }

    #[test]
    fn knowledge_is_listed_on_request_only() {
        let tree = Tree::new("//- a\n//- .guided/knowledge/main/HEAD\nx\n");
        assert_eq!(tree.list(), ["a"]);
        assert_eq!(tree.list_below(".guided"), [".guided/knowledge/main/HEAD"]);
    }
}
