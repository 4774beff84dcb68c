//! Markdown-like text from a stream of words and structure.
//!
//! Spaces are collapsed, blocks are set apart, lists and quotes are indented. Words are not escaped: the text is
//! for reading and searching, so `snake_case` stays what it is.

use std::fmt::Write as _;

/// Marks at the start of a line take no more room than this; deeper lists stay at that depth.
const MAX_PREFIX: usize = 24;

/// What is put before the next words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    None,
    Line,
    Blank,
}

#[derive(Debug)]
enum Mode {
    /// Paragraphs and lists.
    Flow,
    /// One line: a heading or a cell.
    Line(String),
    /// Text as it is.
    Code(String),
}

/// An item of a list, a definition or a quote.
#[derive(Debug)]
struct Container {
    /// Written once, before the first words.
    marker: Option<String>,
    indent: String,
}

#[derive(Debug)]
pub(super) struct Writer {
    out: String,
    mode: Mode,
    gap: Gap,
    has_space: bool,
    containers: Vec<Container>,
    /// Where the content of inline code began.
    code_start: Option<usize>,
    row: Vec<String>,
    is_first_row: bool,
}

impl Default for Writer {
    fn default() -> Self {
        Self {
            out: String::new(),
            mode: Mode::Flow,
            gap: Gap::Line,
            has_space: false,
            containers: Vec::new(),
            code_start: None,
            row: Vec::new(),
            is_first_row: true,
        }
    }
}

impl Writer {
    pub(super) fn finish(mut self) -> String {
        self.end_code();
        let length = self.out.trim_end().len();
        self.out.truncate(length);
        self.out
    }

    pub(super) fn is_flow(&self) -> bool {
        matches!(self.mode, Mode::Flow)
    }

    pub(super) fn is_code(&self) -> bool {
        matches!(self.mode, Mode::Code(_))
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Mode::Code(code) = &mut self.mode {
            code.push_str(text);
            return;
        }
        for (at, character) in text.char_indices() {
            match character {
                // Soft hyphens and zero-width spaces only cut words apart.
                '\u{ad}' | '\u{200b}' | '\u{feff}' => {},
                _ if character.is_whitespace() => self.has_space = true,
                _ if character.is_control() => {},
                _ => {
                    if self.begin_word() && is_fence(&text[at..]) {
                        self.out.push('\\');
                    }
                    self.target().push(character);
                },
            }
        }
    }

    /// Asks for room before what comes next.
    pub(super) fn gap(&mut self, gap: Gap) {
        match &mut self.mode {
            Mode::Flow => {
                self.end_code();
                // An item whose marker is still to come has its room already.
                let is_at_marker = self.containers.last().is_some_and(|open| open.marker.is_some());
                self.gap = self.gap.max(if is_at_marker { Gap::Line } else { gap });
                self.has_space = false;
            },
            Mode::Line(_) => self.has_space = true,
            Mode::Code(code) => {
                if !code.is_empty() && !code.ends_with('\n') {
                    code.push('\n');
                }
            },
        }
    }

    pub(super) fn line_break(&mut self) {
        if let Mode::Code(code) = &mut self.mode {
            code.push('\n');
        } else {
            self.gap(Gap::Line);
        }
    }

    /// Opens an item, a definition or a quote; false where it is too deep to show.
    pub(super) fn open_container(&mut self, marker: &str, indent: &str) -> bool {
        let used: usize = self.containers.iter().map(|container| container.indent.len()).sum();
        let fits = used + indent.len() <= MAX_PREFIX;
        if fits {
            let marker = Some(marker.to_owned());
            self.containers.push(Container { marker, indent: indent.to_owned() });
        }
        fits
    }

    pub(super) fn close_container(&mut self) {
        self.containers.pop();
    }

    pub(super) fn begin_code(&mut self) {
        if self.code_start.is_none() && !self.is_code() {
            self.begin_word();
            let target = self.target();
            target.push('`');
            self.code_start = Some(target.len());
        }
    }

    pub(super) fn end_code(&mut self) {
        if let Some(start) = self.code_start.take() {
            let target = self.target();
            if target.len() == start {
                target.pop();
            } else {
                target.push('`');
            }
        }
    }

    /// From here on everything is one line, until [`Writer::end_line`].
    pub(super) fn begin_line(&mut self) {
        self.end_code();
        self.mode = Mode::Line(String::new());
        self.has_space = false;
    }

