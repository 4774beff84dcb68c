//! What were the rules made from? As long as none of it changed, they say of every name what they said before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gik_base::{FileStat, fs};

use super::global_excludes;
use crate::changes::is_racy;
use crate::git;

/// Everything outside the listings of folders that a walk's judgements rest on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Grounds {
    /// The repository that the workspace lies in.
    pub(crate) repository: Option<PathBuf>,
    /// The user's excludes file.
    pub(crate) global: Option<PathBuf>,
    /// Ignore files that were looked for.
    pub(crate) files: BTreeMap<PathBuf, Option<FileStat>>,
    /// Folders that hold what may be a repository, and whether they do.
    pub(crate) repositories: BTreeMap<PathBuf, bool>,
    /// Files that make a folder derived, and whether they are there.
    pub(crate) markers: BTreeMap<PathBuf, bool>,
}

impl Grounds {
    /// Takes note of an ignore file that is about to be read.
    pub(crate) fn note_file(&mut self, path: &Path) {
        self.files.insert(path.to_owned(), stat(path));
    }

    /// Whether all of it is as it was.
    pub(crate) fn hold(&self, root: &Path) -> bool {
        self.repository == git::repository_root(root)
            && self.global == global_excludes()
            && self.files.iter().all(|(path, known)| stat(path) == *known)
            && self.repositories.iter().all(|(path, &known)| git::is_repository(path) == known)
            && self.markers.iter().all(|(path, &known)| fs::exists(path) == known)
    }

    /// Whether nothing was found that changes rules and that `older` does not know.
    pub(crate) fn are_covered_by(&self, older: &Self) -> bool {
        let is_known = |path| older.files.contains_key(path);
        let is_known_repository = |path| older.repositories.contains_key(path);
        self.files.iter().all(|(path, stat)| stat.is_none() || is_known(path))
            && self.repositories.iter().all(|(path, is)| !is || is_known_repository(path))
    }

    /// Whether none of the files was written so shortly before the look that another write could go unseen.
    pub(crate) fn are_settled(&self, looked_at_ns: i64) -> bool {
        !self.files.values().flatten().any(|stat| is_racy(stat.mtime_ns, looked_at_ns))
    }

    /// Together with what another look found.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.files.extend(other.files);
        self.repositories.extend(other.repositories);
        self.markers.extend(other.markers);
        self
    }
}

/// Ignore files are read through links. A change of permissions counts: a file that could not be read gave no rules.
fn stat(path: &Path) -> Option<FileStat> {
    fs::metadata(path).ok().as_ref().map(FileStat::of_any_change)
}
