//! HTML as a stream of tags and texts, in one pass over any input.
//!
//! There is no tree: building one costs stack or quadratic time on hostile pages, and readable text does not need it.

use std::borrow::Cow;

use super::entities;

/// A piece of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Start(Tag<'a>),
    End(&'a str),
    /// Text with its character references not yet replaced.
    Text(&'a str),
    /// The content of an element that holds no tags: `title`, `script` and the like.
    Content(&'a str),
}

/// A start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// The name as written.
    pub(super) name: &'a str,
    pub(super) is_self_closing: bool,
    attributes: &'a str,
}

impl<'a> Tag<'a> {
    /// The attributes in order: the name as written, the value with its character references replaced.
    pub(super) fn attributes(self) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> {
        let mut at = 0;
        std::iter::from_fn(move || match next_attribute(self.attributes, &mut at) {
            AttributeStep::Attribute(name, value) => Some((name, entities::decode(value))),
            AttributeStep::TagEnd { .. } | AttributeStep::InputEnd => None,
        })
    }

    pub(super) fn attribute(self, wanted: &str) -> Option<Cow<'a, str>> {
        let mut attributes = self.attributes();
        attributes.find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value)
    }
}

/// Iterates over the tokens of a page.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    html: &'a str,
    at: usize,
    is_xml: bool,
    /// The element whose content comes next as one piece.
    content_of: Option<&'a str>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        let is_xml = html.trim_start_matches('\u{feff}').trim_start().starts_with("<?xml");
        Self { html, at: 0, is_xml, content_of: None }
    }

    fn take_until(&mut self, end: usize) -> &'a str {
        let taken = &self.html[self.at..end];
        self.at = end;
        taken
    }

    fn content(&mut self, name: &str) -> Token<'a> {
        let rest = &self.html[self.at..];
        let end = rest.match_indices("</").map(|(at, _)| at).find(|&at| {
            let after = &rest.as_bytes()[at + 2..];
            after.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
                && after.get(name.len()).is_none_or(|&byte| ends_name(byte))
        });
        let end = self.at + end.unwrap_or(rest.len());
        Token::Content(self.take_until(end))
    }

    /// The markup at `<`, or `None` where that character is only text.
    fn markup(&mut self) -> Option<Option<Token<'a>>> {
        let after = &self.html.as_bytes()[self.at + 1..];
        match after {
            [first, ..] if first.is_ascii_alphabetic() => Some(self.start_tag()),
            [b'/', first, ..] if first.is_ascii_alphabetic() => Some(self.end_tag()),
            [b'!', b'-', b'-', ..] => {
                // `<!-->` is a whole comment, so the search starts inside the opening.
                let from = self.at + 2;
                let end = self.html[from..].find("-->").map_or(self.html.len(), |at| from + at + 3);
                self.at = end;
                Some(None)
            },
            [b'!' | b'?' | b'/', ..] => {
                let rest = &self.html[self.at..];
                self.at += rest.find('>').map_or(rest.len(), |at| at + 1);
                Some(None)
            },
            _ => None,
        }
    }

    fn name(&mut self) -> &'a str {
        let rest = &self.html.as_bytes()[self.at..];
        let length = rest.iter().position(|&byte| ends_name(byte)).unwrap_or(rest.len());
        self.take_until(self.at + length)
    }

    /// Moves behind the tag; `None` where the input ends inside it.
    fn finish_tag(&mut self) -> Option<(&'a str, bool)> {
        let rest = &self.html[self.at..];
        let mut at = 0;
        loop {
            match next_attribute(rest, &mut at) {
                AttributeStep::Attribute(..) => {},
                AttributeStep::TagEnd { is_self_closing } => {
                    self.at += at;
                    return Some((&rest[..at - 1], is_self_closing));
                },
                AttributeStep::InputEnd => {
                    self.at = self.html.len();
                    return None;
                },
            }
        }
    }

    fn start_tag(&mut self) -> Option<Token<'a>> {
        self.at += 1;
        let name = self.name();
        let (attributes, has_slash) = self.finish_tag()?;
        let is_self_closing = has_slash && self.is_xml;
        if holds_no_tags(name) && !is_self_closing {
            self.content_of = Some(name);
        }
        Some(Token::Start(Tag { name, is_self_closing, attributes }))
    }

    fn end_tag(&mut self) -> Option<Token<'a>> {
        self.at += 2;
        let name = self.name();
        self.finish_tag().map(|_| Token::End(name))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if let Some(name) = self.content_of.take() {
            return Some(self.content(name));
        }
        while self.at < self.html.len() {
            let start = self.at;
            let mut text_end = start;
            if self.html.as_bytes()[start] == b'<' {
                match self.markup() {
                    Some(Some(token)) => return Some(token),
                    Some(None) => continue,
                    None => text_end += 1,
                }
            }
            let rest = &self.html[text_end..];
            let end = text_end + rest.find('<').unwrap_or(rest.len());
            return Some(Token::Text(self.take_until(end)));
        }
        None
    }
}

