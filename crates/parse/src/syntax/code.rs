//! A text of the C family without its comments and without what is inside its strings, and the words in it.

/// What stands for a sign inside a string.
const FILL: u8 = b'_';
/// The name of a raw string is never longer.
const DELIMITER_MAX: usize = 16;

/// Shorter words in capitals are as likely a type.
pub(super) const MIN_MACRO: usize = 4;

/// The text with spaces for comments and a plain sign for all that is inside quotes; every byte is at its place.
pub(super) fn code_only(text: &str) -> Vec<u8> {
    let mut code = text.as_bytes().to_vec();
    let mut at = 0;
    let mut word = 0;
    while let Some(byte) = code.get(at).copied() {
        let rest = code.get(at..).unwrap_or_default();
        let end = match byte {
            b'/' if rest.starts_with(b"//") => at + line_comment(rest),
            b'/' if rest.starts_with(b"/*") => at + block_comment(rest),
            b'"' if code.get(word..at).is_some_and(|word| word.ends_with(b"R")) => {
                at + raw_string(rest)
            },
            b'"' => at + quoted(rest, b'"'),
            // `1'000` is a number.
            b'\'' if !code.get(word..at).is_some_and(starts_with_digit) => at + quoted(rest, b'\''),
            _ => {
                let is_in_word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'');
                at += 1;
                word = if is_in_word { word } else { at };
                continue;
            },
        };
        let inside = if byte == b'/' { at..end } else { at + 1..end.saturating_sub(1) };
        let fill = if byte == b'/' { b' ' } else { FILL };
        for byte in code.get_mut(inside).unwrap_or_default() {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = fill;
            }
        }
        at = end;
        word = end;
    }
    code
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Whether a word looks like a macro: `MY_API`, `_In_opt_`.
pub(super) fn is_macro(word: &[u8]) -> bool {
    let has_capital = word.iter().any(u8::is_ascii_uppercase);
    let is_annotation = word.len() > 3
        && word.starts_with(b"_")
        && word.ends_with(b"_")
        && word[1].is_ascii_uppercase();
    let is_long = word.len() >= MIN_MACRO && !word[0].is_ascii_digit();
    has_capital
        && (is_annotation || (is_long && !word.iter().any(u8::is_ascii_lowercase)))
        && word.iter().all(|byte| is_word(*byte))
}

fn starts_with_digit(word: &[u8]) -> bool {
    word.first().is_some_and(u8::is_ascii_digit)
}

fn line_comment(text: &[u8]) -> usize {
    let is_end = |at: &usize| text[*at] == b'\n' && !ends_continued(&text[..*at]);
    (0..text.len()).find(is_end).unwrap_or(text.len())
}

/// Whether a line goes on after its end.
pub(super) fn ends_continued(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
}

fn block_comment(text: &[u8]) -> usize {
    let end = text.iter().skip(2).zip(text.iter().skip(3)).position(|two| two == (&b'*', &b'/'));
    end.map_or(text.len(), |end| end + 4)
}

/// The length of a string or character; one that is not closed ends with its line.
fn quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' if text[at..].starts_with(b"\\\r\n") => at += 3,
            b'\\' => at += 2,
            b'\n' => return at,
            _ if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

fn raw_string(text: &[u8]) -> usize {
    let open = text.iter().take(DELIMITER_MAX + 2).position(|byte| *byte == b'(');
    let Some(open) = open else { return quoted(text, b'"') };
    let delimiter = &text[1..open];
    let is_end = |at: &usize| {
        let rest = text[*at..].strip_prefix(b")").and_then(|rest| rest.strip_prefix(delimiter));
        rest.is_some_and(|rest| rest.starts_with(b"\""))
    };
    let end = (open..text.len()).find(is_end);
    end.map_or(text.len(), |end| end + delimiter.len() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&code_only(text)), expected, "{text}");
    }

    #[test]
    fn comments_become_spaces_and_strings_lose_their_inside() {
        check("a /* ä\n # */ b", "a      \n      b");
        check("a // b\\\n c\nd", "a      \n  \nd");
        check("f(\"{ // \\\" /*\", '{', '\\'');", "f(\"__________\", '_', '__');");
        check("u8R\"x(a\n)\" )x\" + L'\"'", "u8R\"___\n_____\" + L'_'");
    }

    #[test]
    fn an_apostrophe_in_a_number_is_no_quote() {
        check("x = 1'000'000; y = 0xAB'CD; // a", "x = 1'000'000; y = 0xAB'CD;     ");
    }

    #[test]
    fn what_is_not_closed_ends_with_its_line_or_the_text() {
        check("don't {\n}", "don'__{\n}");
        check("a /* b", "a     ");
        check("R\"(ab", "R\"__b");
        for text in ["\"", "'", "/", "/*", "/*/", "R\"", "R\"(", "\"\\", "\\", "'ä"] {
            assert_eq!(code_only(text).len(), text.len(), "{text}");
        }
    }
}
