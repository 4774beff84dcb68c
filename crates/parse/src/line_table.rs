//! Where the lines of a text are; everything about chunks is said in whole lines first.

use std::ops::Range;

use gik_base::line_ends;

use crate::symbol::Position;

/// A text and the byte offset of each of its lines. A line ends with `\n`; `\r` before it counts as blank space.
#[derive(Debug)]
pub(crate) struct LineTable<'t> {
    pub(crate) text: &'t str,
    /// One entry per line and the length of the text at the end.
    starts: Vec<usize>,
}

impl<'t> LineTable<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let mut starts = Vec::with_capacity(text.len() / 32 + 2);
        starts.push(0);
        starts.extend(line_ends(text.as_bytes()).map(|at| at + 1));
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Self { text, starts }
    }

    /// The number of lines; a final line break does not begin another one.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where a line starts; the end of the text for the line after the last.
    pub(crate) fn start(&self, line: usize) -> usize {
        self.starts[line.min(self.count())]
    }

    /// The line that holds a byte.
    pub(crate) fn line_at(&self, byte: usize) -> usize {
        let after = self.starts.partition_point(|start| *start <= byte);
        after.saturating_sub(1).min(self.count().saturating_sub(1))
    }

    /// The place of a byte.
    pub(crate) fn position(&self, byte: usize) -> Position {
        let mut line = self.line_at(byte);
        // The end of a text that ends with a line break is where the next line would be.
        if byte == self.text.len() && self.text.ends_with('\n') {
            line = self.count();
        }
        Position {
            line: u32::try_from(line + 1).unwrap_or(u32::MAX),
            col: u32::try_from(byte - self.start(line)).unwrap_or(u32::MAX),
        }
    }

    /// Where a word stands in a part of the text; empty where it does not.
    pub(crate) fn find(&self, word: &str, part: Range<usize>) -> Range<usize> {
        let found = self.text.get(part.clone()).and_then(|text| text.find(word));
        found.map_or(part.start..part.start, |at| part.start + at..part.start + at + word.len())
    }

    /// The size in bytes of whole lines, line breaks included.
    pub(crate) fn size(&self, lines: &Range<usize>) -> usize {
        self.start(lines.end) - self.start(lines.start.min(lines.end))
    }

    /// A line without its line break.
    pub(crate) fn line(&self, line: usize) -> &'t str {
        let text = &self.text[self.start(line)..self.start(line + 1)];
        text.trim_end_matches(['\n', '\r'])
    }

    /// Whether a line holds nothing but blank space.
    pub(crate) fn is_blank(&self, line: usize) -> bool {
        let text = &self.text[self.start(line)..self.start(line + 1)];
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
        // Nearly every line is told by its first byte that is no space.
        match text.as_bytes().iter().find(|byte| !is_space(byte)) {
            None => true,
            Some(byte) => !byte.is_ascii() && text.trim_start().is_empty(),
        }
    }

    /// Whether nothing but blank space stands before a byte on its line.
    pub(crate) fn is_line_start(&self, byte: usize) -> bool {
        let before = self.text.get(self.start(self.line_at(byte))..byte);
        before.is_some_and(|before| before.trim_start().is_empty())
    }

    /// The lines without the blank ones at either end.
    pub(crate) fn trim(&self, lines: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = lines;
        while start < end && self.is_blank(start) {
            start += 1;
        }
        while end > start && self.is_blank(end - 1) {
            end -= 1;
        }
        start..end
    }

    /// The bytes of whole lines without the last line break.
    pub(crate) fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let start = self.start(lines.start);
        let end = self.start(lines.end).max(start);
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// The whole lines that a byte range touches; a range that ends at the start of a line does not touch it.
    pub(crate) fn lines_of(&self, bytes: &Range<usize>) -> Range<usize> {
        let start = self.line_at(bytes.start);
        let last = if bytes.end > bytes.start { self.line_at(bytes.end - 1) } else { start };
        start..(last + 1).min(self.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_with_and_without_a_final_break() {
        let table = LineTable::new("a\r\n\r\nüb");
        assert_eq!(table.count(), 3);
        assert_eq!((table.line(0), table.line(1), table.line(2)), ("a", "", "üb"));
        assert_eq!(LineTable::new("a\n").count(), 1);
        assert_eq!(LineTable::new("").count(), 0);
        assert_eq!(LineTable::new("\n").count(), 1);
    }

    #[test]
    fn a_line_of_spaces_of_any_kind_is_blank() {
        let spaces = "\n \t\r\n\u{b}\u{c}\n\u{a0}\u{2003} \n\u{85}";
        let table = LineTable::new(spaces);
        assert!((0..table.count()).all(|line| table.is_blank(line)));
        for text in ["a", "  \u{1f}", " \u{2003}ü", "\u{200b}"] {
            assert!(!LineTable::new(text).is_blank(0), "{text:?}");
        }
    }

    #[test]
    fn bytes_and_lines_convert_both_ways() {
        let table = LineTable::new("one\ntwo\nthree\n");
        assert_eq!(table.bytes(&(1..3)), 4..13);
        assert_eq!(table.lines_of(&(4..8)), 1..2);
        assert_eq!(table.lines_of(&(4..9)), 1..3);
        assert_eq!(table.trim(0..3), 0..3);
        assert_eq!(table.position(4), Position { line: 2, col: 0 });
        assert_eq!(table.position(14), Position { line: 4, col: 0 });
    }
}
