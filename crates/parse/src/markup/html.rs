//! HTML, Vue, Svelte and Astro to an outline: headings and elements with an id are items, scripts and styles segments.

use std::borrow::Cow;
use std::ops::Range;

use gik_base::FileKey;

use super::elements::{Dialect, Element, elements, heading_level};
use crate::builder::Builder;
use crate::chunk::ChunkKind;
use crate::language::{Language, language_by_id, language_by_tag};
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::sections::PATH_SEPARATOR;
use crate::segment::{Segment, SegmentKind};

/// Larger pages are data or generated: they are chunked as text.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Longer headings are cut.
const HEADING_MAX: usize = 200;

/// Reads the structure of a page or a component.
pub(crate) fn read(path: &FileKey, lines: &LineTable<'_>, language: &'static Language) -> Outline {
    if lines.text.len() > MAX_BYTES {
        return Outline::default();
    }
    let dialect = match language.id {
        "svelte" | "astro" => Dialect::Braces,
        _ => Dialect::Html,
    };
    let builder = Builder::new(path, lines, language, PATH_SEPARATOR);
    let fence = if language.id == "astro" { code_fence(lines) } else { 0..0 };
    let markup = without(lines.text, lines.bytes(&fence));
    let elements = elements(&markup, dialect);
    let mut page = Page { has_code: language.id != "html", builder, elements: &elements };
    if !fence.is_empty() {
        page.code(fence);
    }
    if language.id == "vue" {
        page.component();
    } else {
        page.inside(0..elements.len(), lines.count());
    }
    page.builder.finish()
}

struct Page<'a, 't> {
    /// Whether text holds code in braces.
    has_code: bool,
    builder: Builder<'a, 't>,
    elements: &'a [Element<'t>],
}

impl Page<'_, '_> {
    /// The parts of a Vue component.
    fn component(&mut self) {
        let mut idx = 0;
        while let Some(element) = self.elements.get(idx) {
            let touched = self.builder.lines.lines_of(&element.bytes);
            if element.is("script") || element.is("style") {
                self.raw(element);
            } else {
                if element.is("template") {
                    let language = match element.attribute("lang") {
                        Some(tag) => language_by_tag(tag),
                        None => language_by_id("html"),
                    };
                    let (bytes, kind) = (element.inside.clone(), SegmentKind::Template);
                    self.builder.outline.segments.push(Segment { language, bytes, kind });
                }
                self.builder.open(touched.start, ChunkKind::Block, "");
                self.inside(idx + 1..element.end, touched.end);
                self.builder.close(touched.end);
            }
            idx = element.end.max(idx + 1);
        }
    }

    /// The code between the lines of a fence.
    fn code(&mut self, fence: Range<usize>) {
        let lines = self.builder.lines;
        let bytes = lines.start(fence.start + 1)..lines.start(fence.end - 1);
        let (language, kind) = (language_by_id("typescript"), SegmentKind::Script);
        self.builder.outline.segments.push(Segment { language, bytes, kind });
        self.builder.leaf(fence, ChunkKind::Block, "");
    }

    /// Elements beside each other; a heading among them opens a section that reaches to the next one or to the end.
    ///
    /// How deep elements are nested is limited where they are read.
    fn inside(&mut self, range: Range<usize>, end_line: usize) {
        let mut sections: Vec<usize> = Vec::new();
        let mut idx = range.start;
        while idx < range.end {
            let element = &self.elements[idx];
            let next = element.end.max(idx + 1);
            let lines = self.builder.lines;
            let touched = lines.lines_of(&element.bytes);
            if lines.is_line_start(element.bytes.start) {
                self.builder.outline.cuts.push(touched.start);
            }
            let id = element.attribute("id").map(str::trim).unwrap_or_default();
            if let Some(level) = heading_level(element.name) {
                while sections.pop_if(|open| *open >= level).is_some() {
                    self.builder.close(touched.start);
                }
                let title = self.words(&lines.text[element.inside.clone()]);
                self.builder.open(touched.start, ChunkKind::Doc, &title);
                sections.push(level);
            } else if element.is("script") || element.is("style") {
                self.raw(element);
            } else if element.is("svg") {
                // Shapes of a picture have ids, but say nothing.
            } else if id.is_empty() || id.contains(['{', '<']) {
                self.inside(idx + 1..next, touched.end.saturating_sub(1).max(touched.start));
            } else {
                self.builder.open_apart(touched.start, ChunkKind::Block, id);
                self.inside(idx + 1..next, touched.end.saturating_sub(1).max(touched.start));
                self.builder.close(touched.end);
            }
            idx = next;
        }
        for _ in sections {
            self.builder.close(end_line);
        }
    }

