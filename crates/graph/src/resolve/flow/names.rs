//! Is a local name what it was when it got its value? Its occurrences in the text of a function say so.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::rules::Family;
use super::super::table::{Table, last_part};
use super::text::{self, is_name, is_part};

/// Functions whose text is longer are left alone.
const BODY_MAX: usize = 60_000;
/// Words that a value may follow.
const BEFORE_VALUES: [&str; 22] = [
    "return",
    "await",
    "in",
    "not",
    "and",
    "or",
    "if",
    "elif",
    "while",
    "yield",
    "else",
    "throw",
    "raise",
    "assert",
    "typeof",
    "is",
    "echo",
    "match",
    "switch",
    "of",
    "del",
    "instanceof",
];
/// Words before a bracket that is not that of a call.
const CONDITIONS: [&str; 4] = ["if", "while", "switch", "return"];
const NO_CALLS: [&str; 9] =
    ["function", "func", "fn", "def", "catch", "for", "foreach", "lambda", "let"];

/// What a function is given.
pub(super) struct Header {
    pub(super) names: BTreeSet<String>,
    /// Behind the closing bracket.
    pub(super) end: usize,
}

/// The parameters of a function, as its text says them.
pub(super) fn parameters(table: &Table, function: u32) -> Option<Header> {
    let symbol = table.symbol(function)?;
    let source = &table.facts.text;
    let name_end = symbol.name_start as usize + last_part(&symbol.name).len();
    let list = text::arguments(source, name_end)?;
    let family = table.rules.family;
    let names = list.list.iter().filter_map(|range| parameter(source.get(range.clone())?, family));
    Some(Header { names: names.collect(), end: list.close + 1 })
}

/// The name of a parameter.
fn parameter(text: &str, family: Family) -> Option<String> {
    let declared = text.split('=').next().unwrap_or(text).trim();
    let (before, has_type) = match declared.split_once(':') {
        Some((before, _)) if family != Family::C => (before.trim(), true),
        _ => (declared, false),
    };
    let words: Vec<&str> = before.split_whitespace().collect();
    let name = match family {
        Family::Python | Family::Ruby => before,
        Family::Go => words.first()?,
        Family::Jvm if has_type => words.last()?,
        Family::Jvm | Family::CSharp | Family::C if words.len() < 2 => return None,
        Family::JavaScript
        | Family::Rust
        | Family::Jvm
        | Family::CSharp
        | Family::C
        | Family::Php
        | Family::Other => words.last()?,
    };
    let name = name.trim_end_matches('?').trim_start_matches(['*', '&']);
    is_name(name).then(|| name.to_owned())
}

/// Whether every occurrence of a name in a part of a text reads it, apart from the place where it is bound.
pub(super) fn is_only_read(
    text: &str,
    part: Range<usize>,
    name: &str,
    bound: Option<usize>,
    family: Family,
) -> bool {
    let Some(body) = text.get(part.clone()).filter(|body| body.len() <= BODY_MAX) else {
        return false;
    };
    let mut from = 0;
    while let Some(at) = body.get(from..).and_then(|rest| rest.find(name)) {
        let start = part.start + from + at;
        from += at + name.len();
        let end = start + name.len();
        let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
            return false;
        };
        if before.ends_with(is_part) || after.starts_with(is_part) || Some(start) == bound {
            continue;
        }
        let is_member = before.ends_with("->")
            || before.ends_with("::")
            || (before.ends_with('.') && !before.ends_with(".."));
        if !is_member && !is_read(text, before, after, family) {
            return false;
        }
    }
    true
}

fn is_read(text: &str, before: &str, after: &str, family: Family) -> bool {
    let next = after.trim_start();
    if next.starts_with('.') && !next.starts_with("..") {
        return true;
    }
    if next.starts_with("->") && matches!(family, Family::C | Family::Php) {
        return true;
    }
    if is_written(next) {
        return false;
    }
    let previous = before.trim_end();
    let Some(sign) = previous.chars().next_back() else { return false };
    if is_part(sign) {
        let word = &previous[previous.trim_end_matches(is_part).len()..];
        return BEFORE_VALUES.contains(&word) && word != "del";
    }
    match sign {
        '(' | ',' => is_argument(text, previous, next),
        // An index, not a list of names that get values.
        '[' => previous[..previous.len() - 1].ends_with(|c| is_part(c) || matches!(c, ')' | ']')),
        '+' | '-' | '/' | '%' | '<' | '>' | '!' | '=' | '?' => {
            !previous.ends_with("++") && !previous.ends_with("--") && !next.starts_with(',')
        },
        '&' => family == Family::Rust,
        _ => false,
    }
}

/// Whether what follows a name writes it.
fn is_written(next: &str) -> bool {
    let is_assigned = next.starts_with('=') && !next.starts_with("==");
    let compound = ["++", "--", ":=", "|="];
    let is_changed = compound.iter().any(|sign| next.starts_with(sign))
        || next.get(1..2) == Some("=")
            && next.starts_with(['+', '-', '*', '/', '%', '&', '^', '.', '?']);
    is_assigned || is_changed || next.starts_with("**=") || next.starts_with("<<=")
}

/// Whether a name behind a bracket or comma is an argument of a call.
fn is_argument(text: &str, previous: &str, next: &str) -> bool {
    if next.starts_with(':') {
        return false;
    }
    let mut depth = 0_i32;
    let open = previous.char_indices().rev().take(2000).find_map(|(at, c)| {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' => depth -= 1,
            _ => {},
        }
        (depth < 0).then_some((at, c))
    });
    let Some((open, '(')) = open else { return false };
    let called = previous[..open].trim_end();
    let word = &called[called.trim_end_matches(is_part).len()..];
    if CONDITIONS.contains(&word) {
        return true;
    }
    if !called.ends_with(|c| is_part(c) || matches!(c, ')' | ']' | '>' | '!'))
        || NO_CALLS.contains(&word)
        || is_declared(&called[..called.len() - word.len()])
    {
        return false;
    }
    // What follows the call tells it from the head of a function.
    let Some(list) = text::arguments(text, open) else { return false };
    let after = text.get(list.close + 1..).unwrap_or_default().trim_start();
    let is_head = after.starts_with("=>")
        || after.starts_with('{')
        || after.starts_with(':')
        || after.starts_with("->") && !after[2..].starts_with(is_part)
        || after.starts_with('=') && !after.starts_with("==");
    !is_head
}

/// Whether a name is that of a function in the making: `def f(`.
fn is_declared(before: &str) -> bool {
    let before = before.trim_end();
    NO_CALLS.iter().any(|word| text::ends_with_word(before, word))
}
