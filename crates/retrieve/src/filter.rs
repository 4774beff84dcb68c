//! Which files a question is put to.

use std::fmt;
use std::ops::RangeInclusive;

use gik_base::collections::HashSet;
use gik_base::{ErrorCode, Failure, Result};
use gik_index::{ChunkNo, FileNo};
use gik_store::FileRow;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// What must be true of a file for its chunks to count.
#[derive(Debug, Clone)]
pub struct Filter {
    /// Bits of the bases that count.
    pub base_labels: u32,
    /// Bits of the modes that count.
    pub mode_labels: u32,
    /// Language ids; empty means all.
    pub languages: Vec<String>,
    /// Language ids that do not count.
    pub other_languages: Vec<String>,
    /// Path patterns, as in `.gitignore`: `*.rs`, `src/**`, `!tests/**`; empty means all.
    pub globs: Vec<String>,
    /// From when to when a file must have changed, each of them, in nanoseconds since 1970.
    pub changed: Vec<RangeInclusive<i64>>,
    /// The keys of the files that count, where only these do.
    pub among: Option<HashSet<String>>,
    /// The keys of files that do not count.
    pub outside: HashSet<String>,
}

/// Says of a chunk of a file whether it counts: what rows of files and labels cannot tell.
#[derive(Clone, Copy)]
pub struct Admits<'a>(pub &'a dyn Fn(FileNo, ChunkNo) -> bool);

impl fmt::Debug for Admits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Admits").finish_non_exhaustive()
    }
}

/// The files that count, once the names are known.
#[derive(Debug, Clone)]
pub(crate) enum Accepted {
    /// No condition on files.
    All,
    /// These rows.
    Rows(HashSet<u32>),
}

impl Accepted {
    pub(crate) fn takes(&self, file: u32) -> bool {
        match self {
            Self::All => true,
            Self::Rows(rows) => rows.contains(&file),
        }
    }
}

/// What counts, once the names are known.
#[derive(Debug, Clone)]
pub struct Scope {
    base_labels: u32,
    mode_labels: u32,
    pub(crate) accepted: Accepted,
}

impl Scope {
    /// Whether chunks of a file with these labels are asked for.
    pub fn takes(&self, file: FileNo, labels: u32) -> bool {
        labels & self.base_labels != 0
            && labels & self.mode_labels != 0
            && self.accepted.takes(file.0)
    }
}

impl Filter {
    /// What must be true of a file, ready to be asked; `None` where nothing must.
    pub fn of_files(&self) -> Result<Option<FileFilter>> {
        let Self { languages, other_languages, globs, changed, among, outside, .. } = self;
        let is_of_all = languages.is_empty() && other_languages.is_empty() && globs.is_empty();
        if is_of_all && changed.is_empty() && among.is_none() && outside.is_empty() {
            return Ok(None);
        }
        Ok(Some(FileFilter {
            other_languages: other_languages.clone(),
            changed: changed.clone(),
            among: among.clone(),
            outside: outside.clone(),
            ..FileFilter::new(languages.clone(), globs)?
        }))
    }

    /// Looks up which of all files meet the conditions.
    pub fn scope(&self, all: &[FileRow]) -> Result<Scope> {
        let accepted = match self.of_files()? {
            None => Accepted::All,
            Some(files) => {
                let rows = all.iter().filter(|file| files.takes(file));
                Accepted::Rows(rows.map(|file| file.id.0).collect())
            },
        };
        let Self { base_labels, mode_labels, .. } = *self;
        Ok(Scope { base_labels, mode_labels, accepted })
    }
}

/// What must be true of a file, ready to be asked.
#[derive(Debug)]
pub struct FileFilter {
    languages: Vec<String>,
    other_languages: Vec<String>,
    changed: Vec<RangeInclusive<i64>>,
    among: Option<HashSet<String>>,
    outside: HashSet<String>,
    wanted: Option<GlobSet>,
    unwanted: GlobSet,
}

