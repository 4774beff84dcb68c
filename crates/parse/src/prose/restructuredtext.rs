//! reStructuredText: titles with lines of signs under (and over) them are sections, `code-block` directives segments.

use super::code_block;
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::sections::{self, Heading};

/// Directives whose content is code.
const CODE_DIRECTIVES: [&str; 5] =
    ["code-block", "code", "sourcecode", "parsed-literal", "doctest"];

/// Reads the structure of a reStructuredText.
pub(crate) fn read(lines: &LineTable<'_>) -> Outline {
    let mut outline = Outline::default();
    let mut headings = Vec::new();
    // A level is a sign, with or without a line above: the first that comes up is the highest.
    let mut levels: Vec<(u8, bool)> = Vec::new();
    let mut line = 0;
    // A title may follow another one without a blank line.
    let mut after_title = 0;
    while line < lines.count() {
        if let Some((end, language)) = code_directive(lines, line) {
            code_block(lines, content_start(lines, line + 1..end)..end, language, &mut outline);
            line = end;
            continue;
        }
        let Some(title) = title(lines, line, line == after_title) else {
            line += 1;
            continue;
        };
        let style = (title.sign, title.is_overlined);
        let level = levels.iter().position(|known| *known == style).unwrap_or_else(|| {
            levels.push(style);
            levels.len() - 1
        });
        let text = lines.line(title.text).trim().to_owned();
        headings.push(Heading { level: level + 1, line, title: text });
        line = title.end;
        after_title = line;
    }
    sections::nest(lines, headings, &mut outline);
    outline.finish();
    outline
}

struct Title {
    text: usize,
    sign: u8,
    is_overlined: bool,
    end: usize,
}

/// The title that starts at a line.
fn title(lines: &LineTable<'_>, line: usize, is_free: bool) -> Option<Title> {
    let at = |line: usize| if line < lines.count() { lines.line(line).trim_end() } else { "" };
    let follows_block =
        |before: &str| before.trim().is_empty() || before.starts_with([' ', '\t', '.']);
    let is_free = is_free || line == 0 || follows_block(at(line - 1));
    if !is_free {
        return None;
    }
    if let Some((sign, width)) = adornment(at(line)) {
        let text = at(line + 1);
        let same = adornment(at(line + 2)) == Some((sign, width));
        let is_title = same && !text.trim().is_empty() && fits(text.trim(), width);
        // Two lines of signs with text between them that is itself signs: a table.
        return (is_title && adornment(text).is_none()).then_some(Title {
            text: line + 1,
            sign,
            is_overlined: true,
            end: line + 3,
        });
    }
    let text = at(line);
    let (sign, width) = adornment(at(line + 1))?;
    let is_title = !text.is_empty()
        && !text.starts_with([' ', '\t'])
        && !text.starts_with("..")
        && !text.starts_with('|')
        && fits(text, width);
    is_title.then_some(Title { text: line, sign, is_overlined: false, end: line + 2 })
}

/// A line under a title is as long as the title, or nearly so.
fn fits(title: &str, width: usize) -> bool {
    let length = title.chars().count();
    width >= length || (width >= 4 && width + 4 >= length)
}

/// The sign and length of a line made of one sign.
fn adornment(line: &str) -> Option<(u8, usize)> {
    let bytes = line.as_bytes();
    let sign = *bytes.first()?;
    let is_line = sign.is_ascii_punctuation() && bytes.iter().all(|byte| *byte == sign);
    // Two dots start a comment, two colons a code block.
    let is_markup = bytes.len() < 3 && matches!(sign, b'.' | b':');
    (is_line && !is_markup).then_some((sign, bytes.len()))
}

/// Where the code directive at a line ends, and the language it names.
fn code_directive<'t>(lines: &LineTable<'t>, line: usize) -> Option<(usize, &'t str)> {
    let text = lines.line(line);
    let directive = text.trim_start().strip_prefix(".. ")?;
    let (name, argument) = directive.trim_start().split_once("::")?;
    if !CODE_DIRECTIVES.contains(&name.trim()) {
        return None;
    }
    let indent = text.len() - text.trim_start().len();
    let is_inside = |line: &usize| {
        let text = lines.line(*line);
        text.trim().is_empty() || text.len() - text.trim_start().len() > indent
    };
    let end =
        (line + 1..lines.count()).take_while(is_inside).last().map_or(line + 1, |last| last + 1);
    let language = match name.trim() {
        "parsed-literal" => "",
        "doctest" => "python",
        _ => argument.trim(),
    };
    Some((end, language))
}

/// The first line after the options of a directive.
fn content_start(lines: &LineTable<'_>, range: std::ops::Range<usize>) -> usize {
    let is_option = |line: &usize| lines.line(*line).trim_start().starts_with(':');
    let n_options = range.clone().take_while(is_option).count();
    (range.start + n_options).min(range.end)
}
