//! Where a byte is when a text is counted in UTF-16 code units, as editors and JavaScript do.

use std::ops::Range;

/// Every so many bytes the count is noted, so that a look-up costs no more than this.
const STRIDE: usize = 1024;

/// Converts byte offsets of one text.
#[derive(Debug)]
pub(crate) struct Utf16Table<'t> {
    text: &'t [u8],
    /// The code units before every [`STRIDE`]th byte; empty for ASCII, where bytes and code units are the same.
    counts: Vec<usize>,
}

impl<'t> Utf16Table<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let text = text.as_bytes();
        let mut counts = Vec::new();
        if !text.is_ascii() {
            let mut count = 0;
            for part in text.chunks(STRIDE) {
                counts.push(count);
                count += units(part);
            }
            counts.push(count);
        }
        Self { text, counts }
    }

    /// The code units before a byte.
    pub(crate) fn offset(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        let stride = byte / STRIDE;
        match self.counts.get(stride) {
            Some(count) => count + units(&self.text[stride * STRIDE..byte]),
            None => byte,
        }
    }

    pub(crate) fn range(&self, bytes: &Range<usize>) -> Range<usize> {
        self.offset(bytes.start)..self.offset(bytes.end)
    }
}

/// A character counts at its first byte; one of four bytes counts twice.
fn units(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| usize::from(byte & 0xc0 != 0x80) + usize::from(*byte >= 0xf0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_boundary_is_where_utf16_has_it() {
        for text in ["", "plain", "ä€🎈\r\nz", &"ö🎈x\n".repeat(700), &"é".repeat(STRIDE)]
        {
            let table = Utf16Table::new(text);
            for (byte, _) in text.char_indices() {
                assert_eq!(table.offset(byte), text[..byte].encode_utf16().count());
            }
            assert_eq!(table.offset(text.len()), text.encode_utf16().count());
        }
    }
}
