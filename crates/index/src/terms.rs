//! Which number does this term have? A growing table of distinct byte strings, used per document and per segment.

/// Distinct terms, numbered in the order they were first seen.
#[derive(Debug, Clone)]
pub(crate) struct TermTable {
    /// Hash and mark; the mark of a term is its number plus one, beyond `unused`. The length is a power of two.
    slots: Vec<(u32, u32)>,
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
            slots: vec![(0, 0); slots],
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
        self.slots.len() * 8 + self.text.len() + (self.ends.len() + self.hashes.len()) * 4
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
        let mut slot = hash as usize & mask;
        loop {
            let (found, mark) = self.slots[slot];
            if mark <= self.unused {
                return self.insert(term, hash, slot);
            }
            let number = mark - self.unused - 1;
            if found == hash && self.term(number) == term {
                return number;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn insert(&mut self, term: &[u8], hash: u32, slot: usize) -> u32 {
        let number = self.ends.len() as u32;
        self.text.extend_from_slice(term);
        self.ends.push(self.text.len() as u32);
        self.hashes.push(hash);
        self.slots[slot] = (hash, self.unused + number + 1);
        if self.ends.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        self.unused = 0;
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![(0, 0); mask + 1];
        for (number, &hash) in self.hashes.iter().enumerate() {
            let mut slot = hash as usize & mask;
            while slots[slot].1 != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = (hash, number as u32 + 1);
        }
        self.slots = slots;
    }

    /// Forgets all terms and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.unused += self.len() as u32;
        // No table comes to hold as many terms as are left then.
        if self.unused > u32::MAX / 2 {
            self.slots.fill((0, 0));
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

    /// The term numbers in the order of their bytes.
    pub(crate) fn sorted(&self) -> Vec<u32> {
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
        order.sort_unstable_by(|left, right| {
            left.0.cmp(&right.0).then_with(|| self.term(left.1).cmp(self.term(right.1)))
        });
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
    // The tail as one word, put together from at most two overlapping reads.
    let last = match (tail.first_chunk::<4>(), tail.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | (u64::from(u32::from_le_bytes(*last)) << 32)
        },
        _ => tail.iter().fold(0, |word, &byte| (word << 8) | u64::from(byte)),
    };
    let state = mix(mix(state, last), FACTOR);
    (state >> 16) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cleared_table_knows_nothing_also_when_its_marks_are_used_up() {
        let mut table = TermTable::with_capacity(1);
        for unused in [0, u32::MAX / 2 - 1, u32::MAX / 2] {
            table.slots.fill((0, 0));
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
        let sorted: Vec<_> = table.sorted().iter().map(|&number| table.term(number)).collect();
        assert!(sorted.iter().zip(&expected).all(|(left, right)| *left == right.as_bytes()));
    }
}
