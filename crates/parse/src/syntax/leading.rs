//! Comments and attributes above an item that belong to it.

use std::ops::Range;

use super::ast::Node;
use crate::comment;
use crate::language::{Language, SyntaxDescription};
use crate::line_table::LineTable;

/// Comments and attributes that wait for their item.
#[derive(Debug, Clone, Default)]
pub(super) struct Leading {
    /// From the first to the last of them.
    bytes: Option<Range<usize>>,
    comments: Vec<Range<usize>>,
    attributes: Vec<Range<usize>>,
    /// Whether the last of them belongs to the next item even across a blank line.
    is_bound: bool,
}

impl Leading {
    /// Adds a comment or attribute.
    pub(super) fn add(
        &mut self,
        node: Node<'_>,
        is_comment: bool,
        lines: &LineTable<'_>,
        description: &SyntaxDescription,
    ) {
        let bytes = node.byte_range();
        // A comment behind code, on its line, is about that code.
        if self.bytes.is_none() && is_comment && !lines.is_line_start(bytes.start) {
            return;
        }
        self.drop_if_apart(bytes.start, lines);
        let text = lines.text.get(bytes.clone()).unwrap_or_default();
        let is_doc = description.doc_markers.iter().any(|marker| text.starts_with(marker));
        let is_directive = node.kind().starts_with("preproc_");
        let is_comment = is_doc || (is_comment && !is_directive);
        self.is_bound = is_doc || !(is_comment || (node.is_extra() && !is_directive));
        let list = if is_comment { &mut self.comments } else { &mut self.attributes };
        list.push(bytes.clone());
        let start = self.start().unwrap_or(bytes.start);
        self.bytes = Some(start..bytes.end);
    }

    /// Forgets everything when a blank line parts it from what starts at `next`.
    pub(super) fn drop_if_apart(&mut self, next: usize, lines: &LineTable<'_>) {
        if let Some(bytes) = &self.bytes
            && !self.is_bound
            && has_blank_line(lines.text, bytes.end..next)
        {
            *self = Self::default();
        }
    }

    /// Where the first comment or attribute starts.
    pub(super) fn start(&self) -> Option<usize> {
        self.bytes.as_ref().map(|bytes| bytes.start)
    }

    /// Whether an attribute contains one of the markers.
    pub(super) fn has_attribute(&self, text: &str, markers: &[&str]) -> bool {
        let attributes = self.attributes.iter().filter_map(|bytes| text.get(bytes.clone()));
        attributes
            .into_iter()
            .any(|attribute| markers.iter().any(|marker| attribute.contains(marker)))
    }

    /// The text of the comments.
    pub(super) fn doc(&self, text: &str, language: &Language) -> String {
        let mut doc = String::new();
        for bytes in &self.comments {
            if !doc.is_empty() {
                doc.push('\n');
            }
            doc.push_str(&comment::text(text.get(bytes.clone()).unwrap_or_default(), language));
        }
        doc.truncate(doc.trim_end().len());
        comment::without_tags(doc)
    }
}

fn has_blank_line(text: &str, gap: Range<usize>) -> bool {
    // Some grammars count the line break to the comment, some do not.
    let starts_line = gap.start > 0 && text.as_bytes().get(gap.start - 1) == Some(&b'\n');
    let breaks = text.get(gap).unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count();
    breaks + usize::from(starts_line) > 1
}
