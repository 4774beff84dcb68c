//! Stacks that share what they have in common: one or several ways lead to each of their places.

use super::forest::PartNo;
use super::lexer::Kept;
use super::tables::{ERROR_REPEAT, ERROR_STATE};
use super::{Parser, Place};

/// So many ways may lead to one place.
const MOST_LINKS: usize = 8;
/// So many paths are followed back at once.
pub(super) const MOST_PATHS: usize = 64;

/// What a node counts as, where work is counted.
pub(super) const STEPS_OF_A_NODE: usize = 16;

pub(super) type NodeNo = u32;

/// A state that one or several ways have come to.
pub(super) struct Node {
    pub(super) state: u16,
    pub(super) position: u32,
    pub(super) precedence: i32,
    /// What the errors on the way here cost.
    pub(super) cost: u32,
    /// How many nodes can be seen on the way here.
    pub(super) n_visible: u32,
    /// The place before, with the part that led here; nothing for the first place of all.
    pub(super) first: Option<Link>,
    /// What else leads here.
    more: Vec<Link>,
}

impl Node {
    pub(super) fn n_links(&self) -> usize {
        usize::from(self.first.is_some()) + self.more.len()
    }

    pub(super) fn link(&self, at: usize) -> Option<Link> {
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
pub(super) struct Link {
    pub(super) node: NodeNo,
    /// Nothing where an error begins.
    pub(super) part: Option<PartNo>,
}

/// The end of a way.
#[derive(Clone)]
pub(super) struct Head {
    pub(super) node: NodeNo,
    /// What the scanner kept after the last token of its own.
    pub(super) kept: Kept,
    pub(super) status: Status,
    /// How many nodes could be seen at the last error.
    pub(super) n_at_error: u32,
    /// The token that did not fit.
    pub(super) waiting: Option<PartNo>,
    /// Where an error may end.
    pub(super) summary: Option<Vec<Known>>,
}

/// A state on the way to an error, and how many parts before it.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) position: u32,
    pub(super) depth: usize,
    pub(super) state: u16,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Active,
    /// The next token does not fit.
    Paused,
    /// Another way does what this one did.
    Halted,
}

/// A path back from a head: the parts on it, and the head where it ends.
pub(super) struct Slice {
    pub(super) parts: Vec<PartNo>,
    pub(super) head: usize,
}

/// All ways.
pub(super) struct Web {
    pub(super) nodes: Vec<Node>,
    pub(super) heads: Vec<Head>,
    pub(super) finished: Option<PartNo>,
    pub(super) n_finished: usize,
}

impl Web {
    pub(super) fn node(&self, head: usize) -> &Node {
        &self.nodes[self.heads[head].node as usize]
    }

    fn add_node(&mut self, node: Node) -> NodeNo {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX)
    }

    /// Replaces a head by one that was made later.
    pub(super) fn renumber(&mut self, from: usize, to: usize) {
        if from != to {
            let mut head = self.heads.remove(from);
            head.summary = head.summary.or_else(|| self.heads[to].summary.take());
            self.heads[to] = head;
        }
    }

    /// A head like another one, at another node.
    fn add_head(&mut self, like: usize, node: NodeNo) -> usize {
        let Head { kept, n_at_error, .. } = self.heads[like];
        let (status, waiting, summary) = (Status::Active, None, None);
        self.heads.push(Head { node, kept, status, n_at_error, waiting, summary });
        self.heads.len() - 1
    }
}