    pub(super) fn end_line(&mut self) -> String {
        self.end_code();
        self.has_space = false;
        match std::mem::replace(&mut self.mode, Mode::Flow) {
            Mode::Line(line) | Mode::Code(line) => line,
            Mode::Flow => String::new(),
        }
    }

    pub(super) fn heading(&mut self, level: u8, text: &str) {
        let text = text.trim_start_matches(['§', ' ']).trim_end_matches(['¶', '#', '§', ' ']);
        if text.is_empty() {
            return;
        }
        self.gap(Gap::Blank);
        self.begin_word();
        let _ = write!(self.out, "{} {text}", "#".repeat(usize::from(level)));
        self.gap(Gap::Blank);
    }

    /// From here on everything is code, until [`Writer::end_block`].
    pub(super) fn begin_block(&mut self) {
        self.gap(Gap::Blank);
        self.mode = Mode::Code(String::new());
    }

    pub(super) fn end_block(&mut self, language: &str) {
        let code = self.end_line();
        let code = code.strip_prefix("\r\n").or_else(|| code.strip_prefix('\n')).unwrap_or(&code);
        let code = code.trim_end();
        if !code.trim_start().is_empty() {
            let fence = "`".repeat(longest_run(code, '`').max(2) + 1);
            self.gap(Gap::Blank);
            self.begin_word();
            self.out.push_str(&fence);
            self.out.push_str(language);
            for line in code.lines().chain([fence.as_str()]) {
                self.out.push('\n');
                self.push_prefix();
                self.out.push_str(line);
            }
        }
        self.gap(Gap::Blank);
    }

    pub(super) fn begin_table(&mut self) {
        self.gap(Gap::Blank);
        self.is_first_row = true;
    }

    pub(super) fn begin_row(&mut self) {
        self.row.clear();
    }

    pub(super) fn end_cell(&mut self) {
        let cell = self.end_line().replace('|', "\\|");
        self.row.push(cell);
    }

    pub(super) fn end_row(&mut self) {
        let row = std::mem::take(&mut self.row);
        if row.iter().all(String::is_empty) {
            return;
        }
        self.write_row(&row);
        if std::mem::replace(&mut self.is_first_row, false) {
            self.write_row(&vec!["---".to_owned(); row.len()]);
        }
    }

    fn write_row(&mut self, cells: &[String]) {
        self.gap(Gap::Line);
        self.begin_word();
        self.out.push('|');
        for cell in cells {
            let _ = write!(self.out, " {cell} |");
        }
        self.gap(Gap::Line);
    }

    fn target(&mut self) -> &mut String {
        match &mut self.mode {
            Mode::Flow => &mut self.out,
            Mode::Line(text) | Mode::Code(text) => text,
        }
    }

    /// Writes what has to come before a word; true at the start of a line.
    fn begin_word(&mut self) -> bool {
        let has_space = std::mem::take(&mut self.has_space);
        if !self.is_flow() || self.gap == Gap::None {
            let is_code_start = self.code_start.is_some_and(|start| start == self.target().len());
            let target = self.target();
            if has_space && !target.is_empty() && !is_code_start {
                target.push(' ');
            }
            return false;
        }
        if !self.out.is_empty() {
            self.out.push('\n');
            if self.gap == Gap::Blank {
                self.push_blank_prefix();
                self.out.push('\n');
            }
        }
        self.gap = Gap::None;
        self.push_prefix();
        true
    }

    fn push_prefix(&mut self) {
        for container in &mut self.containers {
            match container.marker.take() {
                Some(marker) => self.out.push_str(&marker),
                None => self.out.push_str(&container.indent),
            }
        }
    }

    /// A blank line inside a quote belongs to it; no line ends with spaces.
    fn push_blank_prefix(&mut self) {
        let open = self.containers.iter().take_while(|container| container.marker.is_none());
        let prefix: String = open.map(|container| container.indent.as_str()).collect();
        self.out.push_str(prefix.trim_end());
    }
}

fn is_fence(text: &str) -> bool {
    text.starts_with("```") || text.starts_with("~~~")
}

fn longest_run(text: &str, wanted: char) -> usize {
    text.split(|character| character != wanted).map(str::len).max().unwrap_or(0)
}
