//! Which folders hold the objects of a repository? Its own, and those that other repositories lend it.

use std::path::{Path, PathBuf};

use gik_base::{Result, fs};

use crate::git::read_bounded;

/// So deep it is followed who lends to whom, as git does.
const DEPTH: usize = 5;
/// So many folders are looked into.
const MOST_FOLDERS: usize = 32;
/// A longer list of those who lend is not read.
const MOST_LIST_BYTES: u64 = 1 << 20;

/// A folder of objects, and those it leads to, each once.
pub(super) fn folders(own: PathBuf) -> Result<Vec<PathBuf>> {
    let own = fs::canonicalize(&own).unwrap_or(own);
    let mut folders = vec![own];
    let mut level = 0..1;
    for depth in 0..DEPTH {
        for at in level.clone() {
            for folder in lent_to(&folders[at], depth == 0)? {
                if folders.len() < MOST_FOLDERS && !folders.contains(&folder) {
                    folders.push(folder);
                }
            }
        }
        level = level.end..folders.len();
    }
    Ok(folders)
}

/// The folders that others lend to one, as far as they are there. Only the repository itself may name them by a path
/// that starts at its own, as in git.
fn lent_to(objects: &Path, may_be_relative: bool) -> Result<Vec<PathBuf>> {
    let text = read_bounded(&objects.join("info/alternates"), MOST_LIST_BYTES)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let folders = lines
        .filter(|line| !is_on_the_network(line))
        .filter(|line| may_be_relative || Path::new(line).is_absolute())
        .take(MOST_FOLDERS)
        .filter_map(|line| fs::canonicalize(&objects.join(line)).ok())
        .filter(|folder| fs::metadata(folder).is_ok_and(|metadata| metadata.is_dir()));
    Ok(folders.collect())
}

/// Whether a path names another machine, as `//server/share` does: to look there tells it who looks.
fn is_on_the_network(path: &str) -> bool {
    let mut start = path.chars().take(2);
    let mut is_slash = || start.next().is_some_and(|first| matches!(first, '/' | '\\'));
    is_slash() && is_slash()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lend(to: &Path, lines: &str) {
        std::fs::create_dir_all(to.join("info")).unwrap();
        std::fs::write(to.join("info/alternates"), lines).unwrap();
    }

    #[test]
    fn folders_that_lend_to_each_other_are_told_once() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let [one, two, three] = ["one", "two", "three"].map(|name| root.join(name));
        for folder in [&one, &two, &three] {
            std::fs::create_dir_all(folder).unwrap();
        }
        lend(&one, "# lent\n../two\n../two/../two/.\n../missing\n../one\n");
        lend(&two, &format!("../three\n{}\n", one.display()));
        assert_eq!(folders(one.clone()).unwrap(), [one.clone(), two.clone()]);
        lend(&two, &format!("{}\n", three.display()));
        assert_eq!(folders(one.clone()).unwrap(), [one, two, three]);
    }

    #[test]
    fn many_folders_are_not_all_looked_into() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let lines: String = (0..100).map(|number| format!("../{number}\n")).collect();
        for number in 0..100 {
            lend(&root.join(number.to_string()), &lines);
        }
        assert_eq!(folders(root.join("7")).unwrap().len(), MOST_FOLDERS);
    }

    #[test]
    fn other_machines_are_not_asked() {
        for path in ["//server/share", "\\\\server\\share", "/\\server", "\\\\?\\UNC\\server"] {
            assert!(is_on_the_network(path), "{path}");
        }
        for path in ["/srv/git", "../two", "C:\\git", "\\git", ""] {
            assert!(!is_on_the_network(path), "{path}");
        }
    }
}
