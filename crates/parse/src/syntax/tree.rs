//! Source text to a syntax tree, with a limit on the work that does not depend on the machine.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{Language, ParseOptions, Parser, Point, Tree};

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// The parser reports every hundred steps. Sources need a report for 17 bytes at worst and 100 to 200 usually; what
/// needs one for four is beyond hope.
const BYTES_PER_REPORT: usize = 4;
/// Small texts may need any number of steps.
const REPORTS_AT_LEAST: usize = 20_000;

/// The tree of a text; `None` where the parser would need far more steps than any usual source does.
pub(super) fn parse(language: &Language, text: &str) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| {
        if parser.language().as_deref() != Some(language) {
            parser.set_language(language).ok()?;
        }
        let budget = REPORTS_AT_LEAST + text.len() / BYTES_PER_REPORT;
        let mut reports = 0_usize;
        let mut progress = |_: &tree_sitter::ParseState| {
            reports += 1;
            if reports > budget { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let bytes = text.as_bytes();
        let mut read = |offset: usize, _: Point| bytes.get(offset..).unwrap_or_default();
        let options = ParseOptions::new().progress_callback(&mut progress);
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            // Without this the next text would go on where this one stopped.
            parser.reset();
        }
        tree
    })
}

/// The 1-based line of the first place that the grammar could not read.
pub(super) fn first_error(tree: &Tree) -> Option<u32> {
    let mut cursor = tree.walk();
    if !cursor.node().has_error() {
        return None;
    }
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() || !cursor.goto_first_child() {
            return u32::try_from(node.start_position().row + 1).ok();
        }
        while !cursor.node().has_error() && cursor.goto_next_sibling() {}
    }
}

/// How many bytes the grammar could not read; what it had to add counts as one.
pub(super) fn count_errors(tree: &Tree) -> usize {
    let mut count = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_bad = node.is_error() || node.is_missing();
        if is_bad {
            count += node.byte_range().len().max(1);
        }
        if !is_bad && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}
