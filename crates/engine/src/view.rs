//! Text for people: styles by meaning, tables that fit, and nothing about terminals.
//!
//! The caller says how wide the text may be and whether styles are wanted; colour is never the only carrier of
//! meaning.

use std::fmt::{Display, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// What a piece of text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A title.
    Heading,
    /// A path or an id.
    Name,
    /// A line number, a count, a score.
    Number,
    /// Something good.
    Good,
    /// Something to look at.
    Warning,
    /// Something wrong.
    Bad,
    /// Of little importance.
    Faint,
    /// A word of the question.
    Match,
    /// A command to type.
    Command,
}

impl Style {
    const fn ansi(self) -> &'static str {
        match self {
            Self::Heading => "\u{1b}[1m",
            Self::Name => "\u{1b}[36m",
            Self::Number | Self::Good => "\u{1b}[32m",
            Self::Warning => "\u{1b}[33m",
            Self::Bad => "\u{1b}[31m",
            Self::Faint => "\u{1b}[2m",
            Self::Match => "\u{1b}[1;31m",
            Self::Command => "\u{1b}[1;36m",
        }
    }
}

/// Collects the text of one output.
#[derive(Debug)]
pub struct View {
    text: String,
    width: usize,
    styled: bool,
    /// The folder that paths start from, where they may be links.
    links: Option<PathBuf>,
}

impl View {
    /// An empty text of at most `width` columns where that can be kept.
    pub fn new(width: usize, styled: bool) -> Self {
        Self { text: String::new(), width: width.max(40), styled, links: None }
    }

    /// The same with paths below a folder as links that a terminal can follow.
    #[must_use]
    pub fn with_links(self, root: &Path) -> Self {
        Self { links: Some(root.to_owned()), ..self }
    }

    /// The path of a place, as a link where the terminal can follow one.
    pub fn place(&self, path: &str, line: u64) -> String {
        let shown = self.paint(Style::Name, path);
        let Some(root) = self.links.as_deref().filter(|_| !path.contains("!/")) else {
            return shown;
        };
        let address = if path.contains("://") {
            encoded(path)
        } else {
            let file = root.join(path).to_string_lossy().replace('\\', "/");
            let slash = if file.starts_with('/') { "" } else { "/" };
            format!("file://{slash}{}#{line}", encoded(&file))
        };
        format!("\u{1b}]8;;{address}\u{1b}\\{shown}\u{1b}]8;;\u{1b}\\")
    }

    /// The columns there are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The finished text.
    pub fn finish(self) -> String {
        self.text
    }

    /// The text in a style, for use inside [`View::line`]. Control characters are made visible, so that a file
    /// name or a page cannot steer the terminal.
    pub fn paint(&self, style: Style, text: impl Display) -> String {
        let text = visible(&text.to_string());
        if self.styled && !text.is_empty() {
            format!("{}{text}\u{1b}[0m", style.ansi())
        } else {
            text
        }
    }

    /// Text without a style, control characters made visible.
    pub fn plain(&self, text: impl Display) -> String {
        visible(&text.to_string())
    }

