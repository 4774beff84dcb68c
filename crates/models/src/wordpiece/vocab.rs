//! Which id has a piece of a word?
//!
//! A hash table over the pieces that is laid out once and then only read: the built-in model has it in the program, so
//! that nothing has to be built at the start of a process. Pieces that continue a word are hashed with a seed of their
//! own and without their mark.

use std::borrow::Cow;

use gik_base::{ErrorCode, Failure, Result};

/// The mark of a piece that does not start a word.
pub(crate) const CONTINUED: &str = "##";

/// A slot without a piece.
const EMPTY: u32 = u32::MAX;
/// Where in a word a piece stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Start,
    Continued,
}

/// Pieces with their ids, which are their positions.
#[derive(Debug, Clone)]
pub(crate) struct Vocab {
    /// All pieces one after the other.
    text: Cow<'static, [u8]>,
    /// Where each piece ends, as little-endian numbers of four bytes.
    ends: Cow<'static, [u8]>,
    /// Ids at the places of their hashes, as little-endian numbers of four bytes; a power of two of them.
    slots: Cow<'static, [u8]>,
}

impl Vocab {
    /// The table of these pieces; of two equal ones the first is found.
    pub(crate) fn build<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let (mut text, mut ends) = (Vec::new(), Vec::new());
        for piece in pieces {
            text.extend_from_slice(piece.as_bytes());
            let end = u32::try_from(text.len()).map_err(|_| broken("is too large"))?;
            ends.extend_from_slice(&end.to_le_bytes());
        }
        let count = ends.len() / 4;
        let mut slots = vec![EMPTY; slots_for(count)];
        let unplaced = Self { text: text.into(), ends: ends.into(), slots: Cow::Borrowed(&[]) };
        for (id, number) in (0..count).zip(0u32..) {
            let (place, letters) = stripped(unplaced.piece(id));
            let mut at = slot(hash(place, letters), slots.len());
            while slots[at] != EMPTY {
                at = (at + 1) & (slots.len() - 1);
            }
            slots[at] = number;
        }
        let slots: Vec<u8> = slots.iter().flat_map(|id| id.to_le_bytes()).collect();
        Ok(Self { slots: slots.into(), ..unplaced })
    }

    /// The table as [`Self::parts`] gave it, without copying.
    pub(crate) fn from_parts(
        text: &'static [u8],
        ends: &'static [u8],
        slots: &'static [u8],
    ) -> Result<Self> {
        let vocab = Self { text: text.into(), ends: ends.into(), slots: slots.into() };
        let whole = vocab.ends.len().is_multiple_of(4) && vocab.slots.len().is_multiple_of(4);
        let slots = vocab.slots.len() / 4;
        if !whole || !slots.is_power_of_two() || slots <= vocab.len() {
            return Err(broken("has wrong lengths"));
        }
        if vocab.len() > 0 && vocab.end(vocab.len() - 1) != vocab.text.len() {
            return Err(broken("does not end where its text does"));
        }
        Ok(vocab)
    }

    /// Text, ends and slots, to be written to a file.
    pub(crate) fn parts(&self) -> [&[u8]; 3] {
        [&self.text, &self.ends, &self.slots]
    }

    /// The number of pieces.
    pub(crate) fn len(&self) -> usize {
        self.ends.len() / 4
    }

    /// The bytes of a piece, with its mark.
    pub(crate) fn piece(&self, id: usize) -> &[u8] {
        let start = id.checked_sub(1).map_or(0, |before| self.end(before));
        self.text.get(start..self.end(id)).unwrap_or_default()
    }

    /// The id of a piece with its mark.
    pub(crate) fn id(&self, piece: &str) -> Option<u32> {
        let (place, letters) = stripped(piece.as_bytes());
        self.find(place, letters, hash(place, letters))
    }

    /// The longest piece that the letters begin with, and its length.
    pub(crate) fn longest(&self, place: Place, letters: &[u8]) -> Option<(u32, usize)> {
        const LONGEST: usize = 64;
        let mut hashes = [0; LONGEST];
        let mut state = seed(place);
        let limit = letters.len().min(LONGEST);
        for (known, letter) in hashes.iter_mut().zip(letters) {
            state = step(state, *letter);
            *known = state;
        }
        (1..=limit).rev().find_map(|length| {
            // A piece ends where a character ends.
            let whole = letters.get(length).is_none_or(|next| next & 0xC0 != 0x80);
            let found =
                whole.then(|| self.find(place, &letters[..length], hashes[length - 1])).flatten();
            found.map(|id| (id, length))
        })
    }

    fn find(&self, place: Place, letters: &[u8], hash: u64) -> Option<u32> {
        let slots = self.slots.len() / 4;
        let mut at = slot(hash, slots);
        loop {
            let id = number(&self.slots, at);
            if id == EMPTY {
                return None;
            }
            if stripped(self.piece(id as usize)) == (place, letters) {
                return Some(id);
            }
            at = (at + 1) & (slots - 1);
        }
    }

    fn end(&self, id: usize) -> usize {
        number(&self.ends, id) as usize
    }
}

