//! Where a long item is best cut: before statements, arms and fields that begin a line.

use super::ast::Node;
use crate::chunking::TARGET_MAX;
use crate::line_table::LineTable;

/// Adds the lines at which the inside of a node may be cut, going into whatever is itself too long.
pub(super) fn collect(node: Node<'_>, lines: &LineTable<'_>, cuts: &mut Vec<usize>) {
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        let mut comment_end = None;
        for child in node.children() {
            let line = lines.line_at(child.start_byte());
            // A comment stays with the line below it.
            let follows_comment = comment_end.is_some_and(|end| line <= end + 1);
            if child.is_named() && !follows_comment && lines.is_line_start(child.start_byte()) {
                cuts.push(line);
            }
            comment_end = child.is_extra().then(|| lines.lines_of(&child.byte_range()).end - 1);
            if child.end_byte() - child.start_byte() > TARGET_MAX {
                pending.push(child);
            }
        }
    }
}
