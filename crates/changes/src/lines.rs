//! A text as lines, each with the end it has.

/// A line and its end: `\n`, `\r\n`, or nothing at the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    pub(crate) body: &'t str,
    pub(crate) end: &'static str,
}

/// The mark that some texts begin with; it is part of no line.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The byte order mark of a text, and the rest.
pub(crate) fn without_mark(text: &str) -> (&str, &str) {
    let rest = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    text.split_at(text.len() - rest.len())
}

/// The lines of a text.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            None => Line { body: line, end: "" },
            Some(body) => match body.strip_suffix('\r') {
                Some(body) => Line { body, end: "\r\n" },
                None => Line { body, end: "\n" },
            },
        })
        .collect()
}

/// How most lines of a text end; `None` where both ways occur.
pub(crate) fn common_end(lines: &[Line<'_>]) -> Option<&'static str> {
    let has = |end: &str| lines.iter().any(|line| line.end == end);
    match (has("\r\n"), has("\n")) {
        (true, true) => None,
        (true, false) => Some("\r\n"),
        (false, _) => Some("\n"),
    }
}
