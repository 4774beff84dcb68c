//! The tables of a grammar, as its package has them in C (`tree_sitter/parser.h`, versions 13 to 15).

#![expect(unsafe_code, reason = "grammars are C; their tables are looked at here only")]

use std::ffi::{c_char, c_void};
use std::slice::from_raw_parts;

use super::cursor::RawLexer;

/// The end of the text is a token.
pub(super) const END: u16 = 0;
/// What could not be read.
pub(super) const ERROR: u16 = u16::MAX;
/// The same, while more of it may come.
pub(super) const ERROR_REPEAT: u16 = u16::MAX - 1;
/// The state of a parser that is lost.
pub(super) const ERROR_STATE: u16 = 0;
/// The state of the lexer where no token may come: a rule ends whatever follows.
const NO_TOKEN: u16 = u16::MAX;

#[repr(C)]
struct RawLanguage {
    abi_version: u32,
    symbol_count: u32,
    alias_count: u32,
    token_count: u32,
    external_token_count: u32,
    state_count: u32,
    large_state_count: u32,
    production_id_count: u32,
    field_count: u32,
    max_alias_sequence_length: u16,
    parse_table: *const u16,
    small_parse_table: *const u16,
    small_parse_table_map: *const u32,
    parse_actions: *const Action,
    symbol_names: *const *const c_char,
    field_names: *const *const c_char,
    field_map_slices: *const MapSlice,
    field_map_entries: *const FieldEntry,
    symbol_metadata: *const SymbolMetadata,
    public_symbol_map: *const u16,
    alias_map: *const u16,
    alias_sequences: *const u16,
    lex_modes: *const u16,
    lex_fn: Option<LexFn>,
    keyword_lex_fn: Option<LexFn>,
    keyword_capture_token: u16,
    external_scanner: RawScanner,
}

/// What the last version has more.
#[repr(C)]
struct RawLanguage15 {
    before: RawLanguage,
    primary_state_ids: *const u16,
    name: *const c_char,
    reserved_words: *const u16,
    max_reserved_word_set_size: u16,
}

pub(super) type LexFn = unsafe extern "C" fn(*mut RawLexer, u16) -> bool;

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct RawScanner {
    states: *const bool,
    symbol_map: *const u16,
    pub(super) create: Option<unsafe extern "C" fn() -> *mut c_void>,
    pub(super) destroy: Option<unsafe extern "C" fn(*mut c_void)>,
    pub(super) scan: Option<unsafe extern "C" fn(*mut c_void, *mut RawLexer, *const bool) -> bool>,
    pub(super) serialize: Option<unsafe extern "C" fn(*mut c_void, *mut c_char) -> u32>,
    pub(super) deserialize: Option<unsafe extern "C" fn(*mut c_void, *const c_char, u32)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct MapSlice {
    index: u16,
    length: u16,
}

/// The field of a child of a rule.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct FieldEntry {
    pub(super) field: u16,
    pub(super) child: u8,
    pub(super) is_inherited: bool,
}

/// What is known of a symbol.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct SymbolMetadata {
    pub(super) is_visible: bool,
    pub(super) is_named: bool,
    _is_supertype: bool,
}

/// What to do with a token in a state; the first of a list says how many follow.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Action {
    kind: u8,
    count: u8,
    number: u16,
    more: [u8; 2],
    production: u16,
}

/// An [`Action`] by what it does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Shift {
        state: u16,
        is_extra: bool,
    },
    /// Only tells that a repetition goes on; another action does it.
    ShiftOfRepetition {
        state: u16,
    },
    Reduce(Rule),
    Accept,
    Recover,
}

/// A rule that ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub(super) symbol: u16,
    pub(super) n_children: u8,
    pub(super) precedence: i16,
    pub(super) production: u16,
}

impl Action {
    pub(super) fn step(self) -> Step {
        match self.kind {
            0 if self.more[1] != 0 => Step::ShiftOfRepetition { state: self.number },
            0 => Step::Shift { state: self.number, is_extra: self.more[0] != 0 },
            1 => Step::Reduce(Rule {
                symbol: self.number,
                n_children: self.count,
                precedence: i16::from_ne_bytes(self.more),
                production: self.production,
            }),
            2 => Step::Accept,
            _ => Step::Recover,
        }
    }
}

/// What may be done with a token in a state.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) actions: &'static [Action],
    /// Whether a token that was read in another state may be taken.
    pub(super) is_reusable: bool,
}

/// How tokens are read in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LexMode {
    pub(super) state: u16,
    pub(super) external: u16,
    reserved: u16,
}

impl LexMode {
    /// Whether no token is read: the rule ends whatever follows.
    pub(super) fn is_without_token(self) -> bool {
        self.state == NO_TOKEN
    }
}

