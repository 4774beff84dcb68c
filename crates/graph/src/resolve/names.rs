//! Which names may a file know? Most names that a file is asked for are not there, and that is told without looking.

use std::hash::BuildHasher as _;

use gik_base::collections::HashMap;

/// So many bits for each name: of names that are not there, one in about nine is taken for one that may be.
const BITS_PER_NAME: usize = 8;

/// A set that may hold more names than were put in, never fewer.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// A power of two of them.
    words: Box<[u64]>,
}

impl Names {
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Self {
        let n_words = (names.clone().count() * BITS_PER_NAME).div_ceil(64).next_power_of_two();
        let mut words = vec![0; n_words].into_boxed_slice();
        for name in names {
            let (word, bit) = place(name, n_words);
            words[word] |= bit;
        }
        Self { words }
    }

    pub(super) fn may_have(&self, name: &str) -> bool {
        if self.words.is_empty() {
            return false;
        }
        let (word, bit) = place(name, self.words.len());
        self.words[word] & bit != 0
    }
}

fn place(name: &str, n_words: usize) -> (usize, u64) {
    let hash = HashMap::<(), ()>::default().hasher().hash_one(name);
    let word = (hash >> 32) as usize & (n_words - 1);
    (word, 1 << (hash >> 58))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_lost_and_few_are_taken_for_known() {
        let known: Vec<String> = (0..2_000).map(|n| format!("name_{n}")).collect();
        let names = Names::new(known.iter().map(String::as_str));
        assert!(known.iter().all(|name| names.may_have(name)));
        let wrong = (0..2_000).filter(|n| names.may_have(&format!("other_{n}"))).count();
        assert!(wrong < 500, "{wrong}");
        assert!(!Names::default().may_have("a"));
        assert!(!Names::new(std::iter::empty()).may_have("a"));
    }
}
