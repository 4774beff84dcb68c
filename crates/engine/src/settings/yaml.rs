//! The YAML that config files are made of: mappings, lists and scalars with the place of each.
//!
//! Not a general YAML loader. Aliases, tags and several documents have no use in a config file and are refused by
//! line, which also makes every file cheap to read: the tree is never larger than the text and never deep.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

/// Mappings inside mappings; no key needs more than five.
const MAX_DEPTH: usize = 16;

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// From 1.
    pub(crate) line: usize,
    /// Characters of the text; the end is exact for what is not written by indentation.
    pub(crate) span: Range<usize>,
    pub(crate) data: Data,
}

#[derive(Debug, Clone)]
pub(crate) enum Data {
    Scalar { text: String, style: Style },
    List { items: Vec<Node>, layout: Layout },
    Mapping { pairs: Vec<Pair>, layout: Layout },
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Quoted,
    /// `|` or `>` and lines below.
    Block,
}

/// How a list or a mapping is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// In brackets or braces.
    Flow,
    /// By indentation.
    Block,
}

#[derive(Debug, Clone)]
pub(crate) struct Pair {
    pub(crate) key: KeyMark,
    pub(crate) value: Node,
}

/// A key and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct KeyMark {
    pub(crate) text: String,
    pub(crate) line: usize,
    /// Characters before it on its line.
    pub(crate) column: usize,
    pub(crate) span: Range<usize>,
}

/// Why a text is not a config file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) line: usize,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Node {
    /// A plain scalar that stands in no file.
    pub(crate) fn plain(text: &str) -> Self {
        let data = Data::Scalar { text: text.to_owned(), style: Style::Plain };
        Self { line: 0, span: 0..0, data }
    }

    /// Whether nothing was written, or `null`.
    pub(crate) fn is_null(&self) -> bool {
        match &self.data {
            Data::Scalar { text, style: Style::Plain } => {
                matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL")
            },
            Data::Scalar { .. } | Data::List { .. } | Data::Mapping { .. } => false,
        }
    }
}

/// The only document of a text; `None` where there is nothing but comments.
pub(crate) fn parse(text: &str) -> Result<Option<Node>, SyntaxError> {
    let mut builder = Builder { open: Vec::new(), root: None, documents: 0 };
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let line = error.marker().line().max(1);
            SyntaxError {
                line,
                message: format!("not valid YAML: {}", error.info()),
                hint: syntax_hint(text, line),
            }
        })?;
        builder.take(event, span)?;
    }
    Ok(builder.root)
}

/// What most often is wrong on a line that cannot be read.
fn syntax_hint(text: &str, line: usize) -> Option<String> {
    let near = text.lines().skip(line.saturating_sub(2)).take(2);
    let tabbed = near.into_iter().any(|line| {
        line.chars().take_while(|c| c.is_whitespace()).any(|c| c == '\t') || line.contains(":\t")
    });
    tabbed.then(|| "indent with spaces; YAML does not allow tabs there".to_owned())
}

/// A list or mapping whose end has not come yet.
enum Open {
    List { line: usize, start: usize, layout: Layout, items: Vec<Node> },
    Mapping { line: usize, start: usize, layout: Layout, pairs: Vec<Pair>, key: Option<KeyMark> },
}

struct Builder {
    open: Vec<Open>,
    root: Option<Node>,
    documents: usize,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), SyntaxError> {
        let line = span.start.line().max(1);
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {},
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(refused(line, "a second document starts here", "remove the `---`"));
                }
            },
            Event::Alias(_) => {
                return Err(refused(
                    line,
                    "aliases (`*name`) are not read",
                    "write the value out, or put it in quotes",
                ));
            },
            Event::Scalar(_, _, _, Some(tag))
            | Event::SequenceStart(_, Some(tag))
            | Event::MappingStart(_, Some(tag)) => {
                let message = format!("tags (`{tag}`) are not read");
                return Err(refused(line, &message, "remove the tag"));
            },
            Event::Scalar(content, style, _, None) => {
                self.scalar(content.into_owned(), style, span)?;
            },
            Event::SequenceStart(_, None) => {
                self.enter(line)?;
                let start = span.start.index();
                let layout = layout_of(span);
                self.open.push(Open::List { line, start, layout, items: Vec::new() });
            },
            Event::MappingStart(_, None) => {
                self.enter(line)?;
                let start = span.start.index();
                let layout = layout_of(span);
                self.open.push(Open::Mapping { line, start, layout, pairs: Vec::new(), key: None });
            },
            Event::SequenceEnd | Event::MappingEnd => {
                // The span of a closing bracket runs on over spaces and comments; its start is exact.
                let end = span.start.index() + 1;
                match self.open.pop() {
                    Some(Open::List { line, start, layout, items }) => {
                        let data = Data::List { items, layout };
                        self.add(Node { line, span: start..end, data });
                    },
                    Some(Open::Mapping { line, start, layout, pairs, .. }) => {
                        let data = Data::Mapping { pairs, layout };
                        self.add(Node { line, span: start..end, data });
                    },
                    None => {},
                }
            },
        }
        Ok(())
    }

    fn scalar(&mut self, text: String, style: ScalarStyle, span: Span) -> Result<(), SyntaxError> {
        let line = span.start.line().max(1);
        let place = span.start.index()..span.end.index();
        if let Some(Open::Mapping { key: key @ None, .. }) = self.open.last_mut() {
            if text == "<<" {
                return Err(refused(line, "merge keys (`<<`) are not read", "write the keys out"));
            }
            *key = Some(KeyMark { text, line, column: span.start.col(), span: place });
            return Ok(());
        }
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
            ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
        };
        self.add(Node { line, span: place, data: Data::Scalar { text, style } });
        Ok(())
    }

    /// Makes sure that a list or mapping may start here.
    fn enter(&self, line: usize) -> Result<(), SyntaxError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(refused(line, "too deeply nested", "no key needs that many levels"));
        }
        if let Some(Open::Mapping { key: None, .. }) = self.open.last() {
            return Err(refused(line, "a key is a list or a mapping", "keys are words"));
        }
        Ok(())
    }

    fn add(&mut self, node: Node) {
        match self.open.last_mut() {
            None => self.root = (!node.is_null()).then_some(node),
            Some(Open::List { items, .. }) => items.push(node),
            Some(Open::Mapping { pairs, key, .. }) => {
                // `enter` and `scalar` see to it that a key came first.
                if let Some(key) = key.take() {
                    // A value that is not written has no place of its own.
                    let unwritten = node.is_null() && node.span.is_empty();
                    let line = if unwritten { key.line } else { node.line };
                    pairs.push(Pair { key, value: Node { line, ..node } });
                }
            },
        }
    }
}

fn refused(line: usize, message: &str, hint: &str) -> SyntaxError {
    SyntaxError { line, message: message.to_owned(), hint: Some(hint.to_owned()) }
}

/// A flow collection starts with its bracket, a block collection with no character of its own.
fn layout_of(start: Span) -> Layout {
    if start.is_empty() { Layout::Block } else { Layout::Flow }
}

/// The byte at which a character starts.
pub(crate) fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(byte, _)| byte)
}
