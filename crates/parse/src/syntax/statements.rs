//! The declarations of a text of the C family, each as a row of tokens; the bodies of functions are passed over.

use std::ops::Range;

use super::code::{ends_continued, is_word};
use super::units::angles;

/// A part of a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) bytes: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    /// Round brackets with all that is inside.
    Group,
    /// What stands between the parts of a path.
    Path,
    Sign(u8),
}

/// What a declaration ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Semicolon,
    /// The start of a type or namespace whose declarations follow.
    Members,
    /// The start of a body, a list of enumerators or a value.
    Body,
}

/// Code without comments whose brackets are known.
pub(super) struct Statements<'c> {
    code: &'c [u8],
    /// Where brackets open and close, in order.
    pairs: Vec<(usize, usize)>,
}

impl<'c> Statements<'c> {
    pub(super) fn new(code: &'c [u8]) -> Self {
        Self { code, pairs: pairs(code) }
    }

    pub(super) fn text(&self, token: &Token) -> &'c [u8] {
        self.code.get(token.bytes.clone()).unwrap_or_default()
    }

    /// Hands every declaration to a function.
    pub(super) fn each(&self, mut take: impl FnMut(&[Token], End)) {
        self.each_with_end(|row, end, _| take(row, end));
    }

    fn each_with_end(&self, mut take: impl FnMut(&[Token], End, usize)) {
        let mut row: Vec<Token> = Vec::new();
        let mut at = 0;
        while let Some(token) = self.token(at) {
            at = token.bytes.end;
            match token.kind {
                TokenKind::Sign(b';') => {
                    take(&row, End::Semicolon, token.bytes.start);
                    row.clear();
                },
                TokenKind::Sign(b'{') => {
                    let has_members = self.holds_declarations(&row);
                    let end = if has_members { End::Members } else { End::Body };
                    take(&row, end, token.bytes.start);
                    row.clear();
                    if !has_members && let Some(close) = self.close(token.bytes.start) {
                        at = close + 1;
                    }
                },
                TokenKind::Sign(b'}') => row.clear(),
                TokenKind::Sign(b':') if self.is_section(&row) => row.clear(),
                TokenKind::Word | TokenKind::Group | TokenKind::Path | TokenKind::Sign(_) => {
                    row.push(token);
                },
            }
        }
    }

    /// Where bodies are, from the first sign inside; in order.
    pub(super) fn bodies(&self) -> Vec<Range<usize>> {
        let mut bodies = Vec::new();
        self.each_with_end(|_, end, at| {
            if end == End::Body {
                bodies.extend(self.close(at).map(|close| at + 1..close));
            }
        });
        bodies
    }

    /// Where a word with its arguments is.
    pub(super) fn calls(&self, word: &[u8]) -> Vec<Range<usize>> {
        let mut calls = Vec::new();
        for at in 0..self.code.len().saturating_sub(word.len()) {
            if self.code[at] == word[0] && self.code[at..].starts_with(word) {
                let next = self.token(at + word.len()).filter(|next| next.kind == TokenKind::Group);
                calls.extend(next.map(|next| at..next.bytes.end));
            }
        }
        calls
    }

    /// The tokens of a part.
    pub(super) fn row(&self, part: Range<usize>) -> Vec<Token> {
        let mut row = Vec::new();
        let mut at = part.start;
        while let Some(token) = self.token(at).filter(|token| token.bytes.end <= part.end) {
            at = token.bytes.end;
            row.push(token);
        }
        row
    }

    /// The next token; directives are none.
    fn token(&self, mut at: usize) -> Option<Token> {
        loop {
            let byte = *self.code.get(at)?;
            let end = match byte {
                b'#' if self.is_line_start(at) => {
                    at = self.directive_end(at);
                    continue;
                },
                b'(' => self.close(at).map(|close| close + 1),
                b':' if self.code.get(at + 1) == Some(&b':') => Some(at + 2),
                _ if byte.is_ascii_whitespace() || byte == b'\\' => {
                    at += 1;
                    continue;
                },
                _ if is_word(byte) => {
                    let len = self.code[at..].iter().position(|byte| !is_word(*byte));
                    Some(len.map_or(self.code.len(), |len| at + len))
                },
                _ => None,
            };
            let kind = match end {
                Some(_) if byte == b'(' => TokenKind::Group,
                Some(_) if is_word(byte) => TokenKind::Word,
                Some(_) => TokenKind::Path,
                None => TokenKind::Sign(byte),
            };
            return Some(Token { kind, bytes: at..end.unwrap_or(at + 1) });
        }
    }

    fn close(&self, open: usize) -> Option<usize> {
        let idx = self.pairs.binary_search_by_key(&open, |pair| pair.0).ok()?;
        Some(self.pairs[idx].1)
    }

    fn is_line_start(&self, at: usize) -> bool {
        let before = self.code[..at].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
        before.is_none_or(|byte| *byte == b'\n')
    }

    fn directive_end(&self, at: usize) -> usize {
        let is_end =
            |end: &usize| self.code[*end] == b'\n' && !ends_continued(&self.code[at..*end]);
        (at..self.code.len()).find(is_end).unwrap_or(self.code.len())
    }

    pub(super) fn slice(&self, bytes: &Range<usize>) -> &'c [u8] {
        self.code.get(bytes.clone()).unwrap_or_default()
    }

    pub(super) fn is_one_of(&self, token: &Token, words: &[&str]) -> bool {
        words.iter().any(|word| word.as_bytes() == self.text(token))
    }

    /// A declaration without its attributes and the heads of templates in front of it.
    pub(super) fn without_heads<'r>(&self, mut row: &'r [Token]) -> &'r [Token] {
        while let [first, rest @ ..] = row {
            let len = match first.kind {
                TokenKind::Word if self.is_one_of(first, &["template"]) => angles(rest),
                TokenKind::Sign(b'[') => {
                    let end =
                        |two: &[Token]| two.iter().all(|token| token.kind == TokenKind::Sign(b']'));
                    rest.windows(2).position(end).map_or(0, |end| end + 2)
                },
                TokenKind::Word | TokenKind::Group | TokenKind::Path | TokenKind::Sign(_) => 0,
            };
            if len == 0 {
                break;
            }
            row = &rest[len..];
        }
        row
    }

    /// Whether a declaration has parameters: brackets of a macro are followed by a name, those of a function are not.
    pub(super) fn is_function(&self, row: &[Token]) -> bool {
        row.iter().enumerate().take_while(|(_, token)| token.kind != TokenKind::Sign(b':')).any(
            |(idx, token)| {
                token.kind == TokenKind::Group
                    && row.get(idx + 1).is_none_or(|next| {
                        next.kind != TokenKind::Word
                            || self.is_one_of(next, &["const", "noexcept", "override"])
                    })
            },
        )
    }

    /// Whether what follows are the declarations of a type or namespace.
    fn holds_declarations(&self, row: &[Token]) -> bool {
        let row = self.without_heads(row);
        let has = |words: &[&str]| row.iter().any(|token| self.is_one_of(token, words));
        let is_linkage = matches!(row, [first, second, ..]
            if self.is_one_of(first, &["extern"]) && second.kind == TokenKind::Sign(b'"'));
        let is_value = row.iter().any(|token| token.kind == TokenKind::Sign(b'='));
        let is_type = has(&["class", "struct", "union"]) && !has(&["enum"]);
        has(&["namespace"]) || ((is_linkage || is_type) && !is_value && !self.is_function(row))
    }

    /// Whether a colon ends the head of a section: `public slots:`.
    fn is_section(&self, row: &[Token]) -> bool {
        let is_word = |token: &Token| token.kind == TokenKind::Word;
        let sections: [&[u8]; 4] = [b"public", b"private", b"protected", b"signals"];
        row.len() <= 2
            && row.iter().all(is_word)
            && row.first().is_some_and(|first| sections.contains(&self.text(first)))
    }
}

