//! Jupyter notebooks to an outline: cells are items, code cells segments, headings of the text between them sections.

use std::borrow::Cow;
use std::ops::Range;

use gik_base::FileKey;

use crate::builder::Builder;
use crate::chunk::{Chunk, ChunkKind};
use crate::data::json_scan::{self as json, Level};
use crate::data::json_strings;
use crate::embedded::Run;
use crate::language::{Language, Structure, language_by_tag};
use crate::line_table::LineTable;
use crate::markdown;
use crate::outline::Outline;
use crate::sections::PATH_SEPARATOR;
use crate::segment::{Segment, SegmentKind};

/// Larger notebooks hold little but results.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// A longer word is encoded data.
const WORD_MAX: usize = 200;

/// Reads the structure of a notebook; one that is no notebook is chunked as text.
pub(crate) fn read(path: &FileKey, lines: &LineTable<'_>, language: &'static Language) -> Outline {
    if lines.text.len() > MAX_BYTES {
        return Outline::default();
    }
    let builder = Builder::new(path, lines, language, PATH_SEPARATOR);
    Notebook::new(builder).and_then(Notebook::read).unwrap_or_default()
}

struct Notebook<'a, 't> {
    builder: Builder<'a, 't>,
    root: Level,
    kernel: Option<&'static Language>,
    /// The levels of the open sections.
    sections: Vec<usize>,
}

impl<'a, 't> Notebook<'a, 't> {
    fn new(builder: Builder<'a, 't>) -> Option<Self> {
        let text = builder.lines.text;
        let root = json::level(text, json::skip_blank(text, 0).0).filter(|root| root.is_sound)?;
        let is_all = text[root.end..].trim().is_empty();
        let kernel = kernel(text, &root);
        is_all.then_some(Self { builder, root, kernel, sections: Vec::new() })
    }

    fn read(mut self) -> Option<Outline> {
        let (lines, text) = (self.builder.lines, self.builder.lines.text);
        let cells = self.root.get(text, "cells")?.value.clone();
        let cells = json::level(text, cells.start).filter(|cells| cells.is_sound)?;
        for entry in &cells.entries {
            let cell = json::level(text, entry.value.start).filter(|cell| cell.is_sound)?;
            self.cell(&cell, lines.lines_of(&entry.value));
        }
        let end = lines.line_at(cells.end.saturating_sub(1));
        for _ in std::mem::take(&mut self.sections) {
            self.builder.close(end);
        }
        Some(self.builder.finish())
    }

    fn cell(&mut self, cell: &Level, whole: Range<usize>) {
        let text = self.builder.lines.text;
        let value = |key: &str| cell.get(text, key).map(|entry| entry.value.clone());
        let kind = value("cell_type").map_or("", |value| json::unquoted(&text[value]));
        let source = value("source").unwrap_or(0..0);
        match kind {
            "markdown" => self.prose(source, whole),
            "code" => {
                let outputs = value("outputs").filter(|outputs| {
                    json::level(text, outputs.start).is_some_and(|level| !level.entries.is_empty())
                });
                self.code(source, outputs, whole);
            },
            _ => self.builder.leaf(whole, ChunkKind::Doc, ""),
        }
    }

    /// A cell of text: its first heading opens a section that starts with the cell.
    fn prose(&mut self, source: Range<usize>, whole: Range<usize>) {
        let (decoded, runs) = json_strings::decode(self.builder.lines.text, source);
        let decoded_lines = LineTable::new(&decoded);
        let mut line = whole.start;
        let (mut start, mut title) = (line, String::new());
        for heading in markdown::headings(&decoded_lines) {
            let byte = decoded_lines.start(heading.line);
            let run = runs.partition_point(|run| run.inner.start <= byte).saturating_sub(1);
            let outer = runs.get(run).map_or(0, |run| run.outer.start);
            if heading.line > 0 {
                line = line.max(self.builder.lines.line_at(outer));
            }
            if !title.is_empty() {
                self.text(start..line, &title);
            }
            while self.sections.pop_if(|open| *open >= heading.level).is_some() {
                self.builder.close(line);
            }
            start = line;
            self.builder.open(line, ChunkKind::Doc, &heading.title);
            self.sections.push(heading.level);
            title = heading.title;
        }
        self.text(start..whole.end, &title);
    }

