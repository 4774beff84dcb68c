//! JSON to an outline: the keys of objects; with the comments and loose syntax that settings files have.

use std::ops::Range;

use gik_base::FileKey;

use super::{MAX_BYTES, MAX_DEPTH, MAX_SYMBOLS, PATH_SEPARATOR, is_lock};
use crate::builder::Builder;
use crate::chunk::ChunkKind;
use crate::chunking::TARGET_MAX;
use crate::embedded::Run;
use crate::language::Language;
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::records;
use crate::symbol::SymbolKind;

/// Keys whose value names the object they are in.
const NAMING_KEYS: [&str; 3] = ["name", "id", "title"];

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
            builder.symbol(SymbolKind::Property, name, bytes.clone());
        }
        builder.open(touched.start, ChunkKind::Other, name);
        if let Some(inner) = inner {
            add(builder, inner, depth + 1, has_symbols);
        }
        builder.close(touched.end);
    }
}

/// The entries of one object or array.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) entries: Vec<Entry>,
    /// Whether the closing bracket was found and nothing odd before it.
    pub(crate) is_sound: bool,
    /// After the closing bracket.
    pub(crate) end: usize,
}

/// A value, with its key in an object.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Where the comments above it start, or itself.
    leading: usize,
    pub(crate) start: usize,
    pub(crate) key: Option<Range<usize>>,
    pub(crate) value: Range<usize>,
}

impl Level {
    /// The value of a key.
    pub(crate) fn get(&self, text: &str, key: &str) -> Option<&Entry> {
        let is_key = |found: &Range<usize>| unquoted(&text[found.clone()]) == key;
        self.entries.iter().find(|entry| entry.key.as_ref().is_some_and(is_key))
    }

    fn naming<'t>(&self, text: &'t str) -> Option<&'t str> {
        let entry = NAMING_KEYS.iter().find_map(|key| self.get(text, key))?;
        let value = &text[entry.value.clone()];
        value.starts_with('"').then(|| unquoted(value))
    }
}

/// A string without its quotes; escapes stay.
pub(crate) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    for quote in ['"', '\''] {
        if let Some(inside) = text.strip_prefix(quote) {
            return inside.strip_suffix(quote).unwrap_or(inside);
        }
    }
    text
}

/// The entries of the object or array that starts at a byte; `None` where none does.
pub(crate) fn level(text: &str, at: usize) -> Option<Level> {
    let bytes = text.as_bytes();
    let is_object = match bytes.get(at)? {
        b'{' => true,
        b'[' => false,
        _ => return None,
    };
    let mut level = Level { entries: Vec::new(), is_sound: true, end: text.len() };
    let mut at = at + 1;
    loop {
        let (start, comment) = skip_blank(text, at);
        match bytes.get(start) {
            None => {
                level.is_sound = false;
                return Some(level);
            },
            Some(b'}' | b']') => {
                level.end = start + 1;
                level.is_sound &= (bytes[start] == b'}') == is_object;
                return Some(level);
            },
            Some(b',' | b':') => at = start + 1,
            Some(_) => {
                let first = value_end(text, start);
                let after_key = skip_blank(text, first).0;
                let has_key = is_object && bytes.get(after_key) == Some(&b':');
                level.is_sound &= has_key == is_object;
                let (key, value) = if has_key {
                    let value_start = skip_blank(text, after_key + 1).0;
                    (Some(start..first), value_start..value_end(text, value_start))
                } else {
                    (None, start..first)
                };
                // A lone sign that belongs nowhere must not hold the reader up.
                at = value.end.max(start + 1);
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                let value = value.start..at.max(value.start);
                let leading = comment.unwrap_or(start);
                level.entries.push(Entry { leading, start, key, value });
            },
        }
    }
}

/// The next byte that is neither blank nor in a comment, and where the first comment on a line of its own starts.
pub(crate) fn skip_blank(text: &str, at: usize) -> (usize, Option<usize>) {
    let bytes = text.as_bytes();
    let mut at = at;
    let mut comment = None;
    let mut on_new_line = false;
    loop {
        match bytes.get(at) {
            Some(b'\n') => {
                on_new_line = true;
                at += 1;
            },
            Some(b' ' | b'\t' | b'\r') => at += 1,
            Some(b'/') if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                if on_new_line && comment.is_none() {
                    comment = Some(at);
                }
                at = comment_end(text, at);
            },
            _ => return (at, comment),
        }
    }
}

