//! Reads texts with the tables of tree-sitter's grammars, in half the time that tree-sitter takes: nothing is kept for
//! later edits.
//!
//! The tree is the one that tree-sitter makes, with the same errors. Where a state and a token leave one thing to do, and
//! that is nearly always, the stack is a plain list ([`Parser::run`]); where they leave several, all are tried ([`ways`]);
//! where nothing is left, the text is mended ([`recovery`]), if that is asked for.

mod cells;
mod costs;
mod cursor;
mod flatten;
mod forest;
mod lexer;
mod recovery;
mod scanner;
mod standing;
mod tables;
mod ways;
mod web;
mod words;

use std::cell::RefCell;

use tree_sitter::Language;

use self::cells::Cells;
use self::costs::Costs;
use self::forest::{Forest, PartNo};
use self::lexer::{Kept, Lexer};
use self::tables::{Action, END, ERROR, ERROR_REPEAT, ERROR_STATE, Entry, Rule, Step};
use self::words::Words;
use super::ast::Tree;

/// So many actions for a byte no text needs.
const STEPS_OF_A_BYTE: usize = 128;
/// Small texts may need any number.
const STEPS_AT_LEAST: usize = 1 << 16;

/// A grammar as this parser needs it.
#[derive(Debug)]
pub(crate) struct Tables(tables::Tables);

impl Tables {
    /// Those of a grammar; `None` where its version is not known.
    pub(crate) fn of(language: &Language) -> Option<Self> {
        tables::Tables::of(language).map(Self)
    }
}

/// Why a text has no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It has errors, or would take long.
    Unread,
    /// The scanner of the grammar keeps more than it may, so that tree-sitter would stop the program.
    Overfull,
}

/// The tree of a text that the grammar can read from end to end, and soon.
pub(crate) fn parse(tables: &Tables, language: &Language, text: &str) -> Result<Tree, Stop> {
    parsed(tables, language, text, false)
}

/// The tree of any text, with its errors, unless that would take long.
pub(crate) fn mended(tables: &Tables, language: &Language, text: &str) -> Result<Tree, Stop> {
    parsed(tables, language, text, true)
}

fn parsed(tables: &Tables, language: &Language, text: &str, mends: bool) -> Result<Tree, Stop> {
    if u32::try_from(text.len()).is_err() {
        return Err(Stop::Unread);
    }
    let most_steps = STEPS_AT_LEAST + text.len() * STEPS_OF_A_BYTE;
    let tables = &tables.0;
    SCRATCH.with_borrow_mut(|scratch| {
        let mut parser = Parser {
            tables,
            lexer: Lexer::new(tables, text, scratch.words.of(tables), most_steps),
            cells: scratch.cells.of(tables),
            forest: scratch.forest.with_room_for(text),
            line: vec![Place::first()],
            position: 0,
            furthest: 0,
            kept: 0,
            cached: None,
            mends,
            has_error: false,
            n_at_error: 0,
            costs: if mends { Costs::new(text) } else { Costs::default() },
            n_steps: 0,
            most_steps,
        };
        let tree = parser.run().map(|root| {
            parser.reckon();
            flatten::tree(tables, parser.forest, &parser.costs, root).finish(language)
        });
        parser.forest.clear();
        tree.ok_or(if parser.lexer.is_overfull { Stop::Overfull } else { Stop::Unread })
    })
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// What the parsers of a thread use one after the other.
#[derive(Default)]
struct Scratch {
    forest: Forest,
    cells: Cells,
    words: Words,
}

/// The state after a symbol.
fn next_state(tables: &tables::Tables, state: u16, symbol: u16) -> u16 {
    let cell = tables.cell(state, symbol);
    if symbol < tables.token_count { state_after(tables, state, cell) } else { cell }
}

/// The state after the token of a cell.
fn state_after(tables: &tables::Tables, state: u16, cell: u16) -> u16 {
    match tables.entry(cell).actions.last().map(|action| action.step()) {
        Some(Step::Shift { is_extra: true, .. }) => state,
        Some(Step::Shift { state, .. } | Step::ShiftOfRepetition { state }) => state,
        _ => 0,
    }
}

/// A place on the stack: a state, and the part that led to it.
#[derive(Debug, Clone, Copy)]
struct Place {
    state: u16,
    is_extra: bool,
    part: PartNo,
}

impl Place {
    /// Where every text begins; no part leads there.
    fn first() -> Self {
        Self { state: 1, is_extra: false, part: 0 }
    }
}

struct Parser<'a> {
    tables: &'a tables::Tables,
    lexer: Lexer<'a>,
    cells: &'a mut Cells,
    forest: &'a mut Forest,
    /// The stack while there is one way to read the text. Its first place has no part.
    line: Vec<Place>,
    /// Where the last part of it ends.
    position: u32,
    /// The furthest place that any way came to.
    furthest: u32,
    /// What the scanner kept after its last token.
    kept: Kept,
    /// The token that was read last.
    cached: Option<Cached>,
    /// Whether errors are mended.
    mends: bool,
    /// Whether there were any.
    has_error: bool,
    /// How many nodes could be seen at the last of them.
    n_at_error: u32,
    costs: Costs,
    n_steps: usize,
    most_steps: usize,
}

