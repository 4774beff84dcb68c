//! Texts for people other than Markdown to an outline: their sections, and code blocks as segments.

pub(crate) mod asciidoc;
pub(crate) mod latex;
pub(crate) mod restructuredtext;

use std::ops::Range;

use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::segment::{Segment, SegmentKind};

/// Notes lines as a code block; blank ones at either end are left out.
fn code_block(lines: &LineTable<'_>, range: Range<usize>, language: &str, outline: &mut Outline) {
    let inside = lines.trim(range);
    if inside.is_empty() {
        return;
    }
    outline.segments.push(Segment {
        language: crate::language_by_tag(language.trim()),
        bytes: lines.start(inside.start)..lines.start(inside.end),
        kind: SegmentKind::CodeFence,
    });
    let size = lines.size(&inside);
    outline.keep_unbroken(inside, size);
}
