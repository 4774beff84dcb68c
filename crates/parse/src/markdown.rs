//! Markdown to an outline: headings are items, code fences are segments, blocks are where long sections are cut.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::frontmatter;
use crate::language::language_by_tag;
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::sections::{self, Heading};
use crate::segment::{Segment, SegmentKind};

/// Reads the structure of a Markdown text.
pub(crate) fn read(lines: &LineTable<'_>) -> Outline {
    let mut outline = Outline::default();
    outline.frontmatter = frontmatter::read(lines, &mut outline.problems);
    let body = outline.frontmatter.as_ref().map_or(0, |frontmatter| frontmatter.bytes.end);
    let headings = read_blocks(lines, body, &mut outline);
    sections::nest(lines, headings, &mut outline);
    outline.finish();
    outline
}

/// The headings of a Markdown text.
pub(crate) fn headings(lines: &LineTable<'_>) -> Vec<Heading> {
    read_blocks(lines, 0, &mut Outline::default())
}

/// Notes blocks and fences in the outline and returns the headings in order.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "most events are inline and of no interest here"
)]
fn read_blocks(lines: &LineTable<'_>, body: usize, outline: &mut Outline) -> Vec<Heading> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS;
    let mut headings: Vec<Heading> = Vec::new();
    let mut open_heading = false;
    let mut open_fence: Option<(Option<&'static crate::Language>, Option<Range<usize>>)> = None;
    // Headings in quotes and list items are part of those and do not divide the text.
    let mut depth = 0_usize;
    for (event, range) in Parser::new_ext(&lines.text[body..], options).into_offset_iter() {
        let range = range.start + body..range.end + body;
        match event {
            Event::Start(tag) => {
                match tag {
                    Tag::Heading { level, .. } if depth == 0 => {
                        open_heading = true;
                        let line = lines.line_at(range.start);
                        headings.push(Heading {
                            level: level as usize,
                            line,
                            title: String::new(),
                        });
                    },
                    Tag::CodeBlock(kind) => {
                        let block = lines.lines_of(&range);
                        outline.cuts.push(block.start);
                        let size = lines.size(&block);
                        outline.keep_unbroken(block, size);
                        if let CodeBlockKind::Fenced(info) = kind {
                            open_fence = Some((fence_language(&info), None));
                        }
                    },
                    Tag::Paragraph
                    | Tag::Item
                    | Tag::List(_)
                    | Tag::Table(_)
                    | Tag::HtmlBlock
                    | Tag::BlockQuote(_)
                    | Tag::FootnoteDefinition(_) => outline.cuts.push(lines.line_at(range.start)),
                    _ => {},
                }
                depth += 1;
            },
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                match end {
                    TagEnd::Heading(_) => open_heading = false,
                    TagEnd::CodeBlock => {
                        if let Some((language, Some(bytes))) = open_fence.take() {
                            let kind = SegmentKind::CodeFence;
                            outline.segments.push(Segment { language, bytes, kind });
                        }
                    },
                    _ => {},
                }
            },
            Event::Text(_) if open_fence.is_some() => {
                if let Some((_, bytes)) = &mut open_fence {
                    let start = bytes.as_ref().map_or(range.start, |bytes| bytes.start);
                    *bytes = Some(start..range.end);
                }
            },
            Event::Text(text) | Event::Code(text) if open_heading => {
                if let Some(heading) = headings.last_mut() {
                    heading.title.push_str(&text);
                }
            },
            _ => {},
        }
    }
    headings
}

/// The language that the info string of a fence names: its first word, without attributes.
fn fence_language(info: &str) -> Option<&'static crate::Language> {
    let word = info.trim().trim_start_matches(['{', '.']);
    let end = word
        .find(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | ':'))
        .unwrap_or(word.len());
    language_by_tag(&word[..end])
}
