//! Is each stretch of letters of a text part of one of its words?

use std::ops::AddAssign;

use unicode_normalization::{IsNormalized, is_nfc_quick};

use crate::analyzer::{MAX_TERM_BYTES, ends_word, is_part_of_word};

/// Characters beyond ASCII may take more bytes in lower case.
const MAX_WIDE_BYTES: usize = MAX_TERM_BYTES / 2;
/// What is longer may have more words than one field has positions.
const MAX_TEXT_BYTES: usize = 1 << 24;

/// The stretches of letters, digits, `_` and everything beyond ASCII in a text. What is taken apart without losing or
/// cutting one has as many of them, with as many bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WordRuns {
    count: usize,
    bytes: usize,
}

impl WordRuns {
    /// Those of a text. A hundred bytes are counted at once, each beside the one before it.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let Some((first, later)) = bytes.split_first() else { return Self::default() };
        let first = usize::from(is_inside(*first));
        let mut runs = Self { count: first, bytes: first };
        let (parts, rest) = later.as_chunks::<128>();
        let (before, rest_before) = bytes[..later.len()].as_chunks::<128>();
        for (part, before) in parts.iter().zip(before) {
            runs += Self::among(part, before);
        }
        runs += Self::among(rest, rest_before);
        runs
    }

    /// Those that begin among no more than 255 bytes, given the bytes before each.
    #[inline]
    fn among(bytes: &[u8], before: &[u8]) -> Self {
        let (mut count, mut inside) = (0_u8, 0_u8);
        for (byte, before) in bytes.iter().zip(before) {
            let is_here = is_inside(*byte);
            count += u8::from(is_here & !is_inside(*before));
            inside += u8::from(is_here);
        }
        Self { count: count.into(), bytes: inside.into() }
    }
}

/// Without a branch, so that many are told at once.
#[inline]
fn is_inside(byte: u8) -> bool {
    let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let is_digit = byte.wrapping_sub(b'0') < 10;
    is_letter | is_digit | (byte == b'_') | (byte >= 0x80)
}

impl AddAssign for WordRuns {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.bytes += other.bytes;
    }
}

/// Whether analysis leaves every word of a text as it is, but for the case of its letters: none is so long that it is cut,
/// none is composed, and none has a letter that is one of ASCII to regular expressions only.
pub fn has_plain_words(text: &str) -> bool {
    if text.len() >= MAX_TEXT_BYTES {
        return false;
    }
    if !text.is_ascii() && (text.contains('ſ') || is_nfc_quick(text.chars()) != IsNormalized::Yes)
    {
        return false;
    }
    // Most texts are told by a look at few of their bytes: where words end often enough, none is too long.
    let mut rest = text;
    while rest.len() > MAX_WIDE_BYTES {
        let bytes = rest.as_bytes();
        let end = match bytes[..=MAX_WIDE_BYTES].iter().rposition(|byte| ends_word(*byte)) {
            Some(at) => at + 1,
            None => {
                let end = bytes.iter().position(|byte| ends_word(*byte)).unwrap_or(bytes.len());
                if !has_short_words(&rest[..end]) {
                    return false;
                }
                end
            },
        };
        rest = &rest[end..];
    }
    true
}

/// Whether no word of a stretch is so long that it is cut.
fn has_short_words(stretch: &str) -> bool {
    let (mut bytes, mut is_wide, mut was_hyphen) = (0, false, false);
    stretch.chars().all(|c| {
        // One between two letters joins them.
        let may_join = c == '-' && bytes > 0 && !was_hyphen;
        was_hyphen = c == '-';
        if may_join || is_part_of_word(c) {
            bytes += c.len_utf8();
            is_wide |= !c.is_ascii();
        } else {
            (bytes, is_wide) = (0, false);
        }
        bytes <= if is_wide { MAX_WIDE_BYTES } else { MAX_TERM_BYTES }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_counted_alike_at_every_length() {
        let text = "fn größe_1() { a-b }\n".repeat(30);
        let ends_word = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_';
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            let words = text[..end].split(ends_word).filter(|word| !word.is_empty());
            let bytes = words.clone().map(str::len).sum();
            assert_eq!(WordRuns::of(&text[..end]), WordRuns { count: words.count(), bytes });
        }
    }

    #[test]
    fn a_word_is_too_long_from_one_byte_on() {
        for (word, most) in [("a", MAX_TERM_BYTES), ("ö", MAX_WIDE_BYTES / 2)] {
            for around in ["", " ", "(x) "] {
                let text = |n: usize| format!("{around}{}{around}", word.repeat(n));
                assert!(has_plain_words(&text(most)), "{word} {around}");
                assert!(!has_plain_words(&text(most + 1)), "{word} {around}");
            }
        }
    }
}
