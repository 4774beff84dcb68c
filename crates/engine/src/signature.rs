//! What the index is made of, as one short text: the same tree gives the same signature on every machine.

use std::collections::BTreeMap;

use gik_base::hash;
use gik_store::{FileRow, FileState};

/// Signatures of the whole index and of each base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signatures {
    /// Of everything.
    pub(crate) all: String,
    /// Per base, for those that have files.
    pub(crate) bases: BTreeMap<String, String>,
}

/// Derived from names and content only: no times, no ids, no folder. `files` are sorted by name.
pub(crate) fn of(files: &[FileRow]) -> Signatures {
    let versions = format!("{}.{}", gik_parse::PARSER_VERSION, gik_index::ANALYZER_VERSION);
    let mut per_base: BTreeMap<&str, Vec<&[u8]>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.state == FileState::Indexed) {
        let parts = per_base.entry(&file.base).or_insert_with(|| vec![versions.as_bytes()]);
        parts.push(file.key.as_str().as_bytes());
        parts.push(&file.sha256.0);
    }
    let bases: BTreeMap<String, String> = per_base
        .into_iter()
        .map(|(base, parts)| (base.to_owned(), hash::fast128_hex(&parts)))
        .collect();
    let mut parts: Vec<&[u8]> = vec![versions.as_bytes()];
    for (base, signature) in &bases {
        parts.push(base.as_bytes());
        parts.push(signature.as_bytes());
    }
    let all = hash::fast128_hex(&parts);
    Signatures { all, bases }
}
