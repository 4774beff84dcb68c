//! Which files count, and what is known of them: rows by number, each read once.

use std::collections::hash_map::Entry;

use gik_base::collections::HashMap;
use gik_base::{ErrorCode, Failure, Result};
use gik_index::{ChunkNo, FileNo};
use gik_retrieve::signals;
use gik_store::{ChunkRow, FileRow, Snapshot};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::bases;

/// What must be true of a file.
#[derive(Debug)]
pub(crate) struct FileFilter {
    languages: Vec<String>,
    wanted: Option<GlobSet>,
    unwanted: GlobSet,
}

impl FileFilter {
    /// Reads languages and path patterns as `gik search` takes them.
    pub(crate) fn new(languages: &[String], globs: &[String]) -> Result<Self> {
        let (unwanted, wanted): (Vec<&str>, Vec<&str>) =
            globs.iter().map(String::as_str).partition(|glob| glob.starts_with('!'));
        Ok(Self {
            languages: bases::languages(languages)?,
            wanted: if wanted.is_empty() { None } else { Some(glob_set(&wanted)?) },
            unwanted: glob_set(&unwanted)?,
        })
    }

    /// Whether the file counts.
    pub(crate) fn takes(&self, file: &FileRow) -> bool {
        let path = file.key.as_str();
        (self.languages.is_empty() || self.languages.iter().any(|id| **id == *file.language))
            && self.wanted.as_ref().is_none_or(|wanted| wanted.is_match(path))
            && !self.unwanted.is_match(path)
    }
}

fn glob_set(globs: &[&str]) -> Result<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    for text in globs {
        let invalid = |error: globset::Error| {
            Failure::new(ErrorCode::ArgumentInvalid, format!("`{text}` is not a path pattern"))
                .caused_by(error.kind().to_string())
        };
        for pattern in spellings(text.trim_start_matches('!')) {
            let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
            builder.add(glob.map_err(invalid)?);
        }
    }
    builder.build().map_err(|error| {
        Failure::new(ErrorCode::ArgumentInvalid, "the path patterns are too large").caused_by(error)
    })
}

/// A pattern without a slash before its end matches at any depth; a folder stands for all below it.
fn spellings(text: &str) -> Vec<String> {
    let path = text.trim_end_matches('/');
    let trimmed = path.trim_start_matches("./").trim_start_matches('/');
    if matches!(trimmed, "" | ".") {
        return vec!["**".to_owned()];
    }
    let anchored = if path.contains('/') { trimmed.to_owned() } else { format!("**/{trimmed}") };
    vec![anchored.clone(), format!("{anchored}/**")]
}

/// Whether a file is a test, an example or somebody else's: what ranks lower everywhere.
pub(crate) fn is_noise(file: &FileRow) -> bool {
    // The table is that of the ranking; a chunk without a name has no other signal.
    let nameless = ChunkRow {
        id: ChunkNo(0),
        file: file.id,
        uid: String::new(),
        kind: String::new(),
        ordinal: 0,
        lines: (1, 1),
        bytes: 0..0,
        content_sha256: String::new(),
        name: String::new(),
        qualified: String::new(),
        utf16: 0..0,
    };
    signals::of(&nameless, file, &[]).iter().any(|(name, _)| *name == "noise")
}

/// A file, and what ranking asks of it.
#[derive(Debug, Clone)]
pub(crate) struct KnownFile {
    pub(crate) row: FileRow,
    pub(crate) is_noise: bool,
}

/// File rows of a snapshot by number.
#[derive(Debug)]
pub(crate) struct Files<'a> {
    snapshot: &'a Snapshot<'a>,
    known: HashMap<FileNo, Option<KnownFile>>,
}

impl<'a> Files<'a> {
    pub(crate) fn of(snapshot: &'a Snapshot<'a>) -> Self {
        Self { snapshot, known: HashMap::default() }
    }

    /// The file with that number.
    pub(crate) fn get(&mut self, id: FileNo) -> Result<Option<&KnownFile>> {
        let known = match self.known.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => {
                let row = self.snapshot.file(id)?;
                unread.insert(row.map(|row| KnownFile { is_noise: is_noise(&row), row }))
            },
        };
        Ok(known.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_read_as_people_write_them() {
        for (pattern, path, expected) in [
            ("*.rs", "src/deep/a.rs", true),
            ("*.rs", "a.md", false),
            ("src", "src/deep/a.rs", true),
            ("src/*.rs", "src/deep/a.rs", false),
            ("./src", "other/src/a.rs", false),
            (".", "src/a.rs", true),
            ("{src,lib}/**", "lib/a.rs", true),
        ] {
            let found = glob_set(&[pattern]).unwrap().is_match(path);
            assert_eq!(found, expected, "{pattern} {path}");
        }
        assert_eq!(glob_set(&["a["]).unwrap_err().code(), ErrorCode::ArgumentInvalid);
    }
}
