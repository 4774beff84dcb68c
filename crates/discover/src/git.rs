//! Where git keeps its files for a working tree, and what its HEAD, refs and reflogs say. Reads, never runs a program.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use gik_base::{Result, fs};

use crate::reftable;

/// The folders of one working tree's repository; they differ in linked worktrees.
#[derive(Debug)]
pub(crate) struct GitDirs {
    /// Holds HEAD.
    pub(crate) own: PathBuf,
    /// Holds refs, their logs and `info/exclude`.
    pub(crate) common: PathBuf,
}

/// What HEAD points to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// A ref, which may not exist yet.
    Ref(String),
    /// A commit.
    Commit(String),
}

/// The nearest folder at or above `start` that a version control system calls its root.
pub(crate) fn repository_root(start: &Path) -> Option<PathBuf> {
    start.ancestors().find(|folder| is_repository(folder)).map(Path::to_owned)
}

/// Whether a folder is the root of a git or jj working tree.
pub(crate) fn is_repository(folder: &Path) -> bool {
    fs::exists(&folder.join(".jj")) || matches!(git_dirs(folder), Ok(Some(_)))
}

/// The git folders of a working tree's root; `None` where it is no such root.
pub(crate) fn git_dirs(work_tree: &Path) -> Result<Option<GitDirs>> {
    let dot_git = work_tree.join(".git");
    if !fs::exists(&dot_git) {
        return Ok(None);
    }
    let own = if fs::metadata(&dot_git)?.is_dir() {
        dot_git
    } else {
        // Linked worktrees and submodules have a file here that names the real folder.
        let Some(text) = read_text(&dot_git)? else { return Ok(None) };
        let Some(target) = text.strip_prefix("gitdir:") else { return Ok(None) };
        work_tree.join(target.trim())
    };
    if !fs::exists(&own.join("HEAD")) {
        return Ok(None);
    }
    let common = match read_text(&own.join("commondir"))? {
        Some(text) => own.join(text.trim()),
        None => own.clone(),
    };
    Ok(Some(GitDirs { own, common }))
}

impl GitDirs {
    /// What HEAD points to; `None` when it makes no sense.
    pub(crate) fn head(&self) -> Result<Option<Head>> {
        if self.uses_reftable() {
            return reftable::head(&self.own.join("reftable"));
        }
        let text = read_text(&self.own.join("HEAD"))?;
        Ok(text.as_deref().and_then(parse_head))
    }

    /// The file that changes when HEAD points elsewhere.
    pub(crate) fn head_file(&self) -> PathBuf {
        self.own.join(if self.uses_reftable() { "reftable/tables.list" } else { "HEAD" })
    }

    /// The commit a ref points to, if it exists.
    pub(crate) fn commit_of(&self, name: &str) -> Result<Option<String>> {
        if self.uses_reftable() {
            return reftable::commit_of(&self.common.join("reftable"), name);
        }
        let mut name = name.to_owned();
        // A ref may point to a ref; five deep is where git gives up too.
        for _ in 0..5 {
            match read_text(&self.common.join(&name))?.as_deref().and_then(parse_head) {
                Some(Head::Commit(id)) => return Ok(Some(id)),
                Some(Head::Ref(next)) => name = next,
                None => return self.packed_commit_of(&name),
            }
        }
        Ok(None)
    }

    fn packed_commit_of(&self, name: &str) -> Result<Option<String>> {
        let packed = read_text(&self.common.join("packed-refs"))?.unwrap_or_default();
        Ok(packed.lines().find_map(|line| {
            let (id, packed_name) = line.split_once(' ')?;
            (packed_name == name && is_object_id(id)).then(|| id.to_owned())
        }))
    }

    /// The local branch that a branch was made from, if the reflogs still tell.
    pub(crate) fn created_from(&self, branch: &str) -> Result<Option<String>> {
        let log = self.common.join("logs/refs/heads").join(branch);
        if !is_file(&log) {
            return Ok(None);
        }
        let mut first = Vec::new();
        let mut reader = BufReader::new(fs::open(&log)?.take(MOST_TEXT_BYTES));
        // A log that cannot be read tells nothing, and nothing depends on it.
        if reader.read_until(b'\n', &mut first).is_err() {
            return Ok(None);
        }
        let first = String::from_utf8_lossy(&first);
        let Some((_, origin)) = first.trim_end().split_once("\tbranch: Created from ") else {
            return Ok(None);
        };
        let origin = match origin {
            "HEAD" => self.checked_out_before(branch, &first)?,
            other => Some(other.to_owned()),
        };
        match origin {
            Some(origin) => self.local_branch_named(&origin, branch),
            None => Ok(None),
        }
    }

