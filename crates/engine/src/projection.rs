//! The contract files that are derived from the index: `bases/<base>/sources.jsonl` and `stats.json`.
//!
//! They are written by commits only, and only for bases whose content changed. Entries are sorted by path, so a commit
//! that changed a few files copies the lines of all others from the file that is there; it is written from scratch
//! when that file is not the one the index remembers.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, BufRead as _, BufReader, Read as _, Write};
use std::path::Path;

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
        let path = self.ws.branch.base_sources_path(base);
        let is_known = known.is_some() && known == note_of_file(&path, texts)?;
        let mut hash = hash::Fast64::default();
        transaction.replace_with(
            format!("bases/{base}/sources.jsonl"),
            Durability::Cached,
            |out| {
                let mut out = Hashed { out, hash: &mut hash };
                if is_known {
                    self.splice(&members, texts, &path, &mut out)
                } else {
                    members.iter().try_for_each(|file| self.write_file(&mut out, file, texts))
                }
            },
        )?;
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
        Ok(note(&hash, texts))
    }

    /// The old lines without those of changed files, and the new lines of these in their places.
    fn splice(
        &self,
        members: &[&FileRow],
        texts: Texts,
        old: &Path,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let changed: BTreeSet<&str> = self.changed.iter().map(|file| file.key.as_str()).collect();
        let write_changed = |key: &str, out: &mut dyn Write| match members
            .binary_search_by(|file| file.key.as_str().cmp(key))
        {
            Ok(at) => self.write_file(out, members[at], texts),
            Err(_) => Ok(()),
        };
        let mut waiting = changed.iter().copied().peekable();
        let mut lines = BufReader::with_capacity(1 << 16, fs::open(old).map_err(io::Error::other)?);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            let path = path_of_line(&line);
            while let Some(key) = waiting.next_if(|key| **key < *path) {
                write_changed(key, out)?;
            }
            if !changed.contains(&*path) {
                out.write_all(&line)?;
            }
            line.clear();
        }
        waiting.try_for_each(|key| write_changed(key, out))
    }

    fn write_file(&self, out: &mut dyn Write, file: &FileRow, texts: Texts) -> io::Result<()> {
        let text = match texts {
            Texts::Kept => text_of(self.ws, self.snapshot, file).map_err(io::Error::other)?,
            Texts::LeftOut => None,
        };
        for chunk in self.snapshot.chunks_of(file.id).map_err(io::Error::other)? {
            write_entry(out, file, &chunk, text.as_deref())?;
        }
        Ok(())
    }
}

/// Passes bytes on and hashes them on the way.
struct Hashed<'a> {
    out: &'a mut dyn Write,
    hash: &'a mut hash::Fast64,
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write_all(bytes)?;
        self.hash.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether entries hold the optional text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Texts {
    Kept,
    LeftOut,
}

/// Tells a file that the index wrote from any other.
fn note(hash: &hash::Fast64, texts: Texts) -> String {
    format!("{:016x}:{texts:?}", hash.finish())
}

/// The note of a file that is there.
fn note_of_file(path: &Path, texts: Texts) -> Result<Option<String>> {
    if !fs::exists(path) {
        return Ok(None);
    }
    let mut file = fs::open(path)?;
    let mut hash = hash::Fast64::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(|error| fs::failure("read", path, error))? {
            0 => return Ok(Some(note(&hash, texts))),
            n => hash.update(&buffer[..n]),
        }
    }
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
