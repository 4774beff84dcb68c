//! Several ways to read a text at once: stacks that share what they have in common.
//!
//! Which way wins, and in which order they are looked at, is what tree-sitter does: its grammars are written for it.

use super::forest::PartNo;
use super::lexer::Kept;
use super::tables::{END, ERROR_STATE, Rule, Step};
use super::{Parser, Place};

/// So many ways are followed at most, once all have come to the same token.
const MOST_WAYS: usize = 6;
/// So many more may come up on the way there.
const MOST_MORE_WAYS: usize = 4;
/// So many ways may lead to one place.
const MOST_LINKS: usize = 8;
/// So many paths are followed back at once.
const MOST_PATHS: usize = 64;

type NodeNo = u32;

/// A state that one or several ways have come to.
struct Node {
    state: u16,
    position: u32,
    precedence: i32,
    /// The place before, with the part that led here; nothing for the first place of all.
    first: Option<Link>,
    /// What else leads here.
    more: Vec<Link>,
}

impl Node {
    fn n_links(&self) -> usize {
        usize::from(self.first.is_some()) + self.more.len()
    }

    fn link(&self, at: usize) -> Option<Link> {
        if at == 0 { self.first } else { self.more.get(at - 1).copied() }
    }

    fn link_mut(&mut self, at: usize) -> Option<&mut Link> {
        if at == 0 { self.first.as_mut() } else { self.more.get_mut(at - 1) }
    }

    fn links(&self) -> Vec<Link> {
        self.first.iter().chain(&self.more).copied().collect()
    }
}

#[derive(Clone, Copy)]
struct Link {
    node: NodeNo,
    part: PartNo,
}

/// The end of a way.
#[derive(Clone, Copy)]
struct Head {
    node: NodeNo,
    /// What the scanner kept after the last token of its own.
    kept: Kept,
    status: Status,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Active,
    /// The next token does not fit.
    Paused,
    /// Another way does what this one did.
    Halted,
}

/// A path back from a head: the parts on it, and the head where it ends.
struct Slice {
    parts: Vec<PartNo>,
    head: usize,
}

/// All ways.
pub(super) struct Web {
    nodes: Vec<Node>,
    heads: Vec<Head>,
    finished: Option<PartNo>,
}

impl Web {
    fn node(&self, head: usize) -> &Node {
        &self.nodes[self.heads[head].node as usize]
    }

    fn add_node(&mut self, node: Node) -> NodeNo {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX)
    }

    /// Replaces a head by one that was made later.
    fn renumber(&mut self, from: usize, to: usize) {
        if from != to {
            self.heads[to] = self.heads.remove(from);
        }
    }
}