    /// `git switch -c` only says "from HEAD"; what HEAD was then is in HEAD's own log.
    fn checked_out_before(&self, branch: &str, created: &str) -> Result<Option<String>> {
        let Some(created_at) = log_time(created) else { return Ok(None) };
        let log = read_text(&self.own.join("logs/HEAD"))?.unwrap_or_default();
        Ok(log.lines().find_map(|line| {
            let (_, moved) = line.split_once("\tcheckout: moving from ")?;
            let (from, to) = moved.split_once(" to ")?;
            (to == branch && log_time(line)? >= created_at).then(|| from.to_owned())
        }))
    }

    /// The local branch meant by `main`, `refs/heads/main`, `origin/main` or `refs/remotes/origin/main`.
    fn local_branch_named(&self, origin: &str, branch: &str) -> Result<Option<String>> {
        let short = origin
            .strip_prefix("refs/heads/")
            .or_else(|| origin.strip_prefix("refs/remotes/"))
            .unwrap_or(origin);
        let without_remote = short.split_once('/').map(|(_, rest)| rest);
        for name in [Some(short), without_remote].into_iter().flatten() {
            if name != branch && self.commit_of(&format!("refs/heads/{name}"))?.is_some() {
                return Ok(Some(name.to_owned()));
            }
        }
        Ok(None)
    }

    fn uses_reftable(&self) -> bool {
        fs::exists(&self.own.join("reftable/tables.list"))
    }
}

/// Refs and logs of more bytes are not read.
const MOST_TEXT_BYTES: u64 = 64 << 20;

/// The text of a file, `None` where there is none.
fn read_text(path: &Path) -> Result<Option<String>> {
    let bytes = read_bounded(path, MOST_TEXT_BYTES)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// The bytes of a file of a repository; `None` where there is none, something else stands there or it has more than
/// `most` bytes. A repository may come from anyone: a pipe would never end, nor would a link to a device.
pub(crate) fn read_bounded(path: &Path, most: u64) -> Result<Option<Vec<u8>>> {
    if !fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= most) {
        return Ok(None);
    }
    fs::read_if_present(path)
}

/// Whether a file stands there that can be read to its end. A folder may stand where a ref file could be
/// (`refs/heads/a` beside `refs/heads/a/b`), and a file where its folder could be.
pub(crate) fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn parse_head(text: &str) -> Option<Head> {
    let text = text.trim();
    if let Some(target) = text.strip_prefix("ref:") {
        return Some(Head::Ref(target.trim().to_owned()));
    }
    is_object_id(text).then(|| Head::Commit(text.to_owned()))
}

fn is_object_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The seconds in `<old> <new> name <mail> <seconds> <zone>\t<message>`.
fn log_time(line: &str) -> Option<i64> {
    let (before, _) = line.split_once('\t')?;
    before.rsplit(' ').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_refs_or_commits_of_either_hash() {
        assert_eq!(parse_head("ref: refs/heads/a/b\n"), Some(Head::Ref("refs/heads/a/b".into())));
        assert!(matches!(parse_head(&"a".repeat(40)), Some(Head::Commit(_))));
        assert!(matches!(parse_head(&"0".repeat(64)), Some(Head::Commit(_))));
        assert_eq!(parse_head("nonsense"), None);
    }

    #[test]
    fn the_time_of_a_reflog_line_is_found_whatever_the_name() {
        assert_eq!(log_time("0 1 A B <a b@c> 1700000000 +0100\tcommit: x y"), Some(1_700_000_000));
        assert_eq!(log_time("broken"), None);
    }

    #[test]
    fn a_git_entry_that_leads_nowhere_is_no_repository() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(".git"), "gitdir: /no/such/folder\n").unwrap();
        assert!(!is_repository(dir.path()));
        assert!(git_dirs(dir.path()).unwrap().is_none());
    }
}
