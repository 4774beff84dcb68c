//! Tokens, read by the functions of a grammar: its lexer, and its scanner for what rules cannot say.

#![expect(unsafe_code, reason = "the functions of a grammar are C and call back")]

use std::ffi::{c_char, c_void};

use gik_base::collections::HashMap;

use super::tables::{ERROR_STATE, Tables};

const BYTE_ORDER_MARK: i32 = 0xFEFF;
/// So many bytes a scanner may keep.
const STATE_MAX: usize = 1024;
/// No end was marked.
const UNKNOWN: usize = usize::MAX;

/// What the functions of a grammar see of a text.
#[repr(C)]
pub(super) struct RawLexer {
    lookahead: i32,
    result_symbol: u16,
    advance: unsafe extern "C" fn(*mut Cursor, bool),
    mark_end: unsafe extern "C" fn(*mut Cursor),
    get_column: unsafe extern "C" fn(*mut Cursor) -> u32,
    is_at_included_range_start: unsafe extern "C" fn(*const Cursor) -> bool,
    eof: unsafe extern "C" fn(*const Cursor) -> bool,
    log: unsafe extern "C" fn(*const Cursor, *const c_char),
}

/// A place in a text.
#[repr(C)]
struct Cursor {
    /// First, because the functions of the grammar are given its address.
    seen: RawLexer,
    text: *const u8,
    len: usize,
    at: usize,
    /// How many bytes the character there has.
    width: usize,
    start: usize,
    end: usize,
    /// A place whose column is known.
    known: Option<(usize, u32)>,
}

impl Cursor {
    fn new(text: &str) -> Self {
        let seen = RawLexer {
            lookahead: 0,
            result_symbol: 0,
            advance,
            mark_end,
            get_column,
            is_at_included_range_start,
            eof,
            log,
        };
        let (text, len) = (text.as_ptr(), text.len());
        let mut cursor =
            Self { seen, text, len, at: 0, width: 0, start: 0, end: UNKNOWN, known: None };
        cursor.look();
        cursor
    }

    fn text(&self) -> &[u8] {
        // SAFETY: the text outlives the lexer that has this cursor.
        unsafe { std::slice::from_raw_parts(self.text, self.len) }
    }

    /// Reads the character at this place.
    #[inline(always)]
    fn look(&mut self) {
        let byte = self.text().get(self.at).copied();
        match byte {
            Some(byte) if byte < 0x80 => {
                self.seen.lookahead = i32::from(byte);
                self.width = 1;
            },
            Some(_) => self.look_far(),
            None => {
                self.seen.lookahead = 0;
                self.width = 1;
            },
        }
    }

    /// As [`Cursor::look`] for a character of several bytes.
    fn look_far(&mut self) {
        let end = (self.at + 4).min(self.len);
        let bytes = self.text().get(self.at..end).unwrap_or_default();
        let character = bytes.utf8_chunks().next().and_then(|it| it.valid().chars().next());
        self.seen.lookahead = character.map_or(-1, |it| u32::from(it).cast_signed());
        self.width = character.map_or(1, char::len_utf8);
    }

    fn go_to(&mut self, at: usize) {
        if at != self.at {
            self.at = at;
            self.look();
        }
    }

    fn begin(&mut self) {
        self.start = self.at;
        self.end = UNKNOWN;
        self.seen.result_symbol = 0;
        if self.at == 0 && self.seen.lookahead == BYTE_ORDER_MARK {
            self.at = self.width;
            self.start = self.at;
            self.look();
        }
    }

    fn finish(&mut self) {
        if self.end == UNKNOWN {
            self.end = self.at;
        }
        self.start = self.start.min(self.end);
    }

