//! Parts of a file that are in another language than the file.

use std::ops::Range;

use crate::language::Language;

/// A part in its own language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The language, where it is named and known.
    pub language: Option<&'static Language>,
    /// The part without its fence.
    pub bytes: Range<usize>,
    /// How the part is embedded.
    pub kind: SegmentKind,
}

/// The kinds of [`Segment`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentKind {
    /// A code block of a text for people: an example, which defines nothing.
    CodeFence,
    /// A script of a page or a component.
    Script,
    /// A style sheet of a page or a component.
    Style,
    /// The markup of a component.
    Template,
    /// The source of a notebook's code cell, as JSON strings.
    Cell,
}

impl SegmentKind {
    /// The name in contracts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CodeFence => "code-fence",
            Self::Script => "script",
            Self::Style => "style",
            Self::Template => "template",
            Self::Cell => "cell",
        }
    }
}
