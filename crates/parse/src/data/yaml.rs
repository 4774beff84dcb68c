//! YAML to an outline: its documents, keys and list entries, by indentation.
//!
//! Indentation is all that is looked at, so that templates of YAML, which no parser accepts, have a structure as well.

use std::ops::Range;

use gik_base::FileKey;

use super::{MAX_BYTES, MAX_DEPTH, MAX_SYMBOLS, PATH_SEPARATOR, is_lock};
use crate::builder::Builder;
use crate::chunk::ChunkKind;
use crate::chunking::TARGET_MAX;
use crate::language::Language;
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::symbol::SymbolKind;

/// Reads the structure of a YAML text.
pub(crate) fn read(path: &FileKey, lines: &LineTable<'_>, language: &'static Language) -> Outline {
    if lines.text.len() > MAX_BYTES {
        return Outline::default();
    }
    let mut builder = Builder::new(path, lines, language, PATH_SEPARATOR);
    let rows = rows(lines);
    let has_symbols = !is_lock(path);
    let documents: Vec<&[Row<'_>]> = rows
        .split(|row| matches!(row.kind, RowKind::Boundary))
        .filter(|document| !document.is_empty())
        .collect();
    for (nth, document) in documents.iter().enumerate() {
        let start = document[0].leading;
        let end = documents.get(nth + 1).map_or(lines.count(), |next| next[0].leading);
        let mut level = Level { rows: document, lines: start..end, depth: 0, has_symbols };
        if documents.len() > 1 {
            builder.open(start, ChunkKind::Other, &resource_name(document));
            level.depth = 1;
        }
        add_level(&mut builder, &level);
        if documents.len() > 1 {
            builder.close(end);
        }
    }
    builder.finish()
}

/// What is to be read: rows of one document or entry.
struct Level<'a, 't> {
    rows: &'a [Row<'t>],
    lines: Range<usize>,
    depth: usize,
    has_symbols: bool,
}

fn add_level(builder: &mut Builder<'_, '_>, level: &Level<'_, '_>) {
    let lines = builder.lines;
    let Some(first) = level.rows.first() else { return };
    let starts = |row: &Row<'_>| {
        row.indent == first.indent
            && matches!(row.kind, RowKind::Entry) == matches!(first.kind, RowKind::Entry)
            && !matches!(row.kind, RowKind::Other)
    };
    let firsts: Vec<usize> = (0..level.rows.len()).filter(|at| starts(&level.rows[*at])).collect();
    for (nth, at) in firsts.iter().copied().enumerate() {
        let row = &level.rows[at];
        let next = firsts.get(nth + 1).copied();
        let end = next.map_or(level.lines.end, |next| level.rows[next].leading);
        let is_key = matches!(row.kind, RowKind::Key);
        if is_key
            && level.depth == 0
            && level.has_symbols
            && is_plain(row.name)
            && builder.n_symbols() < MAX_SYMBOLS
        {
            let bytes = lines.bytes(&lines.trim(row.line..end));
            let start = (bytes.start + row.start).min(bytes.end);
            builder.symbol(SymbolKind::Property, row.name, start, start..bytes.end);
        }
        let is_large = lines.size(&(row.line..end)) > TARGET_MAX;
        if !is_key && !is_large && row.name.is_empty() {
            builder.outline.cuts.push(row.leading);
            continue;
        }
        builder.open(row.leading, ChunkKind::Other, row.name);
        if is_large && level.depth < MAX_DEPTH {
            let rows = &level.rows[at + 1..next.unwrap_or(level.rows.len())];
            let depth = level.depth + 1;
            add_level(builder, &Level { rows, lines: row.line + 1..end, depth, ..*level });
        }
        builder.close(end);
    }
}

/// Keys that are names: no merge keys and no placeholders of templates.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name != "<<" && !name.contains(['{', '}'])
}

