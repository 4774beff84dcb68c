//! Which terms does a text have, and where? The same answer at write and at read.
//!
//! - A word is a run of letters, digits and `_` of any script, lower-cased, in Unicode normal form C.
//! - A word made of several parts yields itself and its parts: `parseHTTPConfig` gives `parsehttpconfig`, `parse`,
//!   `http`, `config`. The whole stands at the position of its first part, so phrases run over the parts.
//! - `-` between letters joins like `_` and is written so: `tree-sitter` and `tree_sitter` are the same term.
//!   Joiners at either end are not part of a term: `__init__` is `init`.
//! - Scripts without spaces yield overlapping pairs of characters; a single character stands alone.
//! - Terms are cut at 64 bytes and identifiers at 128: what is longer is data, not a name.
//! - Nothing is left out: which words are too common to matter is the scorer's business.

mod identifier;
mod scripts;

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use self::identifier::{Class, split};
use self::scripts::is_unspaced;

/// Changes whenever the same text may give other terms; an index of another version is rebuilt.
pub const ANALYZER_VERSION: u32 = 1;

/// The longest term, in bytes.
pub(crate) const MAX_TERM_BYTES: usize = 64;
/// The longest stretch of one identifier that is looked at, in bytes.
const MAX_IDENTIFIER_BYTES: usize = 128;

/// What a term is to the word it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// The whole of a word that has several parts.
    Whole,
    /// A part, or a word without parts.
    Part,
}

/// Calls `sink` with every term of the text and its position. Positions never go down; the first is 0.
pub fn analyze(text: &str, sink: &mut dyn FnMut(&str, u32)) {
    tokens(text, |term, position, _| sink(term, position));
}

/// Whether occurrences of the term have positions. Wholes with joiners are never part of a phrase, their parts are.
pub(crate) fn has_positions(term: &[u8]) -> bool {
    !term.contains(&b'_')
}

/// [`analyze`], telling wholes from parts.
pub(crate) fn tokens(text: &str, sink: impl FnMut(&str, u32, Token)) {
    let text = normalized(text);
    // Lower-casing ASCII keeps every byte where it is: terms are slices of this copy, cuts are found in the original.
    let lower = text.to_ascii_lowercase();
    Tokenizer { text: &text, lower: &lower, position: 0, scratch: String::new(), sink }.run();
}

fn normalized(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

struct Tokenizer<'a, F> {
    text: &'a str,
    /// The text with its ASCII letters in lower case.
    lower: &'a str,
    position: u32,
    scratch: String,
    sink: F,
}

