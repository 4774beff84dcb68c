//! What a comment says, without the marks that make it a comment.

use std::ops::Range;

use crate::language::{Language, LanguageClass};
use crate::line_table::LineTable;

/// Characters that follow a comment mark to make it a documentation comment or a decoration.
const MARK_TAIL: [char; 5] = ['/', '!', '*', '#', ':'];

/// What only documentation in XML has.
const XML_SIGNS: [&str; 5] =
    ["<summary>", "<inheritdoc", "<remarks>", "<returns>", "<param name=\""];

/// The text of comments, line by line, without marks and without blank lines at either end.
///
/// A string that documents (`@doc """…"""`) says what is between its quotes.
pub fn text(comment: &str, language: &Language) -> String {
    if let Some(inside) = quoted(comment, language) {
        return dedent(inside);
    }
    let mut out = String::with_capacity(comment.len());
    for line in comment.lines() {
        let line = content(line, language);
        if !(out.is_empty() && line.is_empty()) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn quoted<'t>(comment: &'t str, language: &Language) -> Option<&'t str> {
    let is_string = comment.starts_with(['"', '@']) && !language.line_comments.contains(&"\"");
    let (_, string) = comment.split_once('"').filter(|_| is_string)?;
    match string.strip_prefix("\"\"") {
        Some(long) => Some(long.strip_suffix("\"\"\"").unwrap_or(long)),
        None => Some(string.strip_suffix('"').unwrap_or(string)),
    }
}

fn content<'t>(line: &'t str, language: &Language) -> &'t str {
    let mut line = line.trim();
    let mut is_marked = false;
    for (_, close) in language.block_comments {
        if let Some(rest) = line.strip_suffix(close) {
            line = rest.trim_end();
        }
    }
    let openings = language.block_comments.iter().map(|(open, _)| *open);
    for mark in openings.chain(language.line_comments.iter().copied()) {
        if let Some(rest) = line.strip_prefix(mark) {
            line = rest.trim_start_matches(MARK_TAIL);
            is_marked = true;
            break;
        }
    }
    if !is_marked && let Some(rest) = line.strip_prefix('*') {
        line = rest;
    }
    line.strip_prefix(' ').unwrap_or(line)
}

/// Documentation without the tags of XML: `<see cref="Store"/>` is `Store`.
///
/// Only where it is written in them; elsewhere `<T>` is as likely a type.
pub(crate) fn without_tags(doc: String) -> String {
    if !XML_SIGNS.iter().any(|sign| doc.contains(sign)) {
        return doc;
    }
    let mut out = String::with_capacity(doc.len());
    let mut rest = doc.as_str();
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let tag = after.split_once('>').filter(|(tag, _)| is_tag(tag));
        let Some((tag, after_tag)) = tag else {
            out.push('<');
            rest = after;
            continue;
        };
        let value = tag.split_once("cref=\"").or_else(|| tag.split_once("name=\""));
        if let Some((value, _)) = value.and_then(|(_, value)| value.split_once('"')) {
            out.push_str(value);
            out.push(' ');
        }
        rest = after_tag;
    }
    out.push_str(rest);
    let lines: Vec<&str> = out.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

fn is_tag(text: &str) -> bool {
    let name = text.trim_start_matches('/');
    name.starts_with(|c: char| c.is_ascii_lowercase()) && !text.contains(['<', '\n'])
}

/// The text of a string that documents, without the indentation its lines share.
pub(crate) fn dedent(text: &str) -> String {
    let text = text.trim_end();
    let indent_of = |line: &str| line.len() - line.trim_start().len();
    let continued = text.lines().skip(1).filter(|line| !line.trim_start().is_empty());
    let indent = continued.map(indent_of).min().unwrap_or_default();
    let mut out = String::with_capacity(text.len());
    for (idx, line) in text.trim_start_matches(['\n', '\r']).lines().enumerate() {
        let is_first = idx == 0;
        let line =
            if is_first { line.trim_start() } else { line.get(indent..).unwrap_or_default() };
        if !is_first {
            out.push('\n');
        }
        out.push_str(line.trim_end());
    }
    out
}

