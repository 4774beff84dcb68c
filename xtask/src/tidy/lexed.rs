//! Tells code from comments and quoted text in a Rust file, so that a rule about code does not stumble over words.
//!
//! Not a parser: it knows just enough of the lexical grammar to find where comments, strings and test items end.

/// What a byte of the source belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Code,
    Comment,
    Quoted,
}

/// A source file with the kind of every byte.
#[derive(Debug)]
pub(super) struct Lexed<'text> {
    text: &'text str,
    kinds: Vec<Kind>,
    line_starts: Vec<usize>,
    test_lines: Vec<bool>,
}

impl<'text> Lexed<'text> {
    pub(super) fn new(text: &'text str) -> Self {
        let kinds = kinds(text.as_bytes());
        let mut line_starts = vec![0];
        line_starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        let test_lines = test_lines(text);
        Self { text, kinds, line_starts, test_lines }
    }

    /// The 1-based lines where the needle stands as a whole word in bytes of the given kind.
    pub(super) fn lines_with(&self, needle: &str, kind: Kind) -> Vec<usize> {
        self.find(needle, kind).into_iter().map(|(line, _)| line).collect()
    }

    /// The same lines, each with the text that follows the needle.
    pub(super) fn find(&self, needle: &str, kind: Kind) -> Vec<(usize, &'text str)> {
        let is_word = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let bytes = self.text.as_bytes();
        let starts_word = is_word(needle.as_bytes().first());
        let ends_word = is_word(needle.as_bytes().last());
        self.text
            .match_indices(needle)
            .filter(|(at, _)| self.kinds[*at] == kind)
            .filter(|(at, _)| {
                let before = at.checked_sub(1).and_then(|before| bytes.get(before));
                let after = bytes.get(at + needle.len());
                let runs_on = starts_word && is_word(before) || ends_word && is_word(after);
                !runs_on
            })
            .map(|(at, _)| (self.line_of(at), &self.text[at + needle.len()..]))
            .collect()
    }

    /// Whether a 1-based line belongs to an item under `#[cfg(test)]`.
    pub(super) fn is_test(&self, line: usize) -> bool {
        self.test_lines.get(line - 1).copied().unwrap_or(false)
    }

    fn line_of(&self, at: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= at)
    }
}

/// Marks the lines of items under `#[cfg(test)]`. rustfmt puts the end of an item at the indentation of its start.
fn test_lines(text: &str) -> Vec<bool> {
    let lines: Vec<&str> = text.lines().collect();
    let mut marks = vec![false; lines.len()];
    let mut at = 0;
    while at < lines.len() {
        let trimmed = lines[at].trim_start();
        if !(trimmed.starts_with("#[cfg(test)]") || trimmed.starts_with("#[cfg(all(test")) {
            at += 1;
            continue;
        }
        let indent = &lines[at][..lines[at].len() - trimmed.len()];
        let ends_item = |line: &str| {
            line.strip_prefix(indent).is_some_and(|rest| {
                !rest.starts_with([' ', '#'])
                    && (rest.starts_with('}') || rest.ends_with([';', '}']))
            })
        };
        let length = lines[at + 1..].iter().position(|line| ends_item(line));
        let end = length.map_or(lines.len(), |length| at + length + 2);
        marks[at..end].fill(true);
        at = end;
    }
    marks
}

fn kinds(bytes: &[u8]) -> Vec<Kind> {
    let mut kinds = vec![Kind::Code; bytes.len()];
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (length, kind) = if rest.starts_with(b"//") {
            (position(rest, b"\n").unwrap_or(rest.len()), Kind::Comment)
        } else if rest.starts_with(b"/*") {
            (block_comment(rest), Kind::Comment)
        } else if rest[0] == b'"' {
            (string(rest), Kind::Quoted)
        } else if let Some(length) = raw_string(bytes, at) {
            (length, Kind::Quoted)
        } else if let Some(length) = character(rest) {
            (length, Kind::Quoted)
        } else {
            (1, Kind::Code)
        };
        kinds[at..at + length].fill(kind);
        at += length;
    }
    kinds
}

fn position(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}

fn block_comment(rest: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                at += 2;
            },
            [b'*', b'/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            },
            _ => at += 1,
        }
    }
    rest.len()
}

fn string(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// `r"…"`, `r#"…"#`, also after `b` or `c`; `None` where there is none, as in the raw name `r#type`.
fn raw_string(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let inside_a_word =
        at > 0 && (bytes[at - 1].is_ascii_alphanumeric() && !b"bc".contains(&bytes[at - 1]));
    if rest[0] != b'r' || inside_a_word {
        return None;
    }
    let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
    if rest.get(1 + hashes) != Some(&b'"') {
        return None;
    }
    let body = hashes + 2;
    let end: Vec<u8> = [b"\"".as_slice(), "#".repeat(hashes).as_bytes()].concat();
    Some(position(&rest[body..], &end).map_or(rest.len(), |length| body + length + end.len()))
}

/// `'x'` or `'\n'`; `None` for a lifetime.
fn character(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'\'', b'\\', _, ..] => position(&rest[3..], b"'").map(|length| length + 4),
        [b'\'', first, ..] => {
            let width = match first {
                0..0x80 => 1,
                0x80..0xe0 => 2,
                0xe0..0xf0 => 3,
                0xf0..=0xff => 4,
            };
            (rest.get(1 + width) == Some(&b'\'')).then_some(width + 2)
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_code_only() {
        let text =
            "// unsafe\nlet a = \"unsafe\"; /* unsafe /* x */ unsafe */\nunsafe { }\nunsafely();\n";
        assert_eq!(Lexed::new(text).lines_with("unsafe", Kind::Code), [3]);
        assert_eq!(Lexed::new(text).lines_with("unsafe", Kind::Quoted), [2]);
    }

    #[test]
    fn quotes_of_all_kinds_end_where_they_should() {
        for quoted in [r#""a\"b""#, "r\"x\\\"", "r#\"a\"b\"#", "br\"x\"", "'\"'", r"'\''", "'é'"] {
            let text = format!("f({quoted}); unsafe");
            assert_eq!(Lexed::new(&text).lines_with("unsafe", Kind::Code), [1], "{quoted}");
        }
        let lifetimes = "fn f<'a>(x: &'a str) -> &'a str { unsafe }";
        assert_eq!(Lexed::new(lifetimes).lines_with("unsafe", Kind::Code), [1]);
    }

    #[test]
    fn test_items_end_with_their_brace_or_semicolon() {
        let text = "\
#[cfg(test)]
mod tests;
fn a() {}
#[cfg(test)]
mod more {
    fn b() {
    }
}
fn c() {}
";
        let lexed = Lexed::new(text);
        let marked: Vec<usize> = (1..=9).filter(|line| lexed.is_test(*line)).collect();
        assert_eq!(marked, [1, 2, 4, 5, 6, 7, 8]);
    }
}