/// The tables of a grammar.
pub(super) struct Tables {
    pub(super) token_count: u16,
    n_symbols: usize,
    n_large_states: usize,
    large: &'static [u16],
    small: &'static [u16],
    small_starts: &'static [u32],
    actions: *const Action,
    metadata: &'static [SymbolMetadata],
    public: &'static [u16],
    aliases: &'static [u16],
    n_aliases: usize,
    field_slices: &'static [MapSlice],
    field_entries: &'static [FieldEntry],
    lex_modes: &'static [u16],
    lex_mode_size: usize,
    pub(super) lex: LexFn,
    pub(super) keyword_lex: Option<LexFn>,
    pub(super) word: u16,
    pub(super) scanner: RawScanner,
    scanner_states: &'static [bool],
    scanner_symbols: &'static [u16],
    reserved: &'static [u16],
    n_reserved: usize,
}

// SAFETY: the tables are constants of the program, and its functions work on what they are given.
unsafe impl Send for Tables {}
// SAFETY: as above.
unsafe impl Sync for Tables {}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("n_symbols", &self.n_symbols).finish_non_exhaustive()
    }
}

impl Tables {
    /// Those of a grammar that is part of the program; `None` for a version that is not known.
    pub(super) fn of(language: &tree_sitter::Language) -> Option<Self> {
        let address = language.clone().into_raw();
        // SAFETY: a grammar is such a structure for as long as the program runs.
        let raw: &'static RawLanguage = unsafe { &*address.cast() };
        let lex = raw.lex_fn?;
        let (lex_mode_size, n_reserved, reserved_words) = match raw.abi_version {
            13 | 14 => (2, 0, std::ptr::null()),
            15 => {
                // SAFETY: this version has all of it.
                let raw: &'static RawLanguage15 = unsafe { &*address.cast() };
                (3, usize::from(raw.max_reserved_word_set_size), raw.reserved_words)
            },
            _ => return None,
        };
        let n_symbols = raw.symbol_count as usize;
        let n_names = n_symbols + raw.alias_count as usize;
        let n_productions = raw.production_id_count as usize;
        let n_large_states = raw.large_state_count as usize;
        let n_states = raw.state_count as usize;
        let n_aliases = usize::from(raw.max_alias_sequence_length);
        let n_external = raw.external_token_count as usize;
        let small_starts = list(raw.small_parse_table_map, n_states - n_large_states);
        let field_slices =
            list(raw.field_map_slices, if raw.field_count == 0 { 0 } else { n_productions });
        let n_field_entries =
            field_slices.iter().map(|it| usize::from(it.index) + usize::from(it.length)).max();
        let lex_modes = list(raw.lex_modes, n_states * lex_mode_size);
        let n_scanner_states = lex_modes
            .chunks(lex_mode_size)
            .map(|mode| usize::from(mode[1]) + 1)
            .max()
            .unwrap_or_default();
        let n_reserved_sets = match lex_mode_size {
            3 => lex_modes.chunks(3).map(|mode| usize::from(mode[2]) + 1).max().unwrap_or(0),
            _ => 0,
        };
        Some(Self {
            token_count: u16::try_from(raw.token_count).ok()?,
            n_symbols,
            n_large_states,
            large: list(raw.parse_table, n_large_states * n_symbols),
            small: small_table(raw.small_parse_table, small_starts),
            small_starts,
            actions: raw.parse_actions,
            metadata: list(raw.symbol_metadata, n_names),
            public: list(raw.public_symbol_map, n_names),
            aliases: list(raw.alias_sequences, n_productions * n_aliases),
            n_aliases,
            field_slices,
            field_entries: list(raw.field_map_entries, n_field_entries.unwrap_or_default()),
            lex_modes,
            lex_mode_size,
            lex,
            keyword_lex: raw.keyword_lex_fn,
            word: raw.keyword_capture_token,
            scanner: raw.external_scanner,
            scanner_states: list(raw.external_scanner.states, n_external * n_scanner_states),
            scanner_symbols: list(raw.external_scanner.symbol_map, n_external),
            reserved: list(reserved_words, n_reserved * n_reserved_sets),
            n_reserved,
        })
    }

    /// A number that no other grammar has.
    pub(super) fn id(&self) -> usize {
        self.actions.addr()
    }

    /// The cell of a state and a symbol: a place in the list of actions for a token, a state for anything else.
    pub(super) fn cell(&self, state: u16, symbol: u16) -> u16 {
        let state = usize::from(state);
        if state < self.n_large_states {
            return self.large[state * self.n_symbols + usize::from(symbol)];
        }
        let start = self.small_starts[state - self.n_large_states] as usize;
        let mut rest = &self.small[start + 1..];
        for _ in 0..self.small[start] {
            let (value, n_symbols) = (rest[0], usize::from(rest[1]));
            if rest[2..2 + n_symbols].contains(&symbol) {
                return value;
            }
            rest = &rest[2 + n_symbols..];
        }
        0
    }

