//! What do the files say, read and taken apart once more? For answers that must not rest on the index.

use gik_base::Result;
use gik_base::collections::HashMap;
use gik_index::{ChunkNo, Scan, Scanned};
use gik_store::{FileRow, FileState, Snapshot};

use super::known_modes;
use super::prepare::documents_of;
use crate::Workspace;
use crate::projection::text_of;

/// The texts of all chunks. A file that changed since it was indexed has none.
pub(crate) fn scan(ws: &Workspace<'_>, snapshot: &Snapshot<'_>, files: &[FileRow]) -> Result<Scan> {
    let modes = known_modes(ws, snapshot)?;
    let mut scanned = Vec::new();
    for file in files.iter().filter(|file| file.state == FileState::Indexed) {
        ws.ctx.cancel.check()?;
        let Some(text) = text_of(ws, snapshot, file)? else { continue };
        let rows = snapshot.chunks_of(file.id)?;
        let numbers: HashMap<(usize, usize), ChunkNo> =
            rows.iter().map(|row| ((row.bytes.start, row.bytes.end), row.id)).collect();
        documents_of(file, &text, modes, |chunk, document| {
            // A chunk that the index does not have has no row to show.
            if let Some(&number) = numbers.get(&(chunk.bytes.start, chunk.bytes.end)) {
                scanned.push(Scanned {
                    chunk: number,
                    file: file.id,
                    labels: document.labels,
                    tie: document.tie,
                    fields: document.fields.map(str::to_owned),
                });
            }
        });
    }
    Ok(Scan::new(scanned))
}