impl Parser<'_> {
    pub(super) fn web_of_line(&mut self) -> Web {
        self.reckon();
        self.count(self.line.len());
        let nodes = Vec::with_capacity(64);
        let mut web = Web { nodes, heads: Vec::new(), finished: None, n_finished: 0 };
        let mut node = 0;
        for (at, place) in self.line.iter().enumerate() {
            let link = (at > 0).then_some(Link { node, part: Some(place.part) });
            node = self.push(&mut web, place.state, link);
        }
        web.heads.push(Head {
            node,
            kept: self.kept,
            status: Status::Active,
            n_at_error: self.n_at_error,
            waiting: None,
            summary: None,
        });
        web
    }

    fn push(&self, web: &mut Web, state: u16, first: Option<Link>) -> NodeNo {
        let (mut position, mut precedence, mut cost, mut n_visible) = (0, 0, 0, 0);
        if let Some(link) = first {
            let before = &web.nodes[link.node as usize];
            (position, precedence) = (before.position, before.precedence);
            (cost, n_visible) = (before.cost, before.n_visible);
            if let Some(part) = link.part {
                position = self.forest.part(part).end;
                precedence += self.forest.part(part).precedence;
                cost += self.costs.of(part).errors;
                n_visible += self.n_visible(part);
            }
        }
        let more = Vec::new();
        web.add_node(Node { state, position, precedence, cost, n_visible, first, more })
    }

    /// How many nodes of a part can be seen, itself among them.
    fn n_visible(&self, part: PartNo) -> u32 {
        if !self.mends {
            return 0;
        }
        let symbol = self.forest.part(part).symbol;
        let is_seen = self.tables.metadata(symbol).is_visible || symbol == ERROR_REPEAT;
        self.costs.of(part).n_visible + u32::from(is_seen)
    }

    pub(super) fn push_on(&mut self, web: &mut Web, head: usize, state: u16, part: Option<PartNo>) {
        self.reckon();
        // Nodes take memory.
        self.count(STEPS_OF_A_NODE);
        let node = web.heads[head].node;
        let node = self.push(web, state, Some(Link { node, part }));
        web.heads[head].node = node;
        if part.is_none() {
            web.heads[head].n_at_error = web.nodes[node as usize].n_visible;
        }
    }

    /// Makes the only way that is left the plain stack again.
    pub(super) fn take_line(&mut self, web: &Web) -> bool {
        let [head] = &web.heads[..] else { return false };
        if web.finished.is_some() || web.node(0).state == ERROR_STATE {
            return false;
        }
        let mut line = Vec::with_capacity(self.line.len() + 16);
        let mut node = &web.nodes[head.node as usize];
        loop {
            if !node.more.is_empty() {
                self.count(line.len());
                return false;
            }
            let Some(link) = node.first else { break };
            let Some(part) = link.part else {
                self.count(line.len());
                return false;
            };
            let before = &web.nodes[link.node as usize];
            // What was merged here is not told by the parts alone.
            let precedence = before.precedence + self.forest.part(part).precedence;
            if node.n_visible != before.n_visible + self.n_visible(part)
                || node.precedence != precedence
            {
                self.count(line.len());
                return false;
            }
            line.push(self.place(node.state, part));
            node = before;
        }
        self.count(line.len());
        line.push(Place::first());
        line.reverse();
        self.line = line;
        self.position = web.node(0).position;
        self.kept = head.kept;
        self.n_at_error = head.n_at_error;
        true
    }

    /// Takes what stands at the end and belongs to no rule.
    pub(super) fn without_extras(&self, parts: &mut Vec<PartNo>) -> Vec<PartNo> {
        let n_extras = parts.iter().rev().take_while(|no| self.forest.part(**no).is_extra).count();
        parts.split_off(parts.len() - n_extras)
    }

    /// All paths back from a head over so many parts, or to the beginning; their ends become heads.
    pub(super) fn pop(&self, web: &mut Web, head: usize, goal: Option<usize>) -> Vec<Slice> {
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
                    path.parts.extend(part);
                    path.n_parts += usize::from(self.counts(part));
                }
                at += 1;
            }
        }
        slices
    }

    /// As [`Parser::pop`], where one path leads back; nothing is done where there are several.
    fn pop_only_path(&self, web: &mut Web, head: usize, goal: usize) -> Option<Slice> {
        let mut node = web.heads[head].node;
        let mut parts = Vec::with_capacity(goal + 2);
        let mut n_parts = 0;
        while n_parts < goal {
            let at = &web.nodes[node as usize];
            let link = at.first.filter(|_| at.more.is_empty())?;
            parts.extend(link.part);
            n_parts += usize::from(self.counts(link.part));
            node = link.node;
        }
        parts.reverse();
        let head = web.add_head(head, node);
        Some(Slice { parts, head })
    }

    /// Whether a part is one of those that a rule is made of.
    pub(super) fn counts(&self, part: Option<PartNo>) -> bool {
        part.is_none_or(|part| !self.forest.part(part).is_extra)
    }

    /// Two ways that came to the same state at the same place go on as one.
    pub(super) fn merge(&self, web: &mut Web, one: usize, other: usize) -> bool {
        if !can_merge(web, one, other) {
            return false;
        }
        let to = web.heads[one].node;
        for link in web.node(other).links() {
            self.add_link(web, to, link);
        }
        if web.node(one).state == ERROR_STATE {
            web.heads[one].n_at_error = web.node(one).n_visible;
        }
        web.heads.remove(other);
        true
    }

    fn add_link(&self, web: &mut Web, to: NodeNo, link: Link) {
        if link.node == to {
            return;
        }
        let to = to as usize;
        let before = &web.nodes[link.node as usize];
        let of_link = link.part.map_or(0, |part| self.forest.part(part).precedence);
        let precedence = before.precedence + of_link;
        let n_visible = before.n_visible + link.part.map_or(0, |part| self.n_visible(part));
        for at in 0..web.nodes[to].n_links() {
            let Some(known) = web.nodes[to].link(at) else { break };
            if !self.are_alike(known.part, link.part) {
                continue;
            }
            if known.node == link.node {
                let of_known = known.part.map_or(0, |part| self.forest.part(part).precedence);
                if of_link > of_known {
                    let node = &mut web.nodes[to];
                    node.precedence = precedence;
                    if let Some(known) = node.link_mut(at) {
                        known.part = link.part;
                    }
                }
                return;
            }
            let (before, other) = (&web.nodes[known.node as usize], &web.nodes[link.node as usize]);
            if before.state == other.state
                && before.position == other.position
                && before.cost == other.cost
            {
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
            node.n_visible = node.n_visible.max(n_visible);
        }
    }

    /// Whether two parts that end at the same place cannot be told apart from outside.
    fn are_alike(&self, one: Option<PartNo>, other: Option<PartNo>) -> bool {
        let (Some(one), Some(other)) = (one, other) else { return one == other };
        let (left, right) = (self.forest.part(one), self.forest.part(other));
        one == other
            || left.is_like(right)
            || left.symbol == right.symbol
                && self.costs.of(one).errors > 0
                && self.costs.of(other).errors > 0
    }
}

/// A path ends where another one does, or at a new head.
fn add_slice(web: &mut Web, slices: &mut Vec<Slice>, of: usize, node: NodeNo, parts: Vec<PartNo>) {
    if let Some(at) = slices.iter().rposition(|slice| web.heads[slice.head].node == node) {
        slices.insert(at + 1, Slice { parts, head: slices[at].head });
        return;
    }
    let head = web.add_head(of, node);
    slices.push(Slice { parts, head });
}

/// Whether two ways came to the same state at the same place, at the same cost.
pub(super) fn can_merge(web: &Web, one: usize, other: usize) -> bool {
    let (left, right) = (&web.heads[one], &web.heads[other]);
    let (of_left, of_right) = (web.node(one), web.node(other));
    left.status == Status::Active
        && right.status == Status::Active
        && of_left.state == of_right.state
        && of_left.position == of_right.position
        && of_left.cost == of_right.cost
        && left.kept == right.kept
}
