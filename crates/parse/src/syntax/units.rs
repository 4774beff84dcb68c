//! The tokens of a declaration as what they may be: a path, a basic type, a specifier.

use std::ops::Range;

use super::code::is_macro;
use super::statements::{Statements, Token, TokenKind};

/// Words that are a type or a part of one.
const BASIC: [&str; 13] = [
    "void", "int", "char", "long", "short", "unsigned", "signed", "float", "double", "bool",
    "_Bool", "auto", "wchar_t",
];
/// Words beside the type that a grammar knows.
const SPECIFIERS: [&str; 27] = [
    "const",
    "volatile",
    "static",
    "extern",
    "inline",
    "register",
    "restrict",
    "typedef",
    "constexpr",
    "consteval",
    "constinit",
    "explicit",
    "virtual",
    "friend",
    "mutable",
    "thread_local",
    "typename",
    "_Noreturn",
    "__inline",
    "__inline__",
    "__forceinline",
    "__restrict",
    "__extension__",
    "noexcept",
    "throw",
    "override",
    "final",
];
/// Specifiers that always have arguments.
const WITH_ARGUMENTS: [&str; 5] =
    ["alignas", "_Alignas", "__attribute__", "__declspec", "__attribute"];
const ELABORATED: [&str; 4] = ["class", "struct", "union", "enum"];

/// Arguments of a template have no more tokens; an angle bracket that is not closed is a sign like any other.
const ANGLES_MAX: usize = 512;

/// A part of a declaration as what it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) kind: UnitKind,
    pub(super) bytes: Range<usize>,
    /// Whether it looks like a macro.
    pub(super) is_macro: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitKind {
    Basic,
    Specifier,
    /// A name with all that qualifies it.
    Path,
    /// A macro with arguments in front of something else.
    Call,
    Group,
    Sign(u8),
}

/// Puts the tokens of a declaration together.
pub(super) fn units(statements: &Statements<'_>, row: &[Token]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut rest = row;
    while let Some((kind, len)) = unit(statements, rest) {
        let bytes = rest[0].bytes.start..rest[len - 1].bytes.end;
        let is_macro = is_macro(statements.text(&rest[0])) && (len == 1 || kind == UnitKind::Call);
        units.push(Unit { kind, bytes, is_macro });
        rest = &rest[len..];
    }
    units
}

/// What a row starts with, and how many tokens of it.
fn unit(statements: &Statements<'_>, row: &[Token]) -> Option<(UnitKind, usize)> {
    let first = row.first()?;
    let is_group = |idx: usize| row.get(idx).is_some_and(|token| token.kind == TokenKind::Group);
    let is_word = |idx: usize| row.get(idx).is_some_and(|token| token.kind == TokenKind::Word);
    let is = |words: &[&str]| statements.is_one_of(first, words);
    let is_path = |idx: usize| {
        is_word(idx) || row.get(idx).is_some_and(|token| token.kind == TokenKind::Path)
    };
    Some(match first.kind {
        TokenKind::Group => (UnitKind::Group, 1),
        // The language of a linkage.
        TokenKind::Sign(b'"') if row.len() > 2 => (UnitKind::Specifier, 3),
        TokenKind::Sign(b'~') if is_word(1) => (UnitKind::Path, 2),
        TokenKind::Sign(sign) => (UnitKind::Sign(sign), 1),
        TokenKind::Path => (UnitKind::Path, 1 + path_len(row.get(1..)?, statements)),
        TokenKind::Word if is(&BASIC) => (UnitKind::Basic, 1),
        TokenKind::Word if is(&ELABORATED) => (UnitKind::Basic, 1 + usize::from(is_word(1))),
        TokenKind::Word if is(&["decltype"]) && is_group(1) => (UnitKind::Basic, 2),
        TokenKind::Word if is(&WITH_ARGUMENTS) && is_group(1) => (UnitKind::Specifier, 2),
        TokenKind::Word if is(&SPECIFIERS) => (UnitKind::Specifier, 1),
        TokenKind::Word if is_macro(statements.text(first)) && is_group(1) && is_path(2) => {
            (UnitKind::Call, 2)
        },
        TokenKind::Word => (UnitKind::Path, path_len(row, statements).max(1)),
    })
}

/// How many tokens a name has that may be qualified: `Store<T>::open`, `operator bool`.
fn path_len(row: &[Token], statements: &Statements<'_>) -> usize {
    let kind = |idx: usize| row.get(idx).map(|token| token.kind);
    let mut len = 0;
    loop {
        if row.get(len).is_some_and(|token| statements.is_one_of(token, &["operator"])) {
            let group = (len + 1..row.len()).find(|idx| kind(*idx) == Some(TokenKind::Group));
            // The brackets may be the operator.
            let is_call = group == Some(len + 1) && kind(len + 2) == Some(TokenKind::Group);
            return group.map_or(row.len(), |group| group + usize::from(is_call));
        }
        if kind(len) == Some(TokenKind::Sign(b'~')) {
            len += 1;
        }
        if kind(len) != Some(TokenKind::Word) {
            return len;
        }
        len += 1;
        if kind(len) == Some(TokenKind::Sign(b'<')) {
            len += angles(&row[len..]);
        }
        if kind(len) != Some(TokenKind::Path) {
            return len;
        }
        len += 1;
    }
}

/// How many tokens there are up to the angle bracket that closes the first; none where none does.
pub(super) fn angles(row: &[Token]) -> usize {
    let mut depth = 0_usize;
    for (idx, token) in row.iter().enumerate().take(ANGLES_MAX) {
        match token.kind {
            TokenKind::Sign(b'<') => depth += 1,
            TokenKind::Sign(b'>') => depth = depth.saturating_sub(1),
            TokenKind::Word | TokenKind::Group | TokenKind::Path | TokenKind::Sign(_) => {},
        }
        if depth == 0 {
            return if idx > 0 { idx + 1 } else { 0 };
        }
    }
    0
}
