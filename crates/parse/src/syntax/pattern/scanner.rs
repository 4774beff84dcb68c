//! The text of a pattern file to names, strings and signs.

/// What is read, or why it cannot be.
pub(super) type Read<T> = Result<T, String>;

/// A place in a file of patterns.
pub(super) struct Scanner {
    text: &'static str,
    at: usize,
}

impl Scanner {
    pub(super) fn new(text: &'static str) -> Self {
        Self { text, at: 0 }
    }

    /// The 1-based line of the place.
    pub(super) fn line(&self) -> usize {
        self.text.bytes().take(self.at).filter(|byte| *byte == b'\n').count() + 1
    }

    /// The next character that is neither white space nor part of a comment.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let next = *rest.as_bytes().first()?;
            if next == b';' {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if next.is_ascii_whitespace() {
                self.at += 1;
            } else {
                return Some(next);
            }
        }
    }

    /// Whether the next character and the one after it are these.
    pub(super) fn starts_with(&mut self, first: u8, second: u8) -> bool {
        let is_first = self.peek() == Some(first);
        let start = self.at;
        self.at += usize::from(is_first);
        let is_second = is_first && self.peek() == Some(second);
        self.at = start;
        is_second
    }

    pub(super) fn take(&mut self, wanted: u8) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn expect(&mut self, wanted: u8) -> Read<()> {
        if self.take(wanted) { Ok(()) } else { Err(format!("`{}` expected", char::from(wanted))) }
    }

    pub(super) fn name(&mut self) -> Read<&'static str> {
        self.peek();
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        if end == 0 { Err("a name expected".to_owned()) } else { Ok(&rest[..end]) }
    }

    pub(super) fn string(&mut self) -> Read<String> {
        self.expect(b'"')?;
        let mut out = String::new();
        let mut chars = self.text[self.at..].char_indices();
        while let Some((idx, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += idx + 1;
                    return Ok(out);
                },
                '\n' => break,
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, 'r')) => out.push('\r'),
                    Some((_, '0')) => out.push('\0'),
                    Some((_, other)) => out.push(other),
                    None => break,
                },
                other => out.push(other),
            }
        }
        Err("the text does not end on its line".to_owned())
    }
}
