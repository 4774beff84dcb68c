//! What is a word to BERT? Cleaned, decomposed, without accents, in lower case, cut at spaces and punctuation.
//!
//! The steps and their order are those of the reference: control characters go, ideographs get spaces around them,
//! accents are stripped after canonical decomposition, then letters are lowered one by one.

use unicode_normalization::UnicodeNormalization as _;

use super::tables::{IDEOGRAPHS, MARKS, PUNCTUATION, REMOVED, SPACES, has};

/// Which steps a model wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Normalizer {
    pub(crate) clean: bool,
    pub(crate) space_ideographs: bool,
    pub(crate) strip_accents: bool,
    pub(crate) lowercase: bool,
}

impl Normalizer {
    /// BERT for text without case.
    pub(crate) const UNCASED: Self =
        Self { clean: true, space_ideographs: true, strip_accents: true, lowercase: true };
    /// BERT for text with case.
    pub(crate) const CASED: Self =
        Self { clean: true, space_ideographs: true, strip_accents: false, lowercase: false };

    /// Calls `word` with every word of the text, in order.
    pub(crate) fn words(self, text: &str, mut word: impl FnMut(&str)) {
        let mut buffer = String::new();
        if text.is_ascii() {
            self.ascii_words(text, &mut buffer, &mut word);
        } else {
            self.wide_words(text, &mut buffer, &mut word);
        }
    }

    fn ascii_words(self, text: &str, buffer: &mut String, word: &mut impl FnMut(&str)) {
        for byte in text.bytes() {
            let letter = char::from(byte);
            match class(byte, self.clean) {
                Class::Letter if self.lowercase => buffer.push(letter.to_ascii_lowercase()),
                Class::Letter => buffer.push(letter),
                Class::Removed => {},
                Class::Space => flush(buffer, word),
                Class::Punctuation => {
                    flush(buffer, word);
                    word(letter.encode_utf8(&mut [0; 4]));
                },
            }
        }
        flush(buffer, word);
    }

    fn wide_words(self, text: &str, buffer: &mut String, word: &mut impl FnMut(&str)) {
        let clean = text
            .chars()
            .filter(|letter| !self.clean || !is_removed(*letter))
            .map(|letter| if self.clean && is_space(letter) { ' ' } else { letter });
        let spaced = clean.flat_map(|letter| {
            let alone = self.space_ideographs && has(IDEOGRAPHS, letter);
            let space = alone.then_some(' ');
            space.into_iter().chain([letter]).chain(space)
        });
        let mut push = |letter: char| {
            if letter.is_whitespace() {
                flush(buffer, word);
            } else if letter.is_ascii_punctuation() || has(PUNCTUATION, letter) {
                flush(buffer, word);
                word(letter.encode_utf8(&mut [0; 4]));
            } else {
                buffer.push(letter);
            }
        };
        let mut lower = |letter: char| {
            if self.lowercase {
                letter.to_lowercase().for_each(&mut push);
            } else {
                push(letter);
            }
        };
        if self.strip_accents {
            spaced.nfd().filter(|letter| !has(MARKS, *letter)).for_each(&mut lower);
        } else {
            spaced.for_each(&mut lower);
        }
        flush(buffer, word);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Space,
    Punctuation,
    Removed,
}

fn class(byte: u8, clean: bool) -> Class {
    match byte {
        b'\t' | b'\n' | b'\r' | b' ' => Class::Space,
        // Without cleaning they are spaces of Unicode.
        0x0b | 0x0c if !clean => Class::Space,
        0..=0x1f | 0x7f if clean => Class::Removed,
        _ if byte.is_ascii_punctuation() => Class::Punctuation,
        _ => Class::Letter,
    }
}

fn flush(buffer: &mut String, word: &mut impl FnMut(&str)) {
    if !buffer.is_empty() {
        word(buffer);
        buffer.clear();
    }
}

fn is_space(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' ') || has(SPACES, letter)
}

fn is_removed(letter: char) -> bool {
    let code = u32::from(letter);
    if code < 0x80 {
        return (code < 0x20 && !is_space(letter)) || code == 0x7f;
    }
    has(REMOVED, letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(normalizer: Normalizer, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        normalizer.words(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn words_are_cut_at_spaces_and_punctuation() {
        let uncased = Normalizer::UNCASED;
        assert_eq!(words(uncased, "let aB_c=1;\r\n"), ["let", "ab", "_", "c", "=", "1", ";"]);
        assert_eq!(words(uncased, "Ünïcode\u{a0}Straße"), ["unicode", "straße"]);
        assert_eq!(words(uncased, "a漢字b"), ["a", "漢", "字", "b"]);
        assert_eq!(words(uncased, "a\u{0}b\u{200b}c\u{c}d"), ["abcd"]);
        assert_eq!(words(Normalizer::CASED, "Éa B"), ["Éa", "B"]);
    }

    #[test]
    fn both_paths_agree_on_ascii() {
        let text: String = (0u8..128).map(char::from).chain("Some CODE()".chars()).collect();
        let normalizer = Normalizer { clean: false, ..Normalizer::UNCASED };
        for normalizer in [normalizer, Normalizer::UNCASED, Normalizer::CASED] {
            let mut wide = words(normalizer, &format!("{text} é"));
            wide.pop();
            assert_eq!(words(normalizer, &text), wide);
        }
    }
}