fn broken(what: &str) -> Failure {
    Failure::new(ErrorCode::ModelInvalid, format!("the vocabulary {what}"))
}

/// A piece without its mark; a mark alone is a piece itself.
fn stripped(piece: &[u8]) -> (Place, &[u8]) {
    match piece.strip_prefix(CONTINUED.as_bytes()) {
        Some(letters) if !letters.is_empty() => (Place::Continued, letters),
        _ => (Place::Start, piece),
    }
}

/// At most two of three slots are taken, so that chains stay short.
fn slots_for(count: usize) -> usize {
    (count + count / 2 + 1).next_power_of_two()
}

fn number(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at * 4..at * 4 + 4).and_then(|four| four.try_into().ok());
    four.map_or(EMPTY, u32::from_le_bytes)
}

fn seed(place: Place) -> u64 {
    match place {
        Place::Start => 0xcbf2_9ce4_8422_2325,
        Place::Continued => 0x9e37_79b9_7f4a_7c15,
    }
}

/// One letter of FNV-1a.
fn step(state: u64, letter: u8) -> u64 {
    (state ^ u64::from(letter)).wrapping_mul(0x0100_0000_01b3)
}

fn hash(place: Place, letters: &[u8]) -> u64 {
    letters.iter().fold(seed(place), |state, letter| step(state, *letter))
}

#[expect(clippy::cast_possible_truncation, reason = "the low bits are what is wanted")]
fn slot(hash: u64, slots: usize) -> usize {
    (hash ^ (hash >> 29)) as usize & (slots - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_piece_wins_and_places_are_kept_apart() {
        let vocab = Vocab::build(["un", "unable", "##able", "##a", "é", "##", "able"]).unwrap();
        assert_eq!(vocab.longest(Place::Start, b"unables"), Some((1, 6)));
        assert_eq!(vocab.longest(Place::Continued, b"ables"), Some((2, 4)));
        assert_eq!(vocab.longest(Place::Start, b"ab"), None);
        assert_eq!(vocab.longest(Place::Start, "éa".as_bytes()), Some((4, 2)));
        assert_eq!(
            (vocab.id("##able"), vocab.id("able"), vocab.id("##")),
            (Some(2), Some(6), Some(5))
        );
        assert_eq!(vocab.id("none"), None);
    }

    #[test]
    fn a_table_can_be_written_and_read_without_copying() {
        let vocab = Vocab::build(["a", "##b"]).unwrap();
        let [text, ends, slots] = vocab.parts().map(|part| &*part.to_vec().leak());
        let read = Vocab::from_parts(text, ends, slots).unwrap();
        assert_eq!(read.id("##b"), Some(1));
        assert!(Vocab::from_parts(text, ends, &slots[4..]).is_err());
        assert!(Vocab::from_parts(&text[1..], ends, slots).is_err());
    }
}
