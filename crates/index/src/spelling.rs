//! Which words of the index may be meant by one that it does not have? `recieve` by `receive`.

use gik_base::collections::HashMap;

/// Words of fewer letters are not corrected: too many others are near them.
const MIN_LETTERS: usize = 5;
/// Words of so many letters may have two mistakes, shorter ones one.
const LETTERS_FOR_TWO: usize = 8;
/// So many words are taken where several are equally near, the most frequent first.
const MOST_MEANT: usize = 3;

/// Whether a word can be corrected: a word of a person, not a number or a key.
pub(crate) fn is_correctable(word: &str) -> bool {
    word.len() >= MIN_LETTERS && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// The mistakes that a word may have.
fn most_mistakes(word: &str) -> usize {
    if word.len() >= LETTERS_FOR_TWO { 2 } else { 1 }
}

/// Collects words that are near one. The first letter is taken to be right.
#[derive(Debug)]
pub(crate) struct Meant<'w> {
    word: &'w str,
    /// The fewest mistakes so far, and the words with so many, each with its frequency.
    mistakes: usize,
    found: HashMap<String, u64>,
}

impl<'w> Meant<'w> {
    pub(crate) fn new(word: &'w str) -> Self {
        Self { word, mistakes: most_mistakes(word), found: HashMap::default() }
    }

    /// The first letter of the words to be offered.
    pub(crate) fn first(&self) -> u8 {
        self.word.as_bytes().first().copied().unwrap_or_default()
    }

    /// Takes a word of the index where it is near enough; how frequent it is now is asked only then.
    pub(crate) fn offer(&mut self, term: &[u8], frequency: impl FnOnce() -> u64) {
        let Some(mistakes) = distance(self.word.as_bytes(), term, self.mistakes) else { return };
        let frequency = frequency();
        if frequency == 0 {
            return;
        }
        if mistakes < self.mistakes {
            self.mistakes = mistakes;
            self.found.clear();
        }
        if let Ok(term) = std::str::from_utf8(term) {
            *self.found.entry(term.to_owned()).or_default() += frequency;
        }
    }

    /// The words that may be meant, the most frequent first.
    pub(crate) fn words(self) -> Vec<String> {
        let mut words: Vec<(String, u64)> = self.found.into_iter().collect();
        words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        words.truncate(MOST_MEANT);
        words.into_iter().map(|(word, _)| word).collect()
    }
}

/// How many letters must be put in, left out, changed or swapped with their neighbour; `None` where more than `most`.
fn distance(one: &[u8], other: &[u8], most: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    let (mut before, mut above) = (vec![0; other.len() + 1], (0..=other.len()).collect::<Vec<_>>());
    for (row, letter) in one.iter().enumerate() {
        let mut current = vec![row + 1; other.len() + 1];
        for (column, theirs) in other.iter().enumerate() {
            let changed = above[column] + usize::from(letter != theirs);
            let mut best = changed.min(above[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && one[row - 1] == *theirs && other[column - 1] == *letter {
                best = best.min(before[column - 1] + 1);
            }
            current[column + 1] = best;
        }
        if current.iter().min().is_some_and(|best| *best > most) {
            return None;
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().filter(|mistakes| *mistakes <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted_as_people_make_them() {
        for (one, other, expected) in [
            ("recieve", "receive", Some(1)),
            ("extention", "extension", Some(1)),
            ("loadextentiongaurd", "loadextensionguard", Some(2)),
            ("spacship", "spaceship", Some(1)),
            ("same", "same", Some(0)),
            ("abc", "abcdef", None),
            ("kitten", "sitting", None),
        ] {
            assert_eq!(distance(one.as_bytes(), other.as_bytes(), 2), expected, "{one} {other}");
            assert_eq!(distance(other.as_bytes(), one.as_bytes(), 2), expected, "{other} {one}");
        }
    }

    #[test]
    fn the_nearest_words_are_meant_and_the_most_frequent_first() {
        let mut meant = Meant::new("stratgy");
        for (term, frequency) in
            [("straight", 90), ("strategy", 3), ("stratify", 50), ("strategi", 1), ("strategy", 4)]
        {
            meant.offer(term.as_bytes(), || frequency);
        }
        meant.offer(b"stratgy", || 0);
        assert_eq!(meant.words(), ["strategy"]);
        assert!(is_correctable("parser") && is_correctable("read_fil"));
        assert!(!is_correctable("lock") && !is_correctable("sha256") && !is_correctable("größe"));
    }
}
