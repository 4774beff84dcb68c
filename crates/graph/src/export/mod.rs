//! A part of a graph as a picture or a file for other programs: Graphviz, Mermaid, GraphML, SVG.
//!
//! Names come from outside: every format escapes them in its own way, and same input gives the same bytes.

mod dot;
mod graphml;
mod layout;
mod mermaid;
mod svg;

#[cfg(test)]
mod tests;

pub use dot::dot;
pub use graphml::graphml;
pub use mermaid::mermaid;
pub use svg::svg;

/// What is drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawing {
    /// What is not in it, for a comment at its head; empty where it is whole.
    pub note: String,
    /// In the order in which they are written.
    pub nodes: Vec<DrawnNode>,
    /// In the order in which they are written.
    pub edges: Vec<DrawnEdge>,
}

/// A box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnNode {
    /// Unique.
    pub id: String,
    /// What stands in it.
    pub label: String,
    /// `file`, `function`, …
    pub kind: String,
    /// The file it is in; empty for what is in none.
    pub path: String,
}

/// An arrow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnEdge {
    /// Place in [`Drawing::nodes`].
    pub from: usize,
    /// Place in [`Drawing::nodes`].
    pub to: usize,
    /// `calls`, `imports`, …
    pub kind: String,
    /// In percent.
    pub confidence: u8,
    /// How it is known.
    pub provenance: String,
    /// One of so many candidates; 1 for a fact.
    pub candidates: u32,
}

impl DrawnEdge {
    /// Whether it may be another one that is meant.
    pub fn is_candidate(&self) -> bool {
        self.candidates > 1
    }

    fn is_inside(&self, drawing: &Drawing) -> bool {
        self.from < drawing.nodes.len() && self.to < drawing.nodes.len()
    }
}

/// A note on one line, without what could end a comment.
fn comment(note: &str) -> String {
    let is_kept = |c: &char| !c.is_control();
    note.chars().filter(is_kept).collect::<String>().replace("--", "- -").replace("*/", "* /")
}

/// Text for XML. What XML cannot say at all becomes a replacement character.
fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