fn comment_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if rest.starts_with("//") {
        at + rest.find('\n').unwrap_or(rest.len())
    } else {
        rest.get(2..).and_then(|inside| inside.find("*/")).map_or(text.len(), |end| at + end + 4)
    }
}

/// Where a value ends: a string, a bracketed part, or a word.
fn value_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = at;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at = string_end(bytes, at),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            },
            b'}' | b']' => {
                if depth == 0 {
                    return at;
                }
                depth -= 1;
                at += 1;
            },
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => at = comment_end(text, at),
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return at,
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            },
            _ => {
                at += 1;
                let ends = |byte: &u8| b"\"'{}[]/,: \t\r\n".contains(byte);
                while bytes.get(at).is_some_and(|byte| !ends(byte)) {
                    at += 1;
                }
            },
        }
        if depth == 0 {
            return at;
        }
    }
    at
}

/// Where a string ends; at the end of its line where it is not closed there.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let mut at = at + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Whether a text is one object or array and nothing else.
pub(crate) fn is_document(text: &str) -> bool {
    let text = text.trim();
    level(text, 0).is_some_and(|level| {
        let sound = |entry: &Entry| {
            let value = &text[entry.value.clone()];
            value.starts_with(['"', '{', '[', '-', 't', 'f', 'n'])
                || value.starts_with(|c: char| c.is_ascii_digit())
        };
        level.is_sound
            && level.end == text.len()
            && level.entries.iter().all(sound)
            && level.entries.iter().all(|entry| {
                entry.key.as_ref().is_none_or(|key| text[key.clone()].starts_with('"'))
            })
    })
}

/// The text of all strings in a part of a document, one after another, and where its bytes come from.
pub(crate) fn decode(text: &str, part: Range<usize>) -> (String, Vec<Run>) {
    let mut out = String::new();
    let mut runs: Vec<Run> = Vec::new();
    let bytes = text.as_bytes();
    let end = part.end.min(text.len());
    let mut at = part.start;
    while at < end {
        if bytes[at] != b'"' {
            at += 1;
            continue;
        }
        let after = string_end(bytes, at).min(end);
        let is_closed = after > at + 1 && bytes[after - 1] == b'"';
        let inside = text.get(at + 1..after - usize::from(is_closed)).unwrap_or_default();
        decode_string(inside, at + 1, &mut out, &mut runs);
        at = after.max(at + 1);
    }
    (out, runs)
}

/// Decodes the inside of one string that starts at byte `at` of the file.
pub(crate) fn decode_string(inside: &str, at: usize, out: &mut String, runs: &mut Vec<Run>) {
    let mut rest = inside;
    let mut at = at;
    while !rest.is_empty() {
        let plain = rest.find('\\').unwrap_or(rest.len());
        let (decoded, len) = if plain > 0 {
            (None, plain)
        } else {
            let (c, len) = escape(rest);
            (Some(c), len)
        };
        let start = out.len();
        match decoded {
            Some(c) => out.push(c),
            None => out.push_str(&rest[..len]),
        }
        runs.push(Run { inner: start..out.len(), outer: at..at + len });
        at += len;
        rest = &rest[len..];
    }
}

/// The character of an escape and the length of the escape; never empty.
fn escape(text: &str) -> (char, usize) {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    match text.as_bytes().get(1) {
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(b'u') => match (unit(0), unit(6)) {
            (Some(high @ 0xd800..0xdc00), Some(low @ 0xdc00..0xe000)) => {
                let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
            },
            (Some(code), _) => (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
            (None, _) => ('\\', 1),
        },
        Some(b'"' | b'/' | b'\\') => (char::from(text.as_bytes()[1]), 2),
        Some(b'b' | b'f') => (' ', 2),
        _ => ('\\', 1),
    }
}
