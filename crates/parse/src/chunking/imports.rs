//! Which imported names a chunk uses.

use std::ops::Range;

use crate::outline::Outline;

/// The imported names of a file, ready to be looked for.
pub(super) struct Imports<'a> {
    outline: &'a Outline,
    /// For every first byte the lengths of the names that start with it, as bits. Most words of a text are ruled out
    /// by this alone.
    lengths: [u64; 256],
}

impl<'a> Imports<'a> {
    pub(super) fn new(outline: &'a Outline) -> Self {
        let mut lengths = [0; 256];
        for name in &outline.imported {
            if let Some(first) = name.bytes().next() {
                lengths[usize::from(first)] |= length_bit(name.len());
            }
        }
        Self { outline, lengths }
    }

    /// The names that occur in the text outside of imports, in order of their first use.
    pub(super) fn used_in(&self, text: &str, bytes: &Range<usize>) -> Vec<String> {
        let mut used: Vec<String> = Vec::new();
        if self.outline.imported.is_empty() {
            return used;
        }
        let after = self.outline.import_bytes.partition_point(|import| import.end <= bytes.start);
        let mut at = bytes.start;
        for import in &self.outline.import_bytes[after..] {
            if import.start >= bytes.end {
                break;
            }
            self.add_used(&text.as_bytes()[at.min(import.start)..import.start], &mut used);
            at = import.end.min(bytes.end);
        }
        self.add_used(&text.as_bytes()[at..bytes.end], &mut used);
        used
    }

    fn add_used(&self, text: &[u8], used: &mut Vec<String>) {
        let mut start = 0;
        while start < text.len() {
            let word_len =
                text[start..].iter().take_while(|byte| IS_WORD[usize::from(**byte)]).count();
            let word = &text[start..start + word_len];
            start += word_len + 1;
            let Some(first) = word.first() else { continue };
            if self.lengths[usize::from(*first)] & length_bit(word.len()) != 0
                && let Ok(idx) =
                    self.outline.imported.binary_search_by(|name| name.as_bytes().cmp(word))
                && !used.contains(&self.outline.imported[idx])
            {
                used.push(self.outline.imported[idx].clone());
            }
        }
    }
}

fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

/// Letters, digits and underscores; bytes of other scripts count as letters.
static IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
        if byte == u8::MAX {
            break;
        }
        byte += 1;
    }
    table
};
