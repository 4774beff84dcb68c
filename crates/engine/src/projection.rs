//! The contract files that are derived from the index: `bases/<base>/sources.jsonl` and `stats.json`.
//!
//! They are written by commits only, and only for bases whose content changed. Entries are sorted by path, so a commit
//! that changed a few files copies the lines of all others from the file that is there; it is written from scratch
//! when that file is not the one the index remembers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use gik_base::{Result, clock, fs, hash};
use gik_contract::{BaseSourceEntry, BaseStats, Extra};
use gik_discover::text::decode;
use gik_ledger::{Durability, Transaction, jsonl};
use gik_store::{ChunkRow, FileOrigin, FileRow, FileState, Snapshot, Unprojected};

use crate::Workspace;

/// Everything needed to write the files of a base.
#[derive(Debug)]
pub(crate) struct Projector<'a> {
    pub(crate) ws: &'a Workspace<'a>,
    pub(crate) snapshot: &'a Snapshot<'a>,
    /// All files of the index, sorted by name.
    pub(crate) files: &'a [FileRow],
    /// Those that changed since the last commit, sorted by name.
    pub(crate) changed: &'a [Unprojected],
}

impl Projector<'_> {
    /// Adds the files of one base to a transaction. Returns what the index has to remember about it.
    pub(crate) fn project(&self, base: &str, transaction: &mut Transaction<'_>) -> Result<String> {
        let members: Vec<&FileRow> = self
            .files
            .iter()
            .filter(|file| file.base == base && file.state == FileState::Indexed)
            .collect();
        let total_bytes: u64 = members.iter().map(|file| file.stat.size).sum();
        let texts = if total_bytes <= self.ws.settings.indexing.projection_text_bytes {
            Texts::Kept
        } else {
            Texts::LeftOut
        };
        let known = self.snapshot.meta(&format!("projected:{base}"))?;
        let old = fs::read_if_present(&self.ws.branch.base_sources_path(base))?.unwrap_or_default();
        let bytes = if known.as_deref() == Some(note(&old, texts).as_str()) {
            self.spliced(&members, texts, &old)?
        } else {
            self.from_scratch(&members, texts)?
        };
        let remembered = note(&bytes, texts);
        transaction.replace(format!("bases/{base}/sources.jsonl"), bytes, Durability::Cached);
        let stats = BaseStats {
            chunk_count: members.iter().map(|file| u64::from(file.n_chunks)).sum(),
            file_count: members.len() as u64,
            last_updated: clock::now(),
        };
        transaction.replace(
            format!("bases/{base}/stats.json"),
            jsonl::to_json(&stats)?,
            Durability::Cached,
        );
        Ok(remembered)
    }

    fn from_scratch(&self, members: &[&FileRow], texts: Texts) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        for file in members {
            self.write_file(&mut out, file, texts)?;
        }
        Ok(out)
    }

    /// The old lines without those of changed files, and the new lines of these in their places.
    fn spliced(&self, members: &[&FileRow], texts: Texts, old: &[u8]) -> Result<Vec<u8>> {
        let mut fresh: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
        for changed in self.changed {
            let mut lines = Vec::new();
            if let Ok(at) = members.binary_search_by(|file| file.key.cmp(&changed.key)) {
                self.write_file(&mut lines, members[at], texts)?;
            }
            fresh.insert(changed.key.as_str(), lines);
        }
        let mut out = Vec::with_capacity(old.len() + fresh.values().map(Vec::len).sum::<usize>());
        let mut waiting = fresh.iter().peekable();
        for line in old.split_inclusive(|byte| *byte == b'\n') {
            let path = path_of_line(line);
            while let Some((_, lines)) = waiting.next_if(|(key, _)| ***key < *path) {
                out.extend_from_slice(lines);
            }
            if !fresh.contains_key(&*path) {
                out.extend_from_slice(line);
            }
        }
        for (_, lines) in waiting {
            out.extend_from_slice(lines);
        }
        Ok(out)
    }

    fn write_file(&self, out: &mut Vec<u8>, file: &FileRow, texts: Texts) -> Result<()> {
        let text = match texts {
            Texts::Kept => text_of(self.ws, self.snapshot, file)?,
            Texts::LeftOut => None,
        };
        for chunk in self.snapshot.chunks_of(file.id)? {
            write_entry(out, file, &chunk, text.as_deref()).map_err(|error| {
                fs::failure("write", &self.ws.branch.base_sources_path(&file.base), error)
            })?;
        }
        Ok(())
    }
}

/// Whether entries hold the optional text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Texts {
    Kept,
    LeftOut,
}

/// Tells a file that the index wrote from any other.
fn note(bytes: &[u8], texts: Texts) -> String {
    format!("{:016x}:{texts:?}", hash::fast64(bytes))
}

/// The path of an entry, without reading the rest of the line.
fn path_of_line(line: &[u8]) -> Cow<'_, str> {
    const MARK: &[u8] = b"\"path\":\"";
    let Some(start) = line.windows(MARK.len()).position(|window| window == MARK) else {
        return Cow::Borrowed("");
    };
    let rest = &line[start + MARK.len()..];
    let mut end = 0;
    while end < rest.len() && rest[end] != b'"' {
        end += if rest[end] == b'\\' { 2 } else { 1 };
    }
    let raw = std::str::from_utf8(rest.get(..end).unwrap_or_default()).unwrap_or_default();
    if raw.contains('\\') {
        return serde_json::from_str(&format!("\"{raw}\"")).map_or(Cow::Borrowed(raw), Cow::Owned);
    }
    Cow::Borrowed(raw)
}

fn write_entry(
    out: &mut dyn Write,
    file: &FileRow,
    chunk: &ChunkRow,
    text: Option<&str>,
) -> io::Result<()> {
    let mut extra = Extra::new();
    if !file.language.is_empty() {
        extra.insert("language".to_owned(), file.language.as_str().into());
    }
    extra.insert("kind".to_owned(), chunk.kind.as_str().into());
    if !chunk.qualified.is_empty() {
        extra.insert("name".to_owned(), chunk.qualified.as_str().into());
    }
    let entry = BaseSourceEntry {
        id: chunk.uid.clone(),
        base: file.base.clone(),
        path: file.key.as_str().to_owned(),
        start_line: u64::from(chunk.lines.0),
        end_line: u64::from(chunk.lines.1),
        text: text.and_then(|text| text.get(chunk.bytes.clone())).map(str::to_owned),
        extra: Some(extra),
    };
    serde_json::to_writer(&mut *out, &entry)?;
    out.write_all(b"\n")
}

/// The text of a file as the index saw it; `None` when it has changed since.
pub(crate) fn text_of(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    file: &FileRow,
) -> Result<Option<String>> {
    if file.origin != FileOrigin::File {
        return snapshot.content_of(file.id);
    }
    let Some(bytes) = fs::read_if_present(&file.key.to_path(&ws.root)).unwrap_or(None) else {
        return Ok(None);
    };
    if hash::sha256_hex(&bytes) != file.sha256 {
        return Ok(None);
    }
    Ok(decode(bytes).ok().map(|(text, _)| text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_line_is_read_with_its_escapes() {
        let line = br#"{"id":"ck:1","base":"code","path":"a \"b\"\n.rs","startLine":1}"#;
        assert_eq!(path_of_line(line), "a \"b\"\n.rs");
        assert_eq!(path_of_line(b"{}"), "");
    }
}
