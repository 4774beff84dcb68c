//! JSON to an outline: the keys of objects; with the comments and loose syntax that settings files have.

use gik_base::FileKey;

use super::json_scan::{Level, level, skip_blank, unquoted};
use super::{MAX_BYTES, MAX_DEPTH, MAX_SYMBOLS, PATH_SEPARATOR, is_lock};
use crate::builder::Builder;
use crate::chunk::ChunkKind;
use crate::chunking::TARGET_MAX;
use crate::language::Language;
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::records;
use crate::symbol::SymbolKind;

/// Reads the structure of a JSON text.
pub(crate) fn read(path: &FileKey, lines: &LineTable<'_>, language: &'static Language) -> Outline {
    let text = lines.text;
    if text.len() > MAX_BYTES || records::is_records(path, Some(language), text.as_bytes()) {
        return Outline::default();
    }
    let mut builder = Builder::new(path, lines, language, PATH_SEPARATOR);
    let start = skip_blank(text, text.len() - text.trim_start_matches('\u{feff}').len()).0;
    let has_symbols = !is_lock(path);
    if let Some(level) = level(text, start) {
        add(&mut builder, level, 0, has_symbols);
    }
    builder.finish()
}

fn add(builder: &mut Builder<'_, '_>, level: Level, depth: usize, has_symbols: bool) {
    let (lines, text) = (builder.lines, builder.lines.text);
    for entry in level.entries {
        let bytes = entry.start..entry.value.end;
        let inner = (bytes.len() > TARGET_MAX && depth < MAX_DEPTH)
            .then(|| self::level(text, entry.value.start))
            .flatten();
        let touched = lines.lines_of(&(entry.leading..bytes.end));
        let name = match &entry.key {
            Some(key) => unquoted(&text[key.clone()]),
            None => inner.as_ref().and_then(|inner| inner.naming(text)).unwrap_or_default(),
        };
        if entry.key.is_none() && inner.is_none() {
            if lines.is_line_start(entry.start) {
                builder.outline.cuts.push(touched.start);
            }
            continue;
        }
        if entry.key.is_some() && depth == 0 && has_symbols && builder.n_symbols() < MAX_SYMBOLS {
            builder.symbol(SymbolKind::Property, name, entry.start, bytes.clone());
        }
        builder.open(touched.start, ChunkKind::Other, name);
        if let Some(inner) = inner {
            add(builder, inner, depth + 1, has_symbols);
        }
        builder.close(touched.end);
    }
}