    /// The words of a heading, without the tags and the code inside it.
    fn words(&self, markup: &str) -> String {
        let mut text = words(markup);
        while self.has_code
            && let Some((start, end)) = text.find('{').zip(text.find('}'))
            && start < end
        {
            text.replace_range(start..=end, "");
        }
        text
    }

    /// A script or a style sheet.
    fn raw(&mut self, element: &Element<'_>) {
        let text = self.builder.lines.text;
        let touched = self.builder.lines.lines_of(&element.bytes);
        if !text[element.inside.clone()].trim().is_empty() {
            let kind = if element.is("style") { SegmentKind::Style } else { SegmentKind::Script };
            let language = raw_language(element);
            let bytes = element.inside.clone();
            self.builder.outline.segments.push(Segment { language, bytes, kind });
            self.builder.leaf(touched, ChunkKind::Block, "");
        }
    }
}

/// The `---` lines at the top of an Astro component and the code between them; nothing where there are none.
fn code_fence(lines: &LineTable<'_>) -> Range<usize> {
    let is_rule = |line: &usize| *line < lines.count() && lines.line(*line).trim_end() == "---";
    let end = Some(0).filter(is_rule).and_then(|_| (1..lines.count()).find(is_rule));
    0..end.map_or(0, |end| end + 1)
}

/// The text with nothing at these bytes of its start: `Array<string>` in code is no element.
fn without(text: &str, bytes: Range<usize>) -> Cow<'_, str> {
    if bytes.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned([" ".repeat(bytes.end).as_str(), &text[bytes.end..]].concat())
}

/// The language of a script or a style sheet: what `lang` or `type` says, or the usual one.
fn raw_language(element: &Element<'_>) -> Option<&'static Language> {
    if let Some(tag) = element.attribute("lang") {
        return language_by_tag(tag);
    }
    if element.is("style") {
        return language_by_id("css");
    }
    let kind = element.attribute("type").unwrap_or_default().trim().to_ascii_lowercase();
    let kind = kind.split(';').next().unwrap_or_default();
    let subtype = kind.rsplit('/').next().unwrap_or_default();
    let subtype = subtype.strip_prefix("x-").unwrap_or(subtype);
    match subtype {
        "" | "module" | "javascript" | "ecmascript" => language_by_id("javascript"),
        "babel" => language_by_id("jsx"),
        "importmap" | "speculationrules" => language_by_id("json"),
        _ if subtype.ends_with("json") => language_by_id("json"),
        _ => language_by_tag(subtype),
    }
}

/// The words of a heading, without the tags inside it.
fn words(markup: &str) -> String {
    let mut out = String::new();
    let mut rest = markup;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        match after.split_once('>') {
            Some((_, after)) => rest = after,
            None => rest = "",
        }
        if out.len() > HEADING_MAX {
            break;
        }
    }
    out.push_str(rest);
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&para;", ""),
        ("¶", ""),
        ("&amp;", "&"),
    ] {
        if out.contains(entity) {
            out = out.replace(entity, sign);
        }
    }
    out.truncate(out.floor_char_boundary(HEADING_MAX));
    out
}
