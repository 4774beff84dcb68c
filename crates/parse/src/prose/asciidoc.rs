//! AsciiDoc: titles with equals signs are sections, `[source]` blocks segments.

use super::code_block;
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::sections::{self, Heading};

/// Reads the structure of an AsciiDoc text.
pub(crate) fn read(lines: &LineTable<'_>) -> Outline {
    let mut outline = Outline::default();
    let mut headings = Vec::new();
    let mut default_language = "";
    // The language of the block that follows.
    let mut language: Option<&str> = None;
    let mut line = 0;
    while line < lines.count() {
        let text = lines.line(line).trim_end();
        if let Some(fence) = verbatim_fence(text) {
            let ends = |line: &usize| lines.line(*line).trim_end() == fence;
            let end = (line + 1..lines.count()).find(ends).unwrap_or(lines.count());
            let named = text.strip_prefix("```").filter(|tag| !tag.is_empty()).or(language);
            if let Some(named) = named {
                code_block(lines, line + 1..end, named, &mut outline);
            } else {
                let whole = line..(end + 1).min(lines.count());
                let size = lines.size(&whole);
                outline.keep_unbroken(whole, size);
            }
            language = None;
            line = end + 1;
            continue;
        }
        if let Some(value) = text.strip_prefix(":source-language:") {
            default_language = value.trim();
        } else if let Some(named) = source_language(text, default_language) {
            language = Some(named);
        } else if let Some((level, title)) = title(text) {
            headings.push(Heading { level, line, title: title.to_owned() });
        } else if !text.starts_with('.') && !text.starts_with('[') {
            // A title of the block, and more attributes, may stand between the language and the block.
            language = None;
        }
        line += 1;
    }
    sections::nest(lines, headings, &mut outline);
    outline.finish();
    outline
}

/// The line that ends the block which this line starts, for blocks whose inside is not marked up.
fn verbatim_fence(text: &str) -> Option<&str> {
    if let Some(tag) = text.strip_prefix("```") {
        return (!tag.contains('`')).then_some("```");
    }
    let sign = text.chars().next()?;
    let is_fence = text.len() >= 4 && matches!(sign, '-' | '.' | '+' | '/');
    (is_fence && text.chars().all(|c| c == sign)).then_some(text)
}

/// `[source,ruby]`, `[source%linenums,ruby]`, `[,ruby]`.
fn source_language<'t>(text: &'t str, default_language: &'t str) -> Option<&'t str> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    let mut parts = inside.split(',').map(str::trim);
    let style = parts.next()?;
    let is_source = style.is_empty()
        || style == "source"
        || style.starts_with(['%', '#', '.'])
        || style.strip_prefix("source").is_some_and(|rest| rest.starts_with(['%', '#', '.']));
    if !is_source || style.is_empty() && !inside.contains(',') {
        return None;
    }
    let named = parts.next().map(|named| named.strip_prefix("language=").unwrap_or(named));
    named
        .map(|named| named.trim_matches('"'))
        .filter(|named| !named.is_empty())
        .or_else(|| style.starts_with("source").then_some(default_language))
}

/// `== Install` is a title of level 2.
fn title(text: &str) -> Option<(usize, &str)> {
    let sign = text.chars().next().filter(|sign| matches!(sign, '=' | '#'))?;
    let rest = text.trim_start_matches(sign);
    let level = text.len() - rest.len();
    let title = rest.strip_prefix([' ', '\t'])?.trim();
    let title = title.trim_end_matches(sign).trim_end();
    (level <= 6 && !title.is_empty()).then_some((level, title))
}
