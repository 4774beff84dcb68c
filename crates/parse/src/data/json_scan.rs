//! The entries of JSON objects and arrays, one level at a time; with the comments and loose syntax of settings files.

use std::ops::Range;

/// Keys whose value names the object they are in.
const NAMING_KEYS: [&str; 3] = ["name", "id", "title"];

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
    pub(super) leading: usize,
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

    pub(super) fn naming<'t>(&self, text: &'t str) -> Option<&'t str> {
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
pub(super) fn string_end(bytes: &[u8], at: usize) -> usize {
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
