//! Which number does this term have? A growing table of distinct byte strings, used per document and per segment.

use gik_base::parallel;

/// Where a term is looked for. What nearly all terms are told apart by is here: to look them up elsewhere takes most of the
/// time in a large table.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// The first eight bytes of the term, or all of a shorter one.
    head: u64,
    /// Most of its hash, and its length.
    key: u32,
    /// Its number plus one, beyond [`TermTable::unused`].
    mark: u32,
}

impl Slot {
    fn new(term: &[u8], hash: u32, mark: u32) -> Self {
        Self { head: head(term), key: (hash << 8) | term.len().min(0xff) as u32, mark }
    }
}

/// The first bytes of a term; with its length they are all there is to know of a short one.
#[inline]
fn head(term: &[u8]) -> u64 {
    term.first_chunk().map_or_else(|| short(term), |first| u64::from_le_bytes(*first))
}

/// Less than eight bytes as one word, put together from at most two overlapping reads.
#[inline]
fn short(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | (u64::from(u32::from_le_bytes(*last)) << 32)
        },
        _ => bytes.iter().fold(0, |word, &byte| (word << 8) | u64::from(byte)),
    }
}

/// Distinct terms, numbered in the order they were first seen.
#[derive(Debug, Clone)]
pub(crate) struct TermTable {
    /// Their number is a power of two.
    slots: Vec<Slot>,
    /// The highest mark that stands for nothing: a table that is cleared forgets its marks without looking at them.
    unused: u32,
    text: Vec<u8>,
    ends: Vec<u32>,
    hashes: Vec<u32>,
}

impl TermTable {
    /// A table with room for about `expected` terms.
    pub(crate) fn with_capacity(expected: usize) -> Self {
        let slots = (expected.max(8) * 2).next_power_of_two();
        Self {
            slots: vec![Slot::default(); slots],
            unused: 0,
            text: Vec::new(),
            ends: Vec::new(),
            hashes: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>()
            + self.text.len()
            + (self.ends.len() + self.hashes.len()) * 4
    }

    /// The bytes of a term.
    #[inline]
    pub(crate) fn term(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.text[start..self.ends[number] as usize]
    }

    /// Where the bytes of a term end in [`TermTable::text`].
    pub(crate) fn end(&self, number: u32) -> u32 {
        self.ends[number as usize]
    }

    /// The hash of a term, for interning it elsewhere.
    pub(crate) fn hash(&self, number: u32) -> u32 {
        self.hashes[number as usize]
    }

    /// The number of a term whose [`hash_term`] is known, adding it where it is new.
    #[inline]
    pub(crate) fn intern(&mut self, term: &[u8], hash: u32) -> u32 {
        let mask = self.slots.len() - 1;
        let wanted = Slot::new(term, hash, 0);
        let mut at = hash as usize & mask;
        loop {
            let Slot { head, key, mark } = self.slots[at];
            if mark <= self.unused {
                return self.insert(term, hash, at);
            }
            let number = mark - self.unused - 1;
            if (head, key) == (wanted.head, wanted.key) && self.goes_on_as(number, term) {
                return number;
            }
            at = (at + 1) & mask;
        }
    }

    /// Whether a term whose head and length are those of another one is that one.
    #[inline]
    fn goes_on_as(&self, number: u32, term: &[u8]) -> bool {
        const IN_HEAD: usize = 8;
        term.len() <= IN_HEAD || self.term(number) == term
    }

    fn insert(&mut self, term: &[u8], hash: u32, slot: usize) -> u32 {
        let number = self.ends.len() as u32;
        self.text.extend_from_slice(term);
        self.ends.push(self.text.len() as u32);
        self.hashes.push(hash);
        self.slots[slot] = Slot::new(term, hash, self.unused + number + 1);
        if self.ends.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        self.unused = 0;
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![Slot::default(); mask + 1];
        for (number, &hash) in (0..).zip(&self.hashes) {
            let mut slot = hash as usize & mask;
            while slots[slot].mark != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = Slot::new(self.term(number), hash, number + 1);
        }
        self.slots = slots;
    }

    /// Forgets all terms and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.unused += self.len() as u32;
        // No table comes to hold as many terms as are left then.
        if self.unused > u32::MAX / 2 {
            self.slots.fill(Slot::default());
            self.unused = 0;
        }
        self.text.clear();
        self.ends.clear();
        self.hashes.clear();
    }

