//! Headings to nested items, for every kind of text that has headings.

use crate::chunk::ChunkKind;
use crate::line_table::LineTable;
use crate::outline::{Item, Outline, Zone};

/// Between the headings of a path.
pub(crate) const PATH_SEPARATOR: &str = " > ";

/// A heading and where its section starts.
#[derive(Debug)]
pub(crate) struct Heading {
    /// A section reaches to the next heading of its level or a smaller one.
    pub(crate) level: usize,
    pub(crate) line: usize,
    pub(crate) title: String,
}

/// Turns headings into nested items: a section reaches to the next heading of its level or above.
pub(crate) fn nest(lines: &LineTable<'_>, headings: Vec<Heading>, outline: &mut Outline) {
    // Item and level of every section that is still open.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for heading in headings {
        close(&mut open, heading.level, heading.line, outline);
        let title = heading.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let container = open
            .last()
            .map(|(parent, _)| outline.items[*parent].qualified.clone())
            .unwrap_or_default();
        let qualified = if container.is_empty() {
            title.clone()
        } else {
            format!("{container}{PATH_SEPARATOR}{title}")
        };
        open.push((outline.items.len(), heading.level));
        outline.items.push(Item {
            lines: heading.line..heading.line,
            end: 0,
            kind: ChunkKind::Doc,
            name: title,
            qualified,
            container,
            signature: String::new(),
            doc: String::new(),
            zone: Zone::Product,
        });
    }
    close(&mut open, 0, lines.count(), outline);
}

/// Ends the open sections of this level and below.
fn close(open: &mut Vec<(usize, usize)>, level: usize, line: usize, outline: &mut Outline) {
    while let Some((idx, _)) = open.pop_if(|(_, open_level)| *open_level >= level) {
        let end = outline.items.len();
        let item = &mut outline.items[idx];
        item.lines.end = line.max(item.lines.start);
        item.end = end;
    }
}