/// Where round and curly brackets open and close. A round one that is still open when a curly one closes is none.
fn pairs(code: &[u8]) -> Vec<(usize, usize)> {
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut pairs = Vec::new();
    for (at, byte) in code.iter().enumerate() {
        match byte {
            b'(' | b'{' => open.push((at, *byte)),
            b')' if open.last().is_some_and(|last| last.1 == b'(') => {
                pairs.extend(open.pop().map(|last| (last.0, at)));
            },
            b'}' => {
                while open.last().is_some_and(|last| last.1 == b'(') {
                    open.pop();
                }
                pairs.extend(open.pop().map(|last| (last.0, at)));
            },
            _ => {},
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, End)]) {
        let mut found = Vec::new();
        let statements = Statements::new(text.as_bytes());
        statements.each(|row, end| {
            let words: Vec<_> =
                row.iter().map(|token| String::from_utf8_lossy(statements.text(token))).collect();
            found.push((words.join(" "), end));
        });
        let found: Vec<_> = found.iter().map(|(row, end)| (row.as_str(), *end)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn types_are_entered_and_bodies_passed_over() {
        check(
            "namespace a { class A : B { public: int f(int b) { g(); } A(); }; }",
            &[
                ("namespace a", End::Members),
                ("class A : B", End::Members),
                ("int f (int b)", End::Body),
                ("A ()", End::Semicolon),
                ("", End::Semicolon),
            ],
        );
        check(
            "enum A { B };\nstruct s x = {1};",
            &[
                ("enum A", End::Body),
                ("", End::Semicolon),
                ("struct s x =", End::Body),
                ("", End::Semicolon),
            ],
        );
        check("struct s f(void) { int a; }", &[("struct s f (void)", End::Body)]);
        check(
            "struct API(1) s { int a; }",
            &[("struct API (1) s", End::Members), ("int a", End::Semicolon)],
        );
    }

    #[test]
    fn directives_are_no_tokens_and_paths_are_kept() {
        check("int\n#if A \\\n B\nstd::a x;", &[("int std :: a x", End::Semicolon)]);
    }

    #[test]
    fn brackets_that_do_not_match_are_signs() {
        check("f(a; }) b;", &[("f ( a", End::Semicolon), (") b", End::Semicolon)]);
    }
}
