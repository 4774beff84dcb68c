//! Commit: what was prepared becomes part of the next generation, a file as a whole.

use gik_base::Result;
use gik_index::FileNo;
use gik_store::{ChunkRecord, SymbolRecord, Writer};

use super::prepare::PreparedFile;

/// Writes one file: its row, its chunks, their words, its symbols.
pub(crate) fn write_file(writer: &mut Writer<'_>, file: PreparedFile) -> Result<FileNo> {
    let id = writer.put_file(&file.record)?;
    for piece in file.pieces {
        let chunk = &piece.chunk;
        let imports = chunk.imports.join(" ");
        let row = writer.put_chunk(
            id,
            &file.record.key,
            &ChunkRecord {
                uid: &chunk.uid,
                kind: chunk.kind.as_str(),
                ordinal: chunk.ordinal,
                lines: (chunk.lines.start, chunk.lines.end),
                bytes: chunk.bytes.clone(),
                content_sha256: &chunk.content_sha256,
                name: &chunk.name,
                qualified: &chunk.qualified,
                signature: &chunk.signature,
                container: &chunk.container,
                doc: &chunk.doc,
                imports: &imports,
                text: &file.text[chunk.bytes.clone()],
            },
        )?;
        let mut words = piece.words;
        words.set_rows(row, id);
        writer.put_words(&words)?;
    }
    for symbol in &file.symbols {
        writer.put_symbol(
            id,
            &SymbolRecord {
                name: &symbol.name,
                qualified: &symbol.qualified,
                kind: symbol.kind.as_str(),
                container: symbol.container.as_deref(),
                signature: &symbol.signature,
                symbol_id: &symbol.symbol_id,
                start: (symbol.start.line, symbol.start.col),
                end: (symbol.end.line, symbol.end.col),
            },
        )?;
    }
    Ok(id)
}
