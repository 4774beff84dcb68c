//! One ignore file: its patterns, the line a pattern stands on, and which folders its `!` lines reach into.

use std::path::{Path, PathBuf};

use gik_base::{FileKey, fs};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, Glob};

use crate::skip::Rule;

/// A loaded ignore file with gitignore's grammar.
#[derive(Debug)]
pub(crate) struct IgnoreFile {
    /// How the file is named to the user.
    shown: String,
    /// The folder its patterns are relative to.
    base: PathBuf,
    text: String,
    matcher: Gitignore,
    /// The parts of every `!` pattern that names its way from `base`.
    ways: Vec<Vec<String>>,
}

impl IgnoreFile {
    /// Loads a file; `None` where there is none, where it cannot be read, or where it holds no pattern.
    pub(crate) fn load(path: &Path, base: &Path, root: &Path) -> Option<Self> {
        let bytes = fs::read_if_present(path).ok()??;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut builder = GitignoreBuilder::new(base);
        for line in lines(&text) {
            // A line that is no valid pattern matches nothing, as in git.
            drop(builder.add_line(None, line));
        }
        let matcher = builder.build().ok()?;
        if matcher.is_empty() {
            return None;
        }
        let shown = match path.strip_prefix(root).ok().and_then(FileKey::from_relative) {
            Some(key) => key.as_str().to_owned(),
            None => path.display().to_string(),
        };
        let ways = lines(&text).filter_map(way_of).collect();
        Some(Self { shown, base: base.to_owned(), text, matcher, ways })
    }

    /// The pattern that decides about an absolute path, if one does. The last matching line wins.
    pub(crate) fn matched(&self, path: &Path, is_dir: bool) -> Match<&Glob> {
        self.matcher.matched(path, is_dir)
    }

    /// The line that a pattern of this file stands on.
    pub(crate) fn rule(&self, glob: &Glob) -> Rule {
        let pattern = glob.original();
        let line = lines(&self.text)
            .zip(1..)
            .filter(|(line, _)| line.trim_end() == pattern.trim_end())
            .last()
            .map(|(_, number)| number);
        Rule { file: self.shown.clone(), line, pattern: pattern.to_owned() }
    }

    /// Whether a `!` line names something below an ignored folder, so that the folder must be looked into.
    ///
    /// Only lines that name the way from the folder of the ignore file count (`!build/keep.txt`): a bare `!keep.txt`
    /// would make us search every ignored folder for it.
    pub(crate) fn reaches_into(&self, folder: &Path) -> bool {
        if self.ways.is_empty() {
            return false;
        }
        let Ok(relative) = folder.strip_prefix(&self.base) else { return false };
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        self.ways.iter().any(|way| leads_below(way, &parts))
    }
}

/// The lines without a byte order mark and line ends.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.trim_start_matches('\u{feff}').lines()
}

fn way_of(line: &str) -> Option<Vec<String>> {
    let pattern = line.trim_end().strip_prefix('!')?;
    let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    let parts: Vec<String> = pattern.split('/').map(str::to_owned).collect();
    (parts.len() > 1 && parts[0] != "**").then_some(parts)
}

fn leads_below<S: AsRef<str>>(way: &[String], folder: &[S]) -> bool {
    for (at, part) in folder.iter().enumerate() {
        match way.get(at) {
            None => return false,
            Some(wanted) if wanted == "**" => return true,
            // Wildcards are taken to match: at worst a folder is looked into for nothing.
            Some(wanted) if wanted.contains(['*', '?', '[', '\\']) => {},
            Some(wanted) if wanted == part.as_ref() => {},
            Some(_) => return false,
        }
    }
    way.len() > folder.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> IgnoreFile {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(".gikignore");
        std::fs::write(&path, text).unwrap();
        IgnoreFile::load(&path, dir.path(), dir.path()).unwrap()
    }

    #[test]
    fn the_deciding_line_is_the_last_one_with_that_pattern() {
        let file = load("\u{feff}# notes\r\n*.log\r\n\r\n!keep.log\r\n*.log  \r\n");
        let path = file.base.join("a.log");
        let Match::Ignore(glob) = file.matched(&path, false) else { panic!("not ignored") };
        let rule = file.rule(glob);
        assert_eq!((rule.file.as_str(), rule.line), (".gikignore", Some(5)));
        assert_eq!(rule.pattern, "*.log");
    }

    #[test]
    fn only_lines_that_name_the_way_reach_into_a_folder() {
        let file = load("!build/keep.txt\n!/vendor/**\n!*/notes/x.md\n!anywhere.txt\n!**/deep/x\n");
        let reaches = |folder: &str| file.reaches_into(&file.base.join(folder));
        assert!(reaches("build"));
        assert!(!reaches("build/sub"));
        assert!(reaches("vendor/a/b/c"));
        assert!(reaches("other/notes"));
        assert!(!reaches("other/else/more"));
        assert!(!file.reaches_into(Path::new("/elsewhere")));
    }

    #[test]
    fn comments_and_broken_patterns_are_no_rules() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(".gitignore");
        std::fs::write(&path, "# only a comment\n\n").unwrap();
        assert!(IgnoreFile::load(&path, dir.path(), dir.path()).is_none());
        assert!(IgnoreFile::load(&dir.path().join("none"), dir.path(), dir.path()).is_none());
    }
}
