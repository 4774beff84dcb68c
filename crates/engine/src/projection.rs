//! The contract files that are derived from the index: `bases/<base>/sources.jsonl` and `stats.json`.
//!
//! They are written by commits only, and only for bases whose content changed. Entries are sorted by path, so a commit
//! that changed a few files copies the lines of all others from the file that is there, or writes the new lines over
//! the old ones where they are as long; it is written from scratch when that file is not the one the index remembers
//! (by size, time and inode, as for any file).

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use gik_base::{Context as _, ErrorCode, FileKey, FileStat, Result, clock, fs, hash, mmap};
use gik_contract::{BaseSourceEntry, BaseStats, Extra};
use gik_discover::text::{decode, decode_again};
use gik_ledger::{Durability, Transaction, jsonl};
use gik_parse::{Chunk, ChunkKind};
use gik_store::{ChunkRow, FileOrigin, FileRow, FileState, Snapshot, Unprojected};

use crate::ingest::Recent;
use crate::{Workspace, proven};

/// Everything needed to write the files of a base.
#[derive(Debug)]
pub(crate) struct Projector<'a> {
    pub(crate) ws: &'a Workspace<'a>,
    pub(crate) snapshot: &'a Snapshot<'a>,
    /// All files of the index, sorted by name.
    pub(crate) files: &'a [FileRow],
    /// What was just read of some.
    pub(crate) recent: &'a Recent,
    /// Those that changed since the last commit, sorted by name.
    pub(crate) changed: &'a [Unprojected],
}

impl Projector<'_> {
    /// Adds the files of one base to a transaction. Says whether the entries hold what is optional.
    pub(crate) fn project(&self, base: &str, transaction: &Transaction<'_>) -> Result<Texts> {
        let members: Vec<&FileRow> = self
            .files
            .iter()
            .filter(|file| *file.base == *base && file.state == FileState::Indexed)
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
        let name = format!("bases/{base}/sources.jsonl");
        if is_known {
            let old = mmap::Bytes::map(&path)?;
            let splices = self.splices(&members, texts, &old)?;
            put_splices(transaction, &name, &old, splices)?;
        } else {
            transaction.replace_with(name, Durability::Cached, |out| {
                members.iter().try_for_each(|file| self.write_file(out, file, texts))
            })?;
        }
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
        Ok(texts)
    }

    /// Where the lines of changed files are or belong, and their new lines; rising.
    fn splices(&self, members: &[&FileRow], texts: Texts, old: &[u8]) -> Result<Vec<Splice>> {
        let mut done = 0;
        let mut splices = Vec::new();
        for file in self.changed {
            let key = file.key.as_str();
            let start = done + first_line_where(&old[done..], |path| path >= key);
            done = start + first_line_where(&old[start..], |path| path > key);
            let mut new = Vec::new();
            if let Ok(at) = members.binary_search_by(|member| member.key.as_str().cmp(key)) {
                self.write_file(&mut new, members[at], texts)
                    .context(ErrorCode::Io, || format!("cannot write the lines of `{key}`"))?;
            }
            let new = String::from_utf8(new)
                .context(ErrorCode::Internal, || format!("cannot write the lines of `{key}`"))?;
            // Files of other bases have no lines here.
            if old[start..done] != *new.as_bytes() {
                splices.push(Splice { old: start..done, new });
            }
        }
        Ok(splices)
    }

    fn write_file(&self, out: &mut dyn Write, file: &FileRow, texts: Texts) -> io::Result<()> {
        let text = match texts {
            Texts::Kept => text_of_recent(self.ws, self.snapshot, self.recent, file)
                .map_err(io::Error::other)?,
            Texts::LeftOut => None,
        };
        for chunk in self.snapshot.chunks_of(file.id).map_err(io::Error::other)? {
            write_entry(out, file, &chunk, texts, text.as_deref())?;
        }
        Ok(())
    }
}

/// Lines that take the place of others.
#[derive(Debug)]
pub(crate) struct Splice {
    /// In bytes.
    pub(crate) old: Range<usize>,
    pub(crate) new: String,
}

/// Puts lines into a file that is there: over the old ones where they are as long, else into a copy.
pub(crate) fn put_splices(
    transaction: &Transaction<'_>,
    name: &str,
    old: &[u8],
    splices: Vec<Splice>,
) -> Result<()> {
    let patched: usize = splices.iter().map(|splice| splice.new.len()).sum();
    let fits = |splice: &Splice| splice.old.len() == splice.new.len();
    if patched <= MOST_PATCHED_BYTES && splices.iter().all(fits) {
        for Splice { old: place, new } in splices {
            transaction.patch(name, place.start as u64, new, old.len() as u64);
        }
        return Ok(());
    }
    transaction.replace_with(name, Durability::Cached, |out| {
        let mut done = 0;
        for Splice { old: place, new } in splices {
            out.write_all(&old[done..place.start])?;
            out.write_all(new.as_bytes())?;
            done = place.end;
        }
        out.write_all(&old[done..])
    })
}

/// More than this goes into a new file and not into the journal.
const MOST_PATCHED_BYTES: usize = 256 << 10;

