//! Where a long item is best cut: before statements, arms and fields that begin a line.

use tree_sitter::Node;

use crate::chunking::TARGET_MAX;
use crate::line_table::LineTable;

/// Adds the lines at which the inside of a node may be cut, going into whatever is itself too long.
pub(super) fn collect(node: Node<'_>, lines: &LineTable<'_>, cuts: &mut Vec<usize>) {
    let mut pending = vec![node];
    let mut cursor = node.walk();
    while let Some(node) = pending.pop() {
        cursor.reset(node);
        if !cursor.goto_first_child() {
            continue;
        }
        let mut comment_end = None;
        loop {
            let child = cursor.node();
            let line = child.start_position().row;
            // A comment stays with the line below it.
            let follows_comment = comment_end.is_some_and(|end| line <= end + 1);
            if child.is_named() && !follows_comment && lines.is_line_start(child.start_byte()) {
                cuts.push(line);
            }
            comment_end = child.is_extra().then(|| lines.lines_of(&child.byte_range()).end - 1);
            if child.end_byte() - child.start_byte() > TARGET_MAX {
                pending.push(child);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
}
