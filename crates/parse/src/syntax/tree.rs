//! Source text to a syntax tree, with a limit on the work that does not depend on the machine.

use std::cell::Cell;
use std::ops::{ControlFlow, Range};

use tree_sitter::{Language, ParseOptions, Parser, Point};

use super::ast::{Builder, Seen, Tree};
use super::work;

/// The parser reports every hundred steps. Sources need a report for 17 bytes at worst and 100 to 200 usually; what
/// needs one for four is beyond hope.
const BYTES_PER_REPORT: usize = 4;
/// Small texts may need any number of steps.
const REPORTS_AT_LEAST: usize = 20_000;
/// The text is handed out in pieces of this many bytes, so that it shows how far the parser looks ahead.
const CHUNK: usize = 1024;
/// Some grammars look for the end of a string up to the end of the text, at every place where they cannot read on.
const READS_OF_A_BYTE: usize = 64;
/// Small texts may be read any number of times.
const READ_AT_LEAST: usize = 4 * 1024 * 1024;
/// Sources need 23 bytes of memory for one of theirs usually, and 330 at worst; given back or not.
const ASKED_FOR_A_BYTE: u64 = 2048;
/// Small texts may need any amount.
const ASKED_AT_LEAST: u64 = 64 * 1024 * 1024;

/// The tree of a text; `None` where the parser would need far more steps than any usual source does.
pub(super) fn parse(language: &Language, text: &str) -> Option<Tree> {
    parse_by_tree_sitter(language, text).map(|tree| of_tree_sitter(language, &tree))
}

/// As [`parse`], in the form of tree-sitter itself.
pub(super) fn parse_by_tree_sitter(language: &Language, text: &str) -> Option<tree_sitter::Tree> {
    work::count();
    // A new one for each text: what is left of another would change how much this one asks for.
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let budget = REPORTS_AT_LEAST + text.len() / BYTES_PER_REPORT;
    let most_read = READ_AT_LEAST + text.len() * READS_OF_A_BYTE;
    let most_asked = work::asked_for() + ASKED_AT_LEAST + text.len() as u64 * ASKED_FOR_A_BYTE;
    let n_read = Cell::new(0_usize);
    let mut reports = 0_usize;
    let mut progress = |_: &tree_sitter::ParseState| {
        reports += 1;
        let is_over =
            reports > budget || n_read.get() > most_read || work::asked_for() > most_asked;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut read = |offset: usize, _: Point| {
        if n_read.get() > most_read {
            return "";
        }
        let end = text.floor_char_boundary((offset + CHUNK).min(text.len()));
        let chunk = text.get(offset..end).unwrap_or_default();
        n_read.set(n_read.get() + chunk.len());
        chunk
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    tree.filter(|_| n_read.get() <= most_read)
}

fn of_tree_sitter(language: &Language, tree: &tree_sitter::Tree) -> Tree {
    let mut cursor = tree.walk();
    let mut builder = Builder::for_nodes(tree.root_node().descendant_count());
    loop {
        let node = cursor.node();
        let has_error = node.has_error();
        let seen = Seen {
            kind: node.kind_id(),
            is_named: node.is_named(),
            is_extra: node.is_extra(),
            is_error: node.is_error(),
            is_missing: has_error && node.is_missing(),
            has_error,
        };
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let field = cursor.field_id().map_or(0, u16::from);
        builder.open(seen, field, number(node.start_byte()), number(node.end_byte()));
        if cursor.goto_first_child() {
            continue;
        }
        builder.close();
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return builder.finish(language);
            }
            builder.close();
        }
    }
}

/// Where the first place is that the grammar could not read.
pub(super) fn first_error(tree: &Tree) -> Option<usize> {
    let mut cursor = tree.walk();
    if !cursor.node().has_error() {
        return None;
    }
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() || !cursor.goto_first_child() {
            return Some(node.start_byte());
        }
        while !cursor.node().has_error() && cursor.goto_next_sibling() {}
    }
}

/// A place that the grammar could not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unread {
    pub(crate) bytes: Range<usize>,
    /// What should stand there, where something is missing.
    pub(crate) missing: Option<String>,
}

/// The outermost places that the grammar could not read, in order; no more than so many.
pub(super) fn unread(tree: &Tree, most: usize) -> Vec<Unread> {
    let mut cursor = tree.walk();
    let mut found = Vec::new();
    while found.len() < most {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            let missing = node.is_missing().then(|| node.kind().to_owned());
            found.push(Unread { bytes: node.byte_range(), missing });
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
    found
}

/// How much of a text the grammar could not read, in bytes; what is missing counts as well.
pub(super) fn count_errors(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut n_errors = 0;
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            n_errors += 1 + node.end_byte() - node.start_byte();
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return n_errors;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_read_to_its_end_at_every_place_is_given_up() {
        let dart = tree_sitter_dart::LANGUAGE.into();
        assert!(parse(&dart, &"[".repeat(20_000)).is_none());
    }

    #[test]
    fn pieces_of_the_text_never_tear_a_character() {
        let text = format!("// {}\nfn größe() {{}}\n", "ä€🎈".repeat(2000));
        let tree = parse_by_tree_sitter(&tree_sitter_rust::LANGUAGE.into(), &text).unwrap();
        assert!(!tree.root_node().has_error());
    }
}