    /// The text under a heading, up to the next heading, cell or end; it is named as its section is.
    fn text(&mut self, lines: Range<usize>, title: &str) {
        self.builder.leaf(lines, ChunkKind::Doc, "");
        if let Some(item) = self.builder.outline.items.last_mut() {
            item.name = title.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }

    /// A code cell; what it printed is kept apart from it.
    fn code(&mut self, source: Range<usize>, outputs: Option<Range<usize>>, whole: Range<usize>) {
        let lines = self.builder.lines;
        let (language, kind) = (self.cell_language(&source), SegmentKind::Cell);
        let code = lines.lines_of(&source);
        let outputs = outputs.map(|outputs| lines.lines_of(&outputs));
        self.builder.outline.segments.push(Segment { language, bytes: source, kind });
        match outputs {
            Some(outputs) if outputs.end <= code.start => {
                self.builder.output(whole.start..code.start);
                self.builder.leaf(code.start..whole.end, ChunkKind::Block, "");
            },
            Some(outputs) if outputs.start >= code.end => {
                self.builder.leaf(whole.start..outputs.start, ChunkKind::Block, "");
                self.builder.output(outputs.start..whole.end);
            },
            _ => self.builder.leaf(whole, ChunkKind::Block, ""),
        }
    }

    /// The kernel's language, or the one that the first line of a cell asks for: `%%bash`.
    fn cell_language(&self, source: &Range<usize>) -> Option<&'static Language> {
        let text = &self.builder.lines.text[source.clone()];
        let first = text.split('"').nth(1).unwrap_or_default();
        let Some(magic) = first.strip_prefix("%%") else { return self.kernel };
        let end = magic.find(|c: char| !c.is_alphanumeric()).unwrap_or(magic.len());
        match &magic[..end] {
            "time" | "timeit" | "capture" | "prun" => self.kernel,
            other => language_by_tag(other),
        }
    }
}

/// The language that the notebook is written in.
fn kernel(text: &str, root: &Level) -> Option<&'static Language> {
    let inside = |level: &Level, key: &str| json::level(text, level.get(text, key)?.value.start);
    let metadata = inside(root, "metadata");
    let named = |table: &str, key: &str| {
        let table = inside(metadata.as_ref()?, table)?;
        let value = table.get(text, key)?.value.clone();
        language_by_tag(json::unquoted(&text[value]))
    };
    named("language_info", "name")
        .or_else(|| named("kernelspec", "language"))
        .or_else(|| language_by_tag("python"))
}

/// The code of a cell, and where its bytes are in the file.
pub(crate) fn cell_code(
    text: &str,
    source: Range<usize>,
    language: Option<&Language>,
) -> (String, Vec<Run>) {
    let (code, runs) = json_strings::decode(text, source);
    // In other languages a line may well start with these signs; the first line of a cell may not.
    let has_commands = language.is_some_and(|language| language.line_comments.contains(&"#"));
    let end = if has_commands { code.len() } else { code.find('\n').unwrap_or(code.len()) };
    let is_plain = !has_commands && !code.starts_with("%%");
    let code = if is_plain { code } else { blank_commands(&code[..end]) + &code[end..] };
    (code, runs)
}

/// Blanks the lines of a cell that only the notebook understands: `%matplotlib inline`, `!pip install`.
///
/// Every other byte keeps its place. An indented command leaves a word, so that a block around it is not empty.
fn blank_commands(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let command = line.trim_start();
        let is_command = match command.as_bytes() {
            [b'%', next, ..] => next.is_ascii_alphabetic() || *next == b'%',
            [b'!', next, ..] => *next != b'=',
            _ => false,
        };
        if !is_command {
            out.push_str(line);
            continue;
        }
        let content = command.trim_end_matches('\n').len();
        let indent = line.len() - command.len();
        // Who finds the word must not tear a character of the command.
        let has_room = content >= 4 && command.is_char_boundary(4);
        let word = if indent > 0 && has_room { "pass" } else { "" };
        out.push_str(&line[..indent]);
        out.push_str(word);
        out.extend(std::iter::repeat_n(' ', content - word.len()));
        out.push_str(&command[content..]);
    }
    out
}

/// What a chunk says in words.
///
/// For most languages this is its text. A notebook keeps its text in JSON strings, beside images and tables that its
/// cells made: here the strings are taken apart, and what was made has no words.
pub fn searchable<'t>(
    language: Option<&'static Language>,
    chunk: &Chunk,
    text: &'t str,
) -> Cow<'t, str> {
    let content = text.get(chunk.bytes.clone()).unwrap_or_default();
    let is_notebook =
        language.is_some_and(|language| matches!(language.structure(), Structure::Notebook));
    if !is_notebook {
        return Cow::Borrowed(content);
    }
    if chunk.kind == ChunkKind::Other {
        return Cow::Borrowed("");
    }
    let (mut out, mut key) = (String::new(), "");
    let mut at = 0;
    while let Some(found) = content[at..].find('"') {
        let start = at + found;
        let end = string_end(content, start);
        let inside = &content[start + 1..end];
        let inside = inside.strip_suffix('"').unwrap_or(inside);
        at = end;
        if content[end..].trim_start().starts_with(':') {
            key = inside;
            continue;
        }
        // Strings of a list have no key of their own, and follow no colon.
        let is_listed = !content[..start].trim_end().ends_with(':');
        if is_listed || key == "source" {
            json_strings::decode_string(inside, 0, &mut out, &mut Vec::new());
        }
    }
    if out.split_whitespace().any(|word| word.len() > WORD_MAX) {
        let words = out.split_whitespace().filter(|word| word.len() <= WORD_MAX);
        out = words.collect::<Vec<_>>().join(" ");
    }
    Cow::Owned(out)
}

/// After the closing quote of a string.
fn string_end(text: &str, at: usize) -> usize {
    let mut is_escaped = false;
    for (offset, byte) in text.bytes().enumerate().skip(at + 1) {
        if byte == b'"' && !is_escaped {
            return offset + 1;
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    text.len()
}
