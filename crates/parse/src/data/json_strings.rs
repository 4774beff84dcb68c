//! What JSON strings say, and where in the file every byte of it comes from.

use std::ops::Range;

use super::json_scan::string_end;
use crate::embedded::Run;

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