    /// The list of actions that starts at a cell's place.
    pub(super) fn entry(&self, cell: u16) -> Entry {
        let first = self.actions.wrapping_add(usize::from(cell));
        // SAFETY: cells of tokens are places in this list.
        let head = unsafe { *first };
        // SAFETY: the first one tells how many follow it.
        let actions = unsafe { from_raw_parts(first.wrapping_add(1), usize::from(head.kind)) };
        Entry { actions, is_reusable: head.count != 0 }
    }

    /// The tokens that mean something in a state, in the order of the tables, with their cells.
    pub(super) fn tokens(&self, state: u16) -> Vec<(u16, u16)> {
        let state = usize::from(state);
        let mut tokens = Vec::new();
        if state < self.n_large_states {
            let cells = &self.large[state * self.n_symbols..][..usize::from(self.token_count)];
            tokens.extend((0..).zip(cells).filter(|(_, cell)| **cell != 0).map(|(a, b)| (a, *b)));
            return tokens;
        }
        let start = self.small_starts[state - self.n_large_states] as usize;
        let mut rest = &self.small[start + 1..];
        for _ in 0..self.small[start] {
            let (value, n_symbols) = (rest[0], usize::from(rest[1]));
            let symbols = &rest[2..2 + n_symbols];
            let of_tokens = symbols.iter().filter(|symbol| **symbol < self.token_count);
            tokens.extend(of_tokens.map(|symbol| (*symbol, value)));
            rest = &rest[2 + n_symbols..];
        }
        tokens
    }

    pub(super) fn metadata(&self, symbol: u16) -> SymbolMetadata {
        match symbol {
            ERROR | ERROR_REPEAT => SymbolMetadata {
                is_visible: symbol == ERROR,
                is_named: symbol == ERROR,
                _is_supertype: false,
            },
            _ => self.metadata[usize::from(symbol)],
        }
    }

    /// The kind that nodes of a symbol show.
    pub(super) fn public(&self, symbol: u16) -> u16 {
        if symbol == ERROR { symbol } else { self.public[usize::from(symbol)] }
    }

    /// What the children of a rule are called instead of their own names; nothing where no rule is given.
    pub(super) fn aliases(&self, production: u16) -> &'static [u16] {
        let start = usize::from(production) * self.n_aliases;
        if production == 0 { &[] } else { &self.aliases[start..start + self.n_aliases] }
    }

    /// The fields of the children of a rule.
    pub(super) fn fields(&self, production: u16) -> &'static [FieldEntry] {
        let Some(slice) = self.field_slices.get(usize::from(production)) else { return &[] };
        &self.field_entries[usize::from(slice.index)..][..usize::from(slice.length)]
    }

    pub(super) fn lex_mode(&self, state: u16) -> LexMode {
        let mode = &self.lex_modes[usize::from(state) * self.lex_mode_size..];
        let reserved = if self.lex_mode_size == 3 { mode[2] } else { 0 };
        LexMode { state: mode[0], external: mode[1], reserved }
    }

    /// Whether a word may not be used as a name in a state.
    pub(super) fn is_reserved(&self, state: u16, symbol: u16) -> bool {
        let set = usize::from(self.lex_mode(state).reserved);
        let words = self.reserved.get(set * self.n_reserved..).unwrap_or_default();
        set > 0
            && words.iter().take(self.n_reserved).take_while(|it| **it != 0).any(|it| *it == symbol)
    }

    /// Which tokens the scanner of the grammar may find in one of its states.
    pub(super) fn wanted(&self, external: u16) -> &'static [bool] {
        let n_tokens = self.scanner_symbols.len();
        &self.scanner_states[usize::from(external) * n_tokens..][..n_tokens]
    }

    /// The symbol of a token that the scanner found.
    pub(super) fn of_scanner(&self, token: u16) -> Option<u16> {
        self.scanner_symbols.get(usize::from(token)).copied()
    }
}

fn list<T>(start: *const T, len: usize) -> &'static [T] {
    if start.is_null() || len == 0 {
        return &[];
    }
    // SAFETY: the grammar has so many of them, and they are constants.
    unsafe { from_raw_parts(start, len) }
}

/// As long as its last list says.
fn small_table(start: *const u16, starts: &[u32]) -> &'static [u16] {
    let Some(last) = starts.iter().max() else { return &[] };
    let mut end = *last as usize + 1;
    let n_groups = list(start, end).last().copied().unwrap_or_default();
    for _ in 0..n_groups {
        let n_symbols = list(start, end + 2).last().copied().unwrap_or_default();
        end += 2 + usize::from(n_symbols);
    }
    list(start, end)
}
