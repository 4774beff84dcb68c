//! A text in which what a grammar cannot read is replaced step by step; every byte stays at its place.

use std::ops::Range;

use super::code;

/// A text and the same text without comments.
pub(super) struct Draft {
    text: Vec<u8>,
    code: Vec<u8>,
    is_changed: bool,
}

impl Draft {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.as_bytes().to_vec(), code: code::code_only(text), is_changed: false }
    }

    /// The text as it is now, without comments and without what is inside strings.
    pub(super) fn code(&self) -> &[u8] {
        &self.code
    }

    /// Puts spaces in place of code; comments stay.
    pub(super) fn blank(&mut self, bytes: Range<usize>) {
        let text = self.text.get_mut(bytes.clone()).unwrap_or_default();
        let code = self.code.get_mut(bytes).unwrap_or_default();
        for (shown, code) in text.iter_mut().zip(code) {
            if !matches!(code, b' ' | b'\t' | b'\n' | b'\r') {
                *shown = b' ';
                *code = b' ';
                self.is_changed = true;
            }
        }
    }

    /// Puts spaces in place of code, and over their start the first of these words that has room. Who finds the word must
    /// not tear a character of the text.
    pub(super) fn replace(&mut self, bytes: Range<usize>, words: &[&str]) {
        let begins = |at: usize| !matches!(self.text.get(at), Some(0x80..0xc0));
        let has_room = |word: &&&str| word.len() <= bytes.len() && begins(bytes.start + word.len());
        let word = words.iter().find(has_room);
        self.blank(bytes.clone());
        for shown in [&mut self.text, &mut self.code] {
            if let Some(word) = word
                && let Some(bytes) = shown.get_mut(bytes.start..bytes.start + word.len())
            {
                bytes.copy_from_slice(word.as_bytes());
                self.is_changed = true;
            }
        }
    }

    /// The new text; nothing where it is the old one.
    pub(super) fn changed(self) -> Option<String> {
        self.is_changed.then(|| String::from_utf8(self.text).ok()).flatten()
    }
}