/// What a document of a cluster describes: `Deployment web`.
fn resource_name(rows: &[Row<'_>]) -> String {
    let top = |key: &str| rows.iter().position(|row| row.indent == 0 && row.name == key);
    let Some(kind) = top("kind").map(|at| rows[at].value) else { return String::new() };
    let inside = top("metadata").map(|at| &rows[at + 1..]).unwrap_or_default();
    let mut inside = inside.iter().take_while(|row| row.indent > 0);
    let name = inside.find(|row| row.name == "name").map_or("", |row| row.value);
    format!("{kind} {name}")
}

/// A line that is neither blank, a comment nor part of a text block.
#[derive(Debug)]
struct Row<'t> {
    line: usize,
    /// Where the comments right above it start.
    leading: usize,
    indent: usize,
    /// Where it starts in its line, in bytes.
    start: usize,
    kind: RowKind,
    /// The key, or what names a list entry.
    name: &'t str,
    value: &'t str,
}

#[derive(Debug)]
enum RowKind {
    /// `---`
    Boundary,
    /// `key: value`
    Key,
    /// `- value`
    Entry,
    Other,
}

fn rows<'t>(lines: &LineTable<'t>) -> Vec<Row<'t>> {
    let mut rows = Vec::new();
    // A text block goes on as long as lines are indented deeper than this.
    let mut block: Option<usize> = None;
    let mut leading: Option<usize> = None;
    for line in 0..lines.count() {
        let whole = lines.line(line).trim_end();
        let text = if line == 0 { whole.trim_start_matches('\u{feff}') } else { whole };
        let trimmed = text.trim_start_matches([' ', '\t']);
        let (indent, start) = (text.len() - trimmed.len(), whole.len() - trimmed.len());
        if trimmed.is_empty() {
            if block.is_none() {
                leading = None;
            }
            continue;
        }
        if block.is_some_and(|outer| indent > outer) {
            continue;
        }
        block = None;
        if trimmed.starts_with('#') {
            leading.get_or_insert(line);
            continue;
        }
        let leading = leading.take().unwrap_or(line);
        let is_boundary = text == "---" || text == "..." || text.starts_with("--- ");
        if is_boundary {
            let kind = RowKind::Boundary;
            rows.push(Row { line, leading, indent, start, kind, name: "", value: "" });
            continue;
        }
        let mut inside = trimmed;
        while let Some(rest) = inside.strip_prefix("- ") {
            inside = rest.trim_start();
        }
        let is_entry = inside.len() < trimmed.len() || trimmed == "-";
        let column = indent + (trimmed.len() - inside.len());
        let pair = key_and_value(inside);
        let value = pair.map_or(inside, |(_, value)| value);
        if is_block(value) {
            block = Some(if pair.is_none() { indent } else { column });
        }
        let (kind, name) = match (is_entry, pair) {
            (true, Some(("name" | "id", name))) => (RowKind::Entry, unquoted(name)),
            (true, _) => (RowKind::Entry, ""),
            (false, Some((key, _))) => (RowKind::Key, unquoted(key)),
            (false, None) => (RowKind::Other, ""),
        };
        rows.push(Row { line, leading, indent, start, kind, name, value: unquoted(value) });
    }
    rows
}

/// `key: value` and `"key": value`; `None` for everything else.
fn key_and_value(text: &str) -> Option<(&str, &str)> {
    if text.starts_with(['{', '[', '|', '>', '@', '`', '!', '%', '&', '*', '?', '#', ',', '}', ']'])
    {
        return None;
    }
    let quoted = ['"', '\''].into_iter().find(|quote| text.starts_with(*quote));
    let key_end = match quoted {
        Some(quote) => text[1..].find(quote)? + 2,
        None => text.find(": ").or_else(|| text.strip_suffix(':').map(str::len))?,
    };
    let rest = text[key_end..].trim_start().strip_prefix(':')?;
    if !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let key = &text[..key_end];
    (quoted.is_some() || !key.contains(" #")).then(|| (key.trim_end(), rest.trim()))
}

/// Whether a value is the start of a text block: `|`, `>-`, `|2 # note`.
fn is_block(value: &str) -> bool {
    let value = value.split(" #").next().unwrap_or(value).trim_end();
    // A tag or an anchor may stand before the sign.
    let sign = value.rsplit(' ').next().unwrap_or(value);
    let before = &value[..value.len() - sign.len()];
    let is_sign = sign
        .strip_prefix(['|', '>'])
        .is_some_and(|rest| rest.len() <= 2 && rest.bytes().all(|b| b"+-123456789".contains(&b)));
    is_sign && before.split_whitespace().all(|word| word.starts_with(['!', '&']))
}

fn unquoted(text: &str) -> &str {
    super::json_scan::unquoted(text)
}
