//! Where does an identifier fall into its parts?
//!
//! `parseHTTPConfig` is parse, HTTP, Config; `max_rss` is max, rss; `sha256sum` is sha, 256, sum. Short names with a
//! digit (`i32`, `u8`, `x86`) and numbers with a suffix (`0xff`, `10ms`, `3d`) stay whole: nobody asks for "i".

use std::ops::Range;

/// What a character is, as far as splitting cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Ends an identifier.
    Other,
    /// A lower-case letter, a letter without case, or a mark on one.
    Lower,
    /// An upper-case letter.
    Upper,
    /// A digit.
    Digit,
    /// `_`, or a `-` between letters.
    Joiner,
    /// A hyphen outside an identifier, which may turn out to be a joiner.
    Hyphen,
    /// A byte of a character beyond ASCII.
    Wide,
}

impl Class {
    /// The classes of the 256 byte values.
    pub(super) const OF_BYTE: [Self; 256] = {
        let mut table = [Self::Other; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = match byte as u8 {
                b'a'..=b'z' => Self::Lower,
                b'A'..=b'Z' => Self::Upper,
                b'0'..=b'9' => Self::Digit,
                b'_' => Self::Joiner,
                b'-' => Self::Hyphen,
                0x80.. => Self::Wide,
                _ => Self::Other,
            };
            byte += 1;
        }
        table
    };

    pub(super) fn is_letter(self) -> bool {
        matches!(self, Self::Lower | Self::Upper)
    }
}

/// Calls `part` with the range of every part of an identifier of `n` characters, in order.
pub(super) fn split(n: usize, class: impl Fn(usize) -> Class, mut part: impl FnMut(Range<usize>)) {
    let mut at = 0;
    while at < n {
        if matches!(class(at), Class::Joiner | Class::Hyphen) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < n && !matches!(class(end), Class::Joiner | Class::Hyphen) {
            end += 1;
        }
        split_joined(at..end, &class, &mut part);
        at = end;
    }
}

/// Splits what stands between two joiners, where only case and digits tell the parts apart.
fn split_joined(
    word: Range<usize>,
    class: &impl Fn(usize) -> Class,
    part: &mut impl FnMut(Range<usize>),
) {
    let next_is_lower = |at: usize| {
        let next = at + 1;
        // The plural of an acronym (`URLs`, `userIDs`) belongs to it.
        let lone = next + 1 >= word.end || class(next + 1) != Class::Lower;
        next < word.end
            && class(next) == Class::Lower
            && !(lone && class(at.wrapping_sub(1)) == Class::Upper)
    };
    let mut start = word.start;
    let mut at = word.start + 1;
    while at < word.end {
        let (before, here) = (class(at - 1), class(at));
        if here == Class::Lower && before != Class::Digit {
            // Most characters; nothing begins with one of them.
            at += 1;
            while at < word.end && class(at) == Class::Lower {
                at += 1;
            }
            continue;
        }
        let boundary = match (before, here) {
            (Class::Lower, Class::Upper) => true,
            (Class::Upper, Class::Upper) => next_is_lower(at),
            (Class::Lower | Class::Upper, Class::Digit) => {
                at - start >= 2 && class(at - 2).is_letter()
            },
            (Class::Digit, Class::Lower) => start > word.start && class(start) == Class::Digit,
            (Class::Digit, Class::Upper) => {
                (start > word.start && class(start) == Class::Digit) || next_is_lower(at)
            },
            _ => false,
        };
        if boundary {
            part(start..at);
            start = at;
        }
        at += 1;
    }
    part(start..word.end);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        let mut parts = Vec::new();
        let class = |at: usize| Class::OF_BYTE[text.as_bytes()[at] as usize];
        split(text.len(), class, |range| parts.push(&text[range]));
        parts
    }

    #[test]
    fn identifiers_fall_into_the_words_people_say() {
        for (identifier, expected) in [
            ("parseHTTPConfig", "parse HTTP Config"),
            ("parse_http_config", "parse http config"),
            ("MAX_RSS", "MAX RSS"),
            ("HTTPServer", "HTTP Server"),
            ("URLs", "URLs"),
            ("userIDs", "user IDs"),
            ("userIDsOf", "user IDs Of"),
            ("HashMap", "Hash Map"),
            ("isX", "is X"),
            ("aB", "a B"),
            ("__init__", "init"),
            ("sha256sum", "sha 256 sum"),
            ("base64Encode", "base 64 Encode"),
            ("utf8", "utf 8"),
            ("HTTP2", "HTTP 2"),
            ("i32", "i32"),
            ("x86_64", "x86 64"),
            ("i32Type", "i32 Type"),
            ("0xff", "0xff"),
            ("10ms", "10ms"),
            ("3D", "3D"),
            ("v2", "v2"),
        ] {
            assert_eq!(parts(identifier).join(" "), expected, "{identifier}");
        }
    }
}