    /// A line of a file, with the words of the question marked. The words are lower-case, as the index has them.
    pub fn marked(&self, line: &str, words: &[String]) -> String {
        let line = visible(&line.replace('\t', "    "));
        if !self.styled {
            return line;
        }
        let mut marked = String::with_capacity(line.len());
        for piece in line.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
            let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
            let mut is_match = false;
            gik_index::analyze(word, &mut |term, _| {
                is_match |= words.iter().any(|wanted| wanted == term);
            });
            if is_match {
                marked.push_str(&self.paint(Style::Match, word));
                marked.push_str(&piece[word.len()..]);
            } else {
                marked.push_str(piece);
            }
        }
        marked
    }

    /// A line that somebody typed, and below it a mark under the part that is meant. Of a long line what is around the
    /// part is shown.
    pub fn pointed(&self, typed: &str, part: Range<usize>) -> (String, String) {
        const BEFORE: usize = 60;
        let (before, rest) = typed.split_at(part.start);
        let (part, after) = rest.split_at(part.len());
        let (before, part, after) = (visible(before), visible(part), visible(after));
        let skipped = before.chars().count().saturating_sub(BEFORE);
        let shown: String = before.chars().skip(skipped).collect();
        let lead = if skipped > 0 { "…" } else { "" };
        let room = self.width.min(100);
        let part = shorten(&part, room);
        let after = shorten(&after, room.saturating_sub(part.width()));
        let caret = "^".repeat(part.width().max(1));
        let indent = " ".repeat(lead.width() + shown.width());
        (
            format!("{lead}{shown}{part}{after}"),
            format!("{indent}{}", self.paint(Style::Bad, caret)),
        )
    }

    /// Adds a line that was put together with [`View::paint`] and [`View::plain`].
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref().trim_end_matches(' '));
        self.text.push('\n');
    }

    /// Adds an empty line.
    pub fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Adds a title.
    pub fn heading(&mut self, title: impl Display) {
        let title = self.paint(Style::Heading, title);
        self.line(title);
    }

    /// Adds what the user can type next.
    pub fn hint(&mut self, text: impl Display) {
        let label = self.paint(Style::Faint, "hint:");
        let text = self.plain(text);
        self.line(format!("{label} {text}"));
    }

    /// Adds aligned `name  value` lines.
    pub fn pairs(&mut self, pairs: &[(&str, String)]) {
        let widest = pairs.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
        for (name, value) in pairs {
            let padding = " ".repeat(widest - name.width());
            let name = self.paint(Style::Faint, name);
            self.line(format!("{name}{padding}  {value}"));
        }
    }

    /// Adds a table: columns as wide as they need, the last one shortened to fit. Cells are plain text with a style.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<Cell>]) {
        let columns = header.len();
        let mut widths: Vec<usize> = header.iter().map(|title| title.width()).collect();
        for row in rows {
            for (at, cell) in row.iter().enumerate().take(columns).filter(|(_, cell)| !cell.whole) {
                widths[at] = widths[at].max(visible(&cell.text).width());
            }
        }
        shrink(&mut widths, self.width);
        let titles: Vec<Cell> =
            header.iter().map(|title| Cell::styled(Style::Faint, title)).collect();
        self.row(&titles, &widths);
        for row in rows {
            self.row(row, &widths);
        }
    }

    fn row(&mut self, cells: &[Cell], widths: &[usize]) {
        let mut line = String::new();
        for (at, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            if at > 0 {
                line.push_str("  ");
            }
            let text = visible(&cell.text);
            let text = if cell.whole { text } else { shorten(&text, width) };
            let padding = " ".repeat(width.saturating_sub(text.width()));
            let painted = match cell.style {
                Some(style) if self.styled && !text.is_empty() => {
                    format!("{}{text}\u{1b}[0m", style.ansi())
                },
                _ => text,
            };
            if cell.right {
                line.push_str(&padding);
                line.push_str(&painted);
            } else {
                line.push_str(&painted);
                line.push_str(&padding);
            }
        }
        self.line(line);
    }
}

/// One cell of a table.
#[derive(Debug, Clone)]
pub struct Cell {
    text: String,
    style: Option<Style>,
    right: bool,
    whole: bool,
}

impl Cell {
    /// Text on the left.
    pub fn text(text: impl Display) -> Self {
        Self { text: text.to_string(), style: None, right: false, whole: false }
    }

    /// A sentence in the last column whose end matters: never shortened, the terminal may wrap it.
    pub fn sentence(text: impl Display) -> Self {
        Self { whole: true, ..Self::text(text) }
    }

    /// Text in a style.
    pub fn styled(style: Style, text: impl Display) -> Self {
        Self { style: Some(style), ..Self::text(text) }
    }

    /// A number on the right.
    pub fn number(value: impl Display) -> Self {
        Self { style: Some(Style::Number), right: true, ..Self::text(value) }
    }
}

