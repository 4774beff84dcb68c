//! Types with a macro in front of their name: `struct NOTES_API Point {`.
//!
//! A grammar reads one as a function that is called `Point`, and often without any error; so they are looked for before
//! a text is read for the first time.

use std::ops::Range;

use super::code::{is_macro, is_word};

const TYPE_WORDS: [&str; 4] = ["class", "struct", "union", "enum"];
/// Base classes are not longer.
const HEAD_MAX: usize = 1000;

/// The text without such macros; nothing where there are none.
pub(super) fn without_macros(text: &str) -> Option<String> {
    let mut plain: Option<Vec<u8>> = None;
    for word in TYPE_WORDS {
        for (at, _) in text.match_indices(word) {
            let starts = at.checked_sub(1).is_none_or(|before| !is_word(text.as_bytes()[before]));
            if starts && let Some(found) = macro_at(text.as_bytes(), at + word.len()) {
                plain.get_or_insert_with(|| text.as_bytes().to_vec())[found].fill(b' ');
            }
        }
    }
    plain.and_then(|plain| String::from_utf8(plain).ok())
}

/// Where the macro is, if a name and members follow it.
fn macro_at(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = blanks(text, at);
    let end = word(text, start);
    if start == at || !is_macro(&text[start..end]) {
        return None;
    }
    let name = blanks(text, end);
    let name_end = word(text, name);
    if name == end || name == name_end || &text[name..name_end] == b"final" {
        return None;
    }
    let rest = &text[blanks(text, name_end)..];
    let is_head = rest.starts_with(b"{") || rest.starts_with(b"final") || is_colon(rest);
    let opens =
        rest.iter().take(HEAD_MAX).find(|byte| matches!(byte, b'{' | b';' | b'(')) == Some(&b'{');
    (is_head && opens).then_some(start..end)
}

fn is_colon(text: &[u8]) -> bool {
    text.starts_with(b":") && !text.starts_with(b"::")
}

/// Where the blanks end.
fn blanks(text: &[u8], at: usize) -> usize {
    let len = text[at..].iter().position(|byte| !byte.is_ascii_whitespace());
    len.map_or(text.len(), |len| at + len)
}

/// Where the word ends.
fn word(text: &[u8], at: usize) -> usize {
    let len = text[at..].iter().position(|byte| !is_word(*byte));
    len.map_or(text.len(), |len| at + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_macro_of_a_type_with_members_goes() {
        let check = |text: &str, expected: &str| {
            assert_eq!(without_macros(text).as_deref(), Some(expected));
        };
        check("struct MY_API P {", "struct        P {");
        check("class MY_API P final : public Q\n{", "class        P final : public Q\n{");
    }

    #[test]
    fn what_is_no_such_macro_stays() {
        for text in [
            "struct POINT p;",
            "struct POINT p = {1};",
            "enum MODE mode : 4;",
            "class POINT final {",
            "class POINT : public Q {",
            "struct POINT f(void) {",
            "subclass MY_API P {",
            "struct",
            "struct MY_API",
            "struct MY_API ä",
        ] {
            assert_eq!(without_macros(text), None, "{text}");
        }
    }
}
