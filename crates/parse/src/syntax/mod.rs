//! A grammar, three pattern files and a file of facts to an outline, symbols and references.
//!
//! Patterns are matched in one container at a time and look at its direct children only. The bodies of functions, which
//! are most of a file, are visited once, by the walk that notes references and comments; it meets the definitions inside
//! them on its way.

pub(crate) mod ast;
mod children;
mod code;
mod conditional;
mod cuts;
mod defines;
mod draft;
mod excess;
mod exported;
mod facts;
mod found;
mod grammar;
pub(crate) mod guard;
mod head;
pub(crate) mod import_types;
mod inner;
mod item;
mod leading;
mod lr;
mod macros;
pub(crate) mod mask;
mod matches;
mod matching;
mod names;
#[cfg(test)]
mod oracle;
pub(crate) mod packed;
mod pattern;
mod reader;
mod references;
mod repeats;
mod run;
mod scope;
mod scopes;
mod statements;
mod trailing;
pub(crate) mod tree;
mod units;
mod visible;
mod wording;
mod work;

use std::borrow::Cow;
use std::ops::Range;

use gik_base::FileKey;

use self::ast::Tree;
use self::draft::Draft;
use self::grammar::Grammar;
use crate::language::{Language, SyntaxDescription};
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::{Problem, ProblemKind};

/// Larger sources are generated tables; their structure is not worth the wait.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// Reads the structure of a source file; says in the problems what could not be read.
pub(crate) fn read(
    path: &FileKey,
    lines: &LineTable<'_>,
    language: &'static Language,
    description: &'static SyntaxDescription,
) -> Outline {
    let too_complex = |message: &str| {
        let kind = ProblemKind::TooComplex;
        let problem = Problem { kind, line: 1, message: message.to_owned() };
        Outline { problems: vec![problem], ..Outline::default() }
    };
    let (grammar, mut tree, masked) = match tree_of(lines.text, language, description) {
        Ok(made) => made,
        Err(message) => return too_complex(message),
    };
    // A line end may have been added for the grammar.
    tree.end_at(lines.text.len());
    let mut reader = reader::read(path, lines, language, description, grammar, &tree);
    references::read(&tree, &mut reader);
    let mut outline = reader.outline;
    if let Some(masked) = masked {
        // Where the mask is, nothing was read.
        let is_same = |bytes: Range<usize>| masked.get(bytes.clone()) == lines.text.get(bytes);
        outline.comments.retain(|comment| is_same(comment.clone()));
        let is_shown = |range: &Range<u32>| is_same(range.start as usize..range.end as usize);
        outline.references.retain(|reference| is_shown(&reference.name));
        outline.scope_facts.retain(|fact| {
            [&fact.name, &fact.from, &fact.alias].into_iter().flatten().all(is_shown)
        });
    }
    outline.problems.extend(tree::first_error(&tree).map(|at| Problem {
        kind: ProblemKind::Syntax,
        line: lines.position(at).line,
        message: format!("not valid {} here", language.name),
    }));
    outline.finish();
    outline
}

/// The tree that makes most sense of a text, and the text it was made from where a mask helped; or why there is none.
fn tree_of(
    text: &str,
    language: &'static Language,
    description: &'static SyntaxDescription,
) -> Result<(&'static Grammar, Tree, Option<String>), &'static str> {
    if text.len() > MAX_BYTES {
        return Err("the file is too large to read its structure");
    }
    let source = repeats::left_out(text);
    if guard::has_stray_brackets(&source) {
        return Err("the file has too many brackets that close nothing to read its structure");
    }
    if description.guard.is_some_and(|is_too_deep| is_too_deep(&source)) {
        return Err("the file is nested too deep to read its structure");
    }
    let grammar = grammar::compiled(language, description)
        .ok_or("the grammar of the language does not load")?;
    let shown = shown(&source, description, grammar);
    if let Some(tree) = grammar.whole(&shown) {
        return Ok((grammar, tree, None));
    }
    // What can be read as a whole once something is left out need not be mended.
    let plain = without_preprocessor(&source, grammar);
    if let Some(tree) = plain.as_deref().and_then(|plain| grammar.whole(plain)) {
        return Ok((grammar, tree, None));
    }
    let masked = description.mask.map(|mask| mask(&source)).filter(|masked| *masked != *source);
    if let Some(tree) = masked.as_deref().and_then(|masked| grammar.whole(masked)) {
        return Ok((grammar, tree, masked));
    }
    let mut tree = grammar.mended(&shown).ok_or("the file is too complex to read its structure")?;
    let mut n_errors = tree::count_errors(&tree);
    let mut is_masked = false;
    for (text, masks) in [(&plain, false), (&masked, true)] {
        if n_errors > 0
            && let Some(other) = text.as_deref().and_then(|text| grammar.mended(text))
            && tree::count_errors(&other) < n_errors
        {
            n_errors = tree::count_errors(&other);
            (tree, is_masked) = (other, masks);
        }
    }
    Ok((grammar, tree, masked.filter(|_| is_masked)))
}

/// The places that the grammar could not read, or why it could read none; no more than so many.
pub(crate) fn errors(
    text: &str,
    language: &'static Language,
    description: &'static SyntaxDescription,
    most: usize,
) -> Result<Vec<tree::Unread>, &'static str> {
    tree_of(text, language, description).map(|(_, tree, _)| tree::unread(&tree, most))
}

/// Makes the tree of a text and drops it.
pub(crate) fn parse_bare(
    text: &str,
    language: &'static Language,
    description: &'static SyntaxDescription,
) -> bool {
    text.len() <= MAX_BYTES
        && grammar::compiled(language, description)
            .is_some_and(|grammar| tree::parse_by_tree_sitter(&grammar.language, text).is_some())
}

/// The text that the grammar reads; every byte is at its place.
fn shown<'t>(text: &'t str, description: &SyntaxDescription, grammar: &Grammar) -> Cow<'t, str> {
    if grammar.has_macros {
        exported::without_macros(text).map_or(Cow::Borrowed(text), Cow::Owned)
    } else if description.ascii_only && !text.is_ascii() {
        Cow::Owned(mask::other_letters(text))
    } else {
        let unended = description.line_end_after.and_then(|sign| mask::unended(text, sign));
        unended.map_or(Cow::Borrowed(text), Cow::Owned)
    }
}

/// The text without what a preprocessor takes away, where that is in the way of reading the rest.
fn without_preprocessor(text: &str, grammar: &Grammar) -> Option<String> {
    if !grammar.has_preprocessor {
        return None;
    }
    let mut draft = Draft::new(text);
    conditional::leave_out_torn(&mut draft);
    if grammar.has_macros {
        macros::leave_out_lone(&mut draft);
        excess::leave_out(&mut draft);
    }
    draft.changed()
}
