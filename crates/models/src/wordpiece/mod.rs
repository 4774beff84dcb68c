//! Which ids does a text have? WordPiece, as BERT and its kin use it.
//!
//! `normalize` cuts a text into words, `vocab` finds pieces of words, `tokenizer_json` reads the file of Hugging Face.

mod normalize;
mod tables;
mod tokenizer_json;
pub(crate) mod vocab;

use gik_base::{ErrorCode, Failure, Result};

pub(crate) use normalize::Normalizer;
use vocab::{Place, Vocab};

/// A tokenizer of the BERT family.
#[derive(Debug, Clone)]
pub struct WordPiece {
    vocab: Vocab,
    normalizer: Normalizer,
    /// Texts that are ids of their own wherever they stand, longest first.
    added: Vec<(String, u32)>,
    longest_word: usize,
    unknown: u32,
    /// What stands before and after a text, where the vocabulary has both.
    marks: Option<(u32, u32)>,
}

/// What a tokenizer has besides its pieces.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    pub(crate) vocab: Vocab,
    pub(crate) normalizer: Normalizer,
    pub(crate) added: Vec<(String, u32)>,
    /// In characters; longer words are unknown.
    pub(crate) longest_word: usize,
    pub(crate) unknown: String,
}

impl WordPiece {
    /// The longest word in characters, where nothing else is said.
    pub(crate) const LONGEST_WORD: usize = 100;

    /// Reads `vocab.txt`: a piece a line.
    pub fn from_vocab(text: &str, lowercase: bool) -> Result<Self> {
        let vocab = Vocab::build(text.lines())?;
        let special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
        let added = special.into_iter().filter_map(|name| Some((name.to_owned(), vocab.id(name)?)));
        let normalizer = if lowercase { Normalizer::UNCASED } else { Normalizer::CASED };
        Self::new(Parts {
            added: added.collect(),
            vocab,
            normalizer,
            longest_word: Self::LONGEST_WORD,
            unknown: "[UNK]".to_owned(),
        })
    }

    /// Reads `tokenizer.json`.
    pub fn from_tokenizer_json(bytes: &[u8]) -> Result<Self> {
        Self::new(tokenizer_json::read(bytes)?)
    }

    pub(crate) fn new(parts: Parts) -> Result<Self> {
        let Parts { vocab, normalizer, mut added, longest_word, unknown } = parts;
        let missing =
            || Failure::new(ErrorCode::ModelInvalid, format!("the vocabulary has no `{unknown}`"));
        let unknown = vocab.id(&unknown).ok_or_else(missing)?;
        let marks = vocab.id("[CLS]").zip(vocab.id("[SEP]"));
        added.retain(|(text, _)| !text.is_empty());
        added.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        Ok(Self { vocab, normalizer, added, longest_word, unknown, marks })
    }

    /// The number of pieces.
    pub fn len(&self) -> usize {
        self.vocab.len()
    }

    /// Whether there are no pieces at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of words that have no pieces.
    pub fn unknown(&self) -> u32 {
        self.unknown
    }

    /// Whether texts can be marked for a transformer.
    pub fn has_marks(&self) -> bool {
        self.marks.is_some()
    }

    /// The ids between the marks of start and end, cut to `limit` with them.
    pub fn encode(&self, text: &str, limit: usize) -> Vec<u32> {
        let mut ids: Vec<u32> = self.marks.iter().map(|(start, _)| *start).collect();
        self.pieces(text, &mut ids);
        if let Some((_, end)) = self.marks {
            ids.truncate(limit.saturating_sub(1).max(1));
            ids.push(end);
        } else {
            ids.truncate(limit);
        }
        ids
    }

    /// Appends the ids of a text without any marks.
    pub fn pieces(&self, text: &str, ids: &mut Vec<u32>) {
        let mut rest = text;
        while let Some((before, id, after)) = self.split_added(rest) {
            self.normalizer.words(before, |word| self.word(word, ids));
            ids.push(id);
            rest = after;
        }
        self.normalizer.words(rest, |word| self.word(word, ids));
    }

    /// How many pieces a text has. A word that has none counts by its letters, three to a piece: it is no less to read.
    pub fn count(&self, text: &str) -> u64 {
        let mut ids = Vec::new();
        let mut n = 0;
        self.normalizer.words(text, |word| {
            ids.clear();
            self.word(word, &mut ids);
            let is_unknown = ids.first() == Some(&self.unknown);
            n += if is_unknown { word.chars().count().div_ceil(3) } else { ids.len() } as u64;
        });
        n
    }

