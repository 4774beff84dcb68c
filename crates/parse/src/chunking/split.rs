//! Cuts lines that are too long for one chunk, at the best places there are.

use std::ops::Range;

use gik_base::hash;

use super::{HARD_MAX, PART_MIN, TARGET_MAX};
use crate::line_table::LineTable;
use crate::outline::Outline;

/// A part of fewer bytes says little by itself.
const SHORT: usize = PART_MIN / 4;

/// Places to cut, from the best kind to the last resort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Where the structure reader says: statements, match arms, Markdown blocks.
    Structure,
    /// After a blank line, at the outermost indentation.
    OuterParagraph,
    /// After any blank line.
    Paragraph,
    /// At the outermost indentation.
    OuterLine,
    /// Anywhere.
    Line,
}

impl Place {
    fn next(self) -> Option<Self> {
        match self {
            Self::Structure => Some(Self::OuterParagraph),
            Self::OuterParagraph => Some(Self::Paragraph),
            Self::Paragraph => Some(Self::OuterLine),
            Self::OuterLine => Some(Self::Line),
            Self::Line => None,
        }
    }
}

/// Cuts lines into parts of at most [`TARGET_MAX`], or up to [`HARD_MAX`] where lines must stay together.
pub(super) fn split(
    lines: &LineTable<'_>,
    outline: &Outline,
    range: Range<usize>,
) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    split_at(lines, outline, range, Place::Structure, &mut parts);
    without_short(lines, parts)
}

/// Joins what says little by itself with what follows it, such as a comment with the start of its long function.
fn without_short(lines: &LineTable<'_>, parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(parts.len());
    for part in parts {
        match joined.last_mut() {
            Some(last)
                if lines.size(last).min(lines.size(&part)) < SHORT
                    && lines.size(&(last.start..part.end)) <= TARGET_MAX + SHORT =>
            {
                last.end = part.end;
            },
            _ => joined.push(part),
        }
    }
    joined
}

/// The paragraphs of a text: what stands between blank lines and starts at the outermost indentation.
pub(super) fn paragraphs(
    lines: &LineTable<'_>,
    outline: &Outline,
    range: Range<usize>,
) -> Vec<Range<usize>> {
    units(lines, outline, &range, Place::OuterParagraph)
}

/// Whether a group of lines that is large enough ends before this line.
///
/// A quarter of all lines are landmarks, by their own text alone. Boundaries that are chosen so come back to the same
/// places a few lines after an edit, instead of moving through the rest of the file.
pub(super) fn is_landmark(line: &str) -> bool {
    hash::fast64(line.trim().as_bytes()) & 3 == 0
}

fn split_at(
    lines: &LineTable<'_>,
    outline: &Outline,
    range: Range<usize>,
    place: Place,
    parts: &mut Vec<Range<usize>>,
) {
    let range = lines.trim(range);
    if range.is_empty() {
        return;
    }
    let mut place = place;
    let mut units = Vec::new();
    if lines.size(&range) > TARGET_MAX {
        loop {
            units = self::units(lines, outline, &range, place);
            match place.next() {
                Some(next) if units.len() < 2 => place = next,
                _ => break,
            }
        }
    }
    if units.len() < 2 {
        parts.push(range);
        return;
    }
    for part in pack(lines, &units) {
        match place.next() {
            Some(next) if lines.size(&part) > TARGET_MAX => {
                split_at(lines, outline, part, next, parts);
            },
            _ => parts.push(part),
        }
    }
}

/// Divides lines at every place of one kind.
fn units(
    lines: &LineTable<'_>,
    outline: &Outline,
    range: &Range<usize>,
    place: Place,
) -> Vec<Range<usize>> {
    let outermost = match place {
        Place::OuterParagraph | Place::OuterLine => outermost_indentation(lines, range),
        Place::Structure | Place::Paragraph | Place::Line => 0,
    };
    let after_blank = |line: usize| lines.is_blank(line - 1) && !lines.is_blank(line);
    let is_outer = |line: usize| {
        let text = lines.line(line);
        indentation(text) <= outermost && !text.trim_start().starts_with(['}', ')', ']'])
    };
    let cuts = &outline.cuts;
    let first_cut = cuts.partition_point(|cut| *cut <= range.start);
    let mut next_cut = cuts[first_cut..].iter().peekable();

    let mut units = Vec::new();
    let mut start = range.start;
    for line in range.start + 1..range.end {
        let is_cut = next_cut.next_if(|cut| **cut == line).is_some();
        let fits = match place {
            Place::Structure => is_cut,
            Place::OuterParagraph => after_blank(line) && is_outer(line),
            Place::Paragraph => after_blank(line),
            Place::OuterLine => !lines.is_blank(line) && is_outer(line),
            Place::Line => !lines.is_blank(line),
        };
        if fits && !is_inside_unbroken(outline, line) {
            units.push(start..line);
            start = line;
        }
    }
    units.push(start..range.end);
    units
}

fn is_inside_unbroken(outline: &Outline, line: usize) -> bool {
    let after = outline.unbroken.partition_point(|unbroken| unbroken.start < line);
    after > 0 && outline.unbroken[after - 1].end > line
}

/// Joins units to parts between [`PART_MIN`] and [`TARGET_MAX`]; a longer unit is a part by itself.
fn pack(lines: &LineTable<'_>, units: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for unit in units {
        if let Some(part) = parts.last_mut() {
            let size = lines.size(part);
            let is_full = size + lines.size(unit) > TARGET_MAX
                || (size >= PART_MIN && is_landmark(lines.line(unit.start)));
            if !is_full {
                part.end = unit.end;
                continue;
            }
        }
        parts.push(unit.clone());
    }
    parts
}

fn outermost_indentation(lines: &LineTable<'_>, range: &Range<usize>) -> usize {
    let filled = range.clone().filter(|line| !lines.is_blank(*line));
    filled.map(|line| indentation(lines.line(line))).min().unwrap_or(0)
}

fn indentation(line: &str) -> usize {
    line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Cuts one line at character boundaries so that no part exceeds [`HARD_MAX`].
pub(super) fn cut_long_line(text: &str, bytes: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = bytes.start;
    while bytes.end - start > HARD_MAX {
        let end = text.floor_char_boundary(start + HARD_MAX);
        parts.push(start..end);
        start = end;
    }
    parts.push(start..bytes.end);
    parts
}