    /// How many characters stand before this place in its line.
    fn column(&mut self) -> u32 {
        let (from, before) = self.known.filter(|(at, _)| *at <= self.at).unwrap_or_default();
        let passed = self.text().get(from..self.at).unwrap_or_default();
        let line = passed.iter().rposition(|byte| *byte == b'\n');
        let (start, before) = line.map_or((from, before), |end| (from + end + 1, 0));
        let mut rest = self.text().get(start..self.at).unwrap_or_default();
        if start == 0 {
            rest = rest.strip_prefix("\u{feff}".as_bytes()).unwrap_or(rest);
        }
        let count = rest.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let column = before + u32::try_from(count).unwrap_or(u32::MAX);
        self.known = Some((self.at, column));
        column
    }
}

unsafe extern "C" fn advance(cursor: *mut Cursor, skip: bool) {
    // SAFETY: a grammar hands back the address it was given.
    let cursor = unsafe { &mut *cursor };
    if cursor.at < cursor.len {
        cursor.at += cursor.width;
        if skip {
            cursor.start = cursor.at;
        }
        cursor.look();
    }
}

unsafe extern "C" fn mark_end(cursor: *mut Cursor) {
    // SAFETY: as above.
    let cursor = unsafe { &mut *cursor };
    cursor.end = cursor.at;
}

unsafe extern "C" fn get_column(cursor: *mut Cursor) -> u32 {
    // SAFETY: as above.
    unsafe { &mut *cursor }.column()
}

unsafe extern "C" fn is_at_included_range_start(cursor: *const Cursor) -> bool {
    // SAFETY: as above.
    let cursor = unsafe { &*cursor };
    cursor.at == 0 && cursor.len > 0
}

unsafe extern "C" fn eof(cursor: *const Cursor) -> bool {
    // SAFETY: as above.
    let cursor = unsafe { &*cursor };
    cursor.at >= cursor.len
}

unsafe extern "C" fn log(_: *const Cursor, _: *const c_char) {}

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
    scanner: Option<Scanner<'a>>,
    kept: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, Kept>,
    /// How many bytes were looked at in all.
    pub(super) n_read: usize,
    _text: &'a str,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(tables: &'a Tables, text: &'a str) -> Self {
        Self {
            tables,
            cursor: Cursor::new(text),
            scanner: Scanner::of(tables),
            kept: vec![Vec::new()],
            numbers: HashMap::default(),
            n_read: 0,
            _text: text,
        }
    }

    /// The token at a place that the state wants; `None` where there is none that the grammar knows.
    pub(super) fn token(&mut self, state: u16, at: u32, kept: Kept) -> Option<Token> {
        self.wanted(state, state, at, kept).or_else(|| self.wanted(state, ERROR_STATE, at, kept))
    }

    /// The token at a place, read as it is read in another state.
    fn wanted(&mut self, state: u16, as_in: u16, at: u32, kept: Kept) -> Option<Token> {
        let mode = self.tables.lex_mode(as_in);
        let at = at as usize;
        self.cursor.go_to(at);
        if mode.external != 0 {
            if let Some(token) = self.scanned(state, as_in, mode.external, at, kept) {
                return Some(token);
            }
            self.cursor.go_to(at);
        }
        self.cursor.begin();
        if !self.lex(self.tables.lex, mode.state) {
            return None;
        }
        self.cursor.finish();
        let Cursor { start, end, .. } = self.cursor;
        let mut symbol = self.cursor.seen.result_symbol;
        let mut is_keyword = false;
        if symbol == self.tables.word
            && symbol != 0
            && let Some(lex) = self.tables.keyword_lex
        {
            self.cursor.go_to(start);
            self.cursor.begin();
            is_keyword = self.lex(lex, 0);
            let keyword = self.cursor.seen.result_symbol;
            if is_keyword
                && self.cursor.end == end
                && (self.tables.cell(state, keyword) != 0
                    || self.tables.is_reserved(state, keyword))
            {
                symbol = keyword;
            }
        }
        Some(token(symbol, start, end, is_keyword, None))
    }

    fn lex(&mut self, lex: super::tables::LexFn, state: u16) -> bool {
        let from = self.cursor.at;
        // SAFETY: such a function looks at the text through the cursor, whose first part it is given.
        let has_token = unsafe { lex((&raw mut self.cursor).cast(), state) };
        self.n_read += self.cursor.at.saturating_sub(from) + 1;
        has_token
    }

    /// The token that the scanner of the grammar finds.
    fn scanned(
        &mut self,
        state: u16,
        as_in: u16,
        external: u16,
        at: usize,
        kept: Kept,
    ) -> Option<Token> {
        let scanner = self.scanner.as_mut()?;
        self.cursor.begin();
        let before = self.kept.get(kept as usize).map_or(&[][..], Vec::as_slice);
        let mut buffer = [0_u8; STATE_MAX];
        let from = self.cursor.at;
        scanner.restore(before);
        let has_token = scanner.scan(&mut self.cursor, self.tables.wanted(external));
        self.n_read += self.cursor.at.saturating_sub(from) + 1;
        if !has_token {
            return None;
        }
        self.cursor.finish();
        let n_kept = scanner.keep(&mut buffer);
        let after = buffer.get(..n_kept)?;
        let symbol = self.tables.of_scanner(self.cursor.seen.result_symbol)?;
        // A token without text that changes nothing would come again for ever.
        if self.cursor.end <= at && after == before {
            let is_extra = super::next_state(self.tables, state, symbol) == state;
            if is_extra || as_in == ERROR_STATE {
                return None;
            }
        }
        let kept = if after == before { kept } else { self.number(after.to_vec()) };
        Some(token(symbol, self.cursor.start, self.cursor.end, false, Some(kept)))
    }

    fn number(&mut self, kept: Vec<u8>) -> Kept {
        if kept.is_empty() {
            return 0;
        }
        *self.numbers.entry(kept).or_insert_with_key(|kept| {
            self.kept.push(kept.clone());
            Kept::try_from(self.kept.len() - 1).unwrap_or_default()
        })
    }
}

