//! What stands behind an item and belongs to it: the text that `<<TEXT` announces.

use super::ast::Node;
use super::reader::Reader;
use super::run::Mark;

impl Reader<'_, '_, '_> {
    /// Counts a node to the items and symbols since the mark that end on the line where it starts.
    pub(super) fn trail(&mut self, node: Node<'_>, mark: Mark) {
        let bytes = node.byte_range();
        let lines = self.lines.lines_of(&bytes);
        let ends_here = |line: usize| line == lines.start + 1;
        for item in self.outline.items.iter_mut().skip(mark.n_items) {
            if ends_here(item.lines.end) {
                item.lines.end = lines.end;
            }
        }
        for symbol in self.outline.symbols.iter_mut().skip(mark.n_symbols) {
            if usize::try_from(symbol.end.line).is_ok_and(ends_here) {
                symbol.bytes.end = bytes.end;
                symbol.end = self.lines.position(bytes.end);
            }
        }
        if ends_here(self.line) {
            self.line = lines.end;
        }
    }
}