impl Parser<'_> {
    /// Goes on with several ways until one is left; gives the root if the text ended meanwhile.
    pub(super) fn several_ways(&mut self, lookahead: Option<PartNo>) -> Option<Option<PartNo>> {
        let mut web = self.web_of_line();
        let mut last_position = web.node(0).position;
        let mut first = Some(lookahead);
        loop {
            let mut head = 0;
            while head < web.heads.len() {
                while web.heads[head].status == Status::Active {
                    self.advance(&mut web, head, first.take())?;
                    let position = web.node(head).position;
                    if position > last_position || (head > 0 && position == last_position) {
                        last_position = position;
                        break;
                    }
                }
                head += 1;
            }
            self.condense(&mut web);
            let is_over = web.heads.iter().all(|head| head.status == Status::Paused);
            if is_over {
                return web.finished.map(Some);
            }
            if self.take_line(&web) {
                return Some(None);
            }
        }
    }

    fn web_of_line(&self) -> Web {
        let mut web = Web { nodes: Vec::with_capacity(64), heads: Vec::new(), finished: None };
        let mut node = 0;
        for (at, place) in self.line.iter().enumerate() {
            let link = (at > 0).then_some(Link { node, part: place.part });
            node = self.push(&mut web, place.state, link);
        }
        web.heads.push(Head { node, kept: self.kept, status: Status::Active });
        web
    }

    fn push(&self, web: &mut Web, state: u16, first: Option<Link>) -> NodeNo {
        let (mut position, mut precedence) = (0, 0);
        if let Some(link) = first {
            position = self.forest.part(link.part).end;
            precedence =
                web.nodes[link.node as usize].precedence + self.forest.part(link.part).precedence;
        }
        web.add_node(Node { state, position, precedence, first, more: Vec::new() })
    }

    fn push_on(&self, web: &mut Web, head: usize, state: u16, part: PartNo) {
        let node = web.heads[head].node;
        web.heads[head].node = self.push(web, state, Some(Link { node, part }));
    }

    /// Makes the only way that is left the plain stack again.
    fn take_line(&mut self, web: &Web) -> bool {
        let [head] = web.heads[..] else { return false };
        if web.finished.is_some() {
            return false;
        }
        let mut line = Vec::with_capacity(self.line.len() + 16);
        let mut node = &web.nodes[head.node as usize];
        loop {
            if !node.more.is_empty() {
                return false;
            }
            let Some(link) = node.first else { break };
            line.push(self.place(node.state, link.part));
            node = &web.nodes[link.node as usize];
        }
        line.push(Place::first());
        line.reverse();
        self.line = line;
        self.position = web.node(0).position;
        self.kept = head.kept;
        true
    }

    /// Goes on with one way up to the next token that it takes.
    fn advance(&mut self, web: &mut Web, head: usize, first: Option<Option<PartNo>>) -> Option<()> {
        let (mut state, position) = (web.node(head).state, web.node(head).position);
        let kept = web.heads[head].kept;
        let mut lookahead = match first {
            Some(lookahead) => lookahead,
            None => match self.next_token(state, position, kept) {
                Some(lookahead) => lookahead,
                // Nothing that the grammar knows: another way may go on, but none from here.
                None if self.is_within_limits() => {
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
            let entry = self.tables.entry(self.cell(state, symbol));
            let mut has_reduced = false;
            let mut newest = None;
            for action in entry.actions {
                match action.step() {
                    Step::ShiftOfRepetition => {},
                    Step::Shift { state: next, is_extra } => {
                        let no = self.with_extra(lookahead?, is_extra);
                        self.push_on(web, head, if is_extra { state } else { next }, no);
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
                    Step::Recover => return None,
                }
            }
            if let Some(newest) = newest {
                web.renumber(newest, head);
                state = web.node(head).state;
                if state == ERROR_STATE {
                    return None;
                }
                if lookahead.is_none() {
                    let position = web.node(head).position;
                    lookahead = self.token(state, position, web.heads[head].kept)?;
                }
                continue;
            }
            if has_reduced {
                web.heads[head].status = Status::Halted;
                return Some(());
            }
            match lookahead.and_then(|no| self.as_word(no, state)) {
                Some(word) => lookahead = Some(word),
                None => {
                    web.heads[head].status = Status::Paused;
                    return Some(());
                },
            }
        }
    }

    fn is_within_limits(&self) -> bool {
        self.lexer.n_read <= self.most_steps
    }

    /// Ends a rule on all paths that lead to a head. Gives the first of the new heads.
    fn reduce_all(
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
            let mut no = self.forest.add_rule(rule, slice.parts, at);
            // Several paths to the same place: one of them is taken.
            while let Some(mut next) = slices.next_if(|next| next.head == slice.head) {
                let other_extras = self.without_extras(&mut next.parts);
                let other = self.forest.add_rule(rule, next.parts, at);
                if self.forest.is_better(other, no) {
                    (no, extras) = (other, other_extras);
                }
            }
            let state = web.node(new).state;
            let next_state = self.cell(state, rule.symbol);
            self.forest.part_mut(no).is_extra = ends_extra && next_state == state;
            self.forest.prefer(no, rule.precedence);
            self.push_on(web, new, next_state, no);
            for extra in extras {
                self.push_on(web, new, next_state, extra);
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

    /// Takes what stands at the end and belongs to no rule.
    fn without_extras(&self, parts: &mut Vec<PartNo>) -> Vec<PartNo> {
        let n_extras = parts.iter().rev().take_while(|no| self.forest.part(**no).is_extra).count();
        parts.split_off(parts.len() - n_extras)
    }

    /// All paths back from a head over so many parts, or to the beginning; their ends become heads.
    fn pop(&self, web: &mut Web, head: usize, goal: Option<usize>) -> Vec<Slice> {
        struct Path {
            node: NodeNo,
            parts: Vec<PartNo>,
            n_parts: usize,
        }
        if let Some(slice) = goal.and_then(|goal| self.pop_only_path(web, head, goal)) {
            return vec![slice];
        }
        let mut slices: Vec<Slice> = Vec::new();
        let mut paths = vec![Path { node: web.heads[head].node, parts: Vec::new(), n_parts: 0 }];
        while !paths.is_empty() {
            let (mut at, mut n_paths) = (0, paths.len());
            while at < n_paths {
                let node = paths[at].node;
                let n_links = web.nodes[node as usize].n_links();
                let is_end = goal.map_or(n_links == 0, |goal| paths[at].n_parts == goal);
                if is_end || n_links == 0 {
                    let mut path = paths.remove(at);
                    n_paths -= 1;
                    if is_end {
                        path.parts.reverse();
                        add_slice(web, &mut slices, head, node, path.parts);
                    }
                    continue;
                }
                for link in (1..n_links).chain([0]) {
                    let of_node = web.nodes[node as usize].link(link);
                    let Some(Link { node, part }) = of_node else { continue };
                    let mut of_link = at;
                    if link > 0 {
                        if paths.len() >= MOST_PATHS {
                            continue;
                        }
                        let Path { node, ref parts, n_parts } = paths[at];
                        let copy = Path { node, parts: parts.clone(), n_parts };
                        of_link = paths.len();
                        paths.push(copy);
                    }
                    let path = &mut paths[of_link];
                    path.node = node;
                    path.parts.push(part);
                    path.n_parts += usize::from(!self.forest.part(part).is_extra);
                }
                at += 1;
            }
        }
        slices
    }

    /// As [`Parser::pop`], where one path leads back; nothing is done where there are several.
    fn pop_only_path(&self, web: &mut Web, head: usize, goal: usize) -> Option<Slice> {
        let Head { mut node, kept, .. } = web.heads[head];
        let mut parts = Vec::with_capacity(goal + 2);
        let mut n_parts = 0;
        while n_parts < goal {
            let at = &web.nodes[node as usize];
            let link = at.first.filter(|_| at.more.is_empty())?;
            parts.push(link.part);
            n_parts += usize::from(!self.forest.part(link.part).is_extra);
            node = link.node;
        }
        parts.reverse();
        web.heads.push(Head { node, kept, status: Status::Active });
        Some(Slice { parts, head: web.heads.len() - 1 })
    }

    /// Two ways that came to the same state at the same place go on as one.
    fn merge(&self, web: &mut Web, one: usize, other: usize) -> bool {
        let (left, right) = (web.heads[one], web.heads[other]);
        let (of_left, of_right) = (web.node(one), web.node(other));
        let is_same = left.status == Status::Active
            && right.status == Status::Active
            && of_left.state == of_right.state
            && of_left.position == of_right.position
            && left.kept == right.kept;
        if is_same {
            for link in of_right.links() {
                self.add_link(web, left.node, link);
            }
            web.heads.remove(other);
        }
        is_same
    }

    fn add_link(&self, web: &mut Web, to: NodeNo, link: Link) {
        if link.node == to {
            return;
        }
        let (to, part) = (to as usize, self.forest.part(link.part));
        let precedence = web.nodes[link.node as usize].precedence + part.precedence;
        for at in 0..web.nodes[to].n_links() {
            let Some(known) = web.nodes[to].link(at) else { break };
            let of_known = self.forest.part(known.part);
            if known.part != link.part && !of_known.is_like(part) {
                continue;
            }
            if known.node == link.node {
                if part.precedence > of_known.precedence {
                    let node = &mut web.nodes[to];
                    node.precedence = precedence;
                    if let Some(known) = node.link_mut(at) {
                        known.part = link.part;
                    }
                }
                return;
            }
            let (before, other) = (&web.nodes[known.node as usize], &web.nodes[link.node as usize]);
            if before.state == other.state && before.position == other.position {
                for link in other.links() {
                    self.add_link(web, known.node, link);
                }
                let node = &mut web.nodes[to];
                node.precedence = node.precedence.max(precedence);
                return;
            }
        }
        let node = &mut web.nodes[to];
        if node.n_links() < MOST_LINKS {
            node.more.push(link);
            node.precedence = node.precedence.max(precedence);
        }
    }

    /// The text ended on the way of a head.
    fn accept_all(&mut self, web: &mut Web, head: usize, end: PartNo) -> Option<()> {
        self.push_on(web, head, 1, end);
        let slices = self.pop(web, head, None);
        let first = slices.first()?.head;
        for slice in slices {
            let root = self.root(&slice.parts)?;
            if web.finished.is_none_or(|finished| self.forest.is_better(root, finished)) {
                web.finished = Some(root);
            }
        }
        web.heads.remove(first);
        web.heads[head].status = Status::Halted;
        Some(())
    }

    /// Drops ways that led nowhere, joins those that met, and puts the most promising ones first.
    fn condense(&self, web: &mut Web) {
        let mut at = 0;
        'heads: while at < web.heads.len() {
            if web.heads[at].status == Status::Halted {
                web.heads.remove(at);
                continue;
            }
            // As they were before any of the swaps below.
            let (precedence, status) = (web.node(at).precedence, web.heads[at].status);
            let mut other = 0;
            while other < at {
                let is_other_paused = web.heads[other].status == Status::Paused;
                match (is_other_paused, status == Status::Paused) {
                    (false, true) => {
                        web.heads.remove(at);
                        continue 'heads;
                    },
                    (true, false) => {
                        web.heads.remove(other);
                        at -= 1;
                        continue;
                    },
                    _ => {},
                }
                let is_better = precedence > web.node(other).precedence;
                if self.merge(web, other, at) {
                    continue 'heads;
                }
                if is_better {
                    web.heads.swap(at, other);
                }
                other += 1;
            }
            at += 1;
        }
        web.heads.truncate(MOST_WAYS);
        let is_paused = |head: &Head| head.status == Status::Paused;
        if !web.heads.iter().all(is_paused) {
            web.heads.retain(|head| !is_paused(head));
        }
    }
}

/// A path ends where another one does, or at a new head.
fn add_slice(web: &mut Web, slices: &mut Vec<Slice>, of: usize, node: NodeNo, parts: Vec<PartNo>) {
    if let Some(at) = slices.iter().rposition(|slice| web.heads[slice.head].node == node) {
        slices.insert(at + 1, Slice { parts, head: slices[at].head });
        return;
    }
    web.heads.push(Head { node, kept: web.heads[of].kept, status: Status::Active });
    slices.push(Slice { parts, head: web.heads.len() - 1 });
}
