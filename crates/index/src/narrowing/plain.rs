//! Is each stretch of letters of a text part of one of its words?

use std::ops::AddAssign;

use unicode_normalization::{IsNormalized, is_nfc_quick};

use crate::analyzer::{MAX_TERM_BYTES, is_part_of_word};

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
    /// Those of a text.
    pub fn of(text: &str) -> Self {
        let (mut runs, mut was_inside) = (Self::default(), false);
        for byte in text.bytes() {
            let is_inside = byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
            runs.count += usize::from(is_inside && !was_inside);
            runs.bytes += usize::from(is_inside);
            was_inside = is_inside;
        }
        runs
    }
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
    let (mut bytes, mut is_wide, mut was_hyphen) = (0, false, false);
    text.chars().all(|c| {
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
