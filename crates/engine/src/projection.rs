//! The contract files that are derived from the index: `bases/<base>/sources.jsonl` and `stats.json`.
//!
//! They are written by commits only, and only for bases whose content changed.

use std::io::{self, Write};

use gik_base::{Result, clock, fs};
use gik_contract::{BaseSourceEntry, BaseStats, Extra};
use gik_discover::text::decode;
use gik_ledger::{Durability, Transaction, jsonl};
use gik_store::{ChunkRow, FileOrigin, FileRow, FileState, Snapshot};

use crate::Workspace;

/// Adds the files of one base to a transaction.
pub(crate) fn project_base(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    files: &[FileRow],
    base: &str,
    transaction: &mut Transaction<'_>,
) -> Result<()> {
    let members: Vec<&FileRow> =
        files.iter().filter(|file| file.base == base && file.state == FileState::Indexed).collect();
    let total_bytes: u64 = members.iter().map(|file| file.stat.size).sum();
    let with_text = total_bytes <= ws.settings.indexing.projection_text_bytes;
    let mut n_chunks = 0;
    transaction.replace_with(format!("bases/{base}/sources.jsonl"), Durability::Cached, |out| {
        let mut chunks = snapshot.chunks_by_file().map_err(io::Error::other)?;
        for file in &members {
            let text = match with_text {
                true => text_of(ws, snapshot, file).map_err(io::Error::other)?,
                false => None,
            };
            for chunk in chunks.remove(&file.id.0).unwrap_or_default() {
                write_entry(out, base, file, &chunk, text.as_deref())?;
                n_chunks += 1;
            }
        }
        Ok(())
    })?;
    let stats = BaseStats {
        chunk_count: n_chunks,
        file_count: members.len() as u64,
        last_updated: clock::now(),
    };
    transaction.replace(
        format!("bases/{base}/stats.json"),
        jsonl::to_json(&stats)?,
        Durability::Cached,
    );
    Ok(())
}

fn write_entry(
    out: &mut dyn Write,
    base: &str,
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
        base: base.to_owned(),
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
    if gik_base::hash::sha256_hex(&bytes) != file.sha256 {
        return Ok(None);
    }
    Ok(decode(bytes).ok().map(|(text, _)| text))
}
