//! A place in a text, as the functions of a grammar see it.

#![expect(unsafe_code, reason = "the functions of a grammar are C and call back")]

use std::ffi::c_char;

use super::tables::LexFn;

const BYTE_ORDER_MARK: i32 = 0xFEFF;
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
pub(super) struct Cursor {
    /// First, because the functions of the grammar are given its address.
    seen: RawLexer,
    text: *const u8,
    pub(super) len: usize,
    pub(super) at: usize,
    /// How many bytes the character there has.
    width: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// A place whose column is known.
    known: Option<(usize, u32)>,
    /// How many bytes were looked at for columns.
    pub(super) n_read: usize,
}

impl Cursor {
    pub(super) fn new(text: &str) -> Self {
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
        let mut cursor = Self {
            seen,
            text,
            len,
            at: 0,
            width: 0,
            start: 0,
            end: UNKNOWN,
            known: None,
            n_read: 0,
        };
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

    /// Goes to the next character, which may be where a token starts.
    #[inline(always)]
    pub(super) fn step(&mut self, skip: bool) {
        if self.at < self.len {
            self.at += self.width;
            if skip {
                self.start = self.at;
            }
            self.look();
        }
    }

    pub(super) fn go_to(&mut self, at: usize) {
        if at != self.at {
            self.at = at;
            self.look();
        }
    }

    /// Runs a lexer from here.
    pub(super) fn lex(&mut self, lex: LexFn, state: u16) -> bool {
        // SAFETY: such a function looks at the text through the cursor, whose first part it is given.
        unsafe { lex((&raw mut *self).cast(), state) }
    }

    /// The symbol of the token that was found.
    pub(super) fn symbol(&self) -> u16 {
        self.seen.result_symbol
    }

    pub(super) fn begin(&mut self) {
        self.start = self.at;
        self.end = UNKNOWN;
        self.seen.result_symbol = 0;
        if self.at == 0 && self.seen.lookahead == BYTE_ORDER_MARK {
            self.at = self.width;
            self.start = self.at;
            self.look();
        }
    }

    pub(super) fn finish(&mut self) {
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
        let n_read = self.at - start;
        let count = rest.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let column = before + u32::try_from(count).unwrap_or(u32::MAX);
        self.known = Some((self.at, column));
        self.n_read += n_read;
        column
    }
}

unsafe extern "C" fn advance(cursor: *mut Cursor, skip: bool) {
    // SAFETY: a grammar hands back the address it was given.
    unsafe { &mut *cursor }.step(skip);
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
