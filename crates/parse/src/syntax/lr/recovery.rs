//! What to do where no way to read a text goes on: put a token in, or leave something out, at the least cost.

use super::costs::PER_PART;
use super::forest::PartNo;
use super::lexer::Token;
use super::standing::{self, Comparison, Standing};
use super::tables::{END, ERROR, ERROR_REPEAT, ERROR_STATE, Rule, Step};
use super::ways::MOST_WAYS;
use super::web::{self, Known, NodeNo, Status, Web};
use super::{Parser, state_after};

/// States further back are not gone back to.
const MOST_DEPTH: usize = 16;

impl Parser<'_> {
    /// No way takes the next token. Tries what a token more would bring, and begins an error.
    pub(super) fn handle_error(
        &mut self,
        web: &mut Web,
        head: usize,
        lookahead: PartNo,
    ) -> Option<()> {
        self.has_error = true;
        let n_before = web.heads.len();
        self.all_reductions(web, head, END)?;
        let n_heads = web.heads.len();
        let position = web.node(head).position;
        let symbol = self.forest.part(lookahead).symbol;
        let mut has_missing = false;
        let mut at = head;
        while at < n_heads {
            if !has_missing {
                has_missing = self.put_in(web, at, position, symbol)?;
            }
            self.push_on(web, at, ERROR_STATE, None);
            at = if at == head { n_before } else { at + 1 };
        }
        for _ in n_before..n_heads {
            if !self.merge(web, head, n_before) {
                return None;
            }
        }
        web.heads[head].summary = Some(self.summary(web, head));
        self.recover(web, head, lookahead)
    }

    /// Puts in the first token after which the next one is welcome.
    fn put_in(&mut self, web: &mut Web, head: usize, at: u32, next: u16) -> Option<bool> {
        let state = web.node(head).state;
        let mut tokens = self.tables.tokens(state);
        tokens.sort_unstable();
        self.count(tokens.len());
        for (symbol, cell) in tokens {
            let after = state_after(self.tables, state, cell);
            if symbol == END || after == 0 || after == state {
                continue;
            }
            let first = self.entry(after, next).actions.first().map(|action| action.step());
            if !matches!(first, Some(Step::Reduce(_))) {
                continue;
            }
            let copy = web.heads.len();
            web.heads.push(web.heads[head].clone());
            web.heads[copy].summary = None;
            let token = Token { symbol, start: at, end: at, is_keyword: false, kept: None };
            let missing = self.forest.add_token(&token, state, at);
            self.forest.part_mut(missing).is_missing = true;
            self.push_on(web, copy, after, Some(missing));
            if self.all_reductions(web, copy, next)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Ends all rules that may end here, whatever token follows or before the given one. Says whether that token can be
    /// taken then.
    fn all_reductions(&mut self, web: &mut Web, start: usize, symbol: u16) -> Option<bool> {
        let n_before = web.heads.len();
        let mut can_shift = false;
        let mut head = start;
        let mut n_rounds = 0;
        loop {
            self.count_step()?;
            let n_heads = web.heads.len();
            if head >= n_heads {
                return Some(can_shift);
            }
            let round = n_rounds;
            n_rounds += 1;
            if (n_before..head).any(|other| self.merge(web, other, head)) {
                continue;
            }
            let state = web.node(head).state;
            let (rules, has_shift) = self.candidates(state, symbol);
            let mut newest = None;
            for rule in rules {
                newest = self.reduce_all(web, head, rule, false);
            }
            if has_shift {
                can_shift = true;
            } else if let Some(newest) = newest
                && round < MOST_WAYS
            {
                web.renumber(newest, head);
                continue;
            } else if symbol != END {
                web.heads.remove(head);
                continue;
            }
            head = if head == start { n_heads } else { head + 1 };
        }
    }

    /// The rules that may end in a state before a token, or before any; and whether one can be taken as it is.
    fn candidates(&mut self, state: u16, symbol: u16) -> (Vec<Rule>, bool) {
        let mut rules: Vec<Rule> = Vec::new();
        let mut has_shift = false;
        let mut add = |steps: &mut dyn Iterator<Item = Step>| {
            for step in steps {
                match step {
                    Step::Shift { is_extra: false, .. } | Step::Recover => has_shift = true,
                    Step::Reduce(rule) if rule.n_children > 0 => {
                        let is_known = |it: &Rule| {
                            it.symbol == rule.symbol && it.n_children == rule.n_children
                        };
                        if !rules.iter().any(is_known) {
                            rules.push(rule);
                        }
                    },
                    Step::Shift { .. }
                    | Step::ShiftOfRepetition { .. }
                    | Step::Reduce(_)
                    | Step::Accept => {},
                }
            }
        };
        if symbol == END {
            for (token, cell) in self.tables.tokens(state) {
                if token != END {
                    let entry = self.tables.entry(cell);
                    add(&mut entry.actions.iter().map(|action| action.step()));
                }
            }
            rules.sort_by_key(|rule| std::cmp::Reverse(rule.symbol));
        } else {
            let entry = self.entry(state, symbol);
            add(&mut entry.actions.iter().map(|action| action.step()));
        }
        (rules, has_shift)
    }

    /// The states on all paths to a head, the nearest first.
    fn summary(&mut self, web: &Web, head: usize) -> Vec<Known> {
        let mut known: Vec<Known> = Vec::new();
        let mut paths: Vec<(NodeNo, usize)> = vec![(web.heads[head].node, 0)];
        while !paths.is_empty() {
            let (mut at, mut n_paths) = (0, paths.len());
            while at < n_paths {
                let (no, depth) = paths[at];
                self.count(1);
                let node = &web.nodes[no as usize];
                let state = node.state;
                if depth <= MOST_DEPTH {
                    let near = known.iter().rev().take_while(|it| it.depth >= depth);
                    let mut same = near.filter(|it| it.depth == depth && it.state == state);
                    if same.next().is_none() {
                        known.push(Known { position: node.position, depth, state });
                    }
                }
                if depth > MOST_DEPTH || node.n_links() == 0 {
                    paths.remove(at);
                    n_paths -= 1;
                    continue;
                }
                for link in (1..node.n_links()).chain([0]) {
                    let Some(of_link) = node.link(link) else { continue };
                    let next = (of_link.node, depth + usize::from(self.counts(of_link.part)));
                    if link == 0 {
                        paths[at] = next;
                    } else if paths.len() < web::MOST_PATHS {
                        paths.push(next);
                    }
                }
                at += 1;
            }
        }
        known
    }

    /// Goes back to a state that takes the token, and also leaves the token out.
    pub(super) fn recover(&mut self, web: &mut Web, head: usize, lookahead: PartNo) -> Option<()> {
        self.count_step()?;
        self.reckon();
        let n_before = web.heads.len();
        let position = web.node(head).position;
        let n_since_error = standing::n_since_error(web, head);
        let cost = standing::cost(web, head);
        let token = *self.forest.part(lookahead);
        let mut has_recovered = false;
        if token.symbol != ERROR {
            let summary = web.heads[head].summary.take();
            for &known in summary.iter().flatten() {
                if known.state == ERROR_STATE || known.position == position {
                    continue;
                }
                let depth = known.depth + usize::from(n_since_error > 0);
                let is_there = |other: usize| {
                    web.node(other).state == known.state && web.node(other).position == position
                };
                if (0..n_before).any(is_there) {
                    continue;
                }
                let new_cost = cost
                    + u32::try_from(known.depth).unwrap_or_default() * PER_PART
                    + self.costs.of_extent(known.position, position);
                if self.has_better(web, head, new_cost) {
                    break;
                }
                if self.cell(known.state, token.symbol) != 0
                    && self.go_back(web, head, depth, known.state)
                {
                    has_recovered = true;
                    break;
                }
            }
            web.heads[head].summary = summary;
        }
        let mut at = n_before;
        while at < web.heads.len() {
            if web.heads[at].status == Status::Active {
                at += 1;
            } else {
                web.heads.remove(at);
            }
        }
        if token.symbol == END {
            let error = self.add_error(ERROR, Vec::new(), position);
            self.push_on(web, head, 1, Some(error));
            return self.accept_all(web, head, lookahead);
        }
        let changes_scanner = token.kept().is_some_and(|kept| kept != web.heads[head].kept);
        if has_recovered && (web.heads.len() > MOST_WAYS || changes_scanner) {
            web.heads[head].status = Status::Halted;
            return Some(());
        }
        let new_cost = cost + PER_PART + self.costs.of_extent(token.begin, token.end);
        if self.has_better(web, head, new_cost) {
            web.heads[head].status = Status::Halted;
            return Some(());
        }
        self.leave_out(web, head, lookahead, n_since_error)
    }

    /// Makes a token part of the error.
    fn leave_out(
        &mut self,
        web: &mut Web,
        head: usize,
        token: PartNo,
        n_since_error: u32,
    ) -> Option<()> {
        let symbol = self.forest.part(token).symbol;
        let last = self.entry(1, symbol).actions.last().map(|action| action.step());
        let may_be_anywhere = matches!(last, Some(Step::Shift { is_extra: true, .. }));
        let token = if may_be_anywhere { self.with_extra(token, true) } else { token };
        let position = web.node(head).position;
        let mut error = self.add_error(ERROR_REPEAT, vec![token], position);
        if n_since_error > 0 {
            let mut slices = self.pop(web, head, Some(1));
            if slices.is_empty() {
                return None;
            }
            let mut slice = slices.swap_remove(0);
            if !slices.is_empty() {
                web.heads.truncate(slice.head + 1);
            }
            web.renumber(slice.head, head);
            slice.parts.push(error);
            self.count(slice.parts.len());
            error = self.add_error(ERROR_REPEAT, slice.parts, position);
        }
        self.push_on(web, head, ERROR_STATE, Some(error));
        if let Some(kept) = self.forest.part(token).kept() {
            web.heads[head].kept = kept;
        }
        Some(())
    }

    fn add_error(&mut self, symbol: u16, parts: Vec<PartNo>, at: u32) -> PartNo {
        let rule = Rule { symbol, n_children: 0, precedence: 0, production: 0 };
        self.forest.add_rule(rule, parts, at)
    }

    /// Makes everything after a state an error, and goes on from there.
    fn go_back(&mut self, web: &mut Web, head: usize, depth: usize, goal: u16) -> bool {
        let mut last = None;
        for mut slice in self.pop(web, head, Some(depth)) {
            if last == Some(slice.head) {
                continue;
            }
            if web.node(slice.head).state != goal {
                web.heads[slice.head].status = Status::Halted;
                continue;
            }
            if let Some(error) = self.pop_error(web, slice.head) {
                let inner = self.forest.children(error).to_vec();
                if !inner.is_empty() {
                    let at = self.forest.part(error).begin;
                    slice.parts.insert(0, self.add_error(ERROR_REPEAT, inner, at));
                }
            }
            let extras = self.without_extras(&mut slice.parts);
            self.count(slice.parts.len());
            if !slice.parts.is_empty() {
                let at = web.node(slice.head).position;
                let error = self.add_error(ERROR, slice.parts, at);
                self.forest.part_mut(error).is_extra = true;
                self.push_on(web, slice.head, goal, Some(error));
            }
            for extra in extras {
                self.push_on(web, slice.head, goal, Some(extra));
            }
            last = Some(slice.head);
        }
        last.is_some()
    }

    /// Takes an error off a stack.
    fn pop_error(&self, web: &mut Web, head: usize) -> Option<PartNo> {
        let node = web.node(head);
        let links = (0..node.n_links()).filter_map(|at| node.link(at));
        let is_error = |part: &PartNo| self.forest.part(*part).symbol == ERROR;
        let (node, part) =
            links.filter_map(|link| Some((link.node, link.part.filter(is_error)?))).next()?;
        web.heads[head].node = node;
        Some(part)
    }

    /// Whether another way is better than one at such a cost.
    fn has_better(&self, web: &mut Web, head: usize, cost: u32) -> bool {
        if web.finished.is_some_and(|finished| self.costs.of(finished).errors <= cost) {
            return true;
        }
        let position = web.node(head).position;
        let precedence = Standing::of(web, head).precedence;
        let n_visible = standing::n_since_error(web, head);
        let standing = Standing { cost, n_visible, precedence, is_in_error: false };
        (0..web.heads.len()).any(|other| {
            other != head
                && web.heads[other].status == Status::Active
                && web.node(other).position >= position
                && match standing.compared(&Standing::of(web, other)) {
                    Comparison::TakeRight => true,
                    Comparison::PreferRight => web::can_merge(web, other, head),
                    Comparison::TakeLeft | Comparison::PreferLeft | Comparison::Neither => false,
                }
        })
    }

    /// Whether anything was read since the last error.
    pub(super) fn has_advanced(&self, web: &Web, head: usize) -> bool {
        let n_at_error = web.heads[head].n_at_error;
        let mut node = web.node(head);
        if node.cost == 0 {
            return true;
        }
        while let Some(link) = node.first
            && let Some(no) = link.part
        {
            let part = self.forest.part(no);
            if part.end > part.begin {
                return true;
            }
            if node.n_visible <= n_at_error || self.costs.of(no).errors > 0 {
                return false;
            }
            node = &web.nodes[link.node as usize];
        }
        false
    }
}