    /// The bytes of all terms, in the order of their numbers.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The term numbers in the order of their bytes, found on one thread or on two.
    pub(crate) fn sorted(&self, threads: usize) -> Vec<u32> {
        // Most comparisons end within the first eight bytes; those travel with the number.
        let mut order: Vec<(u64, u32)> = (0..self.ends.len() as u32)
            .map(|number| {
                let term = self.term(number);
                let mut prefix = [0; 8];
                let n = term.len().min(8);
                prefix[..n].copy_from_slice(&term[..n]);
                (u64::from_be_bytes(prefix), number)
            })
            .collect();
        let by_bytes = |left: &(u64, u32), right: &(u64, u32)| {
            left.0.cmp(&right.0).then_with(|| self.term(left.1).cmp(self.term(right.1)))
        };
        if threads > 1 {
            let half = order.len() / 2;
            let (one, other) = order.split_at_mut(half);
            parallel::both(|| one.sort_unstable_by(by_bytes), || other.sort_unstable_by(by_bytes));
            // Two stretches in order are put together by one look at each term.
            order.sort_by(by_bytes);
        } else {
            order.sort_unstable_by(by_bytes);
        }
        order.into_iter().map(|(_, number)| number).collect()
    }
}

/// A quick hash of a term; never written anywhere.
#[inline]
pub(crate) fn hash_term(term: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| (state ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let mut state = term.len() as u64;
    let (words, tail) = term.as_chunks::<8>();
    for word in words {
        state = mix(state, u64::from_le_bytes(*word));
    }
    let state = mix(mix(state, short(tail)), FACTOR);
    (state >> 16) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_with_the_same_hash_are_told_apart_by_all_their_bytes() {
        let long = |end: &str| format!("{}{end}", "same-for-long".repeat(24));
        let words: Vec<String> =
            ["", "a", "b", "ab", "abc", "abd", "abcd", "abce", "abcdefgh", "abcdefgi", "abcdefghi"]
                .map(str::to_owned)
                .into_iter()
                .chain(["abcdefghj".to_owned(), long("a"), long("b"), long("ab")])
                .collect();
        for shared in [0, 7, u32::MAX] {
            let mut table = TermTable::with_capacity(1);
            for _ in 0..2 {
                let numbers: Vec<u32> =
                    words.iter().map(|word| table.intern(word.as_bytes(), shared)).collect();
                assert_eq!(numbers, (0..words.len() as u32).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_cleared_table_knows_nothing_also_when_its_marks_are_used_up() {
        let mut table = TermTable::with_capacity(1);
        for unused in [0, u32::MAX / 2 - 1, u32::MAX / 2] {
            table.slots.fill(Slot::default());
            table.unused = unused;
            for round in 0..4 {
                let words = (0..3 + round).map(|idx| format!("word-{}", idx + 2 * round));
                for (idx, word) in words.enumerate() {
                    let number = table.intern(word.as_bytes(), hash_term(word.as_bytes()));
                    assert_eq!(number as usize, idx, "{word}");
                    assert_eq!(table.intern(word.as_bytes(), hash_term(word.as_bytes())), number);
                }
                table.clear();
            }
        }
    }

    #[test]
    fn terms_keep_their_numbers_while_the_table_grows() {
        let mut table = TermTable::with_capacity(1);
        let words: Vec<String> = (0..1000).map(|idx| format!("word-{idx}")).collect();
        // Marks of what was forgotten are still there when it grows.
        table.intern(b"forgotten", hash_term(b"forgotten"));
        table.clear();
        for round in 0..2 {
            for (idx, word) in words.iter().enumerate() {
                let number = table.intern(word.as_bytes(), hash_term(word.as_bytes()));
                assert_eq!(number as usize, idx, "round {round}");
            }
        }
        let mut expected = words.clone();
        expected.sort();
        for threads in [1, 2] {
            let sorted = table.sorted(threads);
            assert_eq!(sorted.len(), words.len());
            let sorted = sorted.iter().map(|&number| table.term(number));
            assert!(sorted.zip(&expected).all(|(left, right)| left == right.as_bytes()));
        }
    }
}