/// Whether entries hold what is optional: the text, and what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    Kept,
    LeftOut,
}

/// What tells the file that was written from any other: whoever replaces or edits it moves its time.
pub(crate) fn note_of_file(path: &Path, texts: Texts) -> Result<Option<String>> {
    let stat = FileStat::at(path)?;
    Ok(stat.map(|stat| format!("{}:{}:{}:{texts:?}", stat.size, stat.mtime_ns, stat.inode)))
}

/// The start of the first line for whose path `is_beyond` holds; it holds for all lines after that one.
fn first_line_where(lines: &[u8], is_beyond: impl Fn(&str) -> bool) -> usize {
    first_line(lines, |line| is_beyond(&path_of_line(line)))
}

/// The start of the first line for which `is_beyond` holds; it holds for all lines after that one.
pub(crate) fn first_line(lines: &[u8], is_beyond: impl Fn(&[u8]) -> bool) -> usize {
    // All lines before `low` are not beyond, the line that starts at `high` is, or is the end.
    let (mut low, mut high) = (0, lines.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = lines[low..middle]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(low, |at| low + at + 1);
        let end = lines[middle..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(lines.len(), |at| middle + at + 1);
        if is_beyond(&lines[start..end]) {
            high = start;
        } else {
            low = end;
        }
    }
    high
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
    texts: Texts,
    text: Option<&str>,
) -> io::Result<()> {
    let entry = BaseSourceEntry {
        id: chunk_uid(chunk, &file.key),
        base: file.base.to_string(),
        path: file.key.as_str().to_owned(),
        start_line: u64::from(chunk.lines.0),
        end_line: u64::from(chunk.lines.1),
        text: text.and_then(|text| text.get(chunk.bytes.clone())).map(str::to_owned),
        extra: (texts == Texts::Kept).then(|| extra_of(file, chunk)),
    };
    serde_json::to_writer(&mut *out, &entry)?;
    out.write_all(b"\n")
}

/// Language, kind and name of a chunk.
fn extra_of(file: &FileRow, chunk: &ChunkRow) -> Extra {
    let mut extra = Extra::new();
    if !file.language.is_empty() {
        extra.insert("language".to_owned(), (*file.language).into());
    }
    extra.insert("kind".to_owned(), chunk.kind.as_str().into());
    if !chunk.qualified.is_empty() {
        extra.insert("name".to_owned(), chunk.qualified.as_str().into());
    }
    extra
}

/// The stable id of a chunk of a file.
pub(crate) fn chunk_uid(chunk: &ChunkRow, file: &FileKey) -> String {
    let kind = ChunkKind::from_name(&chunk.kind).unwrap_or(ChunkKind::Other);
    let content = chunk.content_sha256.to_string();
    Chunk::uid_of(file, kind, &chunk.qualified, chunk.ordinal, &content)
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
    Ok(text_on_disk(&ws.root, file))
}

/// The same, without reading it again where it was just read.
pub(crate) fn text_of_recent<'r>(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    recent: &'r Recent,
    file: &FileRow,
) -> Result<Option<Cow<'r, str>>> {
    if let Some(known) = recent.get(file.id) {
        return Ok(Some(Cow::Borrowed(&known.text)));
    }
    Ok(text_of(ws, snapshot, file)?.map(Cow::Owned))
}

/// The text of a file of the working tree, if it is still the one that the index saw.
pub(crate) fn text_on_disk(root: &Path, file: &FileRow) -> Option<String> {
    let bytes = fs::read_if_present(&file.key.to_path(root)).unwrap_or(None)?;
    if hash::sha256(&bytes) != file.sha256 {
        return None;
    }
    decoded(bytes, file)
}

/// The same for one of the few files that answers show, again and again.
pub(crate) fn text_of_evidence(root: &Path, file: &FileRow) -> Option<String> {
    let bytes = proven::read(&file.key.to_path(root), &file.sha256)?;
    decoded(bytes, file)
}

/// The text of bytes that are those of the file.
fn decoded(bytes: Vec<u8>, file: &FileRow) -> Option<String> {
    if file.state == FileState::Indexed {
        return decode_again(bytes);
    }
    decode(bytes).ok().map(|(text, _)| text)
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

    #[test]
    fn lines_are_found_by_their_path() {
        let line = |path: &str| {
            format!(
                "{{\"id\":\"ck:1\",\"path\":\"{path}\",\"n\":\"{}\"}}\n",
                "x".repeat(path.len() * 9)
            )
        };
        let paths = ["a", "b", "b", "b", "c/d", "c/e", "x"];
        let lines: String = paths.iter().map(|path| line(path)).collect();
        for key in ["", "a", "aa", "b", "c", "c/d", "w", "x", "y"] {
            let before = |take: fn(&str, &str) -> bool| -> usize {
                paths.iter().take_while(|path| !take(path, key)).map(|path| line(path).len()).sum()
            };
            let found = first_line_where(lines.as_bytes(), |path| path >= key);
            assert_eq!(found, before(|path, key| path >= key), "{key}");
            let found = first_line_where(lines.as_bytes(), |path| path > key);
            assert_eq!(found, before(|path, key| path > key), "{key}");
        }
    }
}
