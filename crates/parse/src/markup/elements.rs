//! The elements of a text with tags.
//!
//! Made for text as it is found: tags that are never closed, templates between the tags, signs that are no tags.
//! Every byte is looked at a bounded number of times, so large pages cost little.

use std::ops::Range;

/// Elements nested deeper are not told apart.
const MAX_DEPTH: usize = 128;
/// A closing tag closes an element this far up at most.
const MAX_UNCLOSED: usize = 32;

/// After looking at so many bytes for nothing, and four times the text, the rest is taken for text.
const WASTE_MAX: usize = 64 * 1024;

/// Elements that have no inside.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// Elements that end where the next of the same group begins.
const UNCLOSED: [&[&str]; 6] =
    [&["li"], &["dt", "dd"], &["tr"], &["td", "th"], &["option"], &["p"]];
/// Elements whose inside is text, whatever it looks like.
const RAW: [&str; 3] = ["script", "style", "textarea"];

/// An element. Elements are in the order of their start.
#[derive(Debug)]
pub(super) struct Element<'t> {
    pub(super) name: &'t str,
    /// From the first sign of its start tag to the last of its end tag.
    pub(super) bytes: Range<usize>,
    /// Between the tags.
    pub(super) inside: Range<usize>,
    /// What the start tag says after the name.
    attributes: &'t str,
    /// The place after the last element inside.
    pub(super) end: usize,
}

impl<'t> Element<'t> {
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value of an attribute; empty for one without a value.
    pub(super) fn attribute(&self, name: &str) -> Option<&'t str> {
        let mut rest = self.attributes;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
            if rest.is_empty() {
                return None;
            }
            let key_end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
            let (key, after) = rest.split_at(key_end.max(1).min(rest.len()).max(first_len(rest)));
            let (value, after) = match after.trim_start().strip_prefix('=') {
                Some(value) => split_value(value.trim_start()),
                None => ("", after),
            };
            if key.eq_ignore_ascii_case(name) {
                return Some(value);
            }
            rest = after;
        }
    }
}

/// Whether a quote after this byte opens the value of an attribute.
fn opens_value(before: u8) -> bool {
    before == b'=' || before.is_ascii_whitespace()
}

fn first_len(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

fn split_value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inside) = text.strip_prefix(quote) {
            return inside.split_once(quote).unwrap_or((inside, ""));
        }
    }
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// How tags are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Html,
    /// HTML whose attributes may hold code in braces.
    Braces,
    Xml,
}

/// The elements of a text.
pub(super) fn elements(text: &str, dialect: Dialect) -> Vec<Element<'_>> {
    let mut reader = Reader {
        text,
        dialect,
        elements: Vec::new(),
        open: Vec::new(),
        unpaired: Vec::new(),
        wasted: 0,
    };
    reader.read();
    reader.elements
}

struct Reader<'t> {
    text: &'t str,
    dialect: Dialect,
    elements: Vec<Element<'t>>,
    open: Vec<usize>,
    /// Quotes that do not occur any more.
    unpaired: Vec<u8>,
    /// Bytes that were looked at for tags that turned out to be none.
    wasted: usize,
}

impl<'t> Reader<'t> {
    fn read(&mut self) {
        let mut at = 0;
        while let Some(found) = self.text[at..].find('<') {
            let start = at + found;
            let next = self.markup(start);
            at = next.max(start + 1);
            if self.wasted > WASTE_MAX + 4 * self.text.len() {
                break;
            }
        }
        self.close_to(0, self.text.len(), self.text.len());
    }

    /// Reads what starts with `<` and returns where to go on.
    fn markup(&mut self, start: usize) -> usize {
        let rest = &self.text[start..];
        let after =
            |sign: &str| rest.find(sign).map_or(self.text.len(), |at| start + at + sign.len());
        if rest.starts_with("<!--") {
            return after("-->");
        }
        if rest.starts_with("<![CDATA[") {
            return after("]]>");
        }
        if rest.starts_with("<?") {
            return after("?>");
        }
        if rest.starts_with("<!") {
            // A document type may hold declarations of its own.
            let end = rest.find('>').unwrap_or(rest.len());
            return if rest[..end].contains('[') { after("]>") } else { start + end };
        }
        let is_end = rest.starts_with("</");
        let name_start = start + 1 + usize::from(is_end);
        let name = self.name_at(name_start);
        if name.is_empty() {
            return start + 1;
        }
        let name_end = name_start + name.len();
        let Some(tag_end) = self.tag_end(name_end) else { return start + 1 };
        if is_end {
            self.close(name, start, tag_end);
            return tag_end;
        }
        self.open_element(name, start, name_end..tag_end)
    }

