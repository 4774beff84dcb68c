//! Gives each group of lines its kind, its names and its identity.

use gik_base::collections::HashMap;
use gik_base::{FileKey, hash};

use super::HARD_MAX;
use super::imports::Imports;
use super::join::Group;
use super::split::cut_long_line;
use crate::chunk::{Chunk, ChunkKind, Lines};
use crate::comment;
use crate::language::{Language, LanguageClass, Structure};
use crate::line_table::LineTable;
use crate::outline::{Item, Outline};
use crate::utf16::Utf16Table;

/// Makes the chunks.
pub(super) fn finish(
    path: &FileKey,
    lines: &LineTable<'_>,
    utf16: &Utf16Table<'_>,
    language: Option<&'static Language>,
    outline: &Outline,
    groups: Vec<Group>,
) -> Vec<Chunk> {
    let mut chunks = Vec::with_capacity(groups.len());
    let imports = Imports::new(outline);
    let mut twins: HashMap<String, u32> = HashMap::default();
    for group in groups {
        let range = lines.trim(group.lines.clone());
        let bytes = lines.bytes(&range);
        let described = describe(lines, language, outline, &group);
        let parts =
            if bytes.len() > HARD_MAX { cut_long_line(lines.text, bytes) } else { vec![bytes] };
        for bytes in parts {
            let content = &lines.text[bytes.clone()];
            if content.trim_start().is_empty() {
                continue;
            }
            let mut chunk = Chunk {
                content_sha256: hash::sha256_hex(content.as_bytes()),
                lines: Lines { start: number(range.start + 1), end: number(range.end) },
                imports: imports.used_in(lines.text, &bytes),
                utf16: utf16.range(&bytes),
                bytes,
                ..described.clone()
            };
            chunk.uid = uid(path, &chunk);
            let twin = twins.entry(chunk.uid.clone()).or_insert(0);
            if *twin > 0 {
                chunk.ordinal = *twin;
                chunk.uid = uid(path, &chunk);
            }
            *twin += 1;
            chunks.push(chunk);
        }
    }
    chunks
}

fn uid(path: &FileKey, chunk: &Chunk) -> String {
    Chunk::uid_of(path, chunk.kind, &chunk.qualified, chunk.ordinal, &chunk.content_sha256)
}

/// A chunk with everything that the outline knows of it; where it is and what it holds is still open.
fn describe(
    lines: &LineTable<'_>,
    language: Option<&'static Language>,
    outline: &Outline,
    group: &Group,
) -> Chunk {
    let mut chunk = Chunk {
        kind: ChunkKind::Other,
        bytes: 0..0,
        utf16: 0..0,
        lines: Lines { start: 0, end: 0 },
        name: String::new(),
        qualified: String::new(),
        ordinal: 0,
        uid: String::new(),
        content_sha256: String::new(),
        signature: String::new(),
        container: String::new(),
        doc: String::new(),
        imports: Vec::new(),
    };
    // The first item of every piece, to tell what the group as a whole is.
    let mut heads: Vec<(usize, &Item)> = Vec::new();
    for piece in &group.pieces {
        for idx in piece.items.clone() {
            let item = &outline.items[idx];
            if !item.name.is_empty() && idx == piece.items.start {
                heads.push((idx, item));
            }
            add_name(&mut chunk.name, &item.name);
            add_line(&mut chunk.signature, &item.signature);
            if piece.is_first_part {
                add_line(&mut chunk.doc, &item.doc);
            }
        }
    }
    let owner = group.pieces.first().and_then(|piece| piece.owner).map(|idx| &outline.items[idx]);
    match (heads.first(), owner) {
        (Some((first_idx, first)), _) => {
            let opens = group.pieces.iter().any(|piece| piece.owner == Some(*first_idx));
            let is_uniform = heads.iter().all(|(_, item)| item.kind == first.kind);
            chunk.kind = if opens || is_uniform { first.kind } else { ChunkKind::Block };
            chunk.qualified.clone_from(&first.qualified);
            chunk.container.clone_from(&first.container);
        },
        (None, owner) => {
            chunk.kind = stray_kind(lines, language, outline, group);
            if let Some(language) = language
                && chunk.kind == ChunkKind::Doc
                && language.class == LanguageClass::Code
            {
                let bytes = lines.bytes(&group.lines);
                chunk.doc = comment::text(&lines.text[bytes], language);
            }
            if let Some(owner) = owner {
                chunk.qualified.clone_from(&owner.qualified);
                chunk.container.clone_from(&owner.qualified);
            }
        },
    }
    chunk
}

/// What lines are that define nothing.
fn stray_kind(
    lines: &LineTable<'_>,
    language: Option<&'static Language>,
    outline: &Outline,
    group: &Group,
) -> ChunkKind {
    let Some(language) = language else { return ChunkKind::Other };
    match language.class {
        LanguageClass::Prose => ChunkKind::Doc,
        LanguageClass::Data | LanguageClass::Config => {
            let mut items = group.pieces.iter().flat_map(|piece| piece.items.clone());
            items.next().map_or(ChunkKind::Other, |idx| outline.items[idx].kind)
        },
        LanguageClass::Code => {
            let holds_item = group.pieces.iter().any(|piece| !piece.items.is_empty());
            let has_structure = matches!(language.structure(), Structure::Syntax(_));
            if comment::is_all_comment(lines, group.lines.clone(), language) {
                ChunkKind::Doc
            } else if holds_item || !has_structure {
                ChunkKind::Block
            } else {
                ChunkKind::Other
            }
        },
    }
}

fn add_name(names: &mut String, name: &str) {
    if name.is_empty() || names.split(' ').any(|known| known == name) {
        return;
    }
    if !names.is_empty() {
        names.push(' ');
    }
    names.push_str(name);
}

fn add_line(text: &mut String, line: &str) {
    if line.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

fn number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}
