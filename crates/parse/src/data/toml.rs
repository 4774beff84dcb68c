//! TOML to an outline: its tables, and the keys of tables that are too large for one chunk.

use std::ops::Range;

use gik_base::FileKey;

use super::{MAX_BYTES, MAX_SYMBOLS, PATH_SEPARATOR, is_lock};
use crate::builder::Builder;
use crate::chunk::ChunkKind;
use crate::chunking::TARGET_MAX;
use crate::language::Language;
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::symbol::SymbolKind;

/// Reads the structure of a TOML text.
pub(crate) fn read(path: &FileKey, lines: &LineTable<'_>, language: &'static Language) -> Outline {
    if lines.text.len() > MAX_BYTES {
        return Outline::default();
    }
    let mut builder = Builder::new(path, lines, language, PATH_SEPARATOR);
    let has_symbols = !is_lock(path);
    let rows = rows(lines);
    let is_table = |row: &&Row<'_>| matches!(row.kind, RowKind::Table(_));
    let mut tables = rows.iter().filter(is_table).peekable();
    let before = tables.peek().map_or(lines.count(), |row| row.leading);
    keys(&mut builder, &rows, 0..before);
    while let Some(row) = tables.next() {
        let RowKind::Table(name) = row.kind else { continue };
        let end = tables.peek().map_or(lines.count(), |next| next.leading);
        let whole = row.leading..end;
        if has_symbols && builder.n_symbols() < MAX_SYMBOLS {
            let bytes = lines.bytes(&lines.trim(row.line..end));
            let start =
                lines.text[bytes.clone()].find('[').map_or(bytes.start, |at| bytes.start + at);
            builder.symbol(SymbolKind::Property, name, start, start..bytes.end);
        }
        builder.open(whole.start, ChunkKind::Other, name);
        keys(&mut builder, &rows, row.line + 1..end);
        builder.close(whole.end);
    }
    builder.finish()
}

/// Adds the keys of a table as items, or as places to cut, where it is too large for one chunk.
fn keys(builder: &mut Builder<'_, '_>, rows: &[Row<'_>], range: Range<usize>) {
    let lines = builder.lines;
    if lines.size(&range) <= TARGET_MAX {
        return;
    }
    let first = rows.partition_point(|row| row.line < range.start);
    let mut rows = rows[first..].iter().take_while(|row| row.line < range.end).peekable();
    while let Some(row) = rows.next() {
        let RowKind::Key(name) = row.kind else { continue };
        let end = rows.peek().map_or(range.end, |next| next.leading);
        if lines.size(&(row.line..end)) > TARGET_MAX {
            builder.leaf(row.leading.max(range.start)..end, ChunkKind::Other, name);
        } else {
            builder.outline.cuts.push(row.leading);
        }
    }
}

/// A line that starts a table or an entry.
struct Row<'t> {
    line: usize,
    /// Where the comments right above it start.
    leading: usize,
    kind: RowKind<'t>,
}

#[derive(Clone, Copy)]
enum RowKind<'t> {
    Table(&'t str),
    Key(&'t str),
}

fn rows<'t>(lines: &LineTable<'t>) -> Vec<Row<'t>> {
    let mut rows = Vec::new();
    let mut state = State::default();
    let mut leading = None;
    for line in 0..lines.count() {
        let text = lines.line(line);
        let trimmed = text.trim();
        if !state.is_open() {
            if trimmed.starts_with('#') {
                leading.get_or_insert(line);
                continue;
            }
            let kind = if let Some(inside) = trimmed.strip_prefix('[') {
                let inside = inside.strip_prefix('[').unwrap_or(inside);
                inside.split_once(']').map(|(name, _)| RowKind::Table(name.trim()))
            } else {
                trimmed.split_once('=').map(|(key, _)| RowKind::Key(key.trim()))
            };
            let is_table = matches!(kind, Some(RowKind::Table(_)));
            if let Some(kind) = kind {
                rows.push(Row { line, leading: leading.unwrap_or(line), kind });
            }
            leading = None;
            if is_table {
                continue;
            }
        }
        state.pass(text);
    }
    rows
}

/// What a line leaves open for the next one.
#[derive(Default)]
struct State {
    string: Option<&'static str>,
    depth: usize,
}

impl State {
    fn is_open(&self) -> bool {
        self.string.is_some() || self.depth > 0
    }

    fn pass(&mut self, line: &str) {
        let mut rest = line;
        while !rest.is_empty() {
            if let Some(quote) = self.string {
                let escape = if quote == "\"\"\"" { '\\' } else { '\0' };
                match rest.find(|c| c == escape || quote.starts_with(c)) {
                    None => return,
                    Some(at) if rest[at..].starts_with(quote) => {
                        self.string = None;
                        rest = &rest[at + quote.len()..];
                    },
                    Some(at) => {
                        let skip = if rest[at..].starts_with(escape) { 2 } else { 1 };
                        rest = rest.get(rest.ceil_char_boundary(at + skip)..).unwrap_or_default();
                    },
                }
                continue;
            }
            let Some(at) = rest.find(['"', '\'', '#', '[', ']', '{', '}']) else { return };
            let here = &rest[at..];
            rest = &rest[at + 1..];
            match here.as_bytes()[0] {
                b'#' => return,
                b'[' | b'{' => self.depth += 1,
                b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                _ if here.starts_with("\"\"\"") => {
                    self.string = Some("\"\"\"");
                    rest = &here[3..];
                },
                _ if here.starts_with("'''") => {
                    self.string = Some("'''");
                    rest = &here[3..];
                },
                quote => rest = after_string(rest, quote),
            }
        }
    }
}

/// What follows a string on one line, from after its opening quote.
fn after_string(text: &str, quote: u8) -> &str {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        if byte == quote && !is_escaped {
            return &text[at + 1..];
        }
        is_escaped = quote == b'"' && byte == b'\\' && !is_escaped;
    }
    ""
}
