//! Uses of macros that stand where a grammar expects a declaration, and a text without them.
//!
//! `NS_ASSUME_NONNULL_BEGIN` or `Q_OBJECT` on a line of its own is taken for the type of what follows, and
//! `typedef NS_ENUM(NSInteger, Mode) {` for a function.

use std::cell::LazyCell;
use std::ops::Range;

use super::code::MIN_MACRO;
use super::draft::Draft;
use super::statements::Statements;

/// Turns such uses into spaces or into what they stand for, every name in its place.
pub(super) fn leave_out_lone(draft: &mut Draft) {
    let code = String::from_utf8_lossy(draft.code()).into_owned();
    let bodies = LazyCell::new(|| Statements::new(code.as_bytes()).bodies());
    let is_in_body = |at: usize| {
        let after = bodies.partition_point(|body| body.start <= at);
        after.checked_sub(1).is_some_and(|idx| bodies[idx].contains(&at))
    };
    let mut start = 0;
    let mut last = None;
    let mut lines = code.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if !may_use(line) {
            last = last_sign(line).or(last);
            start += line.len();
            continue;
        }
        // The only statement that needs a macro to be taken away is one without an end.
        let is_statement = || line.trim_end().ends_with(';') && is_in_body(start);
        // A name after a comma or before the end is one of a list.
        let next = lines.peek().map(|next| next.trim_start()).unwrap_or_default();
        let is_part = last == Some(',') || next.starts_with(['{', ',', '=']);
        let is_last = next.starts_with('}') && !line.contains('(');
        let is_section = is_section(line) && !is_in_body(start);
        if is_section || (is_lone_use(line) && !is_part && !is_last && !is_statement()) {
            draft.blank(start..start + line.len());
        } else if let Some(named) = enum_name(line) {
            let open = start + line.len() - line.trim_start().len();
            draft.replace(open..start + named.start, &["enum"]);
            // The name may be followed by the end of the macro only, one sign.
            draft.blank(start + named.end..start + named.end + 1);
        } else {
            last = last_sign(line).or(last);
        }
        start += line.len();
    }
}

/// Whether a line starts as a use of a macro does, or as the `typedef` around one: few lines do.
fn may_use(line: &str) -> bool {
    let first = line.bytes().find(|byte| !is_blank(*byte));
    first.is_some_and(|first| first.is_ascii_uppercase() || first == b't' || !first.is_ascii())
}

/// The last sign of a line that is no blank.
pub(super) fn last_sign(line: &str) -> Option<char> {
    match line.bytes().rfind(|byte| !is_blank(*byte)) {
        Some(last) if last.is_ascii() => Some(char::from(last)),
        Some(_) => line.trim_end().chars().next_back(),
        None => None,
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Whether a line is `NAME`, `NAME(…)` or `NAME(…);` and nothing else.
pub(super) fn is_lone_use(line: &str) -> bool {
    if !may_use(line) {
        return false;
    }
    let line = line.trim();
    let name = capitals(line);
    if name.len() < MIN_MACRO {
        return false;
    }
    let rest = line[name.len()..].trim_start();
    let rest = rest.strip_suffix(';').unwrap_or(rest).trim_end();
    rest.is_empty() || (rest.starts_with('(') && closes_at_end(rest))
}

/// Whether a line is `NAME:`, which stands for `public:` or the like.
fn is_section(line: &str) -> bool {
    let line = line.trim();
    let name = capitals(line);
    name.len() >= MIN_MACRO && &line[name.len()..] == ":"
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

    fn without_lone(text: &str) -> Option<String> {
        let mut draft = Draft::new(text);
        leave_out_lone(&mut draft);
        draft.changed()
    }

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
            "enum A {\nFIRST,\nLAST\n};\n",
            "void f() {\n  CALL(a);\n}\n",
        ] {
            assert_eq!(without_lone(text), None, "{text}");
        }
    }

    #[test]
    fn a_section_by_macro_goes_and_a_label_stays() {
        let whole = without_lone("class A {\n  MY_PRIVATE:\n  int a;\n};\n").unwrap();
        assert!(!whole.contains("MY_PRIVATE"), "{whole}");
        assert_eq!(without_lone("void f() {\n  DONE:\n  return;\n}\n"), None);
    }

    #[test]
    fn an_enum_by_macro_becomes_one_with_its_name_in_place() {
        let text = "  typedef NS_ENUM(NSInteger, Mode) {\n  A };\n";
        let whole = without_lone(text).unwrap();
        assert_eq!(whole, "  enum                       Mode  {\n  A };\n");
        assert_eq!(without_lone("typedef NS_ENUM(A) {\n"), None);
    }
}
