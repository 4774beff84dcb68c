//! Commit: what was prepared becomes part of the next generation, a file as a whole.

use gik_base::Result;
use gik_base::hash::Digest;
use gik_index::FileNo;
use gik_store::{ChunkRecord, Writer};

use super::prepare::PreparedFile;

/// Writes one file: its row, its chunks, their words, its symbols, its facts.
pub(crate) fn write_file(writer: &mut Writer<'_>, file: &mut PreparedFile) -> Result<FileNo> {
    let id = writer.put_file(&file.record)?;
    for piece in &mut file.pieces {
        let chunk = &piece.chunk;
        let row = writer.put_chunk(
            id,
            &file.record.key,
            &ChunkRecord {
                kind: chunk.kind.as_str(),
                ordinal: chunk.ordinal,
                lines: (chunk.lines.start, chunk.lines.end),
                bytes: chunk.bytes.clone(),
                content_sha256: Digest::from_hex(&chunk.content_sha256).unwrap_or_default(),
                name: &chunk.name,
                qualified: &chunk.qualified,
                utf16: chunk.utf16.clone(),
                text: &file.text[chunk.bytes.clone()],
            },
        )?;
        piece.words.set_rows(row, id);
        writer.put_words(&piece.words, file.record.stage)?;
    }
    writer.put_symbols(id, &file.symbols)?;
    if !file.facts.is_empty() {
        writer.put_facts(id, &file.facts)?;
    }
    Ok(id)
}
