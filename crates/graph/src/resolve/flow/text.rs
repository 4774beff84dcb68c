//! What stands around a call: its arguments one by one, and whether it is all that a statement says.

use std::ops::Range;

use super::super::rules::Family;

/// Longer lists of arguments are left alone.
const LIST_MAX: usize = 4000;

/// What stands between the brackets of a call.
pub(super) struct Arguments {
    /// As written, in bytes of the text.
    pub(super) list: Vec<Range<usize>>,
    /// Where the closing bracket stands.
    pub(super) close: usize,
}

/// The arguments that follow a name; none where it is not plain where they end.
pub(super) fn arguments(text: &str, name_end: usize) -> Option<Arguments> {
    let rest = text.get(name_end..)?;
    let mut open = name_end + (rest.len() - rest.trim_start_matches(' ').len());
    let generic = text.get(open..)?;
    let generic = generic.strip_prefix("::").unwrap_or(generic);
    if generic.starts_with('<') {
        let end = generic.char_indices().take(200).find_map(|(at, c)| (c == '>').then_some(at))?;
        open = text.len() - generic.len() + end + 1;
    }
    if !text.get(open..)?.starts_with('(') {
        return None;
    }
    let (mut depth, mut quote, mut is_escaped) = (0_i32, None, false);
    let (mut list, mut start) = (Vec::new(), open + 1);
    for (at, c) in text.get(open..)?.char_indices() {
        let at = open + at;
        if at - open > LIST_MAX {
            return None;
        }
        if let Some(end) = quote {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                // No string goes on there, so what began was none.
                '\n' if end != '`' => return None,
                c if c == end => quote = None,
                _ => {},
            }
            continue;
        }
        match c {
            '"' | '\'' | '`' => quote = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 1 => {
                list.push(start..at);
                start = at + 1;
            },
            _ => {},
        }
        if depth == 0 {
            list.push(start..at);
            return Some(Arguments { list, close: at });
        }
    }
    None
}

/// The value that an argument hands over: without the name it is handed over by, and without signs of references.
pub(super) fn plain(text: &str, argument: Range<usize>, family: Family) -> Option<Range<usize>> {
    let whole = text.get(argument.clone())?;
    let mut rest = whole.trim();
    if matches!(family, Family::Python | Family::Jvm)
        && let Some((name, value)) = rest.split_once('=')
        && is_name(name.trim())
        && !value.starts_with('=')
    {
        rest = value.trim_start();
    }
    let signs: &[&str] = match family {
        Family::Rust => &["&mut ", "&"],
        Family::C | Family::Go => &["&"],
        Family::Python
        | Family::JavaScript
        | Family::Jvm
        | Family::CSharp
        | Family::Ruby
        | Family::Php
        | Family::Other => &["await "],
    };
    for sign in signs {
        rest = rest.strip_prefix(sign).unwrap_or(rest).trim_start();
    }
    let start = argument.start + (rest.as_ptr() as usize - whole.as_ptr() as usize);
    (!rest.is_empty()).then(|| start..start + rest.len())
}

/// Whether a text is one name.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_part) && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a character may be part of a name.
pub(super) fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// Whether what follows the closing bracket of a call is nothing, or passes its value on.
pub(super) fn is_end_of_call(after: Option<&str>) -> bool {
    after.is_some_and(|after| {
        let after = after.trim();
        matches!(after, "" | "?" | ".await" | ".await?" | "!" | "!!")
    })
}

/// Whether a statement ends at a place.
pub(super) fn ends_statement(text: &str, at: usize, family: Family) -> bool {
    let Some(rest) = text.get(at..) else { return false };
    let rest = rest.trim_start_matches([' ', '\t', '\r']);
    let rest = if family == Family::Rust { rest.trim_start_matches('?') } else { rest };
    match rest.chars().next() {
        None | Some(';' | '}') => true,
        // Elsewhere what is on the next line may go on with it.
        Some('\n') => family == Family::Go,
        // The first of several values.
        Some(',') => family == Family::Go,
        Some(_) => false,
    }
}

/// Whether a text ends with a word of its own.
pub(super) fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|before| !before.ends_with(is_part))
}

/// Whether a function may hold others without a name, whose returns are not its own.
pub(super) fn may_hold_functions(body: &str, family: Family) -> bool {
    let marks: &[&str] = match family {
        Family::C => &["[&]", "[=]", "[]", "[this]"],
        Family::Go => &["func(", "func ("],
        Family::Jvm => &["->", "{ it", "new "],
        Family::CSharp => &["=>", "delegate"],
        Family::Rust => &["|", "async"],
        Family::Php => &["function(", "function (", "fn(", "fn ("],
        // Facts of the parser say what these give.
        Family::Python | Family::JavaScript | Family::Ruby | Family::Other => return true,
    };
    let inside = body.split_once('{').map_or("", |(_, inside)| inside);
    marks.iter().any(|mark| inside.contains(mark))
}