/// Bytes in the unit people read.
pub fn human_bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut rest = bytes;
    let mut tenths = 0;
    while rest >= 1024 && unit + 1 < UNITS.len() {
        tenths = (rest % 1024) * 10 / 1024;
        rest /= 1024;
        unit += 1;
    }
    if unit == 0 { format!("{rest} B") } else { format!("{rest}.{tenths} {}", UNITS[unit]) }
}

/// `1 file`, `2 files`.
pub fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The path of an address: what is no plain sign of one is written as bytes.
fn encoded(path: &str) -> String {
    let mut address = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~:?=&+,@".contains(&byte) {
            address.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address
}

/// Text with control characters made visible; line ends and tabs become spaces.
fn visible(text: &str) -> String {
    if !text.chars().any(char::is_control) {
        return text.to_owned();
    }
    text.chars()
        .map(|c| match c {
            '\n' => '␤',
            '\t' => ' ',
            c if c.is_control() => '�',
            c => c,
        })
        .collect()
}

/// Text of at most `width` columns, with an ellipsis where something was cut.
pub fn shorten(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 0;
    for c in text.chars() {
        let columns = c.width().unwrap_or(0);
        if used + columns + 1 > width {
            break;
        }
        kept.push(c);
        used += columns;
    }
    kept.push('…');
    kept
}

/// Takes columns away from the widest until the row fits; no column falls below eight.
fn shrink(widths: &mut [usize], available: usize) {
    loop {
        let total: usize = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        if total <= available {
            return;
        }
        let Some(widest) = widths.iter_mut().max() else { return };
        if *widest <= 8 {
            return;
        }
        *widest -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_fit_and_long_cells_are_cut() {
        let mut view = View::new(40, false);
        view.table(
            &["path", "lines"],
            &[vec![Cell::text("a/very/long/path/that/does/not/fit/here.rs"), Cell::number(12)]],
        );
        let text = view.finish();
        assert!(text.lines().all(|line| line.width() <= 40), "{text}");
        assert!(text.contains('…'));
    }

    #[test]
    fn file_names_cannot_steer_the_terminal() {
        let view = View::new(80, false);
        assert_eq!(view.plain("a\u{1b}[2Jb\nc"), "a�[2Jb␤c");
    }

    #[test]
    fn a_place_is_a_link_where_links_are_wanted() {
        let plain = View::new(80, false);
        assert_eq!(plain.place("src/a b.rs", 3), "src/a b.rs");
        let view = View::new(80, false).with_links(Path::new("/project"));
        assert_eq!(
            view.place("src/a \u{1b}.rs", 3),
            "\u{1b}]8;;file:///project/src/a%20%1B.rs#3\u{1b}\\src/a �.rs\u{1b}]8;;\u{1b}\\"
        );
        assert!(view.place("https://x.y/z", 1).starts_with("\u{1b}]8;;https://x.y/z\u{1b}"));
        assert_eq!(view.place("a.zip!/b.rs", 1), "a.zip!/b.rs");
    }

    #[test]
    fn a_mark_stands_under_what_is_meant() {
        let view = View::new(80, false);
        let typed = "größe lang:klingon x";
        let (line, caret) = view.pointed(typed, 8..20);
        assert_eq!((line.as_str(), caret.as_str()), (typed, "      ^^^^^^^^^^^^"));
        let long = format!("{} re:/x", "東京 ".repeat(50));
        let (line, caret) = view.pointed(&long, long.len() - 5..long.len());
        assert!(line.starts_with('…') && line.ends_with("re:/x"), "{line}");
        assert_eq!(caret.width(), line.width());
    }

    #[test]
    fn bytes_are_readable() {
        assert_eq!(human_bytes(0), "0 B");
        assert_eq!(human_bytes(1536), "1.5 KiB");
        assert_eq!(human_bytes(4 << 20), "4.0 MiB");
    }
}