enum AttributeStep<'a> {
    Attribute(&'a str, &'a str),
    TagEnd { is_self_closing: bool },
    InputEnd,
}

/// The attribute at `at`, which is moved behind it.
fn next_attribute<'a>(text: &'a str, at: &mut usize) -> AttributeStep<'a> {
    let bytes = text.as_bytes();
    let mut has_slash = false;
    loop {
        match bytes.get(*at) {
            None => return AttributeStep::InputEnd,
            Some(b'>') => {
                *at += 1;
                return AttributeStep::TagEnd { is_self_closing: has_slash };
            },
            Some(b'/') => has_slash = true,
            Some(byte) if byte.is_ascii_whitespace() => has_slash = false,
            Some(_) => break,
        }
        *at += 1;
    }
    let run = |from: usize, ends: fn(u8) -> bool| {
        bytes[from..]
            .iter()
            .position(|&byte| ends(byte))
            .map_or(bytes.len(), |length| from + length)
    };
    // An equals sign at the start is part of the name.
    let name_end =
        run(*at + usize::from(bytes[*at] == b'='), |byte| ends_name(byte) || byte == b'=');
    let name = &text[*at..name_end];
    let equals = run(name_end, |byte| !byte.is_ascii_whitespace());
    if bytes.get(equals) != Some(&b'=') {
        *at = name_end;
        return AttributeStep::Attribute(name, "");
    }
    let value_start = run(equals + 1, |byte| !byte.is_ascii_whitespace());
    match bytes.get(value_start) {
        Some(&quote @ (b'"' | b'\'')) => {
            let from = value_start + 1;
            let Some(length) = text[from..].find(char::from(quote)) else {
                *at = bytes.len();
                return AttributeStep::InputEnd;
            };
            *at = from + length + 1;
            AttributeStep::Attribute(name, &text[from..from + length])
        },
        _ => {
            *at = run(value_start, |byte| byte.is_ascii_whitespace() || byte == b'>');
            AttributeStep::Attribute(name, &text[value_start..*at])
        },
    }
}

fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')
}

fn holds_no_tags(name: &str) -> bool {
    ["script", "style", "title", "textarea", "iframe", "xmp", "noembed", "noframes", "plaintext"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(html: &str) -> Vec<String> {
        Tokens::new(html)
            .map(|token| match token {
                Token::Start(tag) => {
                    let attributes = tag.attributes();
                    let attributes: String =
                        attributes.map(|(name, value)| format!(" {name}={value:?}")).collect();
                    format!("<{}{attributes}>", tag.name)
                },
                Token::End(name) => format!("</{name}>"),
                Token::Text(text) => text.to_owned(),
                Token::Content(text) => format!("[{text}]"),
            })
            .collect()
    }

    #[test]
    fn tags_texts_and_comments_are_told_apart() {
        assert_eq!(
            shown("<!DOCTYPE html><p Class=a  id='b > c' hidden>1 < 2<!-- <b> --> x</p >"),
            ["<p Class=\"a\" id=\"b > c\" hidden=\"\">", "1 ", "< 2", " x", "</p>"]
        );
        assert_eq!(shown("<!-->a<!--->b<!-- c"), ["a", "b"]);
        assert_eq!(shown("a<br/>b<a href=/x/>c"), ["a", "<br>", "b", "<a href=\"/x/\">", "c"]);
        assert_eq!(shown("<a title=\"&quot;&amp;\">"), ["<a title=\"\\\"&\">"]);
    }

    #[test]
    fn scripts_and_titles_hold_no_tags() {
        assert_eq!(
            shown("<script>if (a</b) '<p>'</SCRIPT><title>a<b</title>"),
            ["<script>", "[if (a</b) '<p>']", "</SCRIPT>", "<title>", "[a<b]", "</title>"]
        );
        assert_eq!(shown("<style>p {} <p>"), ["<style>", "[p {} <p>]"]);
    }

    #[test]
    fn a_page_that_ends_inside_a_tag_ends_there() {
        assert_eq!(shown("a<p class=\"b"), ["a"]);
        assert_eq!(shown("a<"), ["a", "<"]);
        assert_eq!(shown("a</"), ["a"]);
    }

    proptest! {
        #[test]
        fn any_text_is_cut_without_panic(html in "([<>/!a-z=\"'& -]|script|title|é|&#x41;){0,60}") {
            let text: usize = Tokens::new(&html)
                .map(|token| match token {
                    Token::Start(tag) => tag.attributes().count().min(1),
                    Token::End(name) => name.len(),
                    Token::Text(text) | Token::Content(text) => text.len(),
                })
                .sum();
            prop_assert!(text <= html.len());
        }
    }
}