impl<F: FnMut(&str, u32, Token)> Tokenizer<'_, F> {
    fn run(mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match Class::OF_BYTE[byte as usize] {
                Class::Other | Class::Hyphen | Class::Joiner => at += 1,
                Class::Wide => at = self.wide_run(at),
                Class::Lower | Class::Upper | Class::Digit => at = self.ascii_run(at),
            }
        }
    }

    /// Handles a run that starts with an ASCII letter or digit; returns where it ends.
    fn ascii_run(&mut self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let class =
            |at: usize| bytes.get(at).map_or(Class::Other, |&byte| Class::OF_BYTE[byte as usize]);
        let stretch = |from: usize| {
            let rest = bytes.get(from..).unwrap_or_default();
            from + rest.iter().position(|byte| !byte.is_ascii_lowercase()).unwrap_or(rest.len())
        };
        // Most words are a letter and a stretch of lower-case ones, and nothing else.
        let mut at = if class(start).is_letter() { stretch(start + 1) } else { start };
        if at > start && class(at) == Class::Other {
            self.part(cut(&self.lower[start..at]));
            return at;
        }
        let mut hyphens = false;
        loop {
            match class(at) {
                Class::Lower => at = stretch(at),
                Class::Upper | Class::Digit | Class::Joiner => at += 1,
                Class::Hyphen if class(at - 1).is_letter() && class(at + 1).is_letter() => {
                    hyphens = true;
                    at += 1;
                },
                Class::Hyphen | Class::Other => break,
                Class::Wide => return self.wide_run(start),
            }
        }
        self.ascii_identifier(start, at, hyphens);
        at
    }

    fn part(&mut self, term: &str) {
        (self.sink)(term, self.position, Token::Part);
        self.position = self.position.saturating_add(1);
    }

    fn ascii_identifier(&mut self, start: usize, end: usize, hyphens: bool) {
        let end = end.min(start + MAX_IDENTIFIER_BYTES);
        let lower = self.lower;
        let word = lower[start..end].trim_end_matches('_');
        let bytes = &self.text.as_bytes()[start..start + word.len()];
        if hyphens {
            let mut whole = std::mem::take(&mut self.scratch);
            whole.clear();
            whole.extend(word.chars().map(|c| if c == '-' { '_' } else { c }));
            let whole_word = whole.trim_end_matches('_');
            self.identifier(whole_word, word, bytes.len(), |at| {
                (Class::OF_BYTE[bytes[at] as usize], at)
            });
            self.scratch = whole;
        } else {
            self.identifier(word, word, bytes.len(), |at| (Class::OF_BYTE[bytes[at] as usize], at));
        }
    }

    /// Emits an identifier of `n` characters whose class and offset in `word` the function tells.
    fn identifier(
        &mut self,
        whole: &str,
        word: &str,
        n: usize,
        at: impl Fn(usize) -> (Class, usize),
    ) {
        let whole = cut(whole);
        let offset = |idx: usize| if idx < n { at(idx).1 } else { word.len() };
        let mut first: Option<&str> = None;
        let mut several = false;
        split(
            n,
            |idx| at(idx).0,
            |range| {
                let part = cut(&word[offset(range.start)..offset(range.end)]);
                match first {
                    None => first = Some(part),
                    Some(head) => {
                        if !several {
                            several = true;
                            (self.sink)(whole, self.position, Token::Whole);
                            // A first part as long as the cut whole would put one term twice at one position.
                            if head != whole {
                                (self.sink)(head, self.position, Token::Part);
                            }
                            self.position = self.position.saturating_add(1);
                        }
                        (self.sink)(part, self.position, Token::Part);
                        self.position = self.position.saturating_add(1);
                    },
                }
            },
        );
        if let Some(only) = first
            && !several
        {
            (self.sink)(only, self.position, Token::Part);
            self.position = self.position.saturating_add(1);
        }
    }

    /// Handles a run with characters beyond ASCII, or skips one character that belongs to no word.
    fn wide_run(&mut self, start: usize) -> usize {
        let text = self.text;
        let Some(first) = text[start..].chars().next() else { return text.len() };
        if is_unspaced(first) {
            return self.unspaced_run(start);
        }
        let mut lower = std::mem::take(&mut self.scratch);
        lower.clear();
        let mut marks: Vec<(Class, usize)> = Vec::new();
        let mut end = start;
        for (idx, c) in text[start..].char_indices() {
            let class = class_of(c);
            let joins = c == '-'
                && marks.last().is_some_and(|(before, _)| before.is_letter())
                && text[start + idx + 1..]
                    .chars()
                    .next()
                    .is_some_and(|next| class_of(next).is_letter() && !is_unspaced(next));
            if (class == Class::Other && !joins) || is_unspaced(c) {
                break;
            }
            end = start + idx + c.len_utf8();
            if lower.len() < MAX_IDENTIFIER_BYTES {
                marks.push((if joins { Class::Joiner } else { class }, lower.len()));
                if joins {
                    lower.push('_');
                } else {
                    lower.extend(c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c }));
                }
            }
        }
        if end == start {
            self.scratch = lower;
            return start + first.len_utf8();
        }
        while marks.last().is_some_and(|(class, _)| *class == Class::Joiner) {
            marks.pop();
            lower.pop();
        }
        self.identifier(&lower, &lower, marks.len(), |at| marks[at]);
        self.scratch = lower;
        end
    }

    fn unspaced_run(&mut self, start: usize) -> usize {
        let text = self.text;
        let mut chars = text[start..].char_indices().take_while(|&(_, c)| is_unspaced(c));
        let Some((mut previous, mut last)) = chars.next() else { return start };
        let mut alone = true;
        for (idx, c) in chars {
            alone = false;
            self.part(&text[start + previous..start + idx + c.len_utf8()]);
            (previous, last) = (idx, c);
        }
        let end = start + previous + last.len_utf8();
        if alone {
            self.part(&text[start..end]);
        }
        end
    }
}

/// Whether words go on over a character; a `-` may join two of them besides.
pub(crate) fn is_part_of_word(c: char) -> bool {
    class_of(c) != Class::Other && !is_unspaced(c)
}

/// Whether words end at a byte, whatever is beside it.
#[inline]
pub(crate) fn ends_word(byte: u8) -> bool {
    Class::OF_BYTE[byte as usize] == Class::Other
}

fn class_of(c: char) -> Class {
    if c.is_ascii() {
        let class = Class::OF_BYTE[c as usize];
        return if class == Class::Hyphen { Class::Other } else { class };
    }
    if c.is_uppercase() {
        Class::Upper
    } else if c.is_numeric() {
        Class::Digit
    } else if c.is_alphabetic() || is_combining_mark(c) {
        Class::Lower
    } else {
        Class::Other
    }
}

fn cut(term: &str) -> &str {
    if term.len() <= MAX_TERM_BYTES {
        term
    } else {
        &term[..term.floor_char_boundary(MAX_TERM_BYTES)]
    }
}

#[cfg(test)]
mod tests;
