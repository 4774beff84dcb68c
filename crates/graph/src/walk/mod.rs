//! Questions that go from node to node: what is near, how one thing leads to another, what a change may touch.
//!
//! Every walk is bounded by [`Limits`] and by whoever holds the clock, and says in [`Cut`] what it left out. Edges are
//! taken in their order, so the same graph gives the same answer, and no node is entered twice, so circles end.

mod circles;
mod impact;
mod nearby;
mod path;
mod whole;

#[cfg(test)]
mod tests;

pub use circles::{Circle, circles};
pub use impact::{Affected, Impact, impact};
pub use nearby::{Nearby, Reached, nearby};
pub use path::{Found, path};
pub use whole::{Degree, degrees, unreached};

use crate::{Edge, EdgeKind, Edges, Node};

/// Which way edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From who names to who is named: callees, imports.
    Forward,
    /// From who is named to who names: callers, importers.
    Backward,
    /// Either way.
    Both,
}

/// Which edges count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Which way they are followed.
    pub direction: Direction,
    /// Only these kinds; empty means all.
    pub kinds: Vec<EdgeKind>,
    /// Less sure ones are left out, in percent.
    pub min_confidence: u8,
    /// Whether an edge that is one of several candidates counts.
    pub with_candidates: bool,
}

impl Selection {
    /// All edges of these kinds, candidates too.
    pub fn new(direction: Direction, kinds: &[EdgeKind]) -> Self {
        Self { direction, kinds: kinds.to_vec(), min_confidence: 0, with_candidates: true }
    }

    /// Only what is known for a fact.
    #[must_use]
    pub fn facts_only(mut self) -> Self {
        self.with_candidates = false;
        self
    }

    /// Whether an edge counts.
    pub fn takes(&self, edge: &Edge) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&edge.kind))
            && edge.confidence >= self.min_confidence
            && (self.with_candidates || edge.candidates <= 1)
    }
}

/// How far a walk goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Steps from the start.
    pub depth: u32,
    /// Neighbours of one node.
    pub fan_out: u32,
    /// Nodes in all, the start included.
    pub nodes: u32,
}

impl Limits {
    /// No limit but memory; circles end all the same.
    pub const NONE: Self = Self { depth: u32::MAX, fan_out: u32::MAX, nodes: u32::MAX };
}

/// What a walk left out because of a limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cut {
    /// Nodes at the greatest depth have more neighbours.
    pub depth: bool,
    /// Nodes that have more neighbours than were followed.
    pub fan_out: u32,
    /// There are more nodes than the limit allows.
    pub nodes: bool,
    /// Time ran out.
    pub time: bool,
}

impl Cut {
    /// Whether anything was left out.
    pub fn is_any(self) -> bool {
        self != Self::default()
    }
}

/// Says whether there is time for another step.
pub type Patience<'a> = &'a mut dyn FnMut() -> bool;

/// The edges of a node that count, each with the node at its other end, in a stable order.
fn steps<E: Edges>(
    edges: &mut E,
    node: Node,
    selection: &Selection,
) -> Result<Vec<(Node, Edge)>, E::Failure> {
    let mut steps = Vec::new();
    if selection.direction != Direction::Backward {
        let leaving = edges.from(node)?.into_iter();
        steps.extend(leaving.filter(|edge| selection.takes(edge)).map(|edge| (edge.to, edge)));
    }
    if selection.direction != Direction::Forward {
        let ending = edges.to(node)?.into_iter();
        let own = |edge: &Edge| selection.direction == Direction::Both && edge.from == edge.to;
        let ending = ending.filter(|edge| selection.takes(edge) && !own(edge));
        steps.extend(ending.map(|edge| (edge.from, edge)));
    }
    Ok(steps)
}

/// The surest edge to each neighbour, surest neighbours first, then by node.
fn best_steps(steps: Vec<(Node, Edge)>) -> Vec<(Node, Edge)> {
    let mut best = steps;
    best.sort_by(|a, b| {
        let sure = |edge: &Edge| (edge.candidates.max(1), std::cmp::Reverse(edge.confidence));
        a.0.cmp(&b.0).then_with(|| sure(&a.1).cmp(&sure(&b.1))).then_with(|| a.1.cmp(&b.1))
    });
    best.dedup_by_key(|(node, _)| *node);
    best.sort_by(|a, b| {
        let sure = |edge: &Edge| (edge.candidates.max(1), std::cmp::Reverse(edge.confidence));
        sure(&a.1).cmp(&sure(&b.1)).then_with(|| a.0.cmp(&b.0))
    });
    best
}
