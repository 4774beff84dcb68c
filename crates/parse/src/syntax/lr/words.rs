//! Words that were read before: the same bytes in the same state of the lexer are the same token.
//!
//! Half of all tokens are names and keywords, and most of them were seen a moment ago. What a lexer finds depends on
//! nothing but its state and the bytes that it looks at; where these are a word, what is left of it and one byte after
//! it, all of them are the key. So nothing has to be read again, and nothing can be taken for something else.

use super::tables::Tables;

/// A key has no more bytes.
const MOST: usize = 22;
/// How many bytes are looked at for a key.
pub(super) const WIDTH: usize = 24;
/// A power of two. Where two words want the same place, the later one has it.
const SLOTS: usize = 1 << 12;

/// What a lexer found at some place, counted from there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    pub(super) symbol: u16,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether the lexer of keywords knows its beginning.
    pub(super) is_keyword: bool,
    /// The keyword that all of it is; 0 where it is none.
    pub(super) keyword: u16,
    /// How many bytes were looked at, again and again where it was so.
    pub(super) n_read: u32,
}

/// State and bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Key([u64; 3]);

impl Key {
    /// That of the bytes at a place, and how many it has; none where no word is there, or a long one.
    #[inline]
    pub(super) fn of(bytes: &[u8; WIDTH], state: u16) -> Option<(Self, usize)> {
        let mut at = 0;
        while at < MOST && matches!(bytes[at], b' ' | b'\n' | b'\t' | b'\r') {
            at += 1;
        }
        if !bytes[at].is_ascii_alphabetic() && bytes[at] != b'_' {
            return None;
        }
        while at < MOST && IS_OF_WORD[bytes[at] as usize] {
            at += 1;
        }
        if at >= MOST || !bytes[at].is_ascii() {
            return None;
        }
        let length = at + 1;
        let part = |no: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[no * 8..no * 8 + 8]);
            u64::from_le_bytes(eight) & FIRST_BYTES[length.saturating_sub(no * 8).min(8)]
        };
        Some((Self([part(0), part(1), part(2) | u64::from(state) << 48]), length))
    }

    fn slot(self) -> usize {
        const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
        let [a, b, c] = self.0;
        let mixed = (a ^ b.rotate_left(23) ^ c.rotate_left(47)).wrapping_mul(MIX);
        (mixed >> 40) as usize % SLOTS
    }
}

/// Masks for so many bytes.
const FIRST_BYTES: [u64; 9] =
    [0, 0xFF, 0xFFFF, 0xFF_FFFF, !0 >> 32, !0 >> 24, !0 >> 16, !0 >> 8, !0];

/// Letters, digits and `_`.
const IS_OF_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    table
};

/// The words of one grammar that a thread read last.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// The grammar they are of.
    of: usize,
    slots: Vec<(Key, Found)>,
}

impl Words {
    /// Those of a grammar; those of another one are forgotten.
    pub(super) fn of(&mut self, tables: &Tables) -> &mut Self {
        let of = tables.id();
        if self.of != of {
            self.of = of;
            self.slots.clear();
            self.slots.resize(SLOTS, (Key::default(), Found::default()));
        }
        self
    }

    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Found> {
        let (known, found) = self.slots.get(key.slot())?;
        (*known == key).then_some(*found)
    }

    pub(super) fn put(&mut self, key: Key, found: Found) {
        if let Some(slot) = self.slots.get_mut(key.slot()) {
            *slot = (key, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str, state: u16) -> Option<(Key, usize)> {
        let mut bytes = [b'.'; WIDTH];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Key::of(&bytes, state)
    }

    #[test]
    fn a_key_is_a_word_what_is_left_of_it_and_one_byte_after_it() {
        for (text, length) in [("a(", 2), ("  if (x)", 5), ("\n\t_x1;", 6), ("word", 5)] {
            assert_eq!(key(text, 1).unwrap().1, length, "{text}");
        }
        for none in ["(", "1a", "  ", "wörd ", "a_word_of_22_bytes_abc"] {
            assert_eq!(key(none, 1), None, "{none}");
        }
    }

    #[test]
    fn other_bytes_and_other_states_are_other_keys() {
        let same = |left: (&str, u16), right: (&str, u16)| {
            key(left.0, left.1).unwrap().0 == key(right.0, right.1).unwrap().0
        };
        assert!(same(("name(a", 1), ("name(b", 1)));
        for other in [("name", 1), (" name(", 1), ("name (", 1), ("nama(", 1), ("name(", 2)] {
            assert!(!same(("name(", 1), other), "{other:?}");
        }
        assert!(!same(("a_word_of_21_bytes_a(", 1), ("a_word_of_21_bytes_b(", 1)));
    }

    #[test]
    fn what_is_put_is_found() {
        let mut words = Words { of: 1, slots: vec![Default::default(); SLOTS] };
        let (key, _) = key("name(", 1).unwrap();
        assert!(words.get(key).is_none());
        words.put(key, Found { symbol: 7, ..Found::default() });
        assert_eq!(words.get(key).map(|found| found.symbol), Some(7));
    }
}