impl FileFilter {
    /// Language ids and path patterns as in [`Filter`].
    pub fn new(languages: Vec<String>, globs: &[String]) -> Result<Self> {
        let (unwanted, wanted): (Vec<&str>, Vec<&str>) =
            globs.iter().map(String::as_str).partition(|glob| glob.starts_with('!'));
        Ok(Self {
            languages,
            other_languages: Vec::new(),
            changed: Vec::new(),
            among: None,
            outside: HashSet::default(),
            wanted: if wanted.is_empty() { None } else { Some(glob_set(wanted.into_iter())?) },
            unwanted: glob_set(unwanted.iter().map(|glob| &glob[1..]))?,
        })
    }

    /// Whether the file counts.
    pub fn takes(&self, file: &FileRow) -> bool {
        let path = file.key.as_str();
        let is_in = |ids: &[String]| ids.iter().any(|id| **id == *file.language);
        (self.languages.is_empty() || is_in(&self.languages))
            && !is_in(&self.other_languages)
            && self.changed.iter().all(|times| times.contains(&file.stat.mtime_ns))
            && self.takes_path(path)
    }

    /// Whether a file of that name counts, whatever else it is.
    pub fn takes_path(&self, path: &str) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted.is_match(path))
            && !self.unwanted.is_match(path)
            && self.among.as_ref().is_none_or(|among| among.contains(path))
            && !self.outside.contains(path)
    }
}

fn glob_set<'g>(globs: impl Iterator<Item = &'g str>) -> Result<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    for text in globs {
        for pattern in spellings(text) {
            let glob =
                GlobBuilder::new(&pattern).literal_separator(true).build().map_err(|error| {
                    Failure::new(
                        ErrorCode::ArgumentInvalid,
                        format!("`{text}` is not a path pattern"),
                    )
                    .caused_by(error.kind().to_string())
                })?;
            builder.add(glob);
        }
    }
    builder.build().map_err(|error| {
        Failure::new(ErrorCode::ArgumentInvalid, "the path patterns are too large").caused_by(error)
    })
}

/// A pattern without a slash before its end matches at any depth; a folder stands for all below it, and a plain name for
/// files with whatever extension.
fn spellings(text: &str) -> Vec<String> {
    let path = text.trim_end_matches('/');
    let trimmed = path.trim_start_matches("./").trim_start_matches('/');
    if matches!(trimmed, "" | ".") {
        return vec!["**".to_owned()];
    }
    let anchored = if path.contains('/') { trimmed.to_owned() } else { format!("**/{trimmed}") };
    let mut spellings = vec![anchored.clone(), format!("{anchored}/**")];
    if !text.contains(['/', '.', '*', '?', '[', '{']) {
        spellings.push(format!("{anchored}.*"));
    }
    spellings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_read_as_people_write_them() {
        let table = [
            ("*.rs", "src/deep/a.rs", true),
            ("*.rs", "a.md", false),
            ("src", "src/deep/a.rs", true),
            ("src/", "other/src/x", true),
            ("src/", "other/src.rs", false),
            ("sessions", "flask/sessions.py", true),
            ("sessions", "flask/my_sessions.py", false),
            ("sessions.py", "flask/sessions.pyi", false),
            ("src/*.rs", "src/deep/a.rs", false),
            ("src/**", "src/deep/a.rs", true),
            ("./src/a.rs", "src/a.rs", true),
            ("./src", "src/a.rs", true),
            ("./src", "other/src/a.rs", false),
            ("/src", "src/a.rs", true),
            ("/src/", "other/src/a.rs", false),
            (".", "src/a.rs", true),
            ("./", "a.rs", true),
            (".github", ".github/workflows/ci.yml", true),
            ("docs/**/*.md", "docs/a/b.md", true),
            ("docs/**/*.md", "docs/b.md", true),
            ("{src,lib}/**", "lib/a.rs", true),
            ("[ab].rs", "deep/a.rs", true),
            ("ünïcode", "ünïcode/a.rs", true),
        ];
        for (pattern, path, expected) in table {
            assert_eq!(
                glob_set([pattern].into_iter()).unwrap().is_match(path),
                expected,
                "{pattern} {path}"
            );
        }
        assert_eq!(glob_set(["a["].into_iter()).unwrap_err().code(), ErrorCode::ArgumentInvalid);
    }
}
