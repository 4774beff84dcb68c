//! What goes into the database and what comes out.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use gik_base::hash::Digest;
use gik_base::{FileKey, FileStat};
use gik_index::{ChunkNo, FileNo};

use crate::Signature;

/// Where a file's text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileOrigin {
    /// A file of the working tree.
    File,
    /// A member of an archive; the key is `archive.zip!/member`.
    Archive,
    /// A page; the key is its url.
    Url,
}

impl FileOrigin {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Archive => "archive",
            Self::Url => "url",
        }
    }

    pub(crate) fn from_name(name: &str) -> Self {
        match name {
            "archive" => Self::Archive,
            "url" => Self::Url,
            _ => Self::File,
        }
    }
}

/// Whether a file has chunks, and why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// It has.
    Indexed,
    /// It has none; remembered so that it is not read again until it changes.
    Skipped {
        /// A stable word, such as `binary`.
        code: String,
        /// A sentence.
        detail: String,
    },
}

/// How far the reading of a file has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Its words can be searched; it still has to be taken apart, or taken apart again.
    Words = 1,
    /// It was taken apart.
    Structure = 2,
}

impl Stage {
    pub(crate) fn from_number(number: u8) -> Self {
        if number < Self::Structure as u8 { Self::Words } else { Self::Structure }
    }
}

/// A file to be put in.
#[derive(Debug, Clone)]
pub struct FileRecord {
    /// Its name.
    pub key: FileKey,
    /// The base it belongs to.
    pub base: String,
    /// Language id, or empty.
    pub language: String,
    /// What the system says of it.
    pub stat: FileStat,
    /// Of its bytes; all zero where they could not be read.
    pub sha256: Digest,
    /// Number of lines.
    pub lines: u64,
    /// Number of chunks that follow.
    pub n_chunks: u32,
    /// Number of symbols that follow.
    pub n_symbols: u32,
    /// Where its text comes from.
    pub origin: FileOrigin,
    /// `code`, `prose` or `records`.
    pub mode: &'static str,
    /// How far its reading has come.
    pub stage: Stage,
    /// Whether it has chunks.
    pub state: FileState,
}

/// A chunk to be put in.
#[derive(Debug, Clone)]
pub struct ChunkRecord<'a> {
    /// `function`, `struct`, …
    pub kind: &'a str,
    /// Among equals in the file.
    pub ordinal: u32,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// In the decoded text.
    pub bytes: Range<usize>,
    /// Of the text.
    pub content_sha256: Digest,
    /// Names of the items inside.
    pub name: &'a str,
    /// Qualified name or heading path.
    pub qualified: &'a str,
    /// `bytes` in UTF-16 code units.
    pub utf16: Range<usize>,
    /// The text itself; stored only where SQL full-text search was asked for.
    pub text: &'a str,
}

/// What a server said about a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemoteState {
    /// The `ETag` header.
    pub etag: Option<String>,
    /// The `Last-Modified` header.
    pub last_modified: Option<String>,
}

/// A file as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// Row id.
    pub id: FileNo,
    /// Its name.
    pub key: FileKey,
    /// The base it belongs to.
    pub base: Arc<str>,
    /// Language id, or empty.
    pub language: Arc<str>,
    /// What the system said when it was read.
    pub stat: FileStat,
    /// Of its bytes; all zero where they could not be read.
    pub sha256: Digest,
    /// Number of chunks.
    pub n_chunks: u32,
    /// Number of symbols.
    pub n_symbols: u32,
    /// Where its text comes from.
    pub origin: FileOrigin,
    /// How far its reading has come.
    pub stage: Stage,
    /// Whether it has chunks.
    pub state: FileState,
}

impl FileRow {
    /// Files without chunks, per reason.
    pub fn skip_counts(files: &[Self]) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for file in files {
            if let FileState::Skipped { code, .. } = &file.state {
                *counts.entry(code.clone()).or_default() += 1;
            }
        }
        counts
    }
}

/// A file that changed since the contract files were last written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unprojected {
    /// Its name.
    pub key: FileKey,
    /// The base it belongs or belonged to.
    pub base: String,
    /// Whether it came or went; otherwise only its content changed.
    pub is_listed: bool,
}

/// A chunk as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkRow {
    /// Row id.
    pub id: ChunkNo,
    /// The file it is part of.
    pub file: FileNo,
    /// `function`, `struct`, …
    pub kind: String,
    /// Among equals in the file.
    pub ordinal: u32,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// In the decoded text.
    pub bytes: Range<usize>,
    /// Of the text.
    pub content_sha256: Digest,
    /// Names of the items inside.
    pub name: String,
    /// Qualified name or heading path.
    pub qualified: String,
    /// `bytes` in UTF-16 code units.
    pub utf16: Range<usize>,
}

/// A symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolRow {
    /// The file it is in.
    pub file: FileNo,
    /// Simple name.
    pub name: String,
    /// `function`, `struct`, …
    pub kind: String,
    /// Enclosing symbol.
    pub container: Option<String>,
    /// With its containers, where that is not what the language makes of container and name.
    pub qualified: Option<String>,
    /// The declaration without its body.
    pub signature: Signature,
    /// The stable id after language and path.
    pub descriptors: String,
    /// Who may use it.
    pub visibility: Option<String>,
    /// Line from 1 and column from 0.
    pub start: (u32, u32),
    /// Line from 1 and column from 0.
    pub end: (u32, u32),
    /// In the decoded text.
    pub bytes: Range<usize>,
    /// `bytes` in UTF-16 code units.
    pub utf16: Range<usize>,
    /// Where its name stands, in bytes.
    pub name_start: usize,
}

/// Files, chunks and symbols of one base or mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The base or mode.
    pub name: String,
    /// Files with chunks.
    pub files: u64,
    /// Their chunks.
    pub chunks: u64,
    /// Their symbols.
    pub symbols: u64,
}

impl Count {
    /// What each base holds, sorted by base.
    pub fn per_base(files: &[FileRow]) -> Vec<Self> {
        let mut counts: Vec<Self> = Vec::new();
        for file in files.iter().filter(|file| file.state == FileState::Indexed) {
            let at = match counts.iter().position(|count| *count.name == *file.base) {
                Some(at) => at,
                None => {
                    let name = file.base.to_string();
                    counts.push(Self { name, files: 0, chunks: 0, symbols: 0 });
                    counts.len() - 1
                },
            };
            counts[at].files += 1;
            counts[at].chunks += u64::from(file.n_chunks);
            counts[at].symbols += u64::from(file.n_symbols);
        }
        counts.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        counts
    }
}
