//! Several ways to read a text at once.
//!
//! Which way wins, and in which order they are looked at, is what tree-sitter does: its grammars are written for it.

use super::Parser;
use super::forest::PartNo;
use super::standing::{Comparison, Standing, cost};
use super::tables::{END, ERROR_STATE, Rule, Step};
use super::web::{STEPS_OF_A_NODE, Status, Web};

/// So many ways are followed at most, once all have come to the same token.
pub(super) const MOST_WAYS: usize = 6;
/// So many more may come up on the way there.
const MOST_MORE_WAYS: usize = 4;

impl Parser<'_> {
    /// Goes on with several ways until one is left; gives the root if the text ended meanwhile.
    pub(super) fn several_ways(
        &mut self,
        mut first: Option<Option<PartNo>>,
    ) -> Option<Option<PartNo>> {
        let mut web = self.web_of_line();
        self.furthest = self.furthest.max(web.node(0).position);
        loop {
            let mut head = 0;
            while head < web.heads.len() {
                while web.heads[head].status == Status::Active {
                    self.advance(&mut web, head, first.take())?;
                    let position = web.node(head).position;
                    if position > self.furthest || (head > 0 && position == self.furthest) {
                        self.furthest = position;
                        break;
                    }
                }
                head += 1;
            }
            let least = self.condense(&mut web)?;
            if let Some(finished) = web.finished
                && self.costs.of(finished).errors < least
            {
                return Some(Some(finished));
            }
            if web.heads.is_empty() || !self.mends && least == u32::MAX {
                return None;
            }
            if self.take_line(&web) {
                return Some(None);
            }
        }
    }

    /// Goes on with one way up to the next token that it takes.
    fn advance(&mut self, web: &mut Web, head: usize, first: Option<Option<PartNo>>) -> Option<()> {
        let mut state = web.node(head).state;
        let mut lookahead = match first {
            Some(lookahead) => lookahead,
            None => match self.next_token_of(web, head) {
                Some(lookahead) => lookahead,
                // Nothing that the grammar knows: another way may go on, but none from here.
                None if !self.lexer.is_beyond() => {
                    self.cached = None;
                    web.heads[head].status = Status::Paused;
                    return Some(());
                },
                None => return None,
            },
        };
        loop {
            self.count_step()?;
            let symbol = lookahead.map_or(END, |no| self.forest.part(no).symbol);
            let entry = self.entry(state, symbol);
            let mut has_reduced = false;
            let mut newest = None;
            for action in entry.actions {
                match action.step() {
                    Step::ShiftOfRepetition { .. } => {},
                    Step::Shift { state: next, is_extra } => {
                        let no = self.with_extra(lookahead?, is_extra);
                        self.push_on(web, head, if is_extra { state } else { next }, Some(no));
                        if let Some(kept) = self.forest.part(no).kept() {
                            web.heads[head].kept = kept;
                        }
                        return Some(());
                    },
                    Step::Reduce(rule) => {
                        has_reduced = true;
                        newest = self.reduce_all(web, head, rule, lookahead.is_none()).or(newest);
                    },
                    Step::Accept => return self.accept_all(web, head, lookahead?),
                    Step::Recover if self.mends => return self.recover(web, head, lookahead?),
                    Step::Recover => return None,
                }
            }
            if let Some(newest) = newest {
                web.renumber(newest, head);
                state = web.node(head).state;
                if state == ERROR_STATE && !self.mends {
                    return None;
                }
                if lookahead.is_none() {
                    lookahead = self.token_of(web, head)?;
                }
                continue;
            }
            if has_reduced {
                web.heads[head].status = Status::Halted;
                return Some(());
            }
            match lookahead.and_then(|no| self.as_word(no, state)) {
                Some(word) => lookahead = Some(word),
                None if self.mends && state == ERROR_STATE => {
                    return self.recover(web, head, lookahead?);
                },
                None => {
                    let n_visible = web.node(head).n_visible;
                    let head = &mut web.heads[head];
                    head.status = Status::Paused;
                    head.waiting = lookahead;
                    head.n_at_error = n_visible;
                    return Some(());
                },
            }
        }
    }

    /// As [`Parser::next_token`], for a head.
    fn next_token_of(&mut self, web: &Web, head: usize) -> Option<Option<PartNo>> {
        let (state, at) = (web.node(head).state, web.node(head).position);
        match self.cached_token(state, at, web.heads[head].kept) {
            Some(token) => Some(Some(token)),
            None => self.token_of(web, head),
        }
    }

    fn token_of(&mut self, web: &Web, head: usize) -> Option<Option<PartNo>> {
        let (state, at) = (web.node(head).state, web.node(head).position);
        if self.tables.lex_mode(state).is_without_token() {
            return Some(None);
        }
        let has_advanced = self.has_advanced(web, head);
        self.token_after(state, at, web.heads[head].kept, has_advanced).map(Some)
    }

    /// Ends a rule on all paths that lead to a head. Gives the first of the new heads.
    pub(super) fn reduce_all(
        &mut self,
        web: &mut Web,
        head: usize,
        rule: Rule,
        ends_extra: bool,
    ) -> Option<usize> {
        let n_heads = web.heads.len();
        let slices = self.pop(web, head, Some(usize::from(rule.n_children)));
        let n_halted = web.heads.iter().filter(|head| head.status == Status::Halted).count();
        let mut n_removed = 0;
        let mut slices = slices.into_iter().peekable();
        while let Some(mut slice) = slices.next() {
            let new = slice.head - n_removed;
            if new > MOST_WAYS + MOST_MORE_WAYS + n_halted {
                web.heads.remove(new);
                n_removed += 1;
                while slices.next_if(|next| next.head == slice.head).is_some() {}
                continue;
            }
            let at = web.node(new).position;
            let mut extras = self.without_extras(&mut slice.parts);
            self.count(slice.parts.len());
            let mut no = self.forest.add_rule(rule, slice.parts, at);
            // Several paths to the same place: one of them is taken.
            while let Some(mut next) = slices.next_if(|next| next.head == slice.head) {
                let other_extras = self.without_extras(&mut next.parts);
                self.count(STEPS_OF_A_NODE + next.parts.len());
                let other = self.forest.add_rule(rule, next.parts, at);
                self.reckon();
                if self.forest.is_better(other, no, &self.costs) {
                    (no, extras) = (other, other_extras);
                }
            }
            let state = web.node(new).state;
            let next_state = self.cell(state, rule.symbol);
            self.forest.part_mut(no).is_extra = ends_extra && next_state == state;
            self.forest.prefer(no, rule.precedence);
            self.push_on(web, new, next_state, Some(no));
            for extra in extras {
                self.push_on(web, new, next_state, Some(extra));
            }
            for other in 0..new {
                if other != head && self.merge(web, other, new) {
                    n_removed += 1;
                    break;
                }
            }
        }
        (web.heads.len() > n_heads).then_some(n_heads)
    }

    /// The text ended on the way of a head.
    pub(super) fn accept_all(&mut self, web: &mut Web, head: usize, end: PartNo) -> Option<()> {
        self.push_on(web, head, 1, Some(end));
        let slices = self.pop(web, head, None);
        let first = slices.first()?.head;
        for slice in slices {
            self.count(slice.parts.len());
            self.count_step()?;
            let root = self.root(&slice.parts)?;
            self.reckon();
            web.n_finished += 1;
            let is_better = |finished| self.forest.is_better(root, finished, &self.costs);
            if web.finished.is_none_or(is_better) {
                web.finished = Some(root);
            }
        }
        web.heads.remove(first);
        web.heads[head].status = Status::Halted;
        Some(())
    }

    /// Drops ways that led nowhere, joins those that met, and puts the most promising ones first. Gives what the errors on
    /// the best of them cost.
    fn condense(&mut self, web: &mut Web) -> Option<u32> {
        let mut least = u32::MAX;
        let mut at = 0;
        'heads: while at < web.heads.len() {
            if web.heads[at].status == Status::Halted {
                web.heads.remove(at);
                continue;
            }
            // As it was before any of the swaps below.
            let standing = Standing::of(web, at);
            if !standing.is_in_error {
                least = least.min(standing.cost);
            }
            let mut other = 0;
            while other < at {
                match Standing::of(web, other).compared(&standing) {
                    Comparison::TakeLeft => {
                        web.heads.remove(at);
                        continue 'heads;
                    },
                    Comparison::TakeRight => {
                        web.heads.remove(other);
                        at -= 1;
                    },
                    compared @ (Comparison::PreferLeft
                    | Comparison::Neither
                    | Comparison::PreferRight) => {
                        if self.merge(web, other, at) {
                            continue 'heads;
                        }
                        if compared == Comparison::PreferRight {
                            web.heads.swap(at, other);
                        }
                        other += 1;
                    },
                }
            }
            at += 1;
        }
        web.heads.truncate(MOST_WAYS);
        let mut has_active = false;
        let mut at = 0;
        let mut n_heads = web.heads.len();
        while at < n_heads {
            if web.heads[at].status != Status::Paused {
                has_active = true;
            } else if !has_active && self.mends && web.n_finished < MOST_WAYS {
                least = cost(web, at);
                web.heads[at].status = Status::Active;
                let lookahead = web.heads[at].waiting.take()?;
                self.handle_error(web, at, lookahead)?;
                has_active = true;
            } else if has_active || self.mends {
                web.heads.remove(at);
                n_heads -= 1;
                continue;
            }
            at += 1;
        }
        Some(least)
    }
}
