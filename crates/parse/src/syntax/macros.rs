//! Uses of macros that stand where a grammar expects a declaration, and a text without them.
//!
//! `NS_ASSUME_NONNULL_BEGIN` or `Q_OBJECT` on a line of its own is taken for the type of what follows, and
//! `typedef NS_ENUM(NSInteger, Mode) {` for a function.

use std::ops::Range;

/// Shorter words in capitals are as likely a type.
const MIN_NAME: usize = 4;

/// The text with such uses turned into spaces or into what they stand for, every name in its place; `None` where there
/// are none.
pub(super) fn without_lone(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut is_changed = false;
    let mut start = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let opens_block = lines.peek().is_some_and(|next| next.trim_start().starts_with('{'));
        if is_lone_use(line) && !opens_block {
            is_changed = true;
            blank(&mut bytes, start..start + line.len());
        } else if let Some(named) = enum_name(line) {
            is_changed = true;
            let open = start + line.len() - line.trim_start().len();
            let named = start + named.start..start + named.end;
            blank(&mut bytes, open..named.start);
            // The name may be followed by the end of the macro only, one sign.
            blank(&mut bytes, named.end..named.end + 1);
            let keyword = open..open + "enum".len();
            bytes.get_mut(keyword).unwrap_or_default().copy_from_slice(b"enum");
        }
        start += line.len();
    }
    is_changed.then(|| String::from_utf8(bytes).ok()).flatten()
}

fn blank(bytes: &mut [u8], range: Range<usize>) {
    for byte in bytes.get_mut(range).unwrap_or_default() {
        if !matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

/// Whether a line is `NAME`, `NAME(…)` or `NAME(…);` and nothing else.
fn is_lone_use(line: &str) -> bool {
    let line = line.trim();
    let name = capitals(line);
    if name.len() < MIN_NAME {
        return false;
    }
    let rest = line[name.len()..].trim_start();
    let rest = rest.strip_suffix(';').unwrap_or(rest).trim_end();
    rest.is_empty() || (rest.starts_with('(') && closes_at_end(rest))
}

/// The word in capitals that a text starts with.
fn capitals(text: &str) -> &str {
    let is_sign = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let end = text.find(|c| !is_sign(c)).unwrap_or(text.len());
    let goes_on = text[end..].starts_with(|c: char| c.is_alphanumeric());
    if goes_on || !text.starts_with(|c: char| c.is_ascii_uppercase()) { "" } else { &text[..end] }
}

/// Whether the bracket that a text starts with is closed by its last sign.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0_usize;
    for (idx, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {},
        }
        if depth == 0 {
            return idx + 1 == text.len();
        }
    }
    false
}

/// Where the name is in `typedef NS_ENUM(NSInteger, Mode)`.
fn enum_name(line: &str) -> Option<Range<usize>> {
    let rest = line.trim_start().strip_prefix("typedef ")?.trim_start();
    let (word, rest) = rest.split_once('(')?;
    if capitals(word) != word || !(word.ends_with("_ENUM") || word.ends_with("_OPTIONS")) {
        return None;
    }
    let name = rest.split_once(',')?.1.split_once(')')?.0;
    let start =
        line.len() - rest.len() + rest.find(',')? + 1 + name.len() - name.trim_start().len();
    let name = name.trim();
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_name.then_some(start..start + name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_on_a_line_of_its_own_is_left_out() {
        let text =
            "NS_ASSUME_NONNULL_BEGIN\n@interface A\nRCT_NOT_IMPLEMENTED(-(int)a : (int)b)\n@end\n";
        let whole = without_lone(text).unwrap();
        assert_eq!(whole.len(), text.len());
        assert_eq!(whole.split_whitespace().collect::<Vec<_>>(), ["@interface", "A", "@end"]);
    }

    #[test]
    fn what_only_looks_like_one_stays() {
        for text in [
            "int A;\n",
            "ABCD_E f();\n",
            "TEST_CASE(a)\n{\n}\n",
            "FOO\n",
            "Mixed_CASE\n",
            "CALL(a) + b;\n",
        ] {
            assert_eq!(without_lone(text), None, "{text}");
        }
    }

    #[test]
    fn an_enum_by_macro_becomes_one_with_its_name_in_place() {
        let text = "  typedef NS_ENUM(NSInteger, Mode) {\n  A };\n";
        let whole = without_lone(text).unwrap();
        assert_eq!(whole, "  enum                       Mode  {\n  A };\n");
        assert_eq!(without_lone("typedef NS_ENUM(A) {\n"), None);
    }
}
