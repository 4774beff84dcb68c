//! Tokens, read by the functions of a grammar: its lexer, and its scanner for what rules cannot say.

use std::rc::Rc;

use gik_base::collections::HashMap;

use super::cursor::Cursor;
use super::scanner::{STATE_MAX, STATE_ROOM, Scanner};
use super::tables::{ERROR_STATE, LexFn, Tables};
use super::words::{Found, Key, Words};

/// What the scanner of a grammar kept at some place; equal ones have one number, and nothing is 0.
pub(super) type Kept = u32;

/// A token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) symbol: u16,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether the lexer of keywords knows its beginning.
    pub(super) is_keyword: bool,
    /// What the scanner kept after it, where the scanner found it.
    pub(super) kept: Option<Kept>,
}

/// Reads the tokens of one text.
pub(super) struct Lexer<'a> {
    tables: &'a Tables,
    cursor: Cursor,
    words: &'a mut Words,
    scanner: Option<Scanner<'a>>,
    kept: Vec<Rc<[u8]>>,
    numbers: HashMap<Rc<[u8]>, Kept>,
    /// How many bytes were looked at.
    n_read: usize,
    /// So many may be.
    most_read: usize,
    /// Whether the scanner kept more than it may, and nothing that follows can be trusted.
    pub(super) is_overfull: bool,
    text: &'a str,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(
        tables: &'a Tables,
        text: &'a str,
        words: &'a mut Words,
        most_read: usize,
    ) -> Self {
        Self {
            tables,
            cursor: Cursor::new(text),
            words,
            scanner: Scanner::of(tables),
            kept: vec![Rc::default()],
            numbers: HashMap::default(),
            n_read: 0,
            most_read,
            is_overfull: false,
            text,
        }
    }

    /// Whether so much was read that it would take too long, or nonsense.
    pub(super) fn is_beyond(&self) -> bool {
        self.is_overfull || self.n_read + self.cursor.n_read > self.most_read
    }

    /// The token at a place that the state wants; `None` where there is none that the grammar knows. Where nothing was
    /// read since an error, tokens without text may not come.
    pub(super) fn token(
        &mut self,
        state: u16,
        at: u32,
        kept: Kept,
        may_be_empty: bool,
    ) -> Option<Token> {
        let at = at as usize;
        self.cursor.go_to(at);
        let in_error = state == ERROR_STATE;
        if let Some(token) = self.wanted(state, state, kept, may_be_empty && !in_error) {
            return Some(token);
        }
        if in_error {
            return None;
        }
        self.cursor.go_to(at);
        self.wanted(state, ERROR_STATE, kept, false)
    }

    /// What the grammar does not know at a place, up to the next token that it does; for a text where [`Lexer::token`]
    /// found none there.
    pub(super) fn unknown(&mut self, state: u16, at: u32, kept: Kept) -> Token {
        self.cursor.go_to(at as usize);
        let mut found = self.wanted(state, ERROR_STATE, kept, false).is_some();
        self.cursor.finish();
        let (start, mut end) = (self.cursor.start, self.cursor.start);
        while !found && !self.is_beyond() {
            if self.cursor.at == end {
                if self.cursor.at >= self.cursor.len {
                    break;
                }
                self.cursor.step(false);
            }
            end = self.cursor.at;
            found = self.wanted(state, ERROR_STATE, kept, false).is_some();
        }
        token(super::tables::ERROR, start, end, false, None)
    }

    /// The token here, read as it is read in another state.
    fn wanted(&mut self, state: u16, as_in: u16, kept: Kept, may_be_empty: bool) -> Option<Token> {
        let mode = self.tables.lex_mode(as_in);
        let at = self.cursor.at;
        if mode.external != 0 {
            if let Some(token) = self.scanned(state, mode.external, kept, may_be_empty) {
                return Some(token);
            }
            self.cursor.go_to(at);
        }
        self.cursor.begin();
        let at = self.cursor.at;
        let found = self.found(mode.state)?;
        let is_wanted = |keyword: u16| {
            self.tables.cell(state, keyword) != 0 || self.tables.is_reserved(state, keyword)
        };
        let is_one = found.keyword != 0 && is_wanted(found.keyword);
        let symbol = if is_one { found.keyword } else { found.symbol };
        let (start, end) = (at + found.start as usize, at + found.end as usize);
        Some(token(symbol, start, end, found.is_keyword, None))
    }

    /// What the lexer finds here in one of its states.
    fn found(&mut self, state: u16) -> Option<Found> {
        let at = self.cursor.at;
        let ahead = self.text.as_bytes().get(at..).and_then(|rest| rest.first_chunk());
        let key = ahead.and_then(|bytes| Key::of(bytes, state));
        if let Some(found) = key.and_then(|(key, _)| self.words.get(key)) {
            self.n_read += found.n_read as usize;
            return Some(found);
        }
        let n_read = self.n_read;
        if !self.lex(self.tables.lex, state) {
            return None;
        }
        self.cursor.finish();
        let Cursor { start, end, at: mut furthest, .. } = self.cursor;
        let symbol = self.cursor.symbol();
        let (mut is_keyword, mut keyword) = (false, 0);
        if symbol == self.tables.word
            && symbol != 0
            && let Some(lex) = self.tables.keyword_lex
        {
            self.cursor.go_to(start);
            self.cursor.begin();
            is_keyword = self.lex(lex, 0);
            if is_keyword && self.cursor.end == end {
                keyword = self.cursor.symbol();
            }
            furthest = furthest.max(self.cursor.at);
        }
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let found = Found {
            symbol,
            start: number(start - at),
            end: number(end - at),
            is_keyword,
            keyword,
            n_read: number(self.n_read - n_read),
        };
        if let Some((key, _)) = key.filter(|(_, length)| furthest < at + length) {
            self.words.put(key, found);
        }
        Some(found)
    }

    fn lex(&mut self, lex: LexFn, state: u16) -> bool {
        let from = self.cursor.at;
        let has_token = self.cursor.lex(lex, state);
        self.n_read += self.cursor.at.saturating_sub(from) + 1;
        has_token
    }

    /// The token that the scanner of the grammar finds.
    fn scanned(
        &mut self,
        state: u16,
        external: u16,
        kept: Kept,
        may_be_empty: bool,
    ) -> Option<Token> {
        let at = self.cursor.at;
        let scanner = self.scanner.as_mut()?;
        self.cursor.begin();
        let before = self.kept.get(kept as usize).map_or(&[][..], |it| it);
        let mut buffer = [0_u8; STATE_ROOM];
        let from = self.cursor.at;
        scanner.restore(before);
        let has_token = scanner.scan(&mut self.cursor, self.tables.wanted(external));
        self.n_read += self.cursor.at.saturating_sub(from) + 1;
        if !has_token {
            return None;
        }
        self.cursor.finish();
        let n_kept = scanner.keep(&mut buffer);
        if n_kept > STATE_MAX {
            self.is_overfull = true;
            return None;
        }
        let after = buffer.get(..n_kept)?;
        let symbol = self.tables.of_scanner(self.cursor.symbol())?;
        // A token without text that changes nothing would come again for ever.
        if self.cursor.end <= at && after == before {
            let is_extra = super::next_state(self.tables, state, symbol) == state;
            if is_extra || !may_be_empty {
                return None;
            }
        }
        let kept = if after == before { kept } else { self.number(after.into()) };
        Some(token(symbol, self.cursor.start, self.cursor.end, false, Some(kept)))
    }

    fn number(&mut self, kept: Rc<[u8]>) -> Kept {
        if kept.is_empty() {
            return 0;
        }
        *self.numbers.entry(kept).or_insert_with_key(|kept| {
            self.n_read += kept.len();
            self.kept.push(Rc::clone(kept));
            Kept::try_from(self.kept.len() - 1).unwrap_or_default()
        })
    }
}

fn token(symbol: u16, start: usize, end: usize, is_keyword: bool, kept: Option<Kept>) -> Token {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Token { symbol, start: number(start), end: number(end), is_keyword, kept }
}