fn token(symbol: u16, start: usize, end: usize, is_keyword: bool, kept: Option<Kept>) -> Token {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Token { symbol, start: number(start), end: number(end), is_keyword, kept }
}

/// The scanner of a grammar, with what it keeps in mind.
struct Scanner<'a> {
    tables: &'a Tables,
    mind: *mut c_void,
}

impl<'a> Scanner<'a> {
    fn of(tables: &'a Tables) -> Option<Self> {
        let create = tables.scanner.create?;
        // SAFETY: it makes what the other functions of the scanner are given.
        let mind = unsafe { create() };
        Some(Self { tables, mind })
    }

    fn restore(&mut self, kept: &[u8]) {
        let len = u32::try_from(kept.len()).unwrap_or_default();
        let start = if kept.is_empty() { std::ptr::null() } else { kept.as_ptr() };
        if let Some(deserialize) = self.tables.scanner.deserialize {
            // SAFETY: these are bytes that the scanner wrote, or none.
            unsafe { deserialize(self.mind, start.cast(), len) };
        }
    }

    fn scan(&mut self, cursor: &mut Cursor, wanted: &[bool]) -> bool {
        // SAFETY: the scanner looks at the text through the cursor, and at a flag for each of its tokens.
        let scan = |scan: unsafe extern "C" fn(_, _, _) -> bool| unsafe {
            scan(self.mind, (&raw mut *cursor).cast(), wanted.as_ptr())
        };
        self.tables.scanner.scan.is_some_and(scan)
    }

    fn keep(&mut self, buffer: &mut [u8; STATE_MAX]) -> usize {
        // SAFETY: a scanner writes no more than so many bytes.
        let keep = |serialize: unsafe extern "C" fn(_, _) -> u32| unsafe {
            serialize(self.mind, buffer.as_mut_ptr().cast())
        };
        self.tables.scanner.serialize.map_or(0, keep) as usize
    }
}

impl Drop for Scanner<'_> {
    fn drop(&mut self) {
        if let Some(destroy) = self.tables.scanner.destroy {
            // SAFETY: made by `create`, and not used afterwards.
            unsafe { destroy(self.mind) };
        }
    }
}