/// A token, and where it was read.
#[derive(Debug, Clone, Copy)]
struct Cached {
    token: PartNo,
    at: u32,
    /// What the scanner had kept before it.
    kept: Kept,
}

/// What a token asks for.
enum Next {
    /// It has its place on the stack.
    Taken,
    /// There are several ways to go on.
    Several,
    Done(PartNo),
}

impl Parser<'_> {
    /// Reads the text.
    fn run(&mut self) -> Option<PartNo> {
        loop {
            let mut first = None;
            let next = if self.is_after_error() {
                Next::Several
            } else {
                let mut lookahead = self.next_token(self.state(), self.position, self.kept)?;
                let next = self.one_way(&mut lookahead)?;
                first = Some(lookahead);
                next
            };
            match next {
                Next::Taken => {},
                Next::Done(root) => return Some(root),
                Next::Several => {
                    if let Some(root) = self.several_ways(first)? {
                        return Some(root);
                    }
                },
            }
        }
    }

    fn state(&self) -> u16 {
        self.line[self.line.len() - 1].state
    }

    /// Whether nothing may have been read since an error, so that tokens without text may not come.
    fn is_after_error(&self) -> bool {
        let is_empty = |place: &Place| {
            let part = self.forest.part(place.part);
            part.begin == part.end
        };
        self.has_error && self.line.len() > 1 && self.line.last().is_some_and(is_empty)
    }

    fn place(&self, state: u16, part: PartNo) -> Place {
        Place { state, is_extra: self.forest.part(part).is_extra, part }
    }

    /// What may be done with a token in a state.
    fn entry(&mut self, state: u16, symbol: u16) -> Entry {
        if matches!(symbol, ERROR | ERROR_REPEAT) {
            return Entry { actions: &[], is_reusable: false };
        }
        self.tables.entry(self.cell(state, symbol))
    }

    /// Finds out what all parts cost.
    fn reckon(&mut self) {
        if self.mends {
            self.costs.reckon(self.tables, self.forest);
        }
    }

    fn cell(&mut self, state: u16, symbol: u16) -> u16 {
        self.cells.cell(self.tables, state, symbol)
    }

    /// As [`Parser::token`]; what was read there already is not read again where that makes no difference.
    fn next_token(&mut self, state: u16, at: u32, kept: Kept) -> Option<Option<PartNo>> {
        match self.cached_token(state, at, kept) {
            Some(token) => Some(Some(token)),
            None => self.token(state, at, kept),
        }
    }

    /// What was read there already, where that makes no difference.
    fn cached_token(&mut self, state: u16, at: u32, kept: Kept) -> Option<PartNo> {
        let cached = self.cached.filter(|cached| cached.at == at && cached.kept == kept)?;
        self.fits(cached, state).then_some(cached.token)
    }

    /// Whether a token that was read in another state would be read in this one.
    fn fits(&mut self, cached: Cached, state: u16) -> bool {
        let mode = self.tables.lex_mode(state);
        if mode.is_without_token() {
            return false;
        }
        let token = *self.forest.part(cached.token);
        let entry = self.entry(state, token.symbol);
        let is_same_mode = self.tables.lex_mode(token.state()) == mode;
        let is_same_word =
            token.symbol != self.tables.word || !token.is_keyword && token.state() == state;
        if !entry.actions.is_empty() && is_same_mode && is_same_word {
            return true;
        }
        let is_empty = token.start == token.end && token.symbol != END;
        !is_empty && mode.external == 0 && entry.is_reusable
    }

    /// The next token; the inner `None` says that a rule ends whatever follows.
    fn token(&mut self, state: u16, at: u32, kept: Kept) -> Option<Option<PartNo>> {
        if self.tables.lex_mode(state).is_without_token() {
            return Some(None);
        }
        self.token_after(state, at, kept, true).map(Some)
    }

    fn token_after(
        &mut self,
        state: u16,
        at: u32,
        kept: Kept,
        has_advanced: bool,
    ) -> Option<PartNo> {
        if self.lexer.is_beyond() {
            return None;
        }
        let token = match self.lexer.token(state, at, kept, has_advanced) {
            Some(token) => token,
            None if self.mends => self.lexer.unknown(state, at, kept),
            None => return None,
        };
        if self.lexer.is_beyond() {
            return None;
        }
        let token = self.forest.add_token(&token, state, at);
        self.cached = Some(Cached { token, at, kept });
        Some(token)
    }

    /// Counts work that grows with the text.
    fn count(&mut self, n_steps: usize) {
        self.n_steps += n_steps;
    }

    fn count_step(&mut self) -> Option<()> {
        self.n_steps += 1;
        (self.n_steps <= self.most_steps).then_some(())
    }

    /// Ends rules until the token can be taken, as long as there is one way to go on.
    fn one_way(&mut self, lookahead: &mut Option<PartNo>) -> Option<Next> {
        loop {
            self.count_step()?;
            let state = self.state();
            let symbol = lookahead.map_or(END, |no| self.forest.part(no).symbol);
            let entry = self.entry(state, symbol);
            match only(entry.actions) {
                Only::One(Step::Shift { state: next, is_extra }) => {
                    let no = self.with_extra((*lookahead)?, is_extra);
                    let part = self.forest.part(no);
                    self.position = part.end;
                    self.kept = part.kept().unwrap_or(self.kept);
                    let state = if is_extra { state } else { next };
                    self.line.push(Place { state, is_extra, part: no });
                    return Some(Next::Taken);
                },
                Only::One(Step::Reduce(rule)) => {
                    self.reduce(rule, lookahead.is_none())?;
                    if lookahead.is_none() {
                        *lookahead = self.token(self.state(), self.position, self.kept)?;
                    }
                },
                Only::One(Step::Accept) => return self.accept((*lookahead)?).map(Next::Done),
                Only::One(Step::Recover | Step::ShiftOfRepetition { .. }) => return None,
                Only::None => match self.as_word((*lookahead)?, state) {
                    Some(word) => *lookahead = Some(word),
                    None if self.mends => return Some(Next::Several),
                    None => return None,
                },
                Only::Several => return Some(Next::Several),
            }
        }
    }

    /// A token as one that may stand anywhere, or as one that may not.
    fn with_extra(&mut self, no: PartNo, is_extra: bool) -> PartNo {
        if self.forest.part(no).is_extra == is_extra {
            return no;
        }
        let copy = self.forest.add_copy(no);
        self.forest.part_mut(copy).is_extra = is_extra;
        copy
    }

    /// A keyword that is none here: names may be words of the language elsewhere.
    fn as_word(&mut self, no: PartNo, state: u16) -> Option<PartNo> {
        let (part, word) = (*self.forest.part(no), self.tables.word);
        let may_be = part.is_keyword
            && part.symbol != word
            && !self.tables.is_reserved(state, part.symbol)
            && !self.tables.entry(self.cell(state, word)).actions.is_empty();
        if !may_be {
            return None;
        }
        let copy = self.forest.add_copy(no);
        self.forest.part_mut(copy).symbol = word;
        Some(copy)
    }

    /// Puts a rule in the place of its parts.
    fn reduce(&mut self, rule: Rule, ends_extra: bool) -> Option<()> {
        let mut start = self.line.len();
        let mut n_left = rule.n_children;
        while n_left > 0 {
            start -= 1;
            if start == 0 {
                return None;
            }
            n_left -= u8::from(!self.line[start].is_extra);
        }
        // What is between two rules belongs to neither.
        let n_extra = self.line[start..].iter().rev().take_while(|place| place.is_extra).count();
        let end = self.line.len() - n_extra;
        let state = self.line[start - 1].state;
        let children = self.line[start..end].iter().map(|place| place.part);
        let no = self.forest.add_rule(rule, children, self.position);
        self.forest.prefer(no, rule.precedence);
        let next = self.cell(state, rule.symbol);
        if next == ERROR_STATE {
            return None;
        }
        let is_extra = ends_extra && next == state;
        self.forest.part_mut(no).is_extra = is_extra;
        let new = Place { state: next, is_extra, part: no };
        if start == end {
            self.line.push(new);
        } else {
            self.line[start] = new;
            self.line.copy_within(end.., start + 1);
            self.line.truncate(start + 1 + n_extra);
            self.line[start + 1..].iter_mut().for_each(|extra| extra.state = next);
        }
        Some(())
    }

    /// The whole text: its rule, with what stands before and after it as children.
    fn accept(&mut self, end: PartNo) -> Option<PartNo> {
        let parts: Vec<PartNo> =
            self.line[1..].iter().map(|place| place.part).chain([end]).collect();
        self.root(&parts)
    }

    fn root(&mut self, parts: &[PartNo]) -> Option<PartNo> {
        let at = parts.iter().rposition(|no| !self.forest.part(*no).is_extra)?;
        let part = self.forest.part(parts[at]);
        let (symbol, production) = (part.symbol, part.production());
        let mut children = parts[..at].to_vec();
        children.extend_from_slice(self.forest.children(parts[at]));
        children.extend_from_slice(&parts[at + 1..]);
        let rule = Rule { symbol, n_children: 0, precedence: 0, production };
        Some(self.forest.add_rule(rule, children, 0))
    }
}

/// What a list of actions leaves to do.
enum Only {
    None,
    One(Step),
    Several,
}

fn only(actions: &[Action]) -> Only {
    let mut found = Only::None;
    for action in actions {
        match (action.step(), &found) {
            (Step::ShiftOfRepetition { .. }, _) => {},
            (step, Only::None) => found = Only::One(step),
            _ => return Only::Several,
        }
    }
    found
}

#[cfg(test)]
mod tests;