/// The comments that begin a line, in a language whose strings are not known: those behind code are left out.
///
/// Lines of one mark right below each other are one comment each.
pub(crate) fn whole_lines(lines: &LineTable<'_>, language: &Language) -> Vec<Range<usize>> {
    let mut comments = Vec::new();
    let is_prose = language.class == LanguageClass::Prose;
    if is_prose || (language.line_comments.is_empty() && language.block_comments.is_empty()) {
        return comments;
    }
    // Signs that close nothing in the rest of the text are not looked for again.
    let mut missing: Vec<&str> = Vec::new();
    let mut line = 0;
    while line < lines.count() {
        let text = lines.line(line);
        let start = lines.start(line) + (text.len() - text.trim_start().len());
        let text = text.trim();
        let blocks = language.block_comments.iter();
        let opened =
            blocks.filter(|(open, _)| text.starts_with(open)).max_by_key(|(open, _)| open.len());
        let marks = language.line_comments.iter();
        let mark = marks.filter(|mark| text.starts_with(*mark)).map(|mark| mark.len()).max();
        line += 1;
        match opened {
            // `--[[` opens a block though `--` alone would be a mark.
            Some((open, close)) if mark.is_none_or(|mark| mark < open.len()) => {
                let inside = start + open.len();
                if missing.contains(close) {
                    continue;
                }
                let Some(length) = lines.text[inside..].find(close) else {
                    missing.push(close);
                    continue;
                };
                let end = inside + length + close.len();
                comments.push(start..end);
                line = lines.line_at(end) + 1;
            },
            _ if mark.is_some() => comments.push(start..start + text.len()),
            _ => {},
        }
    }
    comments
}

/// Whether lines hold comments and nothing else.
pub(crate) fn is_all_comment(
    lines: &LineTable<'_>,
    range: Range<usize>,
    language: &Language,
) -> bool {
    let mut open_block: Option<&str> = None;
    for line in range {
        let text = lines.line(line).trim();
        if let Some(close) = open_block {
            if text.contains(close) {
                open_block = None;
            }
            continue;
        }
        if text.is_empty() || language.line_comments.iter().any(|mark| text.starts_with(mark)) {
            continue;
        }
        let opened = language.block_comments.iter().find(|(open, _)| text.starts_with(open));
        match opened {
            Some((open, close)) if !text[open.len()..].contains(close) => open_block = Some(close),
            Some((_, close)) if text.ends_with(close) => {},
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::language_by_id;

    #[test]
    fn marks_of_line_and_block_comments_are_dropped() {
        let rust = language_by_id("rust").unwrap();
        assert_eq!(text("/// Opens.\n///\n///   Indented.\n", rust), "Opens.\n\n  Indented.");
        assert_eq!(text("/**\n * Opens.\n * Twice.\n */", rust), "Opens.\nTwice.");
        assert_eq!(text("//! Über", rust), "Über");
    }

    #[test]
    fn strings_that_document_lose_their_common_indentation() {
        assert_eq!(dedent("One.\n\n    Two:\n      three\n    "), "One.\n\nTwo:\n  three");
        assert_eq!(dedent("\n    One.\n    Two.\n"), "One.\nTwo.");
        assert_eq!(dedent("  "), "");
    }

    #[test]
    fn comments_that_begin_a_line_are_found_without_a_grammar() {
        let found = |id: &str, text: &'static str| -> Vec<&str> {
            let comments = whole_lines(&LineTable::new(text), language_by_id(id).unwrap());
            comments.into_iter().map(|comment| &text[comment]).collect()
        };
        let ini = "# ä\n[a]\n  ; b\r\nc = \"# d\" # e\n";
        assert_eq!(found("ini", ini), ["# ä", "; b"]);
        let less = "/* a\n b */ c { }\nd: \"/* e */\";\n// f\n/* never closed\n// g";
        assert_eq!(found("less", less), ["/* a\n b */", "// f", "// g"]);
        assert_eq!(found("text", "# no comment\n"), [""; 0]);
    }

    #[test]
    fn comments_are_told_from_code() {
        let rust = language_by_id("rust").unwrap();
        let check = |text: &str| {
            let lines = LineTable::new(text);
            is_all_comment(&lines, 0..lines.count(), rust)
        };
        assert!(check("// a\n\n/* b\nc\n*/\n/* d */\n"));
        assert!(!check("// a\nuse b;\n"));
        assert!(!check("/* a */ use b;\n"));
    }

    #[test]
    fn documentation_in_xml_is_read_without_its_tags() {
        let doc = "<summary>\nOpens a <see cref=\"Store\"/>.\n</summary>\n<param name=\"path\">Where.</param>";
        assert_eq!(without_tags(doc.to_owned()), "Opens a Store .\npath Where.");
        for doc in ["A Vec<T> of <b>things</b>.", "<summary>a < b, Map<K, V></summary>"] {
            assert!(without_tags(doc.to_owned()).contains('<'), "{doc}");
        }
    }
}