    fn name_at(&self, at: usize) -> &'t str {
        let rest = &self.text[at..];
        if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return "";
        }
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
        &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())]
    }

    /// After the `>` of a tag; `None` where another tag starts first.
    fn tag_end(&mut self, start: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = start;
        let mut depth = 0_usize;
        loop {
            match bytes.get(at) {
                Some(b'>') if depth == 0 => return Some(at + 1),
                Some(b'<') if depth == 0 => break,
                None => break,
                Some(_) => {},
            }
            match bytes[at] {
                b'"' | b'\'' if depth > 0 || opens_value(bytes[at - 1]) => {
                    at = self.quote_end(at).unwrap_or(at);
                },
                b'`' if depth > 0 => at = self.quote_end(at).unwrap_or(at),
                b'{' if self.dialect == Dialect::Braces => depth += 1,
                b'}' if self.dialect == Dialect::Braces => depth = depth.saturating_sub(1),
                _ => {},
            }
            at += 1;
        }
        self.wasted += at - start;
        None
    }

    /// The closing quote of the one at a byte.
    fn quote_end(&mut self, at: usize) -> Option<usize> {
        let quote = self.text.as_bytes()[at];
        if self.unpaired.contains(&quote) {
            return None;
        }
        let found = self.text[at + 1..].find(char::from(quote)).map(|found| at + 1 + found);
        if found.is_none() {
            self.unpaired.push(quote);
        }
        found
    }

    fn open_element(&mut self, name: &'t str, start: usize, tag: Range<usize>) -> usize {
        let attributes = self.text[tag.clone()].trim_end_matches('>');
        let is_html = self.dialect != Dialect::Xml;
        if is_html {
            self.close_unclosed(name, start);
        }
        let known = |names: &[&str]| names.iter().any(|other| name.eq_ignore_ascii_case(other));
        let mut element =
            Element { name, bytes: start..tag.end, inside: tag.end..tag.end, attributes, end: 0 };
        let idx = self.elements.len();
        element.end = idx + 1;
        if attributes.ends_with('/') || (is_html && known(&VOID)) {
            self.elements.push(element);
            return tag.end;
        }
        if is_html && known(&RAW) {
            let (inside_end, end) = self.raw_end(name, tag.end);
            element.inside.end = inside_end;
            element.bytes.end = end;
            self.elements.push(element);
            return end;
        }
        if self.open.len() < MAX_DEPTH {
            self.open.push(idx);
            self.elements.push(element);
        }
        tag.end
    }

    /// Where the inside of a raw element ends, and where its end tag does.
    fn raw_end(&self, name: &str, at: usize) -> (usize, usize) {
        let mut from = at;
        while let Some(found) = self.text[from..].find("</") {
            let end = from + found;
            let closing = self.name_at(end + 2);
            if closing.eq_ignore_ascii_case(name) {
                let after = self.text[end..].find('>').map_or(self.text.len(), |at| end + at + 1);
                return (end, after);
            }
            from = end + 2;
        }
        (self.text.len(), self.text.len())
    }

    /// Ends an element that the start of another one ends.
    fn close_unclosed(&mut self, name: &str, at: usize) {
        let Some(last) = self.open.last() else { return };
        let last_name = self.elements[*last].name;
        let holds =
            |group: &&&[&str], name: &str| group.iter().any(|one| one.eq_ignore_ascii_case(name));
        let group = UNCLOSED.iter().find(|group| holds(group, last_name));
        let is_block = || {
            matches!(name, "div" | "ul" | "ol" | "table" | "section" | "pre" | "blockquote")
                || heading_level(name).is_some()
        };
        let ends = group.is_some_and(|group| {
            holds(&group, name) || (last_name.eq_ignore_ascii_case("p") && is_block())
        });
        if ends {
            self.close_to(self.open.len() - 1, at, at);
        }
    }

    fn close(&mut self, name: &str, start: usize, end: usize) {
        let is_same = |idx: &usize| match self.dialect {
            Dialect::Xml => self.elements[*idx].name == name,
            Dialect::Html | Dialect::Braces => self.elements[*idx].is(name),
        };
        let near = self.open.len().saturating_sub(MAX_UNCLOSED);
        if let Some(at) = self.open[near..].iter().rposition(is_same) {
            self.close_to(near + at + 1, start, start);
            self.close_to(near + at, start, end);
        }
    }

    /// Ends all elements above a depth.
    fn close_to(&mut self, depth: usize, inside_end: usize, end: usize) {
        let after = self.elements.len();
        for idx in self.open.drain(depth.min(self.open.len())..) {
            let element = &mut self.elements[idx];
            element.inside.end = inside_end.max(element.inside.start);
            element.bytes.end = end.max(element.bytes.end);
            element.end = after;
        }
    }
}

/// 1 to 6 for `h1` to `h6`.
pub(super) fn heading_level(name: &str) -> Option<usize> {
    match name.as_bytes() {
        [b'h' | b'H', digit @ b'1'..=b'6'] => Some(usize::from(digit - b'0')),
        _ => None,
    }
}