    /// Appends the ids of one word in normal form.
    pub fn word(&self, word: &str, ids: &mut Vec<u32>) {
        let before = ids.len();
        if word.len() > self.longest_word && word.chars().count() > self.longest_word {
            ids.push(self.unknown);
            return;
        }
        let (mut place, mut letters) = (Place::Start, word.as_bytes());
        while !letters.is_empty() {
            let Some((id, length)) = self.vocab.longest(place, letters) else {
                ids.truncate(before);
                ids.push(self.unknown);
                return;
            };
            ids.push(id);
            letters = &letters[length..];
            place = Place::Continued;
        }
    }

    /// The text of a piece, with its mark.
    pub fn piece(&self, id: u32) -> String {
        String::from_utf8_lossy(self.vocab.piece(id as usize)).into_owned()
    }

    /// What stands before the first added text, its id, and what stands after it.
    fn split_added<'t>(&self, text: &'t str) -> Option<(&'t str, u32, &'t str)> {
        let found = self.added.iter().filter_map(|(added, id)| {
            let at = text.find(added.as_str())?;
            Some((at, added.len(), *id))
        });
        // Of those at one place the longest is the first of the list.
        let (at, length, id) = found.min_by_key(|(at, ..)| *at)?;
        Some((&text[..at], id, &text[at + length..]))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::testing;

    fn bert() -> WordPiece {
        let bytes = testing::model_file("tokenizer.json");
        WordPiece::from_tokenizer_json(&bytes).unwrap()
    }

    #[test]
    fn ids_equal_those_of_the_reference() {
        let tokenizer = bert();
        let samples: Value =
            serde_json::from_str(include_str!("../../fixtures/wordpiece.json")).unwrap();
        let samples = samples.as_array().unwrap();
        assert!(samples.len() > 100);
        for sample in samples {
            let text = sample["text"].as_str().unwrap();
            let expected: Vec<u32> = serde_json::from_value(sample["ids"].clone()).unwrap();
            assert_eq!(tokenizer.encode(text, 512), expected, "{text}");
        }
    }

    #[test]
    fn both_files_of_a_model_give_the_same_tokenizer() {
        let vocab = String::from_utf8(testing::model_file("vocab.txt")).unwrap();
        let (one, other) = (bert(), WordPiece::from_vocab(&vocab, true).unwrap());
        let text = "fn main() { println!(\"Grüße, 世界 [MASK] 🦀\"); }";
        assert_eq!(one.encode(text, 99), other.encode(text, 99));
        assert_eq!(one.len(), 30_522);
    }

    #[test]
    fn a_text_is_cut_and_keeps_its_marks() {
        let tokenizer = bert();
        assert_eq!(tokenizer.encode("one two three", 4), [101, 2028, 2048, 102]);
        assert_eq!(tokenizer.encode("", 4), [101, 102]);
        assert_eq!(tokenizer.encode("one", 0), [101, 102]);
    }

    #[test]
    fn pieces_are_counted_word_by_word() {
        let tokenizer = bert();
        for text in ["one two three", "fn main() { println!(\"Grüße\"); }", "", "a\r\nb\tc"] {
            let mut ids = Vec::new();
            tokenizer.pieces(text, &mut ids);
            assert_eq!(tokenizer.count(text), ids.len() as u64, "{text}");
        }
        assert_eq!(tokenizer.count(&"x".repeat(300)), 100);
        let (one, other) = ("let a = 1;\n", "  a.call(); // 世界\n");
        let both = format!("{one}{other}");
        assert_eq!(tokenizer.count(&both), tokenizer.count(one) + tokenizer.count(other));
    }

    #[test]
    fn a_vocabulary_needs_an_unknown_piece_and_may_lack_marks() {
        let failure = WordPiece::from_vocab("a\n[CLS]\n", true).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::ModelInvalid);
        assert!(failure.message().contains("[UNK]"));
        let tokenizer = WordPiece::from_vocab("a\n[UNK]\n", true).unwrap();
        assert!(!tokenizer.has_marks());
        assert_eq!(tokenizer.encode("a b a", 2), [0, 1]);
    }
}
